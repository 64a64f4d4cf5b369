// Makes graphs from arrays of the caller. Invalid arrays throw Error with the position.
#include <bit>
#include <cstdio>
#include <string>

#include "graph/rows.h"
#include "lodestar/rng.h"

namespace lodestar {
namespace {

constexpr std::size_t kMostArcs = std::numeric_limits<ArcIndex>::max() - 1;

std::string text(std::size_t number) {
  return std::to_string(number);
}

void check_lengths(std::size_t heads, std::size_t weights) {
  if (heads != weights) {
    throw Error("there are " + text(heads) + " heads and " + text(weights) +
                " weights; give one of each per arc");
  }
  if (heads > kMostArcs) {
    throw Error("the graph has " + text(heads) + " arcs; the limit is 2^32 - 2");
  }
}

NodeId checked_node(std::int64_t node, NodeId nodes, const char* which, std::size_t arc) {
  if (node < 0 || node >= static_cast<std::int64_t>(nodes)) {
    throw Error("arc " + text(arc) + ": " + which + " " + std::to_string(node) +
                " is out of range; the graph has " + text(nodes) + " nodes, numbered from 0");
  }
  return static_cast<NodeId>(node);
}

void check_weight(Weight weight, std::size_t arc) {
  if (is_weight(weight)) return;
  char what[160];
  std::snprintf(what, sizeof what,
                "arc %zu has weight %g; weights must be 0 or from %.3g to %.3g, finite and not "
                "negative",
                arc, weight, kLeastWeight, kLargestWeight);
  throw Error(what);
}

bool check_weights(std::span<const Weight> weights) {
  bool narrow = true;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    check_weight(weights[i], i);
    narrow = narrow && detail::is_narrow(weights[i]);
  }
  return narrow;
}

// Calls f(float{}) or f(double{}) for the type in which weights are stored.
template <class F>
Graph by_width(bool narrow, F&& f) {
  return narrow ? f(float{}) : f(double{});
}

// Checks rows of arrays; returns a hash of the arcs that does not depend on their order.
template <class W>
std::uint64_t check_rows(const GraphArrays& arrays, int d) {
  const auto& first = arrays.first[d];
  const std::string side = d == 0 ? "forward " : "backward ";
  if (first.size() != std::size_t{arrays.nodes} + 1 || first[0] != 0) {
    throw Error(side +
                "offsets: the number of offsets must be the number of nodes plus 1, and the first "
                "must be 0");
  }
  if (arrays.arcs[d].size() != first.back() * sizeof(StoredArc<W>)) {
    throw Error(side + "arcs take " + text(arrays.arcs[d].size()) +
                " bytes, but the offsets require " + text(first.back()) + " of " +
                text(sizeof(StoredArc<W>)));
  }
  if (reinterpret_cast<std::uintptr_t>(arrays.arcs[d].data()) % alignof(StoredArc<W>) != 0) {
    throw Error(side + "arcs are not aligned");
  }
  for (NodeId u = 0; u < arrays.nodes; ++u) {  // all of them, before one is used
    if (first[u] > first[u + 1]) {
      throw Error(side + "offsets: that of node " + text(u + std::size_t{1}) + " is smaller than " +
                  "the previous one");
    }
  }
  const auto* arcs = reinterpret_cast<const StoredArc<W>*>(arrays.arcs[d].data());
  const auto less = arrays.order == ArcOrder::kByHead ? detail::by_head<W> : detail::by_weight<W>;
  std::uint64_t sum = 0;
  for (NodeId u = 0; u < arrays.nodes; ++u) {
    for (ArcIndex i = first[u]; i < first[u + 1]; ++i) {
      const NodeId v = checked_node(arcs[i].head, arrays.nodes, "head", i);
      const auto weight = static_cast<double>(arcs[i].weight);
      check_weight(weight, i);
      if (i > first[u] && less(arcs[i], arcs[i - 1])) {
        throw Error(side + "arcs of node " + text(u) + " are not in the declared order");
      }
      const std::uint64_t ends = d == 0 ? std::uint64_t{u} << 32 | v : std::uint64_t{v} << 32 | u;
      sum += mix64(mix64(ends) ^ std::bit_cast<std::uint64_t>(weight + 0.0));
    }
  }
  return sum;
}

}  // namespace

