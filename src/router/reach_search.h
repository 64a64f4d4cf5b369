// Dijkstra's algorithm from several roots within a limit. The time and the memory touched depend on
// the nodes reached, not on the graph.
//
//   search.run(roots, {}, Direction::kForward, limit, [&](NodeId v, const ReachLabel& label) {
//     return use(v, label.cost);                       // false stops
//   });
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/min_heap.h"
#include "lodestar/detail/run_number.h"
#include "lodestar/detail/stop.h"
#include "lodestar/graph.h"

namespace lodestar::detail {

struct ReachLabel {
  Cost cost = 0;
  NodeId parent = kNoNode;
  std::uint32_t root = 0;  // position in the list
  std::uint32_t run = 0;
};

class ReachSearch {
 public:
  explicit ReachSearch(Graph graph) : graph_(std::move(graph)), labels_(graph_.node_count()) {}

  // Calls settle(node, label) by ascending cost, at most `limit`, until it returns false. `spent`
  // is the cost before each root; empty: 0.
  template <class Settle>
  void run(std::span<const NodeId> roots, std::span<const Cost> spent, Direction direction,
           Cost limit, Settle&& settle) {
    run_.next([&] { std::fill(labels_.begin(), labels_.end(), ReachLabel{}); });
    queue_.clear();
    for (std::size_t i = 0; i < roots.size(); ++i) {
      ReachLabel& label = labels_[roots[i]];
      const Cost cost = spent.empty() ? 0 : spent[i];
      if (label.run == run_ && cost >= label.cost) continue;  // listed twice
      label = {cost, kNoNode, static_cast<std::uint32_t>(i), run_};
      queue_.push(cost, roots[i]);
    }
    graph_.visit(direction, [&](auto adjacency) { search(adjacency, limit, settle); });
  }

 private:
  template <class W, class Settle>
  void search(Adjacency<W> adjacency, Cost limit, Settle& settle) {
    for (std::size_t step = 0; !queue_.empty(); ++step) {
      const auto top = queue_.pop();
      const NodeId u = top.tag();
      const ReachLabel here = labels_[u];
      if (top.key() != here.cost) continue;  // an old entry
      check_stop(step);
      if (here.cost > limit || !settle(u, here)) return;
      for (const StoredArc<W>& arc : adjacency.of(u)) {
        const Cost cost = here.cost + static_cast<Cost>(arc.weight);
        ReachLabel& label = labels_[arc.head];
        if (cost > limit || (label.run == run_ && cost >= label.cost)) continue;
        label = {cost, u, here.root, run_};
        queue_.push(cost, arc.head);
      }
    }
  }

  Graph graph_;
  std::vector<ReachLabel> labels_;
  MinHeap<Cost> queue_;
  RunNumber run_;
};

}  // namespace lodestar::detail
