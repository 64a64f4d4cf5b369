// Turn-by-turn steps of a section, in the shape of OSRM.
#pragma once

#include <string>

#include "json_text.h"
#include "request_context.h"

namespace lodestar::server {

void write_line(JsonText& json, const std::vector<Point>& line, Geometry geometry,
                CoordinateKind kind);
// The steps' objects, without brackets around them. Needs coordinates.
void write_steps(JsonText& json, const RequestContext& context, const Section& section,
                 const Stop& to, Geometry geometry);
// The two longest streets, in the order of travel.
std::string summary_of(const RequestContext& context, const Section& section);

}  // namespace lodestar::server
