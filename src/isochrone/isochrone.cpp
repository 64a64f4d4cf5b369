#include "lodestar/isochrone.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "lodestar/detail/stop.h"

namespace lodestar {
namespace {

// A road of which `side` is one direction, within the limit of a start at side.share.
Leg part_of_road(const PlaceSide& side, Cost limit, Direction direction) {
  const double part = side.weight > limit ? limit / side.weight : 1;
  if (direction == Direction::kForward) {
    return {side.tail, side.head, side.arc, side.share, std::min(1.0, side.share + part)};
  }
  return {side.tail, side.head, side.arc, std::max(0.0, side.share - part), side.share};
}

// Coordinates as GeoJSON has them: seven digits are a centimetre.
void append_point(std::string& out, Point p, CoordinateKind kind) {
  const auto number = [&](double value) {
    return nlohmann::json(kind == CoordinateKind::kDegrees ? std::round(value * 1e7) / 1e7 : value)
        .dump();
  };
  out += '[' + number(p.x) + ',' + number(p.y) + ']';
}

void append_line(std::string& out, std::span<const Point> line, CoordinateKind kind) {
  out += '[';
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (i > 0) out += ',';
    append_point(out, line[i], kind);
  }
  out += ']';
}

// The corners of all lines, and points between distant corners: a hull of the corners
// alone could cut through a long road.
std::vector<Point> hull_points(std::span<const std::vector<Point>> lines) {
  std::vector<Point> points;
  for (const auto& line : lines) points.insert(points.end(), line.begin(), line.end());
  Point low{kInfinity, kInfinity}, high{-kInfinity, -kInfinity};
  for (const Point& p : points) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  const double step = std::max(high.x - low.x, high.y - low.y) / 100;
  for (const auto& line : lines) {
    for (std::size_t i = 0; i + 1 < line.size(); ++i) {
      const Point a = line[i], b = line[i + 1];
      const double pieces = std::ceil(std::max(std::abs(b.x - a.x), std::abs(b.y - a.y)) / step);
      for (double k = 1; k < pieces; ++k) {
        points.push_back({a.x + k / pieces * (b.x - a.x), a.y + k / pieces * (b.y - a.y)});
      }
    }
  }
  return points;
}

// Features with commas between.
class FeatureText {
 public:
  FeatureText(const GraphFile& file, const IsochroneOutput& output)
      : file_(file), output_(output), kind_(file.graph.coordinate_kind()) {}

  void add(const Contour& contour) {
    const bool drawn = file_.graph.has_coordinates();
    if (!drawn && (output_.polygons || output_.arcs)) {
      throw Error("the graph has no coordinates, so its isochrones have no lines and polygons");
    }
    std::vector<std::vector<Point>> lines;
    if (output_.polygons || output_.arcs) {
      lines = lines_of(file_.graph, file_.shape, contour.legs);
    }
    if (output_.polygons) {
      const std::vector<Point> ring = concave_hull(hull_points(lines), kind_, output_.concavity);
      begin(ring.empty() ? "" : "Polygon");
      if (!ring.empty()) {
        out_ += '[';
        append_line(out_, ring, kind_);
        out_ += ']';
      }
      finish("polygon", contour, !ring.empty());
    }
    if (output_.arcs) {
      begin("MultiLineString");
      out_ += '[';
      for (std::size_t i = 0; i < lines.size(); ++i) {
        check_stop(i);
        if (i > 0) out_ += ',';
        append_line(out_, lines[i], kind_);
      }
      out_ += ']';
      finish("arcs", contour, true);
    }
    if (output_.nodes) add_nodes(contour, drawn);
  }

  std::string take() { return std::move(out_); }

 private:
  void begin(std::string_view geometry) {
    if (!out_.empty()) out_ += ',';
    out_ += R"({"type":"Feature","geometry":)";
    if (geometry.empty()) {
      out_ += "null";
    } else {
      out_ += R"({"type":")" + std::string(geometry) + R"(","coordinates":)";
    }
  }
  void finish(std::string_view kind, const Contour& contour, bool drawn,
              const std::string& more = "") {
    if (drawn) out_ += '}';
    const nlohmann::json limit(output_.unit.of(contour.limit));
    out_ += R"(,"properties":{"kind":")" + std::string(kind) + R"(","contour":)" + limit.dump() +
            R"(,"unit":")" + std::string(output_.unit.name) + '"' + more + "}}";
  }
  void add_nodes(const Contour& contour, bool drawn) {
    begin(drawn ? "MultiPoint" : "");
    std::string names, costs;
    if (drawn) out_ += '[';
    for (std::size_t i = 0; i < contour.nodes.size(); ++i) {
      check_stop(i);
      const ReachedNode& one = contour.nodes[i];
      if (drawn) {
        if (i > 0) out_ += ',';
        append_point(out_, file_.graph.points()[one.node], kind_);
      }
      names += i > 0 ? "," : "";
      names += nlohmann::json(file_.names.name(one.node))
                   .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
      costs += i > 0 ? "," : "";
      costs += nlohmann::json(output_.unit.of(one.cost)).dump();
    }
    if (drawn) out_ += ']';
    finish("nodes", contour, drawn, ",\"nodes\":[" + names + "],\"costs\":[" + costs + "]");
  }