namespace detail {

Graph graph_from_csr(const IntegerColumn& first, const IntegerColumn& heads,
                     std::span<const Weight> weights) {
  check_lengths(heads.size, weights.size());
  if (first.size == 0) throw Error("there are no offsets; an empty graph has one offset, 0");
  if (first.size > std::size_t{kNoNode}) {
    throw Error("the graph has " + text(first.size - 1) + " nodes; the limit is 2^32 - 2");
  }
  const auto nodes = static_cast<NodeId>(first.size - 1);
  const auto arcs = static_cast<std::int64_t>(heads.size);
  for (std::size_t u = 0; u < first.size; ++u) {
    if (first[u] < (u == 0 ? 0 : first[u - 1]) || first[u] > arcs || (u == 0 && first[0] != 0)) {
      throw Error("offset " + text(u) + " is " + std::to_string(first[u]) +
                  "; offsets must ascend from 0 to the number of arcs, " + text(heads.size));
    }
  }
  if (first[nodes] != arcs) {
    throw Error("the last offset is " + std::to_string(first[nodes]) + ", but there are " +
                text(heads.size) + " arcs");
  }
  return by_width(check_weights(weights), [&]<class W>(W) {
    Rows<W> rows;
    rows.first.resize(first.size);
    for (std::size_t u = 0; u < first.size; ++u) rows.first[u] = static_cast<ArcIndex>(first[u]);
    rows.arcs.resize(heads.size);
    for (std::size_t i = 0; i < heads.size; ++i) {
      rows.arcs[i] = {checked_node(heads[i], nodes, "head", i), static_cast<W>(weights[i] + 0.0)};
    }
    return finish(std::move(rows), ArcOrder::kByHead, CoordinateKind::kNone, {});
  });
}

Graph graph_from_arcs(NodeId nodes, const IntegerColumn& tails, const IntegerColumn& heads,
                      std::span<const Weight> weights, bool undirected) {
  check_lengths(heads.size, weights.size());
  if (tails.size != heads.size) {
    throw Error("there are " + text(tails.size) + " tails and " + text(heads.size) +
                " heads; give one of each per arc");
  }
  if (nodes == kNoNode) throw Error("a graph has at most 2^32 - 2 nodes");
  GraphBuilder builder(nodes);
  builder.reserve(undirected ? 2 * heads.size : heads.size);
  for (std::size_t i = 0; i < heads.size; ++i) {
    const NodeId tail = checked_node(tails[i], nodes, "tail", i);
    const NodeId head = checked_node(heads[i], nodes, "head", i);
    check_weight(weights[i], i);
    builder.add(tail, head, weights[i], undirected);
  }
  return builder.build();
}

}  // namespace detail

std::vector<Weight> Graph::weights() const {
  std::vector<Weight> all(arc_count());
  visit(Direction::kForward, [&](auto adjacency) {
    for (std::size_t i = 0; i < all.size(); ++i)
      all[i] = static_cast<Weight>(adjacency.arcs[i].weight);
  });
  return all;
}

Graph Graph::with_weights(std::span<const Weight> weights) const {
  if (weights.size() != arc_count()) {
    throw Error("there are " + text(weights.size()) + " weights for " + text(arc_count()) +
                " arcs; give one per arc");
  }
  return by_width(check_weights(weights), [&]<class W>(W) {
    return visit(Direction::kForward, [&](auto adjacency) {
      detail::Rows<W> rows;
      rows.first.assign(arrays_.first[0].begin(), arrays_.first[0].end());
      rows.arcs.resize(weights.size());
      for (std::size_t i = 0; i < weights.size(); ++i) {
        rows.arcs[i] = {adjacency.arcs[i].head, static_cast<W>(weights[i] + 0.0)};
      }
      return detail::finish(std::move(rows), arc_order(), coordinate_kind(),
                            {arrays_.points.begin(), arrays_.points.end()},
                            arc_order() == ArcOrder::kByHead);
    });
  });
}

Graph Graph::with_points(CoordinateKind kind, std::vector<Point> points) const {
  if (kind == CoordinateKind::kNone) points.clear();
  struct Kept {
    std::shared_ptr<const void> arcs;
    std::vector<Point> points;
  };
  auto kept = std::make_shared<Kept>(Kept{arrays_.keeper, std::move(points)});
  GraphArrays arrays = arrays_;
  arrays.coordinates = kind;
  arrays.points = kept->points;
  arrays.keeper = std::move(kept);
  return adopt(std::move(arrays));
}

Graph Graph::adopt_checked(GraphArrays arrays) {
  if (arrays.nodes == kNoNode) throw Error("a graph has at most 2^32 - 2 nodes");
  if (arrays.symmetric) {
    arrays.first[1] = arrays.first[0];
    arrays.arcs[1] = arrays.arcs[0];
  }
  const auto check = [&](int d) {
    return arrays.narrow ? check_rows<float>(arrays, d) : check_rows<double>(arrays, d);
  };
  // A symmetric graph is checked in both directions: its arcs must equal the reversed arcs.
  if (check(0) != check(1)) {
    throw Error(arrays.symmetric
                    ? "the arcs are not symmetric: an arc has no reverse arc of the same weight"
                    : "forward and backward arcs differ");
  }
  if (arrays.coordinates == CoordinateKind::kNone && !arrays.points.empty()) {
    throw Error("there are coordinates, but their kind is kNone");
  }
  return adopt(std::move(arrays));
}

}  // namespace lodestar
