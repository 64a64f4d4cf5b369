#include "index/build/growing_graph.h"

#include <algorithm>
#include <cmath>

#include "lodestar/detail/parallel.h"
#include "lodestar/detail/stop.h"

namespace lodestar::index {

template <class W>
GrowingGraph<W>::GrowingGraph(const Graph& graph, const Units& units, std::span<const NodeId> order,
                              std::uint32_t parts)
    : symmetric_(graph.symmetric()), arenas_(parts) {
  std::vector<NodeId> place(order.size());
  for (NodeId i = 0; i < order.size(); ++i) place[order[i]] = i;
  for (int side = 0; side < (symmetric_ ? 1 : 2); ++side) rows_[side].resize(order.size());
  parallel_for(parts, parts,
               [&](std::size_t part, std::size_t) { fill(part, graph, units, order, place); });
}

template <class W>
void GrowingGraph<W>::fill(std::size_t part, const Graph& graph, const Units& units,
                           std::span<const NodeId> order, std::span<const NodeId> place) {
  arenas_[part] = Arena((symmetric_ ? 1 : 2) * graph.arc_count() / arenas_.size());
  std::vector<ArcType> row;
  for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
    const int side = static_cast<int>(direction);
    if (symmetric_ && side == 1) break;
    for_each_in(part, [&](NodeId i) {
      check_stop(i);
      row.clear();
      for (const Arc arc : graph.arcs(order[i], direction)) {
        if (arc.head == order[i] || arc.weight > units.longest) continue;
        row.push_back({place[arc.head], weight_in_units<W>(units, arc.weight), kNoNode, 1});
      }
      std::sort(row.begin(), row.end(), [](const ArcType& a, const ArcType& b) {
        return a.head != b.head ? a.head < b.head : a.weight < b.weight;
      });
      row.erase(std::unique(row.begin(), row.end(),
                            [](const ArcType& a, const ArcType& b) { return a.head == b.head; }),
                row.end());
      std::stable_sort(row.begin(), row.end(),
                       [](const ArcType& a, const ArcType& b) { return a.weight < b.weight; });
      const auto size = static_cast<std::uint32_t>(row.size());
      rows_[side][i] = {arenas_[part].take(size), size, size};
      std::copy(row.begin(), row.end(), rows_[side][i].arcs);
    });
  }
}

template <class W>
void GrowingGraph<W>::put(std::size_t part, int side, NodeId u, const ArcType& arc) {
  Row& row = rows_[side][u];
  std::uint32_t at = 0;
  while (at < row.size && row.arcs[at].head != arc.head) ++at;
  if (at < row.size) {
    if (row.arcs[at].weight <= arc.weight) return;
  } else {
    if (row.size == row.capacity) {
      const std::uint32_t capacity = std::max(4u, row.capacity * 2);
      ArcType* const arcs = arenas_[part].take(capacity);
      std::copy_n(row.arcs, row.size, arcs);
      row = {arcs, row.size, capacity};
    }
    ++row.size;
  }
  for (; at > 0 && arc.weight < row.arcs[at - 1].weight; --at) row.arcs[at] = row.arcs[at - 1];
  row.arcs[at] = arc;
}

template <class W>
void GrowingGraph<W>::take(int side, NodeId u, NodeId head) {
  Row& row = rows_[side][u];
  ArcType* const end = row.arcs + row.size;
  ArcType* const found =
      std::find_if(row.arcs, end, [&](const ArcType& arc) { return arc.head == head; });
  if (found == end) return;
  std::copy(found + 1, end, found);
  --row.size;
}

template <class W>
void GrowingGraph<W>::add(std::size_t part, NodeId tail, const ArcType& arc) {
  if (is_in(part, tail)) put(part, 0, tail, arc);
  if (!is_in(part, arc.head)) return;
  ArcType twin = arc;
  twin.head = tail;
  put(part, symmetric_ ? 0 : 1, arc.head, twin);
}

template <class W>
void GrowingGraph<W>::detach(std::size_t part, NodeId u) {
  for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
    const int other = symmetric_ ? 0 : 1 - static_cast<int>(direction);
    for (const ArcType& arc : arcs(u, direction)) {
      if (is_in(part, arc.head)) take(other, arc.head, u);
    }
    if (symmetric_) return;
  }
}

template class GrowingGraph<std::uint32_t>;
template class GrowingGraph<double>;

}  // namespace lodestar::index
