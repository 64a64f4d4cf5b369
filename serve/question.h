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

namespace lodestar::serve {

enum class Wanted : std::uint8_t { kRoute, kTable, kNearest };
enum class Geometry : std::uint8_t { kPolyline, kPolyline6, kGeojson };
enum class Overview : std::uint8_t { kSimplified, kFull, kNone };

struct Question {
  Wanted wanted = Wanted::kRoute;
  bool by_name = false;            // profile "nodes": nodes as the graph's file calls them
  std::vector<std::string> names;  // … which are these,
  std::vector<Point> points;       // otherwise these

  std::optional<Geometry> geometry;  // not given: polyline, and geojson in the plane
  Overview overview = Overview::kSimplified;
  bool steps = false;
  bool annotations = false;                        // nodes of the path
  std::vector<double> radiuses;                    // one per place, or empty
  std::vector<std::size_t> sources, destinations;  // of a table; empty: all
  bool durations = true, distances = false;        // of a table

  std::size_t size() const { return by_name ? names.size() : points.size(); }
};

// Whether the path begins like a question.
bool is_question(const Target& target);
// Throws Refusal. `body` is empty for GET.
Question parse_question(const Target& target, std::string_view body, std::string_view content_type,
                        const Limits& limits);

}  // namespace lodestar::serve
