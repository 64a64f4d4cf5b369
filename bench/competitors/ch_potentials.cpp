#include "bench/competitors/ch_potentials.h"

#include <algorithm>
#include <limits>
#include <queue>

#include "index/data.h"
#include "index/hierarchy/plain_topology.h"
#include "lodestar/detail/heap.h"
#include "lodestar/potentials.h"

namespace lodestar::bench {
namespace {

Index contracted(const Graph& graph) {
  IndexOptions options;
  options.core = 0;
  options.guide = CorePotentials::kNone;
  options.paths = false;
  return Index::build(graph, options);
}

// Distances to one target, computed when asked for. Nodes are those of the hierarchy.
template <class W>
class Lazy {
 public:
  static constexpr W kFar = std::numeric_limits<W>::max() / 4;

  explicit Lazy(const index::Data& data) : data_(data), labels_(data.nodes) {}

  // All ways down to the target: upward on the arcs turned round.
  void aim(NodeId target) {
    if (++run_ == 0) {
      for (Label& label : labels_) label = {};
      run_ = 1;
    }
    const int side = data_.symmetric ? 0 : 1;
    queue_ = {};
    label(target).down = 0;
    queue_.push({0, target});
    while (!queue_.empty()) {
      const auto [key, u] = queue_.top();
      queue_.pop();
      if (key > labels_[u].down) continue;
      for (const auto& arc : data_.row_of<W>(u, side)) {
        Label& above = label(arc.head);
        const W through = key + arc.weight;
        if (through >= above.down) continue;
        above.down = through;
        queue_.push({through, arc.head});
      }
    }
  }

  // kFar or more when there is no way.
  W distance(NodeId v) {
    if (label(v).known) return labels_[v].best;
    stack_.push_back(v);
    while (!stack_.empty()) {
      const NodeId u = stack_.back();
      W best = labels_[u].down;
      bool ready = true;
      for (const auto& arc : data_.row_of<W>(u, 0)) {
        const Label& above = label(arc.head);
        if (!above.known) {
          stack_.push_back(arc.head);
          ready = false;
        } else if (ready) {
          best = std::min<W>(best, above.best + arc.weight);
        }
      }
      if (!ready) continue;
      stack_.pop_back();
      labels_[u].best = std::min(best, kFar);
      labels_[u].known = true;
    }
    return labels_[v].best;
  }

 private:
  struct Label {
    W down = kFar;
    W best = kFar;
    std::uint32_t run = 0;
    bool known = false;
  };
  struct Entry {
    W key;
    NodeId node;
    friend bool operator<(const Entry& a, const Entry& b) { return a.key > b.key; }
  };

  Label& label(NodeId v) {
    if (labels_[v].run != run_) labels_[v] = {kFar, kFar, run_, false};
    return labels_[v];
  }

  const index::Data& data_;
  std::vector<Label> labels_;
  std::vector<NodeId> stack_;
  std::priority_queue<Entry> queue_;
  std::uint32_t run_ = 0;
};

}  // namespace

ChPotentials::ChPotentials(const Graph& graph) : hierarchy_(contracted(graph)) {}

class ChDistances::Impl {
 public:
  explicit Impl(const ChPotentials& potentials)
      : hierarchy_(potentials.hierarchy()), data_(index::Access::data(hierarchy_)) {
    if (data_.wide) {
      wide_ = std::make_unique<Lazy<double>>(data_);
    } else {
      narrow_ = std::make_unique<Lazy<std::uint32_t>>(data_);
    }
  }
  void aim(NodeId target) {
    if (wide_) return wide_->aim(data_.place[target]);
    narrow_->aim(data_.place[target]);
  }
  Cost to_target(NodeId v) {
    return wide_ ? cost(*wide_, data_.place[v]) : cost(*narrow_, data_.place[v]);
  }

 private:
  template <class W>
  Cost cost(Lazy<W>& lazy, NodeId place) {
    const W rest = lazy.distance(place);
    return rest >= Lazy<W>::kFar ? kInfinity : data_.cost_of(static_cast<double>(rest));
  }

