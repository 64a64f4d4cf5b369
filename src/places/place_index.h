// The roads of a graph in a tree of boxes, for Places.
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "lodestar/places.h"
#include "places/box_tree.h"

namespace lodestar {

constexpr ArcIndex kNoArc = std::numeric_limits<ArcIndex>::max();
// Pieces of a line that share a box: fewer boxes, and few pieces to look at in vain.
constexpr std::uint32_t kPieces = 8;

inline NodeId head_of(const Graph& graph, ArcIndex arc) {
  return graph.visit(Direction::kForward, [&](auto rows) { return rows.arcs[arc].head; });
}

inline Weight weight_of(const Graph& graph, ArcIndex arc) {
  return graph.visit(Direction::kForward,
                     [&](auto rows) { return static_cast<Weight>(rows.arcs[arc].weight); });
}

namespace place_index {

// Both directions of a piece of road.
struct Road {
  NodeId tail[2] = {kNoNode, kNoNode};
  ArcIndex arc[2] = {kNoArc, kNoArc};
};

// Another arc along a road: from another node, or in an arc-based graph to another one.
struct OtherArc {
  std::uint32_t segment;  // as Shape::arc_segment
  NodeId tail;
  ArcIndex arc;
};

struct Item {
  std::uint32_t road;
  std::uint32_t begin : 31;  // first piece
  std::uint32_t last : 1;    // holds the road's last piece
};

// A point of a line seen from the low corner of its box. Lies in tree order beside its
// neighbours: following a line through graph and shape costs ten cache misses, this one or two.
struct Offset {
  float x, y;
};

}  // namespace place_index

struct Places::Index {
  using Road = place_index::Road;
  using OtherArc = place_index::OtherArc;
  using Item = place_index::Item;
  using Offset = place_index::Offset;

  std::vector<Road> roads;
  std::vector<std::uint8_t> passing;     // by road: no place may lie on it; empty: on all of them
  std::vector<std::uint32_t> component;  // by node; empty: none is small
  std::vector<std::uint8_t> small;       // by component
  std::vector<OtherArc> others;          // by segment
  std::vector<Item> items;               // in tree order
  std::vector<std::uint32_t> first;      // [items + 1] into points
  std::vector<Offset> points;            // of items, in tree order
  BoxTree tree{{}};

  template <class Use>
  void for_each_other(std::uint32_t segment, Use&& use) const {
    auto other = std::lower_bound(others.begin(), others.end(), segment,
                                  [](const OtherArc& a, std::uint32_t s) { return a.segment < s; });
    for (; other != others.end() && other->segment == segment; ++other) use(*other);
  }

  bool is_small(const Road& road) const {
    const auto lies = [&](int d) {
      return road.arc[d] != kNoArc && small[component[road.tail[d]]] == 0;
    };
    return !lies(0) && !lies(1);
  }

  // Point i of a road's line, between 0 (the tail of its first direction) and between + 1.
  struct Line {
    const Graph* graph;
    NodeId tail, head;
    std::span<const FixedPoint> between;
    bool against;
    std::size_t pieces() const { return between.size() + 1; }
    Point at(std::size_t i) const {
      if (i == 0) return graph->points()[tail];
      if (i == pieces()) return graph->points()[head];
      return between[against ? between.size() - i : i - 1].degrees();
    }
  };

  Line line_of(const Graph& graph, const Shape& shape, const Road& road) const {
    Line line{&graph, road.tail[0], head_of(graph, road.arc[0]), {}, false};
    if (!shape.empty()) {
      line.between = shape.between(shape.segment(road.arc[0]));
      line.against = shape.against(road.arc[0]);
    }
    return line;
  }
};

}  // namespace lodestar