  const GraphFile& file_;
  const IsochroneOutput& output_;
  CoordinateKind kind_;
  std::string out_;
};

}  // namespace

IsochroneStart isochrone_start(NodeId node, Direction direction) {
  return {{node}, {0}, {}, direction};
}

IsochroneStart isochrone_start(const Places& places, const Place& place, Direction direction,
                               const ArcWeights& weights) {
  IsochroneStart start;
  start.direction = direction;
  const Graph& graph = places.graph();
  const auto add = [&](NodeId node, Cost spent) {
    start.nodes.push_back(node);
    start.spent.push_back(spent);
  };
  for (const NodeId node : place.nodes) add(node, 0);
  const bool leaves = direction == Direction::kForward;
  for (PlaceSide side : leaves ? place.exits() : place.entries()) {
    if (!place.nodes.empty()) break;
    if (!weights.empty()) side.weight = weights[side.arc];
    if (side.weight == kInfinity) continue;  // closed
    start.road.push_back(side);
    if (leaves) {
      add(side.head, (1 - side.paid) * side.weight);
    } else if (!places.shape().arc_based) {
      add(side.tail, side.paid * side.weight);
    } else {
      // Several arcs, which are turns, lead into the road.
      const auto first = graph.arrays().first[0];
      for (const Arc& into : graph.arcs(side.head, Direction::kBackward)) {
        const ArcRange turns = graph.arcs(into.head);
        for (std::size_t i = 0; i < turns.size(); ++i) {
          if (turns[i].head != side.head) continue;
          const Weight weight = weights.empty() ? turns[i].weight : weights[first[into.head] + i];
          if (weight != kInfinity) add(into.head, weight - (1 - side.paid) * side.weight);
        }
      }
    }
  }
  return start;
}

std::vector<Contour> isochrones(const Router& router, const IsochroneStart& start,
                                std::span<const Cost> limits) {
  std::vector<Contour> out;
  if (limits.empty()) return out;
  for (const Cost limit : limits) {
    if (!(limit >= 0 && limit < kInfinity)) throw Error("a limit must be a number of at least 0");
  }
  const Cost most = *std::max_element(limits.begin(), limits.end());
  const Reach reach =
      router.within(start.nodes, most, {.direction = start.direction, .spent = start.spent});
  for (const Cost limit : limits) {
    Contour contour;
    contour.limit = limit;
    const auto end =
        std::partition_point(reach.nodes.begin(), reach.nodes.end(),
                             [&](const ReachedNode& one) { return one.cost <= limit; });
    contour.nodes.assign(reach.nodes.begin(), end);
    for (const PlaceSide& side : start.road) {
      contour.legs.push_back(part_of_road(side, limit, start.direction));
    }
    for (const ReachedArc& arc :
         reached_arcs(router.graph(), contour.nodes, limit, start.direction)) {
      const bool forward = start.direction == Direction::kForward;
      contour.legs.push_back(
          {arc.tail, arc.head, arc.arc, forward ? 0 : 1 - arc.share, forward ? arc.share : 1});
    }
    out.push_back(std::move(contour));
  }
  return out;
}

std::vector<std::vector<Point>> lines_of(const Graph& graph, const Shape& shape,
                                         std::span<const Leg> legs) {
  // A road that is within the limit as a whole is drawn once, though both directions may be.
  const auto road_of = [&](const Leg& leg) -> std::pair<std::uint64_t, std::uint64_t> {
    if (!shape.empty()) return {shape.segment(leg.arc), 0};
    return {std::min(leg.tail, leg.head), std::max(leg.tail, leg.head)};
  };
  std::vector<const Leg*> order;
  std::vector<std::pair<std::pair<std::uint64_t, std::uint64_t>, const Leg*>> whole;
  for (const Leg& leg : legs) {
    if (leg.begin <= 0 && leg.end >= 1) whole.push_back({road_of(leg), &leg});
  }
  std::sort(whole.begin(), whole.end());
  for (std::size_t i = 0; i < whole.size(); ++i) {
    if (i == 0 || whole[i].first != whole[i - 1].first) order.push_back(whole[i].second);
  }
  const std::size_t drawn = order.size();
  for (const Leg& leg : legs) {
    if (leg.begin <= 0 && leg.end >= 1) continue;
    const auto road = road_of(leg);
    const auto at = std::lower_bound(whole.begin(), whole.end(), road,
                                     [](const auto& a, const auto& b) { return a.first < b; });
    if (at == whole.end() || at->first != road) order.push_back(&leg);
  }
  std::vector<std::vector<Point>> out;
  out.reserve(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    check_stop(i);
    std::vector<Point> line = itinerary(graph, shape, {order[i], 1}).line;
    if (line.size() < 2 && i < drawn) continue;  // self-loops
    if (line.size() == 1) line.push_back(line[0]);
    if (!line.empty()) out.push_back(std::move(line));
  }
  return out;
}

std::string isochrone_features(const GraphFile& file, std::span<const Contour> contours,
                               const IsochroneOutput& output) {
  FeatureText text(file, output);
  for (const Contour& contour : contours) text.add(contour);
  return text.take();
}

std::string isochrones_geojson(const GraphFile& file, std::span<const Contour> contours,
                               const IsochroneOutput& output) {
  return R"({"type":"FeatureCollection","features":[)" +
         isochrone_features(file, contours, output) + "]}\n";
}

}  // namespace lodestar
