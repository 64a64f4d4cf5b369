#include "request.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "lodestar/itinerary.h"
#include "request_options.h"

namespace lodestar::server {
namespace {

using Json = nlohmann::json;

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
  if (path.size() > 4) refuse("InvalidUrl", "unexpected path segment after the places");
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
    if (is_preference(name) || name == "alternatives") set_option(name, value, out, limits);
  }
  return out;
}

}  // namespace lodestar::server
