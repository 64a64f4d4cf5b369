#include "request_options.h"

#include <algorithm>

#include "message.h"

namespace lodestar::server {

namespace {

bool truth(const std::string& name, const std::string& value) {
  if (value == "true") return true;
  if (value == "false") return false;
  refuse("InvalidOptions", "the option " + name + " is true or false");
}

std::vector<std::size_t> parse_indices(const std::string& name, const std::string& text,
                                       std::size_t size) {
  std::vector<std::size_t> out;
  if (text == "all" || text.empty()) return out;
  for (const std::string_view part : split(text, ';')) {
    const auto index = parse_count(part);
    if (!index || *index >= size) {
      refuse("InvalidOptions", "the option " + name + " lists positions of places from 0 to " +
                                   std::to_string(size - 1) + ", with ; between");
    }
    out.push_back(*index);
  }
  if (out.size() > size * 4 + 1000) refuse("TooBig", "the option " + name + " is too long");
  return out;
}

// Places where legs end; the others are passed without a stop.
void set_waypoints(const std::string& value, RoutingRequest& out) {
  out.waypoints = parse_indices("waypoints", value, out.size());
  const bool ascend =
      std::is_sorted(out.waypoints.begin(), out.waypoints.end()) &&
      std::adjacent_find(out.waypoints.begin(), out.waypoints.end()) == out.waypoints.end();
  if (out.waypoints.empty()) return;
  if (!ascend || out.waypoints.front() != 0 || out.waypoints.back() + 1 != out.size()) {
    refuse("InvalidOptions",
           "the option waypoints lists positions of places in order, with the first and the last");
  }
}

double parse_positive(const std::string& name, const std::string& value) {
  const auto number = parse_number(value);
  if (!number || !(*number > 0) || !(*number <= 1e9)) {
    refuse("InvalidOptions", "the option " + name + " is a number above 0");
  }
  return *number;
}

void set_annotations(const std::string& value, RoutingRequest& out) {
  if (out.endpoint == Endpoint::kRoute) {
    out.annotations = value == "true" ? kAllAnnotations : 0;
    if (value == "true" || value == "false") return;
    constexpr std::pair<std::string_view, std::uint8_t> kNames[] = {
        {"nodes", kNodes},   {"distance", kDistance}, {"duration", kDuration},
        {"weight", kWeight}, {"speed", kSpeed},       {"datasources", kDatasources}};
    for (const std::string_view part : split(value, ',')) {
      const auto known = std::find_if(std::begin(kNames), std::end(kNames),
                                      [&](const auto& name) { return name.first == part; });
      if (known == std::end(kNames)) {
        refuse("InvalidOptions",
               "annotations are true, false, or a list of nodes, distance, duration, weight, "
               "speed and datasources with commas between");
      }
      out.annotations |= known->second;
    }
    return;
  }
  out.durations = out.distances = false;
  for (const std::string_view part : split(value, ',')) {
    if (part == "duration") {
      out.durations = true;
    } else if (part == "distance") {
      out.distances = true;
    } else {
      refuse("InvalidOptions", "annotations of a table are duration, distance or both");
    }
  }
}

// Limits in the unit that the option's name has. Minutes are seconds here.
void set_contours(const std::string& name, const std::string& value, RoutingRequest& out,
                  const Limits& limits) {
  if (!out.contours.empty()) refuse("InvalidOptions", "give contours in one unit");
  for (const std::string_view part : split(value, ',')) {
    const auto number = parse_number(part);
    if (!number || !(*number >= 0) || !(*number <= 1e15)) {
      refuse("InvalidOptions",
             "the option " + name + " lists numbers of at least 0, with , between");
    }
    out.contours.push_back(name == "contours_minutes" ? 60 * *number : *number);
  }
  if (out.contours.size() > limits.contours) {
    refuse("TooBig", "at most " + std::to_string(limits.contours) + " contours a request");
  }
  if (name == "contours_meters") out.contour_unit = "distance";
  if (name == "contours_minutes" || name == "contours_seconds") out.contour_unit = "duration";
}

// Returns false if the option is not one of isochrones.
bool set_isochrone(const std::string& name, const std::string& value, RoutingRequest& out,
                   const Limits& limits) {
  if (name == "contours" || name.starts_with("contours_")) {
    constexpr std::string_view kNames[] = {"contours", "contours_minutes", "contours_seconds",
                                           "contours_meters"};
    if (std::find(std::begin(kNames), std::end(kNames), name) == std::end(kNames)) return false;
    set_contours(name, value, out, limits);
  } else if (name == "show") {
    out.polygons = out.arcs = out.nodes = false;
    for (const std::string_view part : split(value, ',')) {
      if (part != "polygons" && part != "arcs" && part != "nodes") {
        refuse("InvalidOptions", "show is a list of polygons, arcs and nodes with commas between");
      }
      (part == "polygons" ? out.polygons : part == "arcs" ? out.arcs : out.nodes) = true;
    }
  } else if (name == "concavity") {
    const auto number = parse_number(value);
    if (!number || !(*number >= 0 && *number <= 1)) {
      refuse("InvalidOptions", "the concavity is a number from 0 to 1");
    }
    out.concavity = *number;
  } else {
    return false;
  }
  return true;
}

// One entry for each place, with ; between; an empty one has the default.
template <class Out, class Parse>
void set_by_place(const std::string& name, const std::string& value, std::size_t places,
                  std::vector<Out>& out, Parse&& parse) {
  out.clear();
  if (value.empty()) return;
  for (const std::string_view part : split(value, ';')) {
    out.push_back(part.empty() ? Out{} : parse(part));
  }
  if (out.size() != places) {
    refuse("InvalidOptions", "give as many " + name + " as places, with ; between");
  }
}

Bearing parse_bearing(std::string_view text) {
  const std::size_t comma = std::min(text.find(','), text.size());
  const auto value = parse_number(text.substr(0, comma));
  const auto range =
      comma == text.size() ? std::optional<double>(10) : parse_number(text.substr(comma + 1));
  if (!value || !range || !(*value >= 0) || !(*value <= 360) || !(*range >= 0) ||
      !(*range <= 180)) {
    refuse(
        "InvalidOptions",
        "bearings are degrees from 0 to 360 and a range up to 180, such as 90,20, with ; between");
  }
  return {*value, *range};
}

Approach parse_approach(std::string_view text) {
  if (text == "unrestricted") return Approach::kAny;
  if (text == "curb") return Approach::kCurb;
  if (text == "opposite") return Approach::kOpposite;
  refuse("InvalidOptions", "approaches are unrestricted, curb or opposite, with ; between");
}

// OSRM's true is one.
void set_alternatives(const std::string& value, RoutingRequest& out, const Limits& limits) {
  const auto count = parse_count(value);
  if (count && *count > limits.alternatives) {
    refuse("TooBig", "at most " + std::to_string(limits.alternatives) + " alternatives a request");
  }
  out.alternatives = count ? *count : truth("alternatives", value);
}

// The place of a word among those that an option may have.
template <class T>
T one_of(const std::string& name, const std::string& value,
         std::initializer_list<const char*> words) {
  const auto found = std::find(words.begin(), words.end(), value);
  if (found != words.end()) return static_cast<T>(found - words.begin());
  std::string list;
  for (const char* word : words) list += (list.empty() ? "" : " or ") + std::string(word);
  refuse("InvalidOptions", "the option " + name + " is " + list);
}

// Returns false if the parameter is not one of the list, or not one of this endpoint.
bool set_plain(const std::string& name, const std::string& value, RoutingRequest& out) {
  bool found = false;
  visit_parameters(out, [&]<class T>(std::string_view known, T& field, unsigned endpoints) {
    if (known != name || (endpoints & bit(out.endpoint)) == 0) return;
    found = true;
    if constexpr (std::is_same_v<T, bool>) {
      field = truth(name, value);
    } else {
      field = parse_positive(name, value);
    }
  });
  return found;
}

}  // namespace

void set_option(const std::string& name, const std::string& value, RoutingRequest& out,
                const Limits& limits) {
  if (set_plain(name, value, out)) return;
  const bool is_path = out.endpoint == Endpoint::kRoute || out.endpoint == Endpoint::kTable;
  if (name == "geometries") {
    out.geometry = one_of<Geometry>(name, value, {"polyline", "polyline6", "geojson"});
  } else if (name == "overview") {
    out.overview = one_of<Overview>(name, value, {"simplified", "full", "false"});
  } else if (out.endpoint == Endpoint::kIsochrone && set_isochrone(name, value, out, limits)) {
  } else if (name == "annotations" && is_path) {
    set_annotations(value, out);
  } else if (name == "radiuses") {
    for (const std::string_view part : split(value, ';')) {
      const auto radius = parse_number(part);
      if (part.empty() || part == "unlimited") {
        out.radiuses.push_back(part.empty() ? -1 : kInfinity);
      } else if (radius && *radius >= 0) {
        out.radiuses.push_back(*radius);
      } else {
        refuse("InvalidOptions", "radiuses are numbers of metres or unlimited, with ; between");
      }
    }
    if (out.radiuses.size() != out.size()) {
      refuse("InvalidOptions", "give as many radiuses as places");
    }
  } else if (name == "sources" && out.endpoint == Endpoint::kTable) {
    out.sources = parse_indices(name, value, out.size());
  } else if (name == "destinations" && out.endpoint == Endpoint::kTable) {
    out.destinations = parse_indices(name, value, out.size());
  } else if (name == "fallback_coordinate" && out.endpoint == Endpoint::kTable) {
    out.fallback_snapped = one_of<bool>(name, value, {"input", "snapped"});
  } else if (name == "nearest" && out.endpoint == Endpoint::kTable) {
    const auto count = parse_count(value);
    if (!count || *count == 0) refuse("InvalidOptions", "nearest is a whole number above 0");
    out.nearest = *count;
  } else if (name == "number" && out.endpoint == Endpoint::kNearest) {
    const auto number = parse_count(value);
    if (!number || *number == 0) refuse("InvalidOptions", "number counts roads, from 1");
    if (*number > limits.nearest) {
      refuse("TooBig", "at most " + std::to_string(limits.nearest) + " roads a request");
    }
    out.number = *number;
  } else if (name == "alternatives" && out.endpoint == Endpoint::kRoute) {
    set_alternatives(value, out, limits);
  } else if (is_preference(name) && is_path) {
    set_preference(name, value, out.preferences, limits);
  } else if (name == "waypoints" && out.endpoint == Endpoint::kRoute) {
    set_waypoints(value, out);
  } else if (name == "hints") {
    // As in OSRM they change nothing: every place is snapped again.
    if (!value.empty() && split(value, ';').size() != out.size()) {
      refuse("InvalidOptions", "give as many hints as places");
    }
  } else if (name == "bearings") {
    set_by_place(name, value, out.size(), out.bearings,
                 [](std::string_view part) { return std::optional(parse_bearing(part)); });
  } else if (name == "approaches") {
    set_by_place(name, value, out.size(), out.approaches, parse_approach);
  } else if (name == "snapping") {
    out.snap_any = one_of<bool>(name, value, {"default", "any"});
  } else if (name == "continue_straight" && out.endpoint == Endpoint::kRoute) {
    out.continue_straight.reset();
    if (value != "default") out.continue_straight = truth(name, value);
  } else if (name == "format" && value == "json") {
  } else {
    refuse("InvalidOptions", "the option " + name + "=" + value + " is not known here");
  }
}

}  // namespace lodestar::server
