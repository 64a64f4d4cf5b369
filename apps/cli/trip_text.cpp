#include "trip_text.h"

#include <fmt/core.h>

#include <cmath>

namespace lodestar::cli {

std::string length_text(CoordinateKind kind, double length) {
  if (kind != CoordinateKind::kDegrees) return fmt::format("length {:.6g}", length);
  return length < 1000 ? fmt::format("{:.0f} m", length) : fmt::format("{:.2f} km", length / 1000);
}

std::string duration_text(double seconds) {
  const auto whole = static_cast<long>(std::lround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

double tenth(double value) {
  return std::round(value * 10) / 10;
}

std::string streets_text(const Itinerary& trip) {
  std::string out;
  for (const StreetStep& step : trip.streets) {
    if (!out.empty()) out += ", ";
    out += (step.name.empty() ? std::string("unnamed road") : step.name) + " " +
           length_text(trip.kind, step.length);
  }
  return out;
}

}  // namespace lodestar::cli
