// Lengths, times and streets of a route as text.
#pragma once

#include <string>

#include "lodestar/itinerary.h"

namespace lodestar::cli {

double tenth(double value);  // with one decimal
std::string length_text(CoordinateKind kind, double length);
std::string duration_text(double seconds);  // "4 min 10 s", "1 h 02 min"
std::string streets_text(const Itinerary& trip);

}  // namespace lodestar::cli
