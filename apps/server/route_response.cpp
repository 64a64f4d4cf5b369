// A route through two or more places.
#include <algorithm>
#include <optional>

#include "json_text.h"
#include "lodestar/itinerary.h"
#include "message.h"
#include "responses.h"

namespace lodestar::server {

std::vector<Point> simplified(const std::vector<Point>& line) {
  if (line.size() < 3) return line;
  Point low = line[0], high = line[0];
  for (const Point& p : line) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  const double tolerance = std::max(high.x - low.x, high.y - low.y) / 800;
  std::vector<char> keep(line.size(), 0);
  keep.front() = keep.back() = 1;
  std::vector<std::pair<std::size_t, std::size_t>> open = {{0, line.size() - 1}};
  while (!open.empty()) {
    const auto [a, b] = open.back();
    open.pop_back();
    const Point p = line[a], d{line[b].x - p.x, line[b].y - p.y};
    const double square = d.x * d.x + d.y * d.y;
    double worst = tolerance * tolerance;
    std::size_t at = 0;
    for (std::size_t i = a + 1; i < b; ++i) {
      const Point q{line[i].x - p.x, line[i].y - p.y};
      const double along = square > 0 ? std::clamp((q.x * d.x + q.y * d.y) / square, 0.0, 1.0) : 0;
      const double x = q.x - along * d.x, y = q.y - along * d.y;
      if (x * x + y * y > worst) {
        worst = x * x + y * y;
        at = i;
      }
    }
    if (at == 0) continue;
    keep[at] = 1;
    open.emplace_back(a, at);
    open.emplace_back(at, b);
  }
  std::vector<Point> out;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (keep[i]) out.push_back(line[i]);
  }
  return out;
}

void write_line(JsonText& json, const std::vector<Point>& line, Geometry geometry,
                CoordinateKind kind) {
  if (geometry != Geometry::kGeojson) {
    json.text(to_polyline(line, geometry == Geometry::kPolyline ? 5 : 6));
    return;
  }
  json.open('{').key("type").text("LineString").key("coordinates").open('[');
  for (const Point& p : line) write_location(json, p, kind);
  if (line.size() == 1) write_location(json, line[0], kind);  // a line needs two positions
  json.close(']').close('}');
}

Geometry geometry_of(const RoutingRequest& request, CoordinateKind kind) {
  const bool degrees = kind == CoordinateKind::kDegrees;
  const Geometry geometry =
      request.geometry.value_or(degrees ? Geometry::kPolyline : Geometry::kGeojson);
  if (!degrees && geometry != Geometry::kGeojson) {
    refuse("InvalidOptions",
           "polylines require longitudes and latitudes, which this graph does not have; ask for "
           "geometries=geojson");
  }
  return geometry;
}

namespace {

// Ways joined at places that are passed without a stop; their nodes are those of the first one.
std::vector<Section> joined(std::vector<Section> sections,
                            const std::vector<std::size_t>& waypoints) {
  if (waypoints.empty()) return sections;
  std::vector<Section> out;
  for (std::size_t i = 0; i < sections.size(); ++i) {
    if (std::binary_search(waypoints.begin(), waypoints.end(), i)) {
      out.push_back(std::move(sections[i]));
      continue;
    }
    Section& all = out.back();
    all.found.cost += sections[i].found.cost;
    all.found.lower_bound += sections[i].found.lower_bound;
    all.found.expansions += sections[i].found.expansions;
    all.legs.insert(all.legs.end(), sections[i].legs.begin(), sections[i].legs.end());
    all.costs.insert(all.costs.end(), sections[i].costs.begin(), sections[i].costs.end());
  }
  return out;
}

// The sections between consecutive stops.
std::vector<Section> sections_of(RequestContext& context, const std::vector<Stop>& stops) {
  const bool paths = context.has_requests() || context.request.annotations != 0 ||
                     context.world.file.graph.has_coordinates();
  std::vector<Section> sections;
  std::optional<Onward> next;  // found with the section before it
  for (std::size_t i = 0; i + 1 < stops.size(); ++i) {
    if (i > 0) context.leave_after(sections.back());
    const Stop from = next ? next->from : stops[i];
    sections.push_back(next ? std::move(next->section)
                            : context.section(from, stops[i + 1], paths));
    next.reset();
    if (i + 2 < stops.size() && context.goes_straight() && sections.back().found.reached()) {
      next = straight_on(context, sections.back(), from, stops[i + 1], stops[i + 2]);
    }
    if (!sections.back().found.reached()) {
      refuse("NoRoute", "there is no route from place " + std::to_string(i) + " to place " +
                            std::to_string(i + 1));
    }
  }
  return sections;
}

// In units of the metrics: seconds, metres.
void write_totals(JsonText& json, const RequestContext& context,
                  const std::vector<Section>& sections) {
  const std::vector<Metric>& metrics = context.world.file.metrics.metrics;
  json.open('[');
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    double total = 0;
    for (const Section& section : sections) total += context.total_of(section, i);
    json.open('{').key("name").text(metrics[i].name).key("unit").text(metrics[i].unit);
    json.key("total").number(context.shown(total)).close('}');
  }
  json.close(']');
}

