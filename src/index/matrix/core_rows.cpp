#include "index/matrix/core_rows.h"

#include <algorithm>
#include <type_traits>

#include "index/matrix/kernel.h"
#include "lodestar/detail/stop.h"

namespace lodestar::index {

template <class W>
CoreRows<W>::CoreRows(const Data& data) : data_(data) {
  first_[0] = data.first[0].data();
  if (std::is_same_v<W, std::uint32_t> && data.arc_format.narrow()) {
    const auto arcs = data.arcs_as<AnyArcs<W>>(0);
    whole_.resize(data.first[0][data.core]);
    for (std::size_t a = 0; a < whole_.size(); ++a) whole_[a] = arcs[a];
    arcs_[0] = whole_.data();
  } else {
    arcs_[0] = data.arcs_as<PlainArcs<W>>(0).arcs;
  }
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
  std::vector<std::uint32_t>& first = reversed_first_;
  first.assign(core + 2, 0);
  for (NodeId u = 0; u < core; ++u) {
    for (const auto& arc : data.row_of<W>(u, 0)) ++first[arc.head + std::size_t{2}];
  }
  for (std::size_t i = 2; i < first.size(); ++i) first[i] += first[i - 1];
  reversed_.resize(first.back());
  for (NodeId u = 0; u < core; ++u) {
    for (const auto& arc : data.row_of<W>(u, 0)) {
      reversed_[first[arc.head + std::size_t{1}]++] = {u, arc.weight};
    }
  }
  first_[1] = first.data();
  arcs_[1] = reversed_.data();
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
