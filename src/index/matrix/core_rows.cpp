#include "index/matrix/core_rows.h"

#include <algorithm>

#include "index/matrix/kernel.h"
#include "lodestar/detail/stop.h"

namespace lodestar::index {

template <class W>
CoreRows<W>::CoreRows(const Data& data) : data_(data) {
  if (data.symmetric) return;
  const std::size_t core = data.core;
  if (stored()) {
    const W* between = data.between_of<W>();
    transposed_.resize(core * core);
    constexpr std::size_t kTile = 16;  // columns of a tile share cache lines
    for (std::size_t v = 0; v < core; v += kTile) {
      const std::size_t end = std::min(v + kTile, core);
      for (std::size_t u = 0; u < core; ++u) {
        for (std::size_t w = v; w < end; ++w) transposed_[u * core + w] = between[w * core + u];
      }
    }
  }
  first_.assign(core + 2, 0);
  for (NodeId u = 0; u < core; ++u) {
    for (const auto& arc : data.row_of<W>(u, 0)) ++first_[arc.head + std::size_t{2}];
  }
  for (std::size_t i = 2; i < first_.size(); ++i) first_[i] += first_[i - 1];
  arcs_.resize(first_.back());
  for (NodeId u = 0; u < core; ++u) {
    for (const auto& arc : data.row_of<W>(u, 0)) {
      arcs_[first_[arc.head + std::size_t{1}]++] = {u, arc.weight};
    }
  }
}

template <class W>
void CoreRows<W>::fill(std::span<const Item<W>> entries, int end, W* row, Scratch& scratch) const {
  const std::size_t core = data_.core;
  std::fill(row, row + core, kUnreached<W>);
  if (!stored()) {
    search(entries, end, row, scratch);
    return;
  }
  const W* rows =
      end == 0 && !data_.symmetric ? transposed_.data() : data_.template between_of<W>();
  min_plus(rows, core, entries.data(), entries.size(), row, core);
}

template <class W>
void CoreRows<W>::search(std::span<const Item<W>> entries, int end, W* row,
                         Scratch& scratch) const {
  MinHeap<W>& queue = scratch.queue;
  queue.clear();
  for (const Item<W>& item : entries) {
    if (item.distance >= row[item.key]) continue;
    row[item.key] = item.distance;
    queue.push(item.distance, item.key);
  }
  for (std::size_t settled = 0; !queue.empty();) {
    const auto top = queue.pop();
    if (top.key() != row[top.tag()]) continue;
    check_stop(settled++);
    for (const UpArc<W>& arc : arcs(top.tag(), end)) {
      const W reached = top.key() + arc.weight;
      if (reached >= row[arc.head]) continue;
      row[arc.head] = reached;
      queue.push(reached, arc.head);
    }
  }
}

template class CoreRows<std::uint32_t>;
template class CoreRows<double>;
template class CoreRows<std::uint64_t>;  // for sum_product.h

}  // namespace lodestar::index
