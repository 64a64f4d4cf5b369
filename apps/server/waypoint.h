// Waypoints of a response.
#pragma once

#include "json_text.h"
#include "request_context.h"

namespace lodestar::server {

// Digits behind the point of a coordinate: a decimetre, or all of them in the plane.
void write_location(JsonText& json, Point point, CoordinateKind kind);
// An object; `nearest` adds what that service has more.
void write_waypoint(JsonText& json, const RequestContext& context, const RoutingRequest& request,
                    std::size_t i, const Stop& stop, bool nearest = false);
void write_waypoints(JsonText& json, const RequestContext& context, const RoutingRequest& request,
                     const std::vector<Stop>& stops, std::span<const std::size_t> which = {});

}  // namespace lodestar::server
