#include "index/hierarchy/vertex_cut.h"

#include <algorithm>

#include "lodestar/detail/stop.h"

namespace lodestar::index {
namespace {

constexpr std::uint32_t kUnseen = 0xffffffffu;
// A path of the flow begins at a source and ends at a sink: these stand for the outside.
constexpr NodeId kOutside = kNoNode - 1;

}  // namespace

// Residual arcs. At an entry of v: with no flow through v, the exit of v; with flow, back to the
// exit of the node it comes from (nowhere at a source whose flow begins there). At an exit of v:
// the entries of its neighbours, and the entry of v when flow passes v.
// They are numbered: 0 … degree - 1 the neighbours (exits only), then the one that stays or goes
// back. kNoNode: no such arc.
VertexCut::State VertexCut::step(State state, ArcIndex at) const {
  const NodeId v = state / 2;
  if (state == entry(v)) {
    if (next_[v] == kNoNode) return exit(v);
    return previous_[v] == kOutside ? kNoNode : exit(previous_[v]);
  }
  const auto heads = graph_->of(v);
  if (at == heads.size()) return next_[v] == kNoNode ? kNoNode : entry(v);
  return heads[at] == next_[v] ? kNoNode : entry(heads[at]);
}

bool VertexCut::find_levels() {
  std::fill(level_.begin(), level_.end(), kUnseen);
  queue_.clear();
  for (const NodeId s : sources_) {
    level_[entry(s)] = 0;
    queue_.push_back(entry(s));
  }
  bool reached = false;
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    check_stop(i);
    const State state = queue_[i];
    const NodeId v = state / 2;
    if (state == exit(v) && sink_[v] && next_[v] != kOutside) {
      reached = true;
      continue;
    }
    const auto arcs = state == exit(v) ? static_cast<ArcIndex>(graph_->of(v).size()) + 1 : 1;
    for (ArcIndex a = 0; a < arcs; ++a) {
      const State ahead = step(state, a);
      if (ahead == kNoNode || level_[ahead] != kUnseen) continue;
      level_[ahead] = level_[state] + 1;
      queue_.push_back(ahead);
    }
  }
  return reached;
}

// One more path from `source` along rising levels, if there is one left in this phase.
bool VertexCut::augment(NodeId source) {
  std::vector<State>& path = queue_;
  path.assign(1, entry(source));
  while (!path.empty()) {
    const State state = path.back();
    const NodeId v = state / 2;
    if (state == exit(v) && sink_[v] && next_[v] != kOutside) break;
    const auto arcs = state == exit(v) ? static_cast<ArcIndex>(graph_->of(v).size()) + 1 : 1;
    State ahead = kNoNode;
    for (; at_[state] < arcs; ++at_[state]) {
      ahead = step(state, at_[state]);
      if (ahead != kNoNode && level_[ahead] == level_[state] + 1) break;
      ahead = kNoNode;
    }
    if (ahead != kNoNode) {
      path.push_back(ahead);
    } else {
      level_[state] = kUnseen;  // a dead end
      path.pop_back();
    }
  }
  if (path.empty()) return false;
  // Walk the path: an arc between nodes that goes with it gains the unit, one against it loses it.
  // A node left by its entry gives its unit away and keeps none unless another comes in.
  for (const State state : path) level_[state] = kUnseen;  // each state once per phase
  std::vector<std::pair<NodeId, NodeId>> gained;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    const NodeId u = path[i] / 2, v = path[i + 1] / 2;
    if (u == v) continue;
    if (path[i] == exit(u)) {
      gained.emplace_back(u, v);
    } else {  // back along v → u
      if (next_[v] == u) next_[v] = kNoNode;
      if (previous_[u] == v) previous_[u] = kNoNode;
    }
  }
  for (const auto& [u, v] : gained) {
    next_[u] = v;
    previous_[v] = u;
  }
  previous_[source] = kOutside;
  next_[path.back() / 2] = kOutside;
  return true;
}

bool VertexCut::run(const PlainTopology& graph, std::span<const NodeId> sources,
                    std::span<const NodeId> sinks, std::size_t most) {
  graph_ = &graph;
  sources_ = sources;
  sinks_ = sinks;
  const NodeId n = graph.size();
  next_.assign(n, kNoNode);
  previous_.assign(n, kNoNode);
  sink_.assign(n, 0);
  level_.resize(2 * std::size_t{n});
  at_.resize(2 * std::size_t{n});
  for (const NodeId t : sinks) sink_[t] = 1;
  std::size_t flow = 0;
  while (find_levels()) {
    std::fill(at_.begin(), at_.end(), 0);
    for (const NodeId s : sources) {
      if (previous_[s] == kOutside || level_[entry(s)] != 0) continue;
      if (augment(s) && ++flow > most) return false;
    }
  }
  pick();
  return true;
}

// Near the sources: nodes whose entry is reached in the residual graph and whose exit is not. Near
// the sinks: nodes from whose exit a sink is reached and from whose entry none is.
void VertexCut::pick() {
  // The nodes seen only at their entry, or only at their exit; returns the size of the smaller
  // side.
  const auto collect = [&](bool at_entry, std::vector<NodeId>& cut) {
    const NodeId n = graph_->size();
    cut.clear();
    std::size_t both = 0;
    for (NodeId v = 0; v < n; ++v) {
      const bool in = level_[entry(v)] != kUnseen, out = level_[exit(v)] != kUnseen;
      if (in != out && in == at_entry) cut.push_back(v);
      both += in && out;
    }
    return std::min(both, n - both - cut.size());
  };
  smaller_side_ = collect(true, separator_);

  // Backward from the sinks: residual arcs turned round.
  std::fill(level_.begin(), level_.end(), kUnseen);
  queue_.clear();
  const auto reach = [&](State state) {
    if (level_[state] != kUnseen) return;
    level_[state] = 0;
    queue_.push_back(state);
  };
  for (const NodeId t : sinks_) reach(exit(t));
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    const NodeId v = queue_[i] / 2;
    if (queue_[i] == entry(v)) {
      for (const NodeId u : graph_->of(v)) {
        if (next_[u] != v) reach(exit(u));
      }
      if (next_[v] != kNoNode) reach(exit(v));
    } else {
      if (next_[v] == kNoNode)
        reach(entry(v));
      else if (next_[v] != kOutside)
        reach(entry(next_[v]));
    }
  }
  const std::size_t smaller = collect(false, other_);
  if (other_.size() == separator_.size() && smaller > smaller_side_) {
    separator_.swap(other_);
    smaller_side_ = smaller;
  }
}

}  // namespace lodestar::index
