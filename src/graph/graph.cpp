#include "lodestar/graph.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace lodestar {
namespace {

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

[[noreturn]] void refuse_point(std::size_t v, const Point& p) {
  char text[200];
  std::snprintf(
      text, sizeof text,
      "node %zu is at (%g, %g); coordinates must be finite, 0 or from %.3g to %.3g in size", v, p.x,
      p.y, kLeastCoordinate, kLargestCoordinate);
  throw Error(text);
}

[[noreturn]] void refuse_weight(NodeId tail, NodeId head, Weight weight) {
  char text[200];
  if (!(weight >= 0) || !std::isfinite(weight)) {
    std::snprintf(text, sizeof text,
                  "arc %u -> %u has weight %g; weights must be finite and not negative", tail, head,
                  weight);
  } else {
    std::snprintf(text, sizeof text,
                  "arc %u -> %u has weight %g; weights must be 0 or from %.3g to %.3g, choose "
                  "another unit",
                  tail, head, weight, kLeastWeight, kLargestWeight);
  }
  throw Error(text);
}

}  // namespace

Graph::Graph() {
  static constexpr ArcIndex kZero[1] = {0};
  arrays_.symmetric = true;
  for (auto& first : arrays_.first) first = kZero;
}

Graph::Graph(Graph&& other) noexcept : Graph() {
  std::swap(arrays_, other.arrays_);
}

Graph& Graph::operator=(Graph&& other) noexcept {
  Graph taken(std::move(other));
  std::swap(arrays_, taken.arrays_);
  return *this;
}

Graph Graph::adopt(GraphArrays arrays) {
  if (arrays.coordinates != CoordinateKind::kNone && arrays.points.size() != arrays.nodes) {
    throw Error("there are " + std::to_string(arrays.points.size()) + " coordinates for " +
                std::to_string(arrays.nodes) + " nodes");
  }
  for (std::size_t v = 0; v < arrays.points.size(); ++v) {
    const Point& p = arrays.points[v];
    if (!is_coordinate(p.x) || !is_coordinate(p.y)) refuse_point(v, p);
  }
  Graph graph;
  graph.arrays_ = std::move(arrays);
  return graph;
}

std::size_t Graph::adjacency_bytes() const {
  std::size_t bytes = 0;
  for (int d = 0; d < (symmetric() ? 1 : 2); ++d) {
    bytes += arrays_.first[d].size_bytes() + arrays_.arcs[d].size_bytes();
  }
  return bytes;
}

Graph Graph::ordered(ArcOrder order) const {
  if (order == arc_order()) return *this;
  return visit(Direction::kForward, [&]<class W>(Adjacency<W>) {
    OwnedArrays<W> owned;
    for (int d = 0; d < (symmetric() ? 1 : 2); ++d) {
      const auto& first = arrays_.first[d];
      const auto view = adjacency<W>(static_cast<Direction>(d));
      owned.rows[d].first.assign(first.begin(), first.end());
      owned.rows[d].arcs.assign(view.arcs, view.arcs + first.back());
      order_rows(owned.rows[d], order);
    }
    owned.points.assign(arrays_.points.begin(), arrays_.points.end());
    return freeze(std::move(owned), symmetric(), order, coordinate_kind());
  });
}

void GraphBuilder::add_arc(NodeId tail, NodeId head, Weight weight) {
  if (tail >= nodes_ || head >= nodes_) {
    throw Error("arc " + std::to_string(tail) + " -> " + std::to_string(head) +
                " names a node out of range; the graph has " + std::to_string(nodes_) + " nodes");
  }
  if (!is_weight(weight)) refuse_weight(tail, head, weight);
  raw_.push_back({tail, head, weight + 0.0});  // + 0.0 turns -0 into 0
}

void GraphBuilder::add_edge(NodeId u, NodeId v, Weight weight) {
  add_arc(u, v, weight);
  if (u != v) raw_.push_back({v, u, weight + 0.0});
}

void GraphBuilder::set_points(CoordinateKind kind, std::vector<Point> points) {
  kind_ = kind;
  points_ = std::move(points);
}

template <class W>
Graph GraphBuilder::build_as(ArcOrder order) {
  // Sort by tail with one counting pass; two transpositions then order each row by head.
  Rows<W> unordered;
  unordered.first.assign(std::size_t{nodes_} + 1, 0);
  for (const RawArc& arc : raw_) ++unordered.first[arc.tail + 1];
  for (std::size_t u = 0; u < nodes_; ++u) unordered.first[u + 1] += unordered.first[u];
  unordered.arcs.resize(raw_.size());
  {
    std::vector<ArcIndex> next(unordered.first.begin(), unordered.first.end() - 1);
    for (const RawArc& arc : raw_) {
      unordered.arcs[next[arc.tail]++] = {arc.head, static_cast<W>(arc.weight)};
    }
  }
  raw_.clear();
  raw_.shrink_to_fit();

  OwnedArrays<W> owned;
  owned.rows[1] = transpose(unordered);
  unordered = {};
  order_rows(owned.rows[1], ArcOrder::kByHead);  // parallel arcs by weight
  owned.rows[0] = transpose(owned.rows[1]);
  order_rows(owned.rows[0], ArcOrder::kByHead);
  const bool symmetric = same_rows(owned.rows[0], owned.rows[1]);
  if (symmetric) owned.rows[1] = {};
  if (order != ArcOrder::kByHead) {
    order_rows(owned.rows[0], order);
    if (!symmetric) order_rows(owned.rows[1], order);
  }
  owned.points = std::move(points_);
  points_.clear();
  return freeze(std::move(owned), symmetric, order, std::exchange(kind_, CoordinateKind::kNone));
}

Graph GraphBuilder::build(ArcOrder order) {
  if (raw_.size() >= std::numeric_limits<ArcIndex>::max()) {
    throw Error("the graph has " + std::to_string(raw_.size()) + " arcs; at most 2^32 - 2 fit");
  }
  const bool narrow = std::all_of(raw_.begin(), raw_.end(), [](const RawArc& arc) {
    return arc.weight <= std::numeric_limits<float>::max() &&
           static_cast<double>(static_cast<float>(arc.weight)) == arc.weight;
  });
  return narrow ? build_as<float>(order) : build_as<double>(order);
}

}  // namespace lodestar
