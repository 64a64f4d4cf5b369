#include "lodestar/graph.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "graph/rows.h"

namespace lodestar {

using detail::OwnedArrays;
using detail::Rows;

namespace {

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

const char* to_string(CoordinateKind kind) {
  constexpr const char* kNames[] = {"none", "plane", "degrees", "grid"};
  return kNames[static_cast<std::size_t>(kind)];
}

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
                std::to_string(arrays.nodes) + " nodes; give one per node");
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
      detail::order_rows(owned.rows[d], order);
    }
    owned.points.assign(arrays_.points.begin(), arrays_.points.end());
    return detail::freeze(std::move(owned), symmetric(), order, coordinate_kind());
  });
}

void GraphBuilder::add_arc(NodeId tail, NodeId head, Weight weight) {
  if (tail >= nodes_ || head >= nodes_) {
    throw Error("arc " + std::to_string(tail) + " -> " + std::to_string(head) +
                " has a node out of range; the graph has " + std::to_string(nodes_) + " nodes");
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
  // Sort by tail with one counting pass.
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

  return detail::finish(std::move(unordered), order, std::exchange(kind_, CoordinateKind::kNone),
                        std::exchange(points_, {}));
}

Graph GraphBuilder::build(ArcOrder order) {
  if (raw_.size() >= std::numeric_limits<ArcIndex>::max()) {
    throw Error("the graph has " + std::to_string(raw_.size()) + " arcs; the limit is 2^32 - 2");
  }
  const bool narrow = std::all_of(raw_.begin(), raw_.end(),
                                  [](const RawArc& arc) { return detail::is_narrow(arc.weight); });
  return narrow ? build_as<float>(order) : build_as<double>(order);
}

}  // namespace lodestar
