// What a client asks, in OSRM's words: /{service}/v1/{profile}/{places}?options, or the same as a
// body of JSON or of a form.
//
//   const Question question = parse_question(parse_target(text), body, content_type, limits);
//
// Nothing of the graph is known here: names are looked up by those who answer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "limits.h"
#include "lodestar/graph.h"
#include "target.h"

namespace lodestar::server {

enum class Wanted : std::uint8_t { kRoute, kTable, kNearest };
enum class Geometry : std::uint8_t { kPolyline, kPolyline6, kGeojson };
enum class Overview : std::uint8_t { kSimplified, kFull, kNone };

// What annotations of a route tell of every piece of its line; bits.
enum Annotation : std::uint8_t {
  kNodes = 1,
  kDistance = 2,
  kDuration = 4,
  kWeight = 8,
  kSpeed = 16,
  kDatasources = 32,
  kAllAnnotations = 63
};

struct Question {
  Wanted wanted = Wanted::kRoute;
  bool by_name = false;            // profile "nodes": nodes as the graph's file calls them
  std::vector<std::string> names;  // … which are these,
  std::vector<Point> points;       // otherwise these

  std::optional<Geometry> geometry;  // not given: polyline, and geojson in the plane
  Overview overview = Overview::kSimplified;
  bool steps = false;
  std::uint8_t annotations = 0;                    // of a route
  std::vector<double> radiuses;                    // one per place, or empty
  std::vector<std::size_t> sources, destinations;  // of a table; empty: all
  bool durations = true, distances = false;        // of a table
  double fallback_speed = 0;                       // of a table, metres a second; 0: none
  bool fallback_snapped = false;                   // between roads, not between places asked for
  double scale_factor = 1;                         // of a table's durations
  std::vector<std::size_t> waypoints;              // of a route: where legs end; empty: all
  bool skip_waypoints = false;
  bool hints = false;  // each waypoint gets one

  std::size_t size() const { return by_name ? names.size() : points.size(); }
};

// Whether the path begins like a question.
bool is_question(const Target& target);
// Throws Refusal. `body` is empty for GET.
Question parse_question(const Target& target, std::string_view body, std::string_view content_type,
                        const Limits& limits);

}  // namespace lodestar::server
