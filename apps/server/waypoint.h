// How a stop of a question looks in an answer.
#pragma once

#include "asking.h"
#include "json_text.h"

namespace lodestar::server {

// Digits behind the point of a coordinate: a decimetre, or all of them in the plane.
void write_location(JsonText& json, Point point, CoordinateKind kind);
// An object; `nearest` adds what that service has more.
void write_waypoint(JsonText& json, const Asking& asking, const Question& question, std::size_t i,
                    const Stop& stop, bool nearest = false);
void write_waypoints(JsonText& json, const Asking& asking, const Question& question,
                     const std::vector<Stop>& stops, std::span<const std::size_t> which = {});

}  // namespace lodestar::server
