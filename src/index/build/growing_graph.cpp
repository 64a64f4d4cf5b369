#include "index/build/growing_graph.h"

#include <algorithm>
#include <cmath>

#include "lodestar/detail/stop.h"

namespace lodestar::index {

template <class W>
GrowingGraph<W>::GrowingGraph(const Graph& graph, const Units& units, std::span<const NodeId> order)
    : symmetric_(graph.symmetric()) {
  std::vector<NodeId> place(order.size());
  for (NodeId i = 0; i < order.size(); ++i) place[order[i]] = i;
  for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
    const int side = static_cast<int>(direction);
    rows_[side].resize(symmetric_ && side == 1 ? 0 : order.size());
    if (symmetric_ && side == 1) break;
    std::vector<ArcType> row;
    for (NodeId i = 0; i < order.size(); ++i) {
      check_stop(i);
      row.clear();
      for (const Arc arc : graph.arcs(order[i], direction)) {
        if (arc.head == order[i] || arc.weight > units.longest) continue;
        double weight = in_units(units, arc.weight);
        if (!units.wide) weight = std::round(weight);  // decimals are not exact
        row.push_back({place[arc.head], static_cast<W>(weight), kNoNode, 1});
      }
      std::sort(row.begin(), row.end(), [](const ArcType& a, const ArcType& b) {
        return a.head != b.head ? a.head < b.head : a.weight < b.weight;
      });
      row.erase(std::unique(row.begin(), row.end(),
                            [](const ArcType& a, const ArcType& b) { return a.head == b.head; }),
                row.end());
      std::stable_sort(row.begin(), row.end(),
                       [](const ArcType& a, const ArcType& b) { return a.weight < b.weight; });
      Row& at = rows_[side][i];
      at.begin = pools_[side].size();
      at.size = static_cast<std::uint32_t>(row.size());
      at.capacity = at.size;
      pools_[side].insert(pools_[side].end(), row.begin(), row.end());
    }
  }
}

template <class W>
void GrowingGraph<W>::put(int side, NodeId u, const ArcType& arc) {
  Row& row = rows_[side][u];
  std::vector<ArcType>& pool = pools_[side];
  std::uint32_t at = 0;
  while (at < row.size && pool[row.begin + at].head != arc.head) ++at;
  if (at < row.size) {
    if (pool[row.begin + at].weight <= arc.weight) return;
  } else {
    if (row.size == row.capacity) {
      const std::uint64_t begin = pool.size();
      const std::uint32_t capacity = std::max(4u, row.capacity * 2);
      pool.resize(pool.size() + capacity);
      std::copy_n(pool.begin() + static_cast<std::ptrdiff_t>(row.begin), row.size,
                  pool.begin() + static_cast<std::ptrdiff_t>(begin));
      row.begin = begin;
      row.capacity = capacity;
    }
    ++row.size;
  }
  ArcType* arcs = pool.data() + row.begin;
  for (; at > 0 && arc.weight < arcs[at - 1].weight; --at) arcs[at] = arcs[at - 1];
  arcs[at] = arc;
}

template <class W>
void GrowingGraph<W>::take(int side, NodeId u, NodeId head) {
  Row& row = rows_[side][u];
  ArcType* const arcs = pools_[side].data() + row.begin;
  ArcType* const end = arcs + row.size;
  ArcType* const found =
      std::find_if(arcs, end, [&](const ArcType& arc) { return arc.head == head; });
  if (found == end) return;
  std::copy(found + 1, end, found);
  --row.size;
}

template <class W>
void GrowingGraph<W>::add(NodeId tail, const ArcType& arc) {
  put(0, tail, arc);
  ArcType twin = arc;
  twin.head = tail;
  put(symmetric_ ? 0 : 1, arc.head, twin);
}

template <class W>
void GrowingGraph<W>::detach(NodeId u) {
  for (const ArcType& arc : arcs(u, Direction::kForward)) take(symmetric_ ? 0 : 1, arc.head, u);
  if (symmetric_) return;
  for (const ArcType& arc : arcs(u, Direction::kBackward)) take(0, arc.head, u);
}

template class GrowingGraph<std::uint32_t>;
template class GrowingGraph<double>;

}  // namespace lodestar::index
