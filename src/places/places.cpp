#include "lodestar/places.h"

#include <charconv>
#include <cmath>
#include <limits>

#include "places/arc_line.h"
#include "places/box_tree.h"

namespace lodestar {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kMetresPerDegree = 6371008.8 * kPi / 180;
constexpr ArcIndex kNoArc = std::numeric_limits<ArcIndex>::max();
// Metres from the end of a road that still belong to the junction; in the plane, none.
constexpr double kOnJunction = 0.1;
// Pieces of a line that share a box: fewer boxes, and few pieces to look at in vain.
constexpr std::uint32_t kPieces = 8;

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

// A point of a line seen from the low corner of its box. Lies in tree order beside its neighbours:
// following a line through graph and shape costs ten cache misses, this one or two.
struct Offset {
  float x, y;
};

struct Foot {
  double square = kInfinity;  // of the distance, in the scaled plane
  double along = 0;           // share of the piece
};

Foot foot_on(Point a, Point b, Point q, Point scale) {
  const Point line = {(b.x - a.x) * scale.x, (b.y - a.y) * scale.y};
  const Point to = {(q.x - a.x) * scale.x, (q.y - a.y) * scale.y};
  const double square = line.x * line.x + line.y * line.y;
  const double along =
      square > 0 ? std::clamp((line.x * to.x + line.y * to.y) / square, 0.0, 1.0) : 0;
  const double dx = to.x - along * line.x, dy = to.y - along * line.y;
  return {dx * dx + dy * dy, along};
}

std::string number_text(double value) {
  char buffer[400];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed);
  return {buffer, end.ptr};
}

}  // namespace

struct Places::Index {
  std::vector<Road> roads;
  std::vector<std::uint8_t> passing;  // by road: no place may lie on it; empty: on all of them
  std::vector<OtherArc> others;       // by segment
  std::vector<Item> items;            // in tree order
  std::vector<std::uint32_t> first;   // [items + 1] into points
  std::vector<Offset> points;         // of items, in tree order
  BoxTree tree{{}};

