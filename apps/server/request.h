// A routing request in the syntax of OSRM: /{service}/v1/{profile}/{places}?options, or the same as
// a body of JSON or of a form.
//
//   const RoutingRequest request =
//       parse_routing_request(parse_target(text), body, content_type, limits);
//
// Parsing needs no graph: RequestContext looks names up.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "limits.h"
#include "lodestar/graph.h"
#include "lodestar/places.h"
#include "lodestar/preferences.h"
#include "target.h"

namespace lodestar::server {

enum class Endpoint : std::uint8_t { kRoute, kTable, kNearest, kIsochrone };
enum class Geometry : std::uint8_t { kPolyline, kPolyline6, kGeojson };
enum class Overview : std::uint8_t { kSimplified, kFull, kNone };

enum class Approach : std::uint8_t { kAny, kCurb, kOpposite };

// Annotations of a route, for every piece of its line; bits.
inline constexpr std::uint8_t kNodes = 1, kDistance = 2, kDuration = 4, kWeight = 8, kSpeed = 16,
                              kDatasources = 32, kAllAnnotations = 63;

struct RoutingRequest {
  Endpoint endpoint = Endpoint::kRoute;
  bool by_name = false;            // profile "nodes": nodes as the graph's file calls them
  std::vector<std::string> names;  // … which are these,
  std::vector<Point> points;       // otherwise these

  std::optional<Geometry> geometry;  // default: polyline; geojson in the plane
  Overview overview = Overview::kSimplified;
  bool steps = false;
  std::uint8_t annotations = 0;                    // of a route
  std::vector<double> radiuses;                    // one per place, or empty
  std::vector<std::optional<Bearing>> bearings;    // likewise
  std::vector<Approach> approaches;                // likewise
  bool snap_any = false;                           // also to roads where no route should begin
  std::size_t number = 1;                          // of a nearest request: roads
  std::optional<bool> continue_straight;           // default: by the mode of the graph
  std::vector<std::size_t> sources, destinations;  // of a table; empty: all
  bool durations = true, distances = false;        // of a table
  std::size_t nearest = 0;             // of a table: destinations listed per source, nearest first
  double fallback_speed = 0;           // of a table, metres a second; 0: none
  bool fallback_snapped = false;       // between snapped points, not the requested ones
  double scale_factor = 1;             // of a table's durations
  std::vector<std::size_t> waypoints;  // of a route: where legs end; empty: all
  bool skip_waypoints = false;
  bool hints = false;            // each waypoint gets one
  std::vector<double> contours;  // of an isochrone, in the unit below
  std::string contour_unit;      // "duration", "distance", or "" for that of the weights
  bool reverse = false;          // to the place, not from it
  bool polygons = true, arcs = false, nodes = false;  // features of an isochrone
  double concavity = 0.2;
  std::size_t alternatives = 0;  // of a route, at most, beside the best one
  Preferences preferences;       // of a route or table

  // Whether the request is answered by weights of its own.
  bool has_preferences() const { return alternatives > 0 || !preferences.empty(); }
  std::size_t size() const { return by_name ? names.size() : points.size(); }
};

constexpr unsigned bit(Endpoint endpoint) {
  return 1u << static_cast<unsigned>(endpoint);
}
// Calls visit(name, field, endpoints) for every parameter that is true or false, or a number above
// 0. A new one is a field above, a line here, and the function that uses the field.
template <class Visit>
void visit_parameters(RoutingRequest& request, Visit&& visit) {
  constexpr unsigned kAll = bit(Endpoint::kRoute) | bit(Endpoint::kTable) |
                            bit(Endpoint::kNearest) | bit(Endpoint::kIsochrone);
  visit("steps", request.steps, kAll);
  visit("generate_hints", request.hints, kAll);
  visit("skip_waypoints", request.skip_waypoints, kAll & ~bit(Endpoint::kNearest));
  visit("fallback_speed", request.fallback_speed, bit(Endpoint::kTable));
  visit("scale_factor", request.scale_factor, bit(Endpoint::kTable));
  visit("reverse", request.reverse, bit(Endpoint::kIsochrone));
}

// Whether the path begins with the name of an endpoint.
bool is_routing_request(const Target& target);
// Throws Refusal. `body` is empty for GET.
RoutingRequest parse_routing_request(const Target& target, std::string_view body,
                                     std::string_view content_type, const Limits& limits);

// Only the preferences and alternatives of a target. Throws Refusal.
RoutingRequest parse_wish(const Target& target, const Limits& limits);

}  // namespace lodestar::server
