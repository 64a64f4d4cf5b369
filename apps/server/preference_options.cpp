#include "preference_options.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>

#include "lodestar/preferences_text.h"
#include "lodestar/travel_times.h"
#include "message.h"
#include "target.h"

namespace lodestar::server {
namespace {

using Json = nlohmann::json;

[[noreturn]] void refuse_preference(const std::string& why) {
  throw Refusal(400, "InvalidOptions", why);
}

void check_count(std::size_t count, std::size_t most, const std::string& what) {
  if (count <= most) return;
  throw Refusal(400, "TooBig", "at most " + std::to_string(most) + " " + what + " a request");
}

void check_areas(const Preferences& wish, const Limits& limits) {
  check_count(wish.circles.size() + wish.polygons.size(), limits.areas, "areas to avoid");
  std::size_t corners = 0;
  for (const Preferences::Polygon& polygon : wish.polygons) {
    for (const auto& ring : polygon.rings) corners += ring.size();
  }
  check_count(corners, limits.corners, "corners of polygons to avoid");
}

// "name:number,name:number"
std::vector<std::pair<std::string, double>> named_numbers(std::string_view name,
                                                          std::string_view value,
                                                          std::string_view example) {
  std::vector<std::pair<std::string, double>> out;
  if (value.empty()) return out;
  for (const std::string_view part : split(value, ',')) {
    const std::size_t colon = part.rfind(':');
    const auto number =
        colon == std::string_view::npos ? std::nullopt : parse_number(part.substr(colon + 1));
    if (!number || colon == 0) {
      refuse_preference("the option " + std::string(name) +
                        " lists names and numbers: " + std::string(example));
    }
    out.emplace_back(part.substr(0, colon), *number);
  }
  return out;
}

std::vector<double> numbers(std::string_view text, const std::string& expected) {
  std::vector<double> out;
  for (const std::string_view part : split(text, ',')) {
    const auto number = parse_number(part);
    if (!number) refuse_preference(expected);
    out.push_back(*number);
  }
  return out;
}

void set_classes(std::string_view value, Preferences& out) {
  if (value.empty()) return;
  for (const std::string_view name : split(value, ',')) {
    if (name.empty()) {
      refuse_preference("the option exclude lists classes of roads: motorway,toll,ferry");
    }
    out.classes.push_back({std::string(name)});
  }
}

void set_ways(std::string_view value, Preferences& out, const Limits& limits) {
  if (value.empty()) return;
  for (const std::string_view part : split(value, ',')) {
    std::int64_t id = 0;
    const auto [end, failed] = std::from_chars(part.data(), part.data() + part.size(), id);
    if (failed != std::errc() || end != part.data() + part.size()) {
      refuse_preference("the option ways lists ids of OpenStreetMap ways: 4711,4712");
    }
    out.ways.push_back({id});
  }
  check_count(out.ways.size(), limits.ways, "closed ways");
}

void set_circles(std::string_view value, Preferences& out, const Limits& limits) {
  const std::string expected =
      "circles are written lon,lat,radius;lon,lat,radius,factor with metres; without a factor they "
      "are closed";
  if (value.empty()) return;
  for (const std::string_view part : split(value, ';')) {
    const std::vector<double> circle = numbers(part, expected);
    if (circle.size() != 3 && circle.size() != 4) refuse_preference(expected);
    out.circles.push_back(
        {{circle[0], circle[1]}, circle[2], circle.size() == 4 ? circle[3] : kInfinity});
  }
  check_areas(out, limits);
}

void set_polygons(std::string_view value, Preferences& out, const Limits& limits) {
  const std::string expected =
      "polygons are written lon,lat,lon,lat,lon,lat;… with at least three corners each; a body of "
      "JSON may have GeoJSON";
  if (value.empty()) return;
  for (const std::string_view part : split(value, ';')) {
    const std::vector<double> corners = numbers(part, expected);
    if (corners.size() % 2 != 0 || corners.size() < 6) refuse_preference(expected);
    std::vector<Point> ring;
    for (std::size_t i = 0; i < corners.size(); i += 2) {
      ring.push_back({corners[i], corners[i + 1]});
    }
    out.polygons.push_back({{std::move(ring)}});
  }
  check_areas(out, limits);
}

void set_vehicle(std::string_view value, Preferences& out) {
  const std::string_view example = "height:3.8,weight:12,width:2.5 with metres and tonnes";
  for (const auto& [name, number] : named_numbers("vehicle", value, example)) {
    if (name == "height") {
      out.vehicle.height = number;
    } else if (name == "width") {
      out.vehicle.width = number;
    } else if (name == "weight") {
      out.vehicle.weight = number;
    } else {
      refuse_preference("a vehicle has height, width and weight, not '" + name + "'");
    }
  }
}

}  // namespace

bool is_preference(std::string_view name) {
  constexpr std::string_view kNames[] = {"exclude", "avoid_polygons", "avoid_circles", "ways",
                                         "factors", "blend",          "vehicle",       "depart"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

void set_preference(std::string_view name, std::string_view value, Preferences& out,
                    const Limits& limits) {
  if (name == "exclude") {
    set_classes(value, out);
  } else if (name == "avoid_polygons") {
    set_polygons(value, out, limits);
  } else if (name == "avoid_circles") {
    set_circles(value, out, limits);
  } else if (name == "ways") {
    set_ways(value, out, limits);
  } else if (name == "factors") {
    for (const auto& [class_name, factor] : named_numbers(name, value, "track:2,ferry:1.5")) {
      out.classes.push_back({class_name, factor});
    }
  } else if (name == "blend") {
    out.blend.clear();
    for (const auto& [metric, share] : named_numbers(name, value, "time:1,length:0.02")) {
      out.blend.push_back({metric, share});
    }
  } else if (name == "vehicle") {
    set_vehicle(value, out);
  } else if (!value.empty()) {
    try {
      out.depart = TravelTimes::parse_time(value);
    } catch (const Error& error) {
      refuse_preference(std::string("the option depart: ") + error.what());
    }
  }
}

void add_polygons(const Json& geometry, Preferences& out, const Limits& limits) {
  try {
    add_areas(out, geometry.dump(), "avoid_polygons");
  } catch (const Error& error) {
    refuse_preference(error.what());
  }
  check_areas(out, limits);
}

}  // namespace lodestar::server
