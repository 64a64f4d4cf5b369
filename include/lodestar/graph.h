// A weighted directed graph in compressed sparse rows: immutable, cheap to copy and thread-safe.
//
//   GraphBuilder builder(3);
//   builder.add_edge(0, 1, 2.5);                      // both directions; add_arc for one
//   builder.add_arc(1, 2, 4);
//   const Graph graph = builder.build();
//   for (const Arc arc : graph.arcs(1)) use(arc.head, arc.weight);
//
// Parallel arcs and self-loops are kept, so a file can be converted back without loss. The arcs of
// a node are ordered by (head, weight); a graph does not depend on the order of lines in its file.
//
// Weights are stored exactly. Arcs take 8 bytes if every weight is a float32, otherwise 16. Hot
// loops are compiled for both and select one per query with Graph::visit.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "lodestar/detail/contract.h"
#include "lodestar/types.h"

namespace lodestar {

struct Arc {
  NodeId head;
  Weight weight;
  friend bool operator==(const Arc&, const Arc&) = default;
};

// An arc as stored. W is float if every weight of the graph is exactly a float32.
template <class W>
struct StoredArc {
  NodeId head;
  W weight;
};

// One direction of a graph, for hot loops. It does not own the arrays.
template <class W>
struct Adjacency {
  const ArcIndex* first = nullptr;     // [n + 1]
  const StoredArc<W>* arcs = nullptr;  // [first[n]]

  std::span<const StoredArc<W>> of(NodeId u) const {
    return {arcs + first[u], arcs + first[u + 1]};
  }
  // The arcs of u are at places begin(u) … begin(u + 1) - 1.
  ArcIndex begin(NodeId u) const { return first[u]; }
  NodeId head(ArcIndex at) const { return arcs[at].head; }
  Weight weight(NodeId, ArcIndex at) const { return arcs[at].weight; }
};

enum class Direction { kForward, kBackward };

// The order of arcs within a node. With kByWeight a search can stop scanning early.
enum class ArcOrder : std::uint8_t { kByHead, kByWeight };

struct Point {
  double x = 0;
  double y = 0;
  friend bool operator==(const Point&, const Point&) = default;
};

// The kind of coordinates, which determines how distances are measured.
enum class CoordinateKind : std::uint8_t {
  kNone,
  kPlane,    // any unit, Euclidean
  kDegrees,  // x = longitude, y = latitude
  kGrid,     // cells with eight neighbours: octile distance
};
const char* to_string(CoordinateKind kind);  // "none", "plane", "degrees", "grid"

// The arrays of a graph, in its own memory or in a mapped file. See Graph::adopt.
struct GraphArrays {
  NodeId nodes = 0;
  bool symmetric = false;  // forward and backward are the same arrays
  bool narrow = true;      // arcs are StoredArc<float>
  ArcOrder order = ArcOrder::kByHead;
  CoordinateKind coordinates = CoordinateKind::kNone;
  std::span<const ArcIndex> first[2];  // by Direction; [nodes + 1]
  std::span<const std::byte> arcs[2];  // StoredArc<float> or StoredArc<double>
  std::span<const Point> points;       // [nodes] or empty
  std::shared_ptr<const void> keeper;  // keeps the memory alive
};

class ArcRange;

class Graph {
 public:
  Graph();
  Graph(const Graph&) = default;
  Graph& operator=(const Graph&) = default;
  // A moved-from graph has no nodes.
  Graph(Graph&& other) noexcept;
  Graph& operator=(Graph&& other) noexcept;

  NodeId node_count() const { return arrays_.nodes; }
  std::size_t arc_count() const { return arrays_.first[0].empty() ? 0 : arrays_.first[0].back(); }

  // Whether every arc has a reverse arc of the same weight. Both directions then share one array.
  bool symmetric() const { return arrays_.symmetric; }
  bool narrow() const { return arrays_.narrow; }
  ArcOrder arc_order() const { return arrays_.order; }

