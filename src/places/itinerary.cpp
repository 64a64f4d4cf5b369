#include "lodestar/itinerary.h"

#include <algorithm>
#include <cmath>

#include "places/arc_line.h"

namespace lodestar {
namespace {

// The piece of `line` between two shares of its length, appended to `out`.
void append_part(CoordinateKind kind, std::span<const Point> line, double begin, double end,
                 std::vector<Point>& out) {
  const auto add = [&](Point p) {
    if (out.empty() || !(out.back() == p)) out.push_back(p);
  };
  if (begin <= 0 && end >= 1) {
    for (const Point& p : line) add(p);
    return;
  }
  double length = 0;
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    length += distance_between(kind, line[i], line[i + 1]);
  }
  const double from = begin * length, to = end * length;
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
      add(at(from));
      add(at(to));
      if (behind + piece >= to || last) return;
    }
    behind += piece;
  }
}

}  // namespace

std::vector<Leg> legs_of(const Graph& graph, std::span<const NodeId> path,
                         std::span<const Weight> weights) {
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

double cost_divisor(const Graph& graph, const Shape& shape) {
  if (shape.empty()) return 1;
  const std::vector<Weight> weights = graph.weights();
  bool times = true, lengths = true;
  for (ArcIndex arc = 0; arc < weights.size(); ++arc) {
    times = times && weights[arc] == shape.arc_duration[arc];
    lengths = lengths && weights[arc] == shape.segment_length[shape.segment(arc)];
  }
  return times || lengths ? 10 : 1;
}

Itinerary itinerary(const Graph& graph, const Shape& shape, std::span<const Leg> legs) {
  if (!graph.has_coordinates()) {
    throw Error("the graph has no coordinates; a line needs some (.co, .cnode, .osm.pbf)");
  }
  Itinerary out;
  out.kind = graph.coordinate_kind();
  if (!shape.empty()) out.duration = 0;
  std::vector<Point> line;
  for (const Leg& leg : legs) {
    const double share = std::max(0.0, leg.end - leg.begin);
    arc_line(graph, shape, leg.tail, leg.head, leg.arc, line);
    append_part(out.kind, line, leg.begin, leg.end, out.line);
    double length = 0;
    std::string_view street;
    if (shape.empty()) {
      length = distance_between(out.kind, line.front(), line.back());
    } else {
      length = shape.segment_length[shape.segment(leg.arc)] / 10.0;
      street = shape.street(shape.segment(leg.arc));
      *out.duration += share * shape.arc_duration[leg.arc] / 10.0;
    }
    length *= share;
    out.length += length;
    if (shape.empty()) continue;
    if (out.streets.empty() || out.streets.back().name != street) {
      out.streets.push_back({std::string(street), 0});
    }
    out.streets.back().length += length;
  }
  return out;
}

}  // namespace lodestar
