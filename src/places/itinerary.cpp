#include "lodestar/itinerary.h"

#include <algorithm>
#include <cmath>

namespace lodestar {
namespace {

// The line of an arc: its tail, what lies between, its head. Fills `line`, which is reused from arc
// to arc.
void arc_line(const Graph& graph, const Shape& shape, NodeId tail, NodeId head, ArcIndex arc,
              std::vector<Point>& line) {
  line.clear();
  line.push_back(graph.points()[tail]);
  if (!shape.empty()) {
    const auto between = shape.between(shape.segment(arc));
    if (shape.against(arc)) {
      for (std::size_t i = between.size(); i > 0; --i) line.push_back(between[i - 1].degrees());
    } else {
      for (const FixedPoint& p : between) line.push_back(p.degrees());
    }
  }
  line.push_back(graph.points()[head]);
}

// The part of a leg's line between two shares of its length, appended to `out`.
void append_part(std::span<const Point> line, const Leg& leg, std::uint32_t number,
                 Itinerary& out) {
  const CoordinateKind kind = out.kind;
  const auto add = [&](Point p, std::size_t piece) {
    if (!out.line.empty() && out.line.back() == p) return;
    if (!out.line.empty()) out.pieces.push_back({number, static_cast<std::uint32_t>(piece)});
    out.line.push_back(p);
  };
  if (leg.begin <= 0 && leg.end >= 1) {
    for (std::size_t i = 0; i < line.size(); ++i) add(line[i], i > 0 ? i - 1 : 0);
    return;
  }
  double length = 0;
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    length += distance_between(kind, line[i], line[i + 1]);
  }
  const double from = leg.begin * length, to = leg.end * length;
  double behind = 0;
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    const Point a = line[i], b = line[i + 1];
    const double piece = distance_between(kind, a, b);
    const auto at = [&](double where) {
      const double share = piece > 0 ? std::clamp((where - behind) / piece, 0.0, 1.0) : 0;
      if (share == 1) return b;
      return Point{a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)};
    };
    const bool last = i + 2 == line.size();
    if (behind + piece >= from || last) {
      add(at(from), i);
      add(at(to), i);
      if (behind + piece >= to || last) return;
    }
    behind += piece;
  }
}

Weight stored_weight(const Graph& graph, ArcIndex arc) {
  return graph.visit(Direction::kForward,
                     [&](auto rows) { return static_cast<Weight>(rows.arcs[arc].weight); });
}

}  // namespace

std::vector<Leg> legs_of(const RequestRoute& route) {
  std::vector<Leg> legs;
  for (std::size_t i = 0; i < route.arcs.size(); ++i) {
    legs.push_back({route.nodes[i], route.nodes[i + 1], route.arcs[i], 0, 1});
  }
  return legs;
}

std::vector<Leg> legs_of(const Graph& graph, std::span<const NodeId> path,
                         const ArcWeights& weights) {
  std::vector<Leg> legs;
  legs.reserve(path.size());
  graph.visit(Direction::kForward, [&](auto rows) {
    const auto weight = [&](ArcIndex arc) {
      return weights.empty() ? static_cast<Weight>(rows.arcs[arc].weight) : weights[arc];
    };
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
      const NodeId u = path[i], v = path[i + 1];
      ArcIndex best = rows.first[u + 1];
      for (ArcIndex arc = rows.first[u]; arc < rows.first[u + 1]; ++arc) {
        if (rows.arcs[arc].head != v) continue;
        if (best == rows.first[u + 1] || weight(arc) < weight(best)) best = arc;
      }
      if (best == rows.first[u + 1]) {
        throw Error("there is no arc from node " + std::to_string(u) + " to node " +
                    std::to_string(v) + "; this is no path of the graph");
      }
      legs.push_back({u, v, best, 0, 1});
    }
  });
  return legs;
}

double paid_share(const Graph& graph, const Shape& shape, const Leg& leg) {
  if (leg.end <= leg.begin) return 0;
  if (shape.arc_entry.empty()) return leg.end - leg.begin;
  const Weight weight = stored_weight(graph, leg.arc);
  return shape.paid(leg.arc, leg.end, weight) - shape.paid(leg.arc, leg.begin, weight);
}

double time_share(const Graph& graph, const Shape& shape, const Leg& leg) {
  if (leg.end <= leg.begin) return 0;
  if (shape.arc_entry.empty()) return leg.end - leg.begin;
  return 10 * shape.seconds(leg.arc, leg.begin, leg.end) / stored_weight(graph, leg.arc);
}

double length_of(const Graph& graph, const Shape& shape, const Leg& leg) {
  const double whole = shape.empty()
                           ? distance_between(graph.coordinate_kind(), graph.points()[leg.tail],
                                              graph.points()[leg.head])
                           : shape.segment_length[shape.segment(leg.arc)] / 10.0;
  return whole * std::max(0.0, leg.end - leg.begin);
}

std::vector<double> lengths_of_arcs(const Graph& graph, const Shape& shape) {
  std::vector<double> lengths;
  lengths.reserve(graph.arc_count());
  for (NodeId u = 0; u < graph.node_count(); ++u) {
    for (const Arc arc : graph.arcs(u)) {
      const auto number = static_cast<ArcIndex>(lengths.size());
      lengths.push_back(length_of(graph, shape, {u, arc.head, number, 0, 1}));
    }
  }
  return lengths;
}

double CostUnit::of(Cost cost) const {
  return known() ? std::round(cost * scale * 10) / 10 : cost;
}

CostUnit cost_unit(const Graph& graph, const Shape& shape) {
  if (shape.empty()) return {};
  const std::vector<Weight> weights = graph.weights();
  bool times = true, lengths = true;
  for (ArcIndex arc = 0; arc < weights.size() && (times || lengths); ++arc) {
    times = times && (weights[arc] == shape.arc_duration[arc] ||
                      (!shape.arc_entry.empty() && weights[arc] > shape.arc_duration[arc]));
    lengths = lengths && weights[arc] == shape.segment_length[shape.segment(arc)];
  }
  if (times) return kSeconds;
  if (lengths) return kMetres;
  return {};
}

void set_result(Itinerary& route, const SearchResult& found, const CostUnit& unit) {
  route.cost = unit.of(found.cost);
  route.lower_bound = unit.of(found.lower_bound);
  route.optimal = found.optimal();
}

Itinerary itinerary(const Graph& graph, const Shape& shape, std::span<const Leg> legs) {
  if (!graph.has_coordinates()) {
    throw Error("the graph has no coordinates; a line needs some (.co, .cnode, .osm.pbf)");
  }
  Itinerary out;
  out.kind = graph.coordinate_kind();
  if (!shape.empty()) out.duration = 0;
  std::vector<Point> line;
  for (std::size_t i = 0; i < legs.size(); ++i) {
    const Leg& leg = legs[i];
    arc_line(graph, shape, leg.tail, leg.head, leg.arc, line);
    append_part(line, leg, static_cast<std::uint32_t>(i), out);
    const double length = length_of(graph, shape, leg);
    out.length += length;
    if (shape.empty()) continue;
    const std::string_view street = shape.street(shape.segment(leg.arc));
    *out.duration += shape.seconds(leg.arc, leg.begin, leg.end);
    if (out.streets.empty() || out.streets.back().name != street) {
      out.streets.push_back({std::string(street), 0});
    }
    out.streets.back().length += length;
  }
  return out;
}

}  // namespace lodestar