  // Arcs out of u (forward) or into u (backward, with the arc's tail as head). Throws Error if u is
  // not in the graph, as degree() does.
  ArcRange arcs(NodeId u, Direction direction = Direction::kForward) const;
  std::size_t degree(NodeId u, Direction direction = Direction::kForward) const {
    detail::check_node(u, arrays_.nodes);
    const auto& first = arrays_.first[static_cast<int>(direction)];
    return first[u + 1] - first[u];
  }

  // Calls f(Adjacency<float>) or f(Adjacency<double>): one branch per query, none per arc.
  template <class F>
  decltype(auto) visit(Direction direction, F&& f) const {
    if (narrow()) return std::forward<F>(f)(adjacency<float>(direction));
    return std::forward<F>(f)(adjacency<double>(direction));
  }

  // W must be float if narrow(), otherwise double.
  template <class W>
  Adjacency<W> adjacency(Direction direction) const {
    const int d = static_cast<int>(direction);
    return {arrays_.first[d].data(), reinterpret_cast<const StoredArc<W>*>(arrays_.arcs[d].data())};
  }

  CoordinateKind coordinate_kind() const { return arrays_.coordinates; }
  bool has_coordinates() const { return arrays_.coordinates != CoordinateKind::kNone; }
  std::span<const Point> points() const { return arrays_.points; }

  // Copies compressed sparse rows: the arcs of u are first[u] … first[u+1]-1, in any order. Throws
  // Error with the position if offsets do not ascend from 0 to the number of arcs, a head is out of
  // range, or a weight is outside its domain (types.h).
  template <std::integral Offset, std::integral Node>
  static Graph from_csr(std::span<const Offset> first, std::span<const Node> heads,
                        std::span<const Weight> weights);
  // Copies one entry per arc. If `undirected`, adds both directions; a self-loop is added once.
  template <std::integral Node>
  static Graph from_arcs(NodeId nodes, std::span<const Node> tails, std::span<const Node> heads,
                         std::span<const Weight> weights, bool undirected = false);

  // Every weight, in the order of arcs(0), arcs(1), …; [arc_count()].
  std::vector<Weight> weights() const;
  // The same arcs with other weights, in that order. Parallel arcs are sorted by their new weights.
  // Throws Error if the number of weights is wrong or one is outside its domain.
  Graph with_weights(std::span<const Weight> weights) const;
  // The same graph with coordinates, one per node. Throws Error if the number of points is wrong or
  // one is outside its domain.
  Graph with_points(CoordinateKind kind, std::vector<Point> points) const;

  // The same graph with the arcs of each node in another order; O(m log degree).
  Graph ordered(ArcOrder order) const;

  // Bytes of the arcs in both directions, without coordinates.
  std::size_t adjacency_bytes() const;

  // Uses existing arrays without copying, e.g. those of a mapped file. The caller must have checked
  // them: offsets ascend from 0, heads are < nodes, weights are in their domain. Throws Error if
  // the number of coordinates is wrong or one is outside its domain.
  static Graph adopt(GraphArrays arrays);
  // The same, with all checks: throws Error if an array is malformed, or if the two directions do
  // not hold the same arcs. The keeper must keep the memory alive and unchanged.
  static Graph adopt_checked(GraphArrays arrays);
  const GraphArrays& arrays() const { return arrays_; }

