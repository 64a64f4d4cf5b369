#include "request.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "lodestar/itinerary.h"
#include "message.h"
#include "preference_options.h"

namespace lodestar::server {
namespace {

using Json = nlohmann::json;

[[noreturn]] void refuse(std::string_view code, const std::string& why) {
  throw Refusal(400, code, why);
}

std::optional<Endpoint> endpoint_of(std::string_view name) {
  if (name == "route") return Endpoint::kRoute;
  if (name == "table") return Endpoint::kTable;
  if (name == "nearest") return Endpoint::kNearest;
  if (name == "isochrone") return Endpoint::kIsochrone;
  return std::nullopt;
}

[[noreturn]] void refuse_service(std::string_view name) {
  constexpr std::pair<std::string_view, const char*> kInstead[] = {
      {"match",
       "map matching is not implemented; /route through the points of a track, with "
       "radiuses, gives the shortest route along it"},
      {"trip",
       "round trips are not implemented; /table gives the costs between all places, for a "
       "solver that orders them, and /route the route in that order"},
      {"tile",
       "vector tiles are not implemented; the page at / draws the graph, and its lines are "
       "at /viewer/graph"}};
  for (const auto& [service, why] : kInstead) {
    if (service == name) refuse("NotImplemented", why);
  }
  refuse("InvalidService", "the services are route, table, nearest and isochrone");
}

Point point_of(double x, double y) {
  if (!is_coordinate(x) || !is_coordinate(y)) {
    refuse("InvalidValue", "a coordinate is out of any range");
  }
  return {x, y};
}

Point parse_point(std::string_view text) {
  const std::size_t comma = text.find(',');
  if (comma != std::string_view::npos) {
    const auto x = parse_number(text.substr(0, comma)), y = parse_number(text.substr(comma + 1));
    if (x && y) return point_of(*x, *y);
  }
  refuse("InvalidQuery", "places are written lon,lat;lon,lat with numbers such as 9.52,47.14");
}

void parse_places(std::string text, RoutingRequest& out, const Limits& limits) {
  if (text.ends_with(".json")) text.resize(text.size() - 5);
  if (!out.by_name && text.starts_with("polyline") && text.ends_with(")")) {
    const bool six = text.starts_with("polyline6(");
    const std::size_t begin = text.find('(') + 1;
    if (begin != (six ? 10u : 9u)) refuse("InvalidQuery", "write polyline(…) or polyline6(…)");
    try {
      out.points =
          from_polyline(std::string_view(text).substr(begin, text.size() - begin - 1), six ? 6 : 5);
    } catch (const Error& error) {
      refuse("InvalidQuery", error.what());
    }
    return;
  }
  for (const std::string_view part : split(text, ';')) {
    if (out.size() >= limits.places) break;  // said by the caller
    if (out.by_name) {
      out.names.emplace_back(part);
    } else {
      out.points.push_back(parse_point(part));
    }
  }
  if (split(text, ';').size() > limits.places) {
    refuse("TooBig", "at most " + std::to_string(limits.places) + " places a request");
  }
}

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
    constexpr std::pair<std::string_view, Annotation> kNames[] = {
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
  } else if (name == "reverse") {
    out.reverse = truth(name, value);
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

void set_option(const std::string& name, const std::string& value, RoutingRequest& out,
                const Limits& limits) {
  const bool is_path = out.endpoint == Endpoint::kRoute || out.endpoint == Endpoint::kTable;
  if (name == "geometries") {
    if (value == "polyline") {
      out.geometry = Geometry::kPolyline;
    } else if (value == "polyline6") {
      out.geometry = Geometry::kPolyline6;
    } else if (value == "geojson") {
      out.geometry = Geometry::kGeojson;
    } else {
      refuse("InvalidOptions", "geometries are polyline, polyline6 or geojson");
    }
  } else if (name == "overview") {
    if (value == "simplified") {
      out.overview = Overview::kSimplified;
    } else if (value == "full") {
      out.overview = Overview::kFull;
    } else if (value == "false") {
      out.overview = Overview::kNone;
    } else {
      refuse("InvalidOptions", "overview is simplified, full or false");
    }
  } else if (name == "steps") {
    out.steps = truth(name, value);
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
  } else if (name == "fallback_speed" && out.endpoint == Endpoint::kTable) {
    out.fallback_speed = parse_positive(name, value);
  } else if (name == "fallback_coordinate" && out.endpoint == Endpoint::kTable) {
    out.fallback_snapped = value == "snapped";
    if (value != "snapped" && value != "input") {
      refuse("InvalidOptions", "fallback_coordinate is input or snapped");
    }
  } else if (name == "nearest" && out.endpoint == Endpoint::kTable) {
    const auto count = parse_count(value);
    if (!count || *count == 0) refuse("InvalidOptions", "nearest is a whole number above 0");
    out.nearest = *count;
  } else if (name == "scale_factor" && out.endpoint == Endpoint::kTable) {
    out.scale_factor = parse_positive(name, value);
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
  } else if (name == "generate_hints") {
    out.hints = truth(name, value);
  } else if (name == "skip_waypoints" && out.endpoint != Endpoint::kNearest) {
    out.skip_waypoints = truth(name, value);
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
    out.snap_any = value == "any";
    if (value != "any" && value != "default") {
      refuse("InvalidOptions", "snapping is default or any");
    }
  } else if (name == "continue_straight" && out.endpoint == Endpoint::kRoute) {
    out.continue_straight.reset();
    if (value != "default") out.continue_straight = truth(name, value);
  } else if (name == "format" && value == "json") {
  } else {
    refuse("InvalidOptions", "the option " + name + "=" + value + " is not known here");
  }
}

// As the URL would have it: "true" of true, "a;b" of ["a", "b"], "1,2,3;4,5,6" of a list of lists,
// "a:1,b:2" of {"a": 1, "b": 2}.
std::string option_text(const std::string& name, const Json& value, int depth = 0) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean() || value.is_number()) return value.dump();
  if (value.is_null()) return "";
  if (depth > 1 || (depth == 1 && !value.is_array())) {
    refuse("InvalidOptions", "the option " + name + " is text, a number, true or false, or a list");
  }
  const bool commas = depth == 1 || value.is_object() || name == "annotations" ||
                      name == "exclude" || name == "ways" || name == "show" ||
                      name.starts_with("contours");
  std::string out;
  const char* between = "";
  for (const auto& [key, one] : value.items()) {
    out += between;
    if (value.is_object()) out += key + ":";
    out += option_text(name, one, value.is_object() ? 2 : depth + 1);
    between = commas ? "," : ";";
  }
  return out;
}

void parse_body(std::string_view body, RoutingRequest& out, const Limits& limits) {
  const Json root = Json::parse(body.begin(), body.end(), nullptr, false);
  if (!root.is_object()) refuse("InvalidQuery", "the body must be a JSON object");
  const std::string_view list = out.by_name ? "nodes" : "coordinates";
  const auto places = root.find(list);
  if (places == root.end() || !places->is_array()) {
    refuse("InvalidQuery", "the body needs a list called " + std::string(list));
  }
  if (places->size() > limits.cells) refuse("TooBig", "too many places in one request");
  for (const Json& place : *places) {
    if (out.by_name) {
      if (!place.is_string() && !place.is_number_unsigned()) {
        refuse("InvalidQuery", "nodes are names, or numbers if the graph's file has numbers");
      }
      out.names.push_back(place.is_string() ? place.get<std::string>() : place.dump());
    } else {
      if (!place.is_array() || place.size() != 2 || !place[0].is_number() ||
          !place[1].is_number()) {
        refuse("InvalidQuery", "coordinates are pairs of numbers: [[9.52, 47.14], …]");
      }
      out.points.push_back(point_of(place[0].get<double>(), place[1].get<double>()));
    }
  }
  for (const auto& [name, value] : root.items()) {
    if (name == list) continue;
    if (name == "avoid_polygons" && value.is_object() &&
        (out.endpoint == Endpoint::kRoute || out.endpoint == Endpoint::kTable)) {
      add_polygons(value, out.preferences, limits);
    } else {
      set_option(name, option_text(name, value), out, limits);
    }
  }
}

// curl -d calls everything a form; no form begins like JSON.
bool is_form(std::string_view body, std::string_view content_type) {
  constexpr std::string_view kForm = "application/x-www-form-urlencoded";
  return content_type.starts_with(kForm) && !body.empty() &&
         body.find_first_not_of(" \t\r\n") != body.find('{');
}

// "coordinates=1,2;3,4&overview=full", as Mapbox' API has it.
void parse_form(std::string_view body, RoutingRequest& out, const Limits& limits) {
  const std::string_view list = out.by_name ? "nodes" : "coordinates";
  const auto pairs = parse_pairs(body);
  for (const auto& [name, value] : pairs) {
    if (name != list) continue;
    if (out.size() > 0) refuse("InvalidQuery", "the body has two lists of places");
    parse_places(value, out, limits);
  }
  if (out.size() == 0) refuse("InvalidQuery", "the body needs " + std::string(list) + "=…");
  for (const auto& [name, value] : pairs) {
    if (name != list) set_option(name, value, out, limits);
  }
}

}  // namespace

