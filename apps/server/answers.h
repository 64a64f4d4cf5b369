// Questions answered, as JSON in OSRM's shapes with what is proven of each answer.
#pragma once

#include <string>
#include <vector>

#include "asking.h"
#include "request.h"

namespace lodestar::server {

// Each throws Refusal: NoRoute, NoSegment, TooBig, …
std::string route_answer(Asking& asking, const Question& question);
std::string table_answer(Asking& asking, const Question& question);
std::string nearest_answer(Asking& asking, const Question& question);

// The points of a line that matter when it is drawn 800 dots wide (Douglas, Peucker 1973).
std::vector<Point> simplified(const std::vector<Point>& line);

}  // namespace lodestar::server