  Index hierarchy_;
  const index::Data& data_;
  std::unique_ptr<Lazy<std::uint32_t>> narrow_;
  std::unique_ptr<Lazy<double>> wide_;
};

ChDistances::ChDistances(const ChPotentials& potentials)
    : impl_(std::make_unique<Impl>(potentials)) {}
ChDistances::~ChDistances() = default;
void ChDistances::aim(NodeId target) {
  impl_->aim(target);
}
Cost ChDistances::to_target(NodeId v) {
  return impl_->to_target(v);
}

class ChPotentialsSearcher::Impl {
 public:
  Impl(const ChPotentials& potentials, const Graph& graph)
      : hierarchy_(potentials.hierarchy()),
        data_(index::Access::data(hierarchy_)),
        graph_(graph),
        labels_(graph.node_count()),
        queue_(graph.node_count()) {
    if (data_.topology != topology_hash(graph)) {
      throw Error("the hierarchy belongs to a graph of other nodes or arcs");
    }
    if (data_.wide) {
      wide_ = std::make_unique<Lazy<double>>(data_);
    } else {
      narrow_ = std::make_unique<Lazy<std::uint32_t>>(data_);
    }
    find_passages();
  }

  SearchResult run(Query query) {
    if (wide_) return run_with(*wide_, query);
    return run_with(*narrow_, query);
  }

  std::vector<NodeId> path() const {
    std::vector<NodeId> nodes;
    if (target_ == kNoNode || labels_[target_].run != run_) return nodes;
    for (NodeId v = target_; v != kNoNode; v = labels_[v].parent) nodes.push_back(v);
    std::reverse(nodes.begin(), nodes.end());
    return nodes;
  }

 private:
  struct Label {
    Cost g = 0;
    NodeId parent = kNoNode;
    std::uint32_t run = 0;
  };

  // Nodes with at most two neighbours, arcs in and out counted together.
  void find_passages() {
    const index::PlainTopology topology = index::plain_topology(graph_);
    passage_.resize(graph_.node_count());
    for (NodeId u = 0; u < graph_.node_count(); ++u) passage_[u] = topology.of(u).size() <= 2;
  }

  template <class W>
  SearchResult run_with(Lazy<W>& lazy, Query query) {
    SearchResult result;
    if (++run_ == 0) {
      for (Label& label : labels_) label.run = 0;
      run_ = 1;
    }
    queue_.clear();
    target_ = query.target;
    lazy.aim(data_.place[query.target]);
    const auto push = [&](NodeId v, Cost g) {
      ++result.evaluations;
      const W rest = lazy.distance(data_.place[v]);
      if (rest >= Lazy<W>::kFar) return;  // no way on from here
      ++result.pushes;
      queue_.push_or_update(
          {g + data_.cost_of(static_cast<double>(rest)), static_cast<float>(-g), v});
    };
    // Follows the way from u to v until it comes to a junction, a dead end or the target.
    const auto relax = [&](NodeId u, NodeId v, Cost g) {
      for (;;) {
        Label& label = labels_[v];
        if (label.run == run_ && g >= label.g) return;
        label = {g, u, run_};
        if (v == query.target || !passage_[v]) return push(v, g);
        NodeId next = kNoNode;
        Cost least = kInfinity;
        for (const Arc arc : graph_.arcs(v)) {
          if (arc.head == u || arc.head == v || arc.weight >= least) continue;
          least = arc.weight;
          next = arc.head;
        }
        if (next == kNoNode) return;
        g += least;
        u = v;
        v = next;
      }
    };
    labels_[query.source] = {0, kNoNode, run_};
    push(query.source, 0);
    while (!queue_.empty()) {
      const NodeId u = queue_.pop().node;
      ++result.expansions;
      if (u == query.target) {
        result.cost = labels_[u].g;
        break;
      }
      const Cost g = labels_[u].g;
      for (const Arc arc : graph_.arcs(u)) relax(u, arc.head, g + arc.weight);
    }
    result.lower_bound = result.cost;
    return result;
  }

  Index hierarchy_;
  const index::Data& data_;
  Graph graph_;
  std::unique_ptr<Lazy<std::uint32_t>> narrow_;
  std::unique_ptr<Lazy<double>> wide_;
  std::vector<bool> passage_;
  std::vector<Label> labels_;
  NodeHeap queue_;
  std::uint32_t run_ = 0;
  NodeId target_ = kNoNode;
};

ChPotentialsSearcher::ChPotentialsSearcher(const ChPotentials& potentials, const Graph& graph)
    : impl_(std::make_unique<Impl>(potentials, graph)) {}
ChPotentialsSearcher::~ChPotentialsSearcher() = default;
ChPotentialsSearcher::ChPotentialsSearcher(ChPotentialsSearcher&&) noexcept = default;
ChPotentialsSearcher& ChPotentialsSearcher::operator=(ChPotentialsSearcher&&) noexcept = default;

SearchResult ChPotentialsSearcher::run(Query query) {
  return impl_->run(query);
}
std::vector<NodeId> ChPotentialsSearcher::path() const {
  return impl_->path();
}

}  // namespace lodestar::bench