bool is_routing_request(const Target& target) {
  if (target.path.empty()) return false;
  if (endpoint_of(target.path[0])) return true;
  // Other services, to be told from other pages: /match/v1/…
  if (target.path.size() < 2) return false;
  const std::string& version = target.path[1];
  return version.size() > 1 && version[0] == 'v' && parse_count(version.substr(1)).has_value();
}

RoutingRequest parse_routing_request(const Target& target, std::string_view body,
                                     std::string_view content_type, const Limits& limits) {
  RoutingRequest out;
  const auto& path = target.path;
  const auto endpoint = path.empty() ? std::nullopt : endpoint_of(path[0]);
  if (!endpoint) refuse_service(path.empty() ? "" : path[0]);
  out.endpoint = *endpoint;
  if (path.size() < 2 || path[1] != "v1") {
    refuse("InvalidVersion", "the version is v1: /" + path[0] + "/v1/{profile}/{places}");
  }
  if (path.size() < 3) refuse("InvalidUrl", "write /" + path[0] + "/v1/{profile}/{places}");
  if (path.size() > 4) refuse("InvalidUrl", "there is something behind the places");
  out.by_name = path[2] == "nodes";
  if (path.size() == 4) {
    if (!body.empty()) refuse("InvalidQuery", "give places in the URL or in the body, not both");
    parse_places(path[3], out, limits);
  } else if (is_form(body, content_type)) {
    parse_form(body, out, limits);
  } else if (!body.empty()) {
    parse_body(body, out, limits);
  } else {
    refuse("InvalidUrl", "write /" + path[0] + "/v1/{profile}/{places}");
  }
  const std::size_t least = out.endpoint != Endpoint::kRoute;
  if (out.size() < 2 - least) {
    refuse("InvalidOptions", least ? "give at least one place" : "give at least two places");
  }
  const bool single = out.endpoint == Endpoint::kNearest || out.endpoint == Endpoint::kIsochrone;
  if (single && out.size() != 1) {
    refuse("InvalidOptions", "give one place");
  }
  if (out.endpoint != Endpoint::kTable && out.size() > limits.places) {
    refuse("TooBig", "at most " + std::to_string(limits.places) + " places a request");
  }
  for (const auto& [name, value] : target.options) set_option(name, value, out, limits);
  if (out.endpoint == Endpoint::kIsochrone && out.contours.empty()) {
    refuse("InvalidOptions",
           "give limits: contours_minutes=5,10, contours_seconds, "
           "contours_meters, or contours in the unit of the weights");
  }
  if (out.endpoint == Endpoint::kTable) {
    const std::size_t rows = out.sources.empty() ? out.size() : out.sources.size();
    const std::size_t columns = out.destinations.empty() ? out.size() : out.destinations.size();
    if (rows > limits.cells || columns > limits.cells || rows * columns > limits.cells) {
      refuse("TooBig", "a table has at most " + std::to_string(limits.cells) +
                           " cells here; ask for parts of it (sources, destinations)");
    }
    // A number takes up to eight bytes before it is written, for up to four pairs of nodes, and
    // about twelve as text.
    const std::size_t lists = std::size_t{out.durations} + std::size_t{out.distances};
    if (rows * columns * ((out.distances ? 64 : 32) + 12 * lists) > limits.response_bytes) {
      refuse("TooBig", "the table would take more than " + std::to_string(limits.response_bytes) +
                           " bytes; ask for parts of it (sources, destinations)");
    }
  }
  return out;
}

RoutingRequest parse_wish(const Target& target, const Limits& limits) {
  RoutingRequest out;
  for (const auto& [name, value] : target.options) {
    if (is_preference(name)) set_preference(name, value, out.preferences, limits);
    if (name == "alternatives") set_alternatives(value, out, limits);
  }
  return out;
}

}  // namespace lodestar::server
