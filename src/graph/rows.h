// Rows of arcs while a graph is built: sorting, transposing and converting to a Graph.
#pragma once

#include <algorithm>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "lodestar/detail/stop.h"
#include "lodestar/graph.h"

namespace lodestar::detail {

// One direction, owned.
template <class W>
struct Rows {
  std::vector<ArcIndex> first;
  std::vector<StoredArc<W>> arcs;
};

template <class W>
struct OwnedArrays {
  Rows<W> rows[2];
  std::vector<Point> points;
};

template <class W>
bool by_head(const StoredArc<W>& a, const StoredArc<W>& b) {
  return a.head != b.head ? a.head < b.head : a.weight < b.weight;
}

template <class W>
bool by_weight(const StoredArc<W>& a, const StoredArc<W>& b) {
  return a.weight != b.weight ? a.weight < b.weight : a.head < b.head;
}

template <class W>
void order_rows(Rows<W>& rows, ArcOrder order) {
  const auto less = order == ArcOrder::kByHead ? by_head<W> : by_weight<W>;
  for (std::size_t u = 0; u + 1 < rows.first.size(); ++u) {
    check_stop(u);
    const auto begin = rows.arcs.begin() + rows.first[u];
    const auto end = rows.arcs.begin() + rows.first[u + 1];
    if (!std::is_sorted(begin, end, less)) std::sort(begin, end, less);
  }
}

// Arc (tail, head, w) appears in row head as (tail, w). Row order follows the tails.
template <class W>
Rows<W> transpose(const Rows<W>& rows) {
  const std::size_t n = rows.first.size() - 1;
  Rows<W> out;
  out.first.assign(n + 1, 0);
  for (const StoredArc<W>& arc : rows.arcs) ++out.first[arc.head + 1];
  for (std::size_t v = 0; v < n; ++v) out.first[v + 1] += out.first[v];
  out.arcs.resize(rows.arcs.size());
  std::vector<ArcIndex> next(out.first.begin(), out.first.end() - 1);
  for (std::size_t u = 0; u < n; ++u) {
    check_stop(u);
    for (ArcIndex i = rows.first[u]; i < rows.first[u + 1]; ++i) {
      const StoredArc<W>& arc = rows.arcs[i];
      out.arcs[next[arc.head]++] = {static_cast<NodeId>(u), arc.weight};
    }
  }
  return out;
}

template <class W>
bool same_rows(const Rows<W>& a, const Rows<W>& b) {
  return a.first == b.first && std::equal(a.arcs.begin(), a.arcs.end(), b.arcs.begin(),
                                          [](const StoredArc<W>& x, const StoredArc<W>& y) {
                                            return x.head == y.head && x.weight == y.weight;
                                          });
}

template <class W>
Graph freeze(OwnedArrays<W>&& owned, bool symmetric, ArcOrder order, CoordinateKind kind) {
  auto kept = std::make_shared<OwnedArrays<W>>(std::move(owned));
  GraphArrays arrays;
  arrays.nodes = static_cast<NodeId>(kept->rows[0].first.size() - 1);
  arrays.symmetric = symmetric;
  arrays.narrow = sizeof(W) == sizeof(float);
  arrays.order = order;
  arrays.coordinates = kind;
  for (int d = 0; d < 2; ++d) {
    const Rows<W>& rows = kept->rows[symmetric ? 0 : d];
    arrays.first[d] = rows.first;
    arrays.arcs[d] = std::as_bytes(std::span<const StoredArc<W>>(rows.arcs));
  }
  arrays.points = kept->points;
  arrays.keeper = std::move(kept);
  return Graph::adopt(std::move(arrays));
}

// Builds a graph from rows. `grouped` says that arcs are already ordered by head; `points` may be
// empty.
template <class W>
Graph finish(Rows<W> given, ArcOrder order, CoordinateKind kind, std::vector<Point> points,
             bool grouped = false) {
  OwnedArrays<W> owned;
  if (grouped) {
    owned.rows[0] = std::move(given);
    order_rows(owned.rows[0], ArcOrder::kByHead);  // parallel arcs by weight
    owned.rows[1] = transpose(owned.rows[0]);
  } else {  // two transpositions order each row by head
    owned.rows[1] = transpose(given);
    given = {};
    order_rows(owned.rows[1], ArcOrder::kByHead);
    owned.rows[0] = transpose(owned.rows[1]);
    order_rows(owned.rows[0], ArcOrder::kByHead);
  }
  const bool symmetric = same_rows(owned.rows[0], owned.rows[1]);
  if (symmetric) owned.rows[1] = {};
  if (order != ArcOrder::kByHead) {
    order_rows(owned.rows[0], order);
    if (!symmetric) order_rows(owned.rows[1], order);
  }
  owned.points = std::move(points);
  return freeze(std::move(owned), symmetric, order, kind);
}

// Whether a weight is exactly a float32.
inline bool is_narrow(Weight weight) {
  return weight <= std::numeric_limits<float>::max() &&
         static_cast<double>(static_cast<float>(weight)) == weight;
}

}  // namespace lodestar::detail
