// A way street by street, as OSRM's clients show it.
#pragma once

#include <string>

#include "asking.h"
#include "json_text.h"

namespace lodestar::server {

void write_line(JsonText& json, const std::vector<Point>& line, Geometry geometry,
                CoordinateKind kind);
// The steps' objects, without brackets around them. Needs coordinates.
void write_steps(JsonText& json, const Asking& asking, const Way& way, Geometry geometry);
// The two longest streets, in the order of travel.
std::string summary_of(const Asking& asking, const Way& way);

}  // namespace lodestar::server
