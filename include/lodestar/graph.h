// A weighted graph: immutable, compressed sparse rows, cheap to copy and safe to share.
//
//   GraphBuilder builder(3);
//   builder.add_edge(0, 1, 2.5);                      // both directions; add_arc for one
//   builder.add_arc(1, 2, 4);
//   const Graph graph = builder.build();
//   for (const Arc arc : graph.arcs(1)) use(arc.head, arc.weight);
//
// Parallel arcs and self-loops are kept: a file converts back to the arcs it had, and searches
// are right with them. Arcs leave a node ordered by (head, weight), whatever order they came in,
// so a graph does not depend on the order of lines in its file.
//
// Weights are kept exactly. When each is a float32 the arcs take 8 bytes, otherwise 16; hot loops
// ask once per query with Graph::visit and are compiled for both.
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

// An arc as stored. W is float when every weight of the graph is exactly a float32.
template <class W>
struct StoredArc {
  NodeId head;
  W weight;
};

// One direction of a graph, for hot loops. Does not own what it points to.
template <class W>
struct Adjacency {
  const ArcIndex* first = nullptr;     // [n + 1]
  const StoredArc<W>* arcs = nullptr;  // [first[n]]

  std::span<const StoredArc<W>> of(NodeId u) const {
    return {arcs + first[u], arcs + first[u + 1]};
  }
};

enum class Direction { kForward, kBackward };

// How arcs are ordered within a node. By weight, a search may stop scanning early.
enum class ArcOrder : std::uint8_t { kByHead, kByWeight };

struct Point {
  double x = 0;
  double y = 0;
  friend bool operator==(const Point&, const Point&) = default;
};

// What coordinates mean, which decides the distance between two of them.
enum class CoordinateKind : std::uint8_t {
  kNone,
  kPlane,    // any unit, Euclidean
  kDegrees,  // x = longitude, y = latitude
  kGrid,     // cells with eight neighbours: octile distance
};

// Where a graph's arrays live: vectors of its own, or a mapped file. See Graph::adopt.
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
  // What was moved from is a graph without nodes.
  Graph(Graph&& other) noexcept;
  Graph& operator=(Graph&& other) noexcept;

  NodeId node_count() const { return arrays_.nodes; }
  std::size_t arc_count() const { return arrays_.first[0].empty() ? 0 : arrays_.first[0].back(); }

  // True when every arc has its twin back at the same weight: the backward view is then the
  // forward one, and costs no memory.
  bool symmetric() const { return arrays_.symmetric; }
  bool narrow() const { return arrays_.narrow; }
  ArcOrder arc_order() const { return arrays_.order; }

  // Arcs out of u (forward) or into u (backward, head = the arc's tail). Throws Error when u is not
  // in the graph; so does degree.
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

  // W must fit narrow(): float when it is true, double otherwise.
  template <class W>
  Adjacency<W> adjacency(Direction direction) const {
    const int d = static_cast<int>(direction);
    return {arrays_.first[d].data(), reinterpret_cast<const StoredArc<W>*>(arrays_.arcs[d].data())};
  }

  CoordinateKind coordinate_kind() const { return arrays_.coordinates; }
  bool has_coordinates() const { return arrays_.coordinates != CoordinateKind::kNone; }
  std::span<const Point> points() const { return arrays_.points; }

  // From compressed sparse rows: the arcs of u are first[u] … first[u+1]-1, in any order within a
  // row. Copies; throws Error, with the place, on any wrong shape: offsets that do not ascend from
  // 0 to the number of arcs, heads out of range, weights outside their domain (types.h).
  template <std::integral Offset, std::integral Node>
  static Graph from_csr(std::span<const Offset> first, std::span<const Node> heads,
                        std::span<const Weight> weights);
  // From one entry per arc. `undirected`: every arc leads both ways, a self-loop is added once.
  template <std::integral Node>
  static Graph from_arcs(NodeId nodes, std::span<const Node> tails, std::span<const Node> heads,
                         std::span<const Weight> weights, bool undirected = false);

  // Every weight, in the order of arcs(0), arcs(1), …; [arc_count()].
  std::vector<Weight> weights() const;
  // The same arcs with other weights, in that order. Where parallel arcs change places by weight,
  // so they do here. Throws Error on a wrong number of them, or one outside its domain.
  Graph with_weights(std::span<const Weight> weights) const;
  // The same graph with coordinates, one per node. Throws Error on a wrong number of them, or one
  // outside their domain.
  Graph with_points(CoordinateKind kind, std::vector<Point> points) const;

  // The same graph with the arcs of each node in another order; O(m log degree).
  Graph ordered(ArcOrder order) const;

  // Bytes of adjacency held, both directions, without coordinates.
  std::size_t adjacency_bytes() const;

  // Takes arrays as they are (a mapped file). The caller has checked them: offsets ascend from 0,
  // heads are < nodes, weights are in their domain. Throws Error when coordinates are too few or
  // outside theirs.
  static Graph adopt(GraphArrays arrays);
  // The same, checked: Error on any wrong shape, and unless both directions hold the same arcs.
  // Nothing is copied; the keeper must keep the memory alive and unchanged.
  static Graph adopt_checked(GraphArrays arrays);
  const GraphArrays& arrays() const { return arrays_; }

 private:
  GraphArrays arrays_;
};

namespace detail {
// Integers of any kind as the entrances above see them: by position, as 64 bits.
struct IntegerColumn {
  std::size_t size;
  const void* data;
  std::int64_t (*at)(const void* data, std::size_t i);
  template <std::integral T>
  explicit IntegerColumn(std::span<const T> values)
      : size(values.size()), data(values.data()), at([](const void* base, std::size_t i) {
          const T value = static_cast<const T*>(base)[i];
          // What does not fit 64 bits signed is out of every range.
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

// The arcs of one node, whatever their storage. For hot loops prefer Graph::visit.
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

// Collects arcs, then builds. Throws Error on a weight outside the domain (types.h), on a node out
// of range, and beyond 2^32 - 2 arcs; readers check first and add file and line.
class GraphBuilder {
 public:
  explicit GraphBuilder(NodeId nodes = 0) : nodes_(nodes) {}

  NodeId node_count() const { return nodes_; }
  void grow_to(NodeId nodes) {
    if (nodes > nodes_) nodes_ = nodes;
  }
  void reserve(std::size_t arcs) { raw_.reserve(arcs); }
  void add_arc(NodeId tail, NodeId head, Weight weight);
  // Both directions; a self-loop is added once.
  void add_edge(NodeId u, NodeId v, Weight weight);
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