  template <class Use>
  void for_each_other(std::uint32_t segment, Use&& use) const {
    auto other = std::lower_bound(others.begin(), others.end(), segment,
                                  [](const OtherArc& a, std::uint32_t s) { return a.segment < s; });
    for (; other != others.end() && other->segment == segment; ++other) use(*other);
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
};

namespace {

NodeId head_of(const Graph& graph, ArcIndex arc) {
  return graph.visit(Direction::kForward, [&](auto rows) { return rows.arcs[arc].head; });
}

Weight weight_of(const Graph& graph, ArcIndex arc) {
  return graph.visit(Direction::kForward,
                     [&](auto rows) { return static_cast<Weight>(rows.arcs[arc].weight); });
}

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

template <class Line>
Line line_of(const Graph& graph, const Shape& shape, const Road& road) {
  Line line{&graph, road.tail[0], head_of(graph, road.arc[0]), {}, false};
  if (!shape.empty()) {
    line.between = shape.between(shape.segment(road.arc[0]));
    line.against = shape.against(road.arc[0]);
  }
  return line;
}

}  // namespace

std::vector<PlaceSide> Place::entries() const {
  std::vector<PlaceSide> out = exits();
  out.insert(out.end(), also.begin(), also.end());
  return out;
}

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
  std::vector<Item> items;
  std::vector<Box> boxes;
  for (std::uint32_t r = 0; r < index_->roads.size(); ++r) {
    const auto line = line_of<Index::Line>(graph_, shape_, index_->roads[r]);
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
    const auto line = line_of<Index::Line>(graph_, shape_, index_->roads[item.road]);
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
         index_->passing.size() + index_->others.size() * sizeof(OtherArc) + index_->tree.bytes();
}

// All nodes of the OpenStreetMap node that `node` stands for; without a shape it stands for itself.
std::vector<NodeId> Places::junction_of(NodeId node) const {
  std::vector<NodeId> nodes = {node};
  if (shape_.empty()) return nodes;
  const Point point = graph_.points()[node];
  const auto for_each_other = [&](ArcIndex arc, auto&& use) {
    index_->for_each_other(shape_.arc_segment[arc], use);
  };
  const auto add = [&](NodeId other) {
    if (shape_.node_id[other] == shape_.node_id[node] && graph_.points()[other] == point) {
      nodes.push_back(other);
    }
  };
  // The answer 0 leads to every box that holds the point.
  index_->tree.nearest(point, {1, 1}, [&](std::uint32_t i) {
    const Road& road = index_->roads[index_->items[i].road];
    for (int d = 0; d < 2; ++d) {
      if (road.arc[d] == kNoArc) continue;
      add(road.tail[d]);
      add(head_of(graph_, road.arc[d]));
      for_each_other(road.arc[d], [&](const OtherArc& other) {
        add(other.tail);
        add(head_of(graph_, other.arc));
      });
    }
    return 0.0;
  });
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

Place Places::nearest(Point point, const SnapOptions& options) const {
  const double limit = options.limit < 0 ? default_limit() : options.limit;
  const bool passing = options.any || index_->passing.empty();
  const bool picky = options.open || options.bearing || !passing;
  const CoordinateKind kind = graph_.coordinate_kind();
  const bool degrees = kind == CoordinateKind::kDegrees;
  const auto no_road = [&](const std::string& why) {
    return Error("no road near " + number_text(point.x) + "," + number_text(point.y) + ": " + why);
  };
  if (index_->items.empty()) throw no_road("the graph has no arcs");
  Point scale{1, 1};
  if (degrees) {
    scale = {kMetresPerDegree * std::cos(point.y * kPi / 180), kMetresPerDegree};
  }
  const double tolerance = degrees ? kOnJunction : 0;
  // A junction at the point goes before roads that only pass by, on a bridge above it for example:
  // its rank is below 0. In the plane it must be the point itself, as far as offsets can tell.
  const auto junction_rank = [&](Offset end, Point seen) {
    const double dx = (end.x - seen.x) * scale.x, dy = (end.y - seen.y) * scale.y;
    const double square = dx * dx + dy * dy;
    const bool same =
        degrees ? square <= tolerance * tolerance
                : end.x == static_cast<float>(seen.x) && end.y == static_cast<float>(seen.y);
    return same ? square - 1 : kInfinity;
  };
  double best = kInfinity;  // the square of a distance, or the rank of a junction
  Point asked = point;
  std::uint32_t best_road = 0;
  std::size_t best_piece = 0;
  // Whether a direction of travel is one that was asked for; a to b is a piece of the road's line.
  const auto fits = [&](const Road& road, int d, Point a, Point b) {
    if (road.arc[d] == kNoArc || (options.open && !options.open(road.arc[d]))) return false;
    if (!options.bearing) return true;
    const double sign = d == 0 ? 1 : -1;
    const double angle =
        std::atan2(sign * (b.x - a.x) * scale.x, sign * (b.y - a.y) * scale.y) * 180 / kPi;
    const double off = std::abs(std::remainder(angle - options.bearing->value, 360));
    return off <= options.bearing->range;
  };
  const auto closed = [&](std::uint32_t road, Point a, Point b) {
    if (!picky) return false;
    if (!passing && index_->passing[road] != 0) return true;
    return !fits(index_->roads[road], 0, a, b) && !fits(index_->roads[road], 1, a, b);
  };
  const auto search = [&](Point q) {
    index_->tree.nearest(q, scale, [&](std::uint32_t i) {
      const Box& box = index_->tree.leaf(i);
      const Point seen{q.x - box.low_x, q.y - box.low_y};
      const Offset* offset = index_->points.data() + index_->first[i];
      const std::uint32_t pieces = index_->first[i + 1] - index_->first[i] - 1;
      for (std::uint32_t piece = 0; piece < pieces; ++piece) {
        const Point a{offset[piece].x, offset[piece].y};
        const Point b{offset[piece + 1].x, offset[piece + 1].y};
        double rank = foot_on(a, b, seen, scale).square;
        const Item item = index_->items[i];
        if (item.begin + piece == 0) rank = std::min(rank, junction_rank(offset[0], seen));
        if (item.last && piece + 1 == pieces) {
          rank = std::min(rank, junction_rank(offset[pieces], seen));
        }
        // Of equally near roads the first counts, whatever the tree looks like.
        if (rank > best || (rank == best && item.road >= best_road)) continue;
        if (closed(item.road, a, b)) continue;
        best = rank;
        best_road = item.road;
        best_piece = item.begin + piece;
        asked = q;
      }
      // Where the nearest roads are closed, those beyond the limit are not looked at.
      return std::max(picky ? std::min(best, limit * limit) : best, tolerance * tolerance);
    });
  };
  search(point);
  // Beyond the 180th meridian the map goes on at the other side.
  if (degrees && std::abs(point.x) > 179) search({point.x + (point.x > 0 ? -360 : 360), point.y});

  if (best == kInfinity) throw no_road("all roads within the limit are closed");
  const Road& road = index_->roads[best_road];
  const auto line = line_of<Index::Line>(graph_, shape_, road);
  Place place;
  place.asked = point;
  const Point a = line.at(best_piece), b = line.at(best_piece + 1);
  const Foot foot = foot_on(a, b, asked, scale);  // now to the last digit
  double behind = 0, length = 0;
  for (std::size_t i = 0; i < line.pieces(); ++i) {
    const double piece = distance_between(kind, line.at(i), line.at(i + 1));
    if (i < best_piece) behind += piece;
    if (i == best_piece) behind += foot.along * piece;
    length += piece;
  }
  behind = std::min(behind, length);
  double share = length > 0 ? behind / length : 0;
  place.at = {a.x + foot.along * (b.x - a.x), a.y + foot.along * (b.y - a.y)};
  place.distance = std::sqrt(foot.square);
  if (std::min(behind, length - behind) <= tolerance) {
    share = behind <= length - behind ? 0 : 1;
    const NodeId node = share == 0 ? line.tail : line.head;
    place.at = graph_.points()[node];
    place.distance = std::hypot((place.at.x - asked.x) * scale.x, (place.at.y - asked.y) * scale.y);
    if (!options.bearing) place.nodes = junction_of(node);
  }
  if (place.distance > limit) {
    const std::string unit = degrees ? " m" : "";
    throw no_road("the nearest is " + number_text(std::round(place.distance)) + unit +
                  " away, the limit is " + number_text(limit) + unit);
  }
  // The kerb: right of the line is where vehicles drive along it that keep right.
  const double across = (b.x - a.x) * scale.x * (asked.y - place.at.y) * scale.y -
                        (b.y - a.y) * scale.y * (asked.x - place.at.x) * scale.x;
  const bool chosen = (options.curb || options.opposite) && across != 0 && place.nodes.empty() &&
                      fits(road, 0, a, b) && fits(road, 1, a, b);
  const bool left = !shape_.empty() && shape_.detail(shape_.segment(road.arc[0])).left != 0;
  const int kerb = (across > 0) != left ? 1 : 0;
  for (int d = 0; d < 2; ++d) {
    if (options.bearing ? !fits(road, d, a, b) : road.arc[d] == kNoArc) continue;
    if (chosen && (d == kerb) != options.curb) continue;
    const auto side = [&](NodeId tail, ArcIndex arc) {
      const double along = d == 0 ? share : 1 - share;
      const Weight weight = weight_of(graph_, arc);
      return PlaceSide{tail,  head_of(graph_, arc),           arc, weight,
                       along, shape_.paid(arc, along, weight)};
    };
    place.side[static_cast<std::size_t>(place.sides++)] = side(road.tail[d], road.arc[d]);
    if (shape_.empty() || index_->others.empty()) continue;
    index_->for_each_other(shape_.arc_segment[road.arc[d]], [&](const OtherArc& other) {
      place.also.push_back(side(other.tail, other.arc));
    });
  }
  if (!shape_.empty()) place.street = shape_.street(shape_.segment(road.arc[0]));
  return place;
}

}  // namespace lodestar
