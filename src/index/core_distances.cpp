#include "index/core_distances.h"

#include <algorithm>
#include <cmath>

#include "base/min_heap.h"
#include "lodestar/detail/stop.h"

namespace lodestar::index {

NodeId largest_distances_core(NodeId nodes) {
  return static_cast<NodeId>(std::sqrt(static_cast<double>(nodes)));
}

namespace {

// A search from every target against the arcs. If sums are rounded, D[u][t] is then the rounded sum
// of the weight of some arc u → v and D[v][t], which CoreWalk relies on.
template <class W>
void fill_core_distances(Data& data) {
  const std::size_t core = data.core;
  std::vector<std::vector<UpArc<W>>> into(core);
  for (NodeId u = 0; u < core; ++u) {
    for (const UpArc<W>& arc : data.row_of<W>(u, 0)) into[arc.head].push_back({u, arc.weight});
  }
  const auto owned = std::make_shared<std::vector<W>>(core * core, kUnreached<W>);
  MinHeap<W> queue;
  for (NodeId t = 0; t < core; ++t) {
    W* row = owned->data() + t * core;
    row[t] = 0;
    queue.push(0, t);
    check_stop();
    while (!queue.empty()) {
      const auto top = queue.pop();
      if (top.key() != row[top.tag()]) continue;
      for (const UpArc<W>& arc : into[top.tag()]) {
        const W reached = top.key() + arc.weight;
        if (reached >= row[arc.head]) continue;
        row[arc.head] = reached;
        queue.push(reached, arc.head);
      }
    }
  }
  data.between = std::as_bytes(std::span(*owned));
  data.between_keeper = owned;
}

}  // namespace

void add_core_distances(Data& data) {
  data.wide ? fill_core_distances<double>(data) : fill_core_distances<std::uint32_t>(data);
}

template <class W>
void CoreWalk<W>::append(NodeId from, NodeId to, std::vector<PathStep>& steps) {
  run_.next([&] { std::fill(seen_.begin(), seen_.end(), 0); });
  const W* left = data_.between_of<W>() + std::size_t{to} * data_.core;
  const std::size_t first = steps.size();
  seen_[from] = run_;
  for (NodeId at = from; at != to;) {
    const auto row = data_.row_of<W>(at, 0);
    const W rest = left[at];
    // All arcs: a branch on each costs more.
    std::size_t next = row.size();
    for (std::size_t i = row.size(); i-- > 0;) {
      next = left[row[i].head] + row[i].weight == rest ? i : next;
    }
    while (next < row.size() &&
           (seen_[row[next].head] == run_ || left[row[next].head] + row[next].weight != rest)) {
      ++next;
    }
    if (next < row.size()) {
      const NodeId head = row[next].head;
      steps.push_back({at, head, data_.first[0][at] + static_cast<std::uint32_t>(next), 0, false});
      at = head;
      seen_[at] = run_;
      continue;
    }
    if (steps.size() == first) return;  // a damaged file: there is no path
    at = steps.back().tail;
    steps.pop_back();
  }
}

template class CoreWalk<std::uint32_t>;
template class CoreWalk<double>;

}  // namespace lodestar::index
