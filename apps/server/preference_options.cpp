#include <algorithm>
#include <nlohmann/json.hpp>

#include "lodestar/preferences_text.h"
#include "lodestar/travel_times.h"
#include "message.h"
#include "request_options.h"
#include "target.h"

namespace lodestar::server {
namespace {

using Json = nlohmann::json;

void check_count(std::size_t count, std::size_t most, const std::string& what) {
  if (count <= most) return;
  refuse("TooBig", "at most " + std::to_string(most) + " " + what + " a request");
}

void check_areas(const Preferences& wish, const Limits& limits) {
  check_count(wish.circles.size() + wish.polygons.size(), limits.areas, "areas to avoid");
  std::size_t corners = 0;
  for (const Preferences::Polygon& polygon : wish.polygons) {
    for (const auto& ring : polygon.rings) corners += ring.size();
  }
  check_count(corners, limits.corners, "corners of polygons to avoid");
}

void set_classes(std::string_view value, Preferences& out) {
  for (const std::string_view name : split(value, ',')) {
    if (name.empty()) {
      refuse("InvalidOptions", "the option exclude lists classes of roads: motorway,toll,ferry");
    }
    out.classes.push_back({std::string(name)});
  }
}

void set_ways(std::string_view value, Preferences& out, const Limits& limits) {
  for (const std::string_view id : split(value, ',')) add_avoided(out, "way/" + std::string(id));
  check_count(out.ways.size(), limits.ways, "closed ways");
}

// "lon,lat,radius;lon,lat,radius,factor"
void set_circles(std::string_view value, Preferences& out, const Limits& limits) {
  for (const std::string_view part : split(value, ';')) {
    std::string circle(part);
    if (std::count(circle.begin(), circle.end(), ',') == 3) circle[circle.rfind(',')] = '=';
    if (circle.find(',') == std::string::npos) {
      refuse("InvalidOptions", "circles are written lon,lat,radius or lon,lat,radius,factor");
    }
    add_avoided(out, circle);
  }
  check_areas(out, limits);
}

void set_polygons(std::string_view value, Preferences& out, const Limits& limits) {
  for (const std::string_view part : split(value, ';')) {
    std::vector<double> corners;
    for (const std::string_view each : split(part, ',')) {
      corners.push_back(parse_number(each).value_or(kInfinity));
    }
    if (corners.size() % 2 != 0 || corners.size() < 6 ||
        std::find(corners.begin(), corners.end(), kInfinity) != corners.end()) {
      refuse(
          "InvalidOptions",
          "polygons are written lon,lat,lon,lat,lon,lat;… with at least three corners each; a body "
          "of JSON may have GeoJSON");
    }
    auto& ring = out.polygons.emplace_back().rings.emplace_back();
    for (std::size_t i = 0; i < corners.size(); i += 2) {
      ring.push_back({corners[i], corners[i + 1]});
    }
  }
  check_areas(out, limits);
}

}  // namespace

bool is_preference(std::string_view name) {
  constexpr std::string_view kNames[] = {"exclude", "avoid_polygons", "avoid_circles", "ways",
                                         "factors", "blend",          "vehicle",       "depart"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

void set_preference(std::string_view name, std::string_view value, Preferences& out,
                    const Limits& limits) {
  if (name == "blend") out.blend.clear();
  if (value.empty()) return;
  try {
    if (name == "exclude") {
      set_classes(value, out);
    } else if (name == "avoid_polygons") {
      set_polygons(value, out, limits);
    } else if (name == "avoid_circles") {
      set_circles(value, out, limits);
    } else if (name == "ways") {
      set_ways(value, out, limits);
    } else if (name == "factors") {
      add_factors(out, value);
    } else if (name == "blend") {
      set_blend(out, value);
    } else if (name == "vehicle") {
      set_vehicle(out, value);
    } else {
      out.depart = TravelTimes::parse_time(value);
    }
  } catch (const Error& error) {
    refuse("InvalidOptions", "the option " + std::string(name) + ": " + error.what());
  }
}

void add_polygons(const Json& geometry, Preferences& out, const Limits& limits) {
  try {
    add_areas(out, geometry.dump(), "avoid_polygons");
  } catch (const Error& error) {
    refuse("InvalidOptions", error.what());
  }
  check_areas(out, limits);
}

}  // namespace lodestar::server