 private:
  GraphArrays arrays_;
};

namespace detail {
// An array of integers of any type, read as 64-bit integers.
struct IntegerColumn {
  std::size_t size;
  const void* data;
  std::int64_t (*at)(const void* data, std::size_t i);
  template <std::integral T>
  explicit IntegerColumn(std::span<const T> values)
      : size(values.size()), data(values.data()), at([](const void* base, std::size_t i) {
          const T value = static_cast<const T*>(base)[i];
          // Values beyond 64 signed bits are out of range for every use.
          return std::in_range<std::int64_t>(value) ? static_cast<std::int64_t>(value) : -1;
        }) {}
  std::int64_t operator[](std::size_t i) const { return at(data, i); }
};
Graph graph_from_csr(const IntegerColumn& first, const IntegerColumn& heads,
                     std::span<const Weight> weights);
Graph graph_from_arcs(NodeId nodes, const IntegerColumn& tails, const IntegerColumn& heads,
                      std::span<const Weight> weights, bool undirected);
}  // namespace detail

template <std::integral Offset, std::integral Node>
Graph Graph::from_csr(std::span<const Offset> first, std::span<const Node> heads,
                      std::span<const Weight> weights) {
  return detail::graph_from_csr(detail::IntegerColumn(first), detail::IntegerColumn(heads),
                                weights);
}

template <std::integral Node>
Graph Graph::from_arcs(NodeId nodes, std::span<const Node> tails, std::span<const Node> heads,
                       std::span<const Weight> weights, bool undirected) {
  return detail::graph_from_arcs(nodes, detail::IntegerColumn(tails), detail::IntegerColumn(heads),
                                 weights, undirected);
}

// The arcs of one node, for either storage. Prefer Graph::visit in hot loops.
class ArcRange {
 public:
  class iterator {
   public:
    using value_type = Arc;
    using difference_type = std::ptrdiff_t;
    iterator() = default;
    iterator(const void* base, ArcIndex index, bool narrow)
        : base_(base), index_(index), narrow_(narrow) {}
    Arc operator*() const {
      if (narrow_) {
        const auto& arc = static_cast<const StoredArc<float>*>(base_)[index_];
        return {arc.head, arc.weight};
      }
      const auto& arc = static_cast<const StoredArc<double>*>(base_)[index_];
      return {arc.head, arc.weight};
    }
    iterator& operator++() {
      ++index_;
      return *this;
    }
    iterator operator++(int) {
      iterator before = *this;
      ++index_;
      return before;
    }
    bool operator==(const iterator& other) const { return index_ == other.index_; }

   private:
    const void* base_ = nullptr;
    ArcIndex index_ = 0;
    bool narrow_ = true;
  };

  ArcRange(const void* base, ArcIndex begin, ArcIndex end, bool narrow)
      : base_(base), begin_(begin), end_(end), narrow_(narrow) {}
  iterator begin() const { return {base_, begin_, narrow_}; }
  iterator end() const { return {base_, end_, narrow_}; }
  std::size_t size() const { return end_ - begin_; }
  bool empty() const { return begin_ == end_; }
  Arc operator[](std::size_t i) const {
    return *iterator(base_, begin_ + static_cast<ArcIndex>(i), narrow_);
  }

 private:
  const void* base_;
  ArcIndex begin_;
  ArcIndex end_;
  bool narrow_;
};

inline ArcRange Graph::arcs(NodeId u, Direction direction) const {
  detail::check_node(u, arrays_.nodes);
  const int d = static_cast<int>(direction);
  return {arrays_.arcs[d].data(), arrays_.first[d][u], arrays_.first[d][u + 1], arrays_.narrow};
}

// Collects arcs and builds a graph from them. Throws Error if a weight is outside its domain
// (types.h), a node is out of range, or there are more than 2^32 - 2 arcs.
class GraphBuilder {
 public:
  explicit GraphBuilder(NodeId nodes = 0) : nodes_(nodes) {}

  NodeId node_count() const { return nodes_; }
  void grow_to(NodeId nodes) {
    if (nodes > nodes_) nodes_ = nodes;
  }
  void reserve(std::size_t arcs) { raw_.reserve(arcs); }
  void add_arc(NodeId tail, NodeId head, Weight weight);
  // Adds both directions; a self-loop is added once.
  void add_edge(NodeId u, NodeId v, Weight weight);
  void add(NodeId u, NodeId v, Weight weight, bool both_ways) {
    both_ways ? add_edge(u, v, weight) : add_arc(u, v, weight);
  }
  void set_points(CoordinateKind kind, std::vector<Point> points);

  // Leaves the builder empty.
  Graph build(ArcOrder order = ArcOrder::kByHead);

 private:
  struct RawArc {
    NodeId tail;
    NodeId head;
    Weight weight;
  };
  NodeId nodes_ = 0;
  std::vector<RawArc> raw_;
  CoordinateKind kind_ = CoordinateKind::kNone;
  std::vector<Point> points_;

  template <class W>
  Graph build_as(ArcOrder order);
};

}  // namespace lodestar
