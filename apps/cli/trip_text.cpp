#include <fmt/core.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "place_answers.h"
#include "progress.h"

namespace lodestar::cli {

std::string length_text(CoordinateKind kind, double length) {
  if (kind != CoordinateKind::kDegrees) return fmt::format("length {:.6g}", length);
  return length < 1000 ? fmt::format("{:.0f} m", length) : fmt::format("{:.2f} km", length / 1000);
}

std::string duration_text(double seconds) {
  const long whole = std::lround(seconds);
  return whole < 60 ? fmt::format("{} s", whole) : format_seconds(static_cast<double>(whole));
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

void add_trip(nlohmann::ordered_json& out, const Itinerary& trip) {
  out["distance"] = tenth(trip.length);
  if (trip.duration) out["duration"] = tenth(*trip.duration);
  auto& streets = out["streets"] = nlohmann::ordered_json::array();
  for (const StreetStep& step : trip.streets) {
    streets.push_back({{"name", step.name}, {"distance", tenth(step.length)}});
  }
}

}  // namespace lodestar::cli
