// One-to-all and what is within a limit: by Dijkstra's algorithm, or a pass down an index.
#include <algorithm>
#include <cmath>

#include "router/state.h"

namespace lodestar {
namespace {

Direction opposite(Direction direction) {
  return direction == Direction::kForward ? Direction::kBackward : Direction::kForward;
}

// The parents that distances imply: the tail of an arc by which the distance rises exactly. An arc
// of weight 0 counts only from a node that has a parent already, because such arcs may form cycles.
// `parts` is the number of units in 1, or 1 if sums of costs are exact.
std::vector<NodeId> parents_of(const Graph& graph, std::span<const NodeId> roots,
                               Direction direction, std::span<const Cost> costs, double parts) {
  const NodeId n = graph.node_count();
  std::vector<NodeId> parents(n, kNoNode);
  std::vector<char> known(n, 0);
  for (const NodeId root : roots) known[root] = 1;
  const auto units = [&](Cost cost) { return parts == 1 ? cost : std::round(cost * parts); };
  std::vector<NodeId> open;
  graph.visit(opposite(direction), [&](auto adjacency) {
    for (NodeId v = 0; v < n; ++v) {
      check_stop(v);
      if (known[v] || !(costs[v] < kInfinity)) continue;
      for (const auto& arc : adjacency.of(v)) {
        const auto weight = static_cast<Cost>(arc.weight);
        if (weight > 0 && units(costs[arc.head]) + units(weight) == units(costs[v])) {
          parents[v] = arc.head;
          known[v] = 1;
          break;
        }
      }
      if (!known[v]) open.push_back(v);
    }
  });
  if (open.empty()) return parents;
  // From every known node along arcs of weight 0.
  std::vector<NodeId> queue;
  graph.visit(opposite(direction), [&](auto adjacency) {
    for (const NodeId v : open) {
      for (const auto& arc : adjacency.of(v)) {
        if (arc.weight != 0 || !known[arc.head] || costs[arc.head] != costs[v]) continue;
        parents[v] = arc.head;
        queue.push_back(v);
        break;
      }
    }
  });
  for (const NodeId v : queue) known[v] = 1;
  graph.visit(direction, [&](auto adjacency) {
    while (!queue.empty()) {
      const NodeId u = queue.back();
      queue.pop_back();
      for (const auto& arc : adjacency.of(u)) {
        if (arc.weight != 0 || known[arc.head] || costs[arc.head] != costs[u]) continue;
        parents[arc.head] = u;
        known[arc.head] = 1;
        queue.push_back(arc.head);
      }
    }
  });
  return parents;
}

// Returns false if more than `most` nodes are within the limit.
bool search_within(detail::ReachSearch& search, std::span<const NodeId> roots, NodeId n,
                   const DistanceOptions& options, std::size_t most, Distances& found) {
  std::vector<ReachedNode> reached;
  bool finished = true;
  search.run(roots, {}, options.direction, options.limit,
             [&](NodeId v, const detail::ReachLabel& label) {
               finished = reached.size() < most;
               if (finished) reached.push_back({v, label.cost, label.parent, label.root});
               return finished;
             });
  if (!finished) return false;
  found.costs.assign(n, kInfinity);
  if (options.parents) found.parents.assign(n, kNoNode);
  if (options.nearest) found.nearest.assign(n, kNoNode);
  for (const ReachedNode& one : reached) {
    found.costs[one.node] = one.cost;
    if (options.parents) found.parents[one.node] = one.parent;
    if (options.nearest) found.nearest[one.node] = one.nearest;
  }
  return true;
}

}  // namespace

// All nodes, by the search loop that all algorithms share.
Distances Router::searched(NodeId root, const DistanceOptions& options) const {
  const auto searcher = state_->borrow_dijkstra();
  searcher->set_direction(options.direction);
  searcher->run_all(root);
  const NodeId n = graph().node_count();
  Distances found;
  found.costs.resize(n);
  for (NodeId v = 0; v < n; ++v) found.costs[v] = searcher->distance(v);
  if (options.parents) {
    found.parents.resize(n);
    for (NodeId v = 0; v < n; ++v) found.parents[v] = searcher->parent(v);
  }
  if (options.nearest) {
    found.nearest.resize(n, 0);
    for (NodeId v = 0; v < n; ++v) found.nearest[v] = found.costs[v] < kInfinity ? 0 : kNoNode;
  }
  return found;
}

Distances Router::distances(NodeId node, const DistanceOptions& options) const {
  return distances(std::span(&node, 1), options);
}

Distances Router::distances(std::span<const NodeId> roots, const DistanceOptions& options) const {
  for (const NodeId root : roots) state_->check(root);
  if (std::isnan(options.limit)) throw Error("the limit is not a number");
  const NodeId n = graph().node_count();
  const index::ManyToMany* many = state_->many_to_many();
  const bool limited = options.limit < kInfinity;
  if (many == nullptr && roots.size() == 1 && !limited) return searched(roots[0], options);
  Distances found;
  const auto search = [&](std::size_t most) {
    return search_within(*state_->borrow_reach(), roots, n, options, most, found);
  };
  if (many == nullptr) {
    search(n);
    return found;
  }
  // Within a narrow limit a search ends after few nodes. It is given up when a pass over all nodes
  // takes less time.
  if (limited && many->exact_sums() && search(n / 16)) return found;
  const auto sweep = state_->borrow_sweep();
  found.costs.resize(n);
  if (options.nearest) {
    found.nearest.resize(n);
    if (!sweep->run(roots, options.direction, found.costs.data(), found.nearest.data())) {
      search(n);
      return found;
    }
  } else {
    sweep->run(roots, options.direction, found.costs.data());
  }
  for (NodeId v = 0; limited && v < n; ++v) {
    if (found.costs[v] <= options.limit) continue;
    found.costs[v] = kInfinity;
    if (options.nearest) found.nearest[v] = kNoNode;
  }
  if (options.parents) {
    found.parents = parents_of(graph(), roots, options.direction, found.costs, many->parts());
  }
  return found;
}

Reach Router::within(std::span<const NodeId> roots, Cost limit, const ReachOptions& options) const {
  for (const NodeId root : roots) state_->check(root);
  if (!(limit >= 0)) throw Error("the limit must be a number of at least 0");
  if (!options.spent.empty() && options.spent.size() != roots.size()) {
    throw Error("there must be as many costs spent as roots");
  }
  for (const Cost spent : options.spent) {
    if (!(spent >= 0)) throw Error("a cost spent before a root must be a number of at least 0");
  }
  Reach reach;
  const auto search = state_->borrow_reach();
  search->run(roots, options.spent, options.direction, limit,
              [&](NodeId v, const detail::ReachLabel& label) {
                reach.nodes.push_back({v, label.cost, label.parent, label.root});
                return true;
              });
  if (options.arcs) reach.arcs = reached_arcs(graph(), reach.nodes, limit, options.direction);
  return reach;
}

std::vector<ReachedArc> reached_arcs(const Graph& graph, std::span<const ReachedNode> nodes,
                                     Cost limit, Direction direction) {
  std::vector<ReachedArc> out;
  const bool forward = direction == Direction::kForward;
  const auto first = graph.arrays().first[0];
  // Rows of arcs that enter a node do not number them as the rows of arcs that leave it do.
  const auto number_of = [&](NodeId tail, NodeId head, Weight weight) {
    return graph.visit(Direction::kForward, [&](auto rows) {
      ArcIndex arc = first[tail];
      while (rows.arcs[arc].head != head || static_cast<Weight>(rows.arcs[arc].weight) != weight) {
        ++arc;
      }
      return arc;
    });
  };
  graph.visit(direction, [&](auto adjacency) {
    for (const ReachedNode& one : nodes) {
      check_stop(out.size());
      ArcIndex number = first[one.node];
      for (const auto& arc : adjacency.of(one.node)) {
        const auto weight = static_cast<Weight>(arc.weight);
        const double share = weight > limit - one.cost ? (limit - one.cost) / weight : 1;
        if (share > 0 && forward) {
          out.push_back({one.node, arc.head, weight, share, number});
        } else if (share > 0) {
          out.push_back({arc.head, one.node, weight, share, number_of(arc.head, one.node, weight)});
        }
        ++number;
      }
    }
  });
  return out;
}

}  // namespace lodestar