void write_legs(JsonText& json, const RequestContext& context, const RoutingRequest& request,
                const std::vector<Section>& sections, const std::vector<Stop>& stops,
                Geometry geometry) {
  const bool drawn = context.world.file.graph.has_coordinates();
  json.open('[');
  for (std::size_t i = 0; i < sections.size(); ++i) {
    const Section& section = sections[i];
    const Stop& to = stops[request.waypoints.empty() ? i + 1 : request.waypoints[i + 1]];
    json.open('{').key("steps").open('[');
    if (request.steps && drawn) write_steps(json, context, section, to, geometry);
    json.close(']').key("summary").text(request.steps ? summary_of(context, section) : "");
    json.key("weight").number(context.shown_cost(section.found.cost));
    json.key("duration").number(context.shown(context.duration_of(section)));
    if (drawn) json.key("distance").rounded(context.length_of(section.legs), 1);
    json.key("lower_bound").number(context.shown_cost(section.found.lower_bound));
    json.key("expansions").whole(section.found.expansions);
    if (request.annotations != 0) {
      write_annotation(json.key("annotation"), context, request, section);
    }
    json.close('}');
  }
  json.close(']');
}

void write_route(JsonText& json, const RequestContext& context, const std::vector<Stop>& stops,
                 std::vector<Section> sections, Geometry geometry) {
  const RoutingRequest& request = context.request;
  const GraphFile& file = context.world.file;
  const bool drawn = file.graph.has_coordinates();
  SearchResult sum;
  sum.cost = sum.lower_bound = 0;
  bool proven = true;
  for (const Section& section : sections) {
    sum.cost += section.found.cost;
    sum.lower_bound += section.found.lower_bound;
    proven = proven && section.found.optimal();
  }
  sections = joined(std::move(sections), request.waypoints);
  double length = 0, duration = 0;
  std::vector<Leg> whole;
  for (const Section& section : sections) {
    if (drawn) length += context.length_of(section.legs);
    duration += context.duration_of(section);
    if (request.overview != Overview::kNone) {
      whole.insert(whole.end(), section.legs.begin(), section.legs.end());
    }
  }
  json.open('{');
  if (drawn && request.overview != Overview::kNone) {
    std::vector<Point> line = itinerary(file.graph, file.shape, whole).line;
    if (line.empty()) {  // from a place to itself
      line.push_back(request.by_name ? file.graph.points()[stops[0].node] : stops[0].place.at);
    }
    if (request.overview == Overview::kSimplified) line = simplified(line);
    write_line(json.key("geometry"), line, geometry, file.graph.coordinate_kind());
  }
  write_legs(json.key("legs"), context, request, sections, stops, geometry);
  json.key("weight_name").text(context.weight_name());
  json.key("weight").number(context.shown_cost(sum.cost));
  json.key("duration").number(context.shown(duration));
  if (drawn) json.key("distance").rounded(length, 1);
  json.key("lower_bound").number(context.shown_cost(sum.lower_bound));
  json.key("gap").number(proven ? 0 : sum.gap()).key("optimal").truth(proven);
  json.key("expansions").whole(context.deadline.spent());
  if (context.has_requests()) {
    json.key("algorithm").text("request");
    json.key("potentials").truth(context.has_potentials());
    write_totals(json.key("metrics"), context, sections);
  } else {
    json.key("algorithm").text(context.now->router.algorithm().name);
  }
  json.close('}');
}

}  // namespace

std::string route_response(RequestContext& context, const RoutingRequest& request) {
  const GraphFile& file = context.world.file;
  const bool drawn = file.graph.has_coordinates();
  const Geometry geometry =
      drawn ? geometry_of(request, file.graph.coordinate_kind()) : Geometry::kGeojson;
  check_annotations(file, request);
  const std::vector<Stop> stops = context.stops();
  std::vector<std::vector<Section>> routes = {sections_of(context, stops)};
  // As in OSRM, routes with places between have no alternatives.
  if (stops.size() == 2) {
    for (Section& other : context.alternatives(routes[0][0])) routes.push_back({std::move(other)});
  }
  JsonText json;
  json.open('{').key("code").text("Ok").key("weights_version").whole(context.now->version);
  json.key("routes").open('[');
  for (std::vector<Section>& route : routes) {
    write_route(json, context, stops, std::move(route), geometry);
  }
  json.close(']');
  if (!request.skip_waypoints) {
    write_waypoints(json.key("waypoints"), context, request, stops);
  }
  json.close('}');
  return json.take();
}

}  // namespace lodestar::server
