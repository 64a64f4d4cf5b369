#include "index/core_distances.h"

#include <algorithm>
#include <cmath>

#include "base/min_heap.h"
#include "lodestar/detail/stop.h"

namespace lodestar::index {

NodeId largest_distances_core(NodeId nodes) {
  return static_cast<NodeId>(std::sqrt(static_cast<double>(nodes)));
}

void add_core_distances(Data& data) {
  const std::size_t core = data.core;
  const auto owned = std::make_shared<std::vector<std::uint32_t>>(core * core, kFar);
  MinHeap<std::uint32_t> queue;
  for (NodeId s = 0; s < core; ++s) {
    std::uint32_t* row = owned->data() + s * core;
    row[s] = 0;
    queue.push(0, s);
    check_stop();
    while (!queue.empty()) {
      const auto top = queue.pop();
      if (top.key() != row[top.tag()]) continue;
      for (const UpArc<std::uint32_t>& arc : data.row_of<std::uint32_t>(top.tag(), 0)) {
        const std::uint32_t reached = top.key() + arc.weight;
        if (reached >= row[arc.head]) continue;
        row[arc.head] = reached;
        queue.push(reached, arc.head);
      }
    }
  }
  // Transpose: rows by source become rows by target.
  for (std::size_t u = 0; !data.symmetric && u < core; ++u) {
    for (std::size_t v = 0; v < u; ++v) std::swap((*owned)[u * core + v], (*owned)[v * core + u]);
  }
  data.between = *owned;
  data.between_keeper = owned;
}

void CoreWalk::append(NodeId from, NodeId to, std::vector<PathStep>& steps) {
  run_.next([&] { std::fill(seen_.begin(), seen_.end(), 0); });
  const std::uint32_t* left = data_.between.data() + std::size_t{to} * data_.core;
  const std::size_t first = steps.size();
  seen_[from] = run_;
  for (NodeId at = from; at != to;) {
    const auto row = data_.row_of<std::uint32_t>(at, 0);
    const auto next = std::find_if(row.begin(), row.end(), [&](const UpArc<std::uint32_t>& arc) {
      return left[arc.head] + arc.weight == left[at] && seen_[arc.head] != run_;
    });
    if (next != row.end()) {
      steps.push_back({at, next->head,
                       data_.first[0][at] + static_cast<std::uint32_t>(next - row.begin()), 0,
                       false});
      at = next->head;
      seen_[at] = run_;
      continue;
    }
    if (steps.size() == first) return;  // a damaged file: there is no path
    at = steps.back().tail;
    steps.pop_back();
  }
}

}  // namespace lodestar::index
