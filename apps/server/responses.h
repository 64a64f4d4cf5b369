// Responses as JSON in the shape of OSRM, with a proof of optimality, and their parts.
#pragma once

#include <string>
#include <vector>

#include "json_text.h"
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

// annotation.cpp, what is known of every piece of a route's line:
// OSM ids of the nodes around piece `piece` of an arc's line, or the names of its ends.
void write_piece_nodes(JsonText& json, const GraphFile& file, const Leg& leg, std::size_t piece);
// The piece of an arc's line where the leg ends.
std::size_t last_piece(const GraphFile& file, const Leg& leg);

// Throws Refusal when something was asked for that this graph does not know.
void check_annotations(const GraphFile& file, const RoutingRequest& request);
// An object with one list for each bit of request.annotations.
void write_annotation(JsonText& json, const RequestContext& context, const RoutingRequest& request,
                      const Section& section);

// waypoint.cpp:
// Digits behind the point of a coordinate: a decimetre, or all of them in the plane.
void write_location(JsonText& json, Point point, CoordinateKind kind);
// An object; `nearest` adds what that service has more.
void write_waypoint(JsonText& json, const RequestContext& context, const RoutingRequest& request,
                    std::size_t i, const Stop& stop, bool nearest = false);
void write_waypoints(JsonText& json, const RequestContext& context, const RoutingRequest& request,
                     const std::vector<Stop>& stops, std::span<const std::size_t> which = {});

// route_steps.cpp, turn-by-turn steps of a section:
void write_line(JsonText& json, const std::vector<Point>& line, Geometry geometry,
                CoordinateKind kind);
// The steps' objects, without brackets around them. Needs coordinates.
void write_steps(JsonText& json, const RequestContext& context, const Section& section,
                 const Stop& to, Geometry geometry);
// The two longest streets, in the order of travel.
std::string summary_of(const RequestContext& context, const Section& section);

// straight_on.cpp, waypoints that a route passes without turning back:
struct Onward {
  Section section;
  Stop from;  // the waypoint, as the section leaves it
};

// The section after a waypoint such that the route does not turn back there, and obeys the turn
// restrictions of its junction. `before` is replaced where another one makes both cheaper. Where
// turning back cannot be avoided, the route does.
Onward straight_on(RequestContext& context, Section& before, const Stop& from, const Stop& via,
                   const Stop& to);

}  // namespace lodestar::server
