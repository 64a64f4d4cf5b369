// Responses as JSON in the shape of OSRM, with a proof of optimality.
#pragma once

#include <string>
#include <vector>

#include "request.h"
#include "request_context.h"

namespace lodestar::server {

// Each throws Refusal: NoRoute, NoSegment, TooBig, …
std::string route_response(RequestContext& context, const RoutingRequest& request);
std::string table_response(RequestContext& context, const RoutingRequest& request);
std::string isochrone_response(RequestContext& context, const RoutingRequest& request);
std::string nearest_response(RequestContext& context, const RoutingRequest& request);

// The points of a line that matter when it is drawn 800 dots wide (Douglas, Peucker 1973).
std::vector<Point> simplified(const std::vector<Point>& line);

}  // namespace lodestar::server
