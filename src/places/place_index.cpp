// Building the index of places.
#include "places/place_index.h"

#include "lodestar/graph_stats.h"

namespace lodestar {

using namespace place_index;

namespace {

// The cheapest arc from u to v, kNoArc when there is none.
ArcIndex cheapest_arc(const Graph& graph, NodeId u, NodeId v) {
  return graph.visit(Direction::kForward, [&](auto rows) {
    ArcIndex best = kNoArc;
    for (ArcIndex i = rows.first[u]; i < rows.first[u + 1]; ++i) {
      if (rows.arcs[i].head == v &&
          (best == kNoArc || rows.arcs[i].weight < rows.arcs[best].weight)) {
        best = i;
      }
    }
    return best;
  });
}

// The share of an arc's weight that is not due on entering it.
double road_share(const Graph& graph, const Shape& shape, ArcIndex arc) {
  return 1 - shape.paid(arc, 1e-300, weight_of(graph, arc));
}

// A route begins on a road as if it had been there before: of several arcs along it, on that which
// asks least for entering; in an arc-based graph at the node under no restriction, the first one.
std::vector<Road> roads_of(const Graph& graph, const Shape& shape, std::vector<OtherArc>& others) {
  const auto better = [&](ArcIndex a, ArcIndex b) {
    const NodeId x = shape.arc_based ? head_of(graph, a) : 0;
    const NodeId y = shape.arc_based ? head_of(graph, b) : 0;
    if (x != y || shape.arc_entry.empty()) return x < y;
    return road_share(graph, shape, a) > road_share(graph, shape, b);
  };
  std::vector<Road> roads(shape.empty() ? 0 : shape.segment_count());
  const auto first = graph.arrays().first[0];
  for (NodeId u = 0; u < graph.node_count(); ++u) {
    for (ArcIndex arc = first[u]; arc < first[u + 1]; ++arc) {
      if (!shape.empty()) {
        Road& road = roads[shape.segment(arc)];
        const int side = shape.against(arc);
        ArcIndex& best = road.arc[side];
        if (best == kNoArc) {
          best = arc;
          road.tail[side] = u;
          continue;
        }
        OtherArc other{shape.arc_segment[arc], u, arc};
        const bool same = shape.arc_based && head_of(graph, arc) == head_of(graph, best);
        if (better(arc, best)) {
          std::swap(other.tail, road.tail[side]);
          std::swap(other.arc, best);
        }
        if (!same) others.push_back(other);
        continue;
      }
      // Straight lines: of parallel arcs only the cheapest, both directions together.
      const NodeId v = head_of(graph, arc);
      if (cheapest_arc(graph, u, v) != arc) continue;
      const ArcIndex back = u == v ? kNoArc : cheapest_arc(graph, v, u);
      if (back != kNoArc && v < u) continue;
      roads.push_back({{u, back == kNoArc ? kNoNode : v}, {arc, back}});
    }
  }
  // A segment no arc runs along in its own direction is turned round.
  for (Road& road : roads) {
    if (road.arc[0] != kNoArc) continue;
    std::swap(road.tail[0], road.tail[1]);
    std::swap(road.arc[0], road.arc[1]);
  }
  std::erase_if(roads, [](const Road& road) { return road.arc[0] == kNoArc; });
  return roads;
}

void find_small_components(const Graph& graph, std::vector<std::uint32_t>& of,
                           std::vector<std::uint8_t>& small) {
  constexpr std::size_t kLarge = 1000;  // arcs
  Components components = weak_components(graph);
  if (components.count < 2) return;
  std::vector<std::size_t> arcs(components.count);
  for (NodeId v = 0; v < graph.node_count(); ++v) arcs[components.of[v]] += graph.arcs(v).size();
  const std::size_t largest = *std::max_element(arcs.begin(), arcs.end());
  for (const std::size_t count : arcs) small.push_back(count < kLarge && 4 * count <= largest);
  if (std::count(small.begin(), small.end(), 1) == 0) {
    small.clear();
  } else {
    of = std::move(components.of);
  }
}

}  // namespace
Places::Places(Graph graph, Shape shape, const Metrics& metrics)
    : graph_(std::move(graph)), shape_(std::move(shape)), index_(std::make_unique<Index>()) {
  if (graph_.coordinate_kind() != CoordinateKind::kDegrees &&
      graph_.coordinate_kind() != CoordinateKind::kPlane) {
    throw Error(graph_.has_coordinates()
                    ? "cells of a grid are asked for as x,y, not as places"
                    : "the graph has no coordinates; places need some (.co, .cnode, .osm.pbf)");
  }
  index_->roads = roads_of(graph_, shape_, index_->others);
  std::sort(index_->others.begin(), index_->others.end(), [](const auto& a, const auto& b) {
    return std::pair(a.segment, a.arc) < std::pair(b.segment, b.arc);
  });
  if (const auto no_stop = metrics.find_class("no_stop"); no_stop && !metrics.arc_kind.empty()) {
    for (const Road& road : index_->roads) {
      const ArcKind& kind = metrics.kinds[metrics.arc_kind[road.arc[0]]];
      index_->passing.push_back((kind.classes >> *no_stop & 1) != 0);
    }
    // Where there is nothing else, they are places.
    const auto passing = std::count(index_->passing.begin(), index_->passing.end(), 1);
    if (passing == 0 || static_cast<std::size_t>(passing) == index_->passing.size()) {
      index_->passing.clear();
    }
  }
  if (!shape_.empty()) find_small_components(graph_, index_->component, index_->small);
  std::vector<Item> items;
  std::vector<Box> boxes;
  for (std::uint32_t r = 0; r < index_->roads.size(); ++r) {
    const auto line = index_->line_of(graph_, shape_, index_->roads[r]);
    for (std::size_t begin = 0; begin < line.pieces(); begin += kPieces) {
      BoxAround around;
      const std::size_t end = std::min(line.pieces(), begin + kPieces);
      for (std::size_t i = begin; i <= end; ++i) around.add(line.at(i));
      items.push_back({r, static_cast<std::uint32_t>(begin) & 0x7fffffffu, end == line.pieces()});
      boxes.push_back(around.box());
    }
  }
  index_->tree = BoxTree(std::move(boxes));
  index_->items.reserve(items.size());
  index_->first.push_back(0);
  for (const std::uint32_t i : index_->tree.order()) {
    const Item item = items[i];
    const Box& box = index_->tree.leaf(static_cast<std::uint32_t>(index_->items.size()));
    const auto line = index_->line_of(graph_, shape_, index_->roads[item.road]);
    const std::size_t end = std::min<std::size_t>(line.pieces(), item.begin + kPieces);
    for (std::size_t k = item.begin; k <= end; ++k) {
      const Point p = line.at(k);
      index_->points.push_back(
          {static_cast<float>(p.x - box.low_x), static_cast<float>(p.y - box.low_y)});
    }
    index_->items.push_back(item);
    index_->first.push_back(static_cast<std::uint32_t>(index_->points.size()));
  }
  index_->tree.forget_order();
}

Places::~Places() = default;
Places::Places(Places&&) noexcept = default;
Places& Places::operator=(Places&&) noexcept = default;

double Places::default_limit() const {
  return graph_.coordinate_kind() == CoordinateKind::kDegrees ? 1000 : kInfinity;
}

std::size_t Places::bytes() const {
  return index_->roads.size() * sizeof(Road) + index_->items.size() * sizeof(Item) +
         index_->first.size() * sizeof(std::uint32_t) + index_->points.size() * sizeof(Offset) +
         index_->passing.size() + index_->others.size() * sizeof(OtherArc) + index_->tree.bytes() +
         index_->component.size() * sizeof(std::uint32_t) + index_->small.size();
}

}  // namespace lodestar
