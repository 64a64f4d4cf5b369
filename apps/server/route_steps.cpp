#include "route_steps.h"

#include <algorithm>
#include <cmath>

#include "lodestar/itinerary.h"
#include "waypoint.h"

namespace lodestar::serve {
namespace {

std::string_view street_of(const Asking& asking, const Leg& leg) {
  const Shape& shape = asking.world.file.shape;
  return shape.empty() ? std::string_view() : shape.street(shape.segment(leg.arc));
}

// Clockwise from north, in whole degrees.
int bearing(Point a, Point b, CoordinateKind kind) {
  const double pi = 3.14159265358979323846;
  const double shrink = kind == CoordinateKind::kDegrees ? std::cos(a.y * pi / 180) : 1;
  const double angle = std::atan2((b.x - a.x) * shrink, b.y - a.y) * 180 / pi;
  return static_cast<int>(std::lround(angle < 0 ? angle + 360 : angle)) % 360;
}

const char* modifier_of(int before, int after) {
  const int turn = ((after - before) % 360 + 360) % 360;
  if (turn < 20 || turn > 340) return "straight";
  if (turn < 60) return "slight right";
  if (turn < 120) return "right";
  if (turn < 170) return "sharp right";
  if (turn <= 190) return "uturn";
  if (turn <= 240) return "sharp left";
  return turn <= 300 ? "left" : "slight left";
}

}  // namespace

void write_steps(JsonText& json, const Asking& asking, const Way& way, Geometry geometry) {
  const GraphFile& file = asking.world.file;
  const CoordinateKind kind = file.graph.coordinate_kind();
  const std::span<const Leg> legs = way.legs;
  int before = 0;
  Point end{};
  std::string name;
  for (std::size_t i = 0; i < legs.size();) {
    std::size_t next = i + 1;
    while (next < legs.size() && street_of(asking, legs[next]) == street_of(asking, legs[i])) {
      ++next;
    }
    const auto part = legs.subspan(i, next - i);
    const Itinerary trip = itinerary(file.graph, file.shape, part);
    SearchResult cost;
    cost.cost = 0;
    for (const Leg& leg : part) cost.cost += asking.weights()[leg.arc] * (leg.end - leg.begin);
    name = street_of(asking, legs[i]);
    if (!trip.line.empty()) {
      const std::size_t last = trip.line.size() - 1;
      const int after = last > 0 ? bearing(trip.line[0], trip.line[1], kind) : before;
      json.open('{').key("name").text(name).key("mode").text("driving");
      json.key("driving_side").text("right").key("distance").rounded(trip.length, 1);
      json.key("duration").number(asking.duration_of(cost, part)).key("weight").number(cost.cost);
      write_line(json.key("geometry"), trip.line, geometry, kind);
      json.key("maneuver").open('{').key("type").text(i == 0 ? "depart" : "turn");
      if (i > 0) json.key("modifier").text(modifier_of(before, after));
      write_location(json.key("location"), trip.line[0], kind);
      json.key("bearing_before").whole(static_cast<std::uint64_t>(i == 0 ? 0 : before));
      json.key("bearing_after").whole(static_cast<std::uint64_t>(after)).close('}');
      json.key("intersections").open('[').close(']').close('}');
      if (last > 0) before = bearing(trip.line[last - 1], trip.line[last], kind);
      end = trip.line[last];
    }
    i = next;
  }
  if (legs.empty()) return;
  json.open('{').key("name").text(name).key("mode").text("driving");
  json.key("driving_side").text("right").key("distance").whole(0).key("duration").whole(0);
  json.key("weight").whole(0);
  write_line(json.key("geometry"), {end, end}, geometry, kind);
  json.key("maneuver").open('{').key("type").text("arrive");
  write_location(json.key("location"), end, kind);
  json.key("bearing_before").whole(static_cast<std::uint64_t>(before));
  json.key("bearing_after").whole(0).close('}');
  json.key("intersections").open('[').close(']').close('}');
}

std::string summary_of(const Asking& asking, const Way& way) {
  std::vector<std::pair<double, std::string_view>> streets;
  for (const Leg& leg : way.legs) {
    const std::string_view name = street_of(asking, leg);
    if (name.empty()) continue;
    const auto known = std::find_if(streets.begin(), streets.end(),
                                    [&](const auto& street) { return street.second == name; });
    const double length = asking.length_of({&leg, 1});
    if (known == streets.end()) {
      streets.emplace_back(length, name);
    } else {
      known->first += length;
    }
  }
  std::stable_sort(streets.begin(), streets.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string out;
  for (std::size_t i = 0; i < std::min<std::size_t>(2, streets.size()); ++i) {
    out += (i > 0 ? ", " : "") + std::string(streets[i].second);
  }
  return out;
}

}  // namespace lodestar::serve
