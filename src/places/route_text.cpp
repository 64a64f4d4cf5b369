// Routes as GeoJSON, GPX and encoded polylines.
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "lodestar/itinerary.h"

namespace lodestar {
namespace {

void require_degrees(CoordinateKind kind, const char* format) {
  if (kind != CoordinateKind::kDegrees) {
    throw Error(std::string(format) +
                " requires longitudes and latitudes, which this graph does not have");
  }
}

double rounded(double value, double unit) {
  return std::round(value * unit) / unit;
}

// Seven digits are a centimetre; more would pretend.
std::string degrees_text(double value) {
  return nlohmann::json(rounded(value, 1e7)).dump();
}

std::string xml_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        if (static_cast<unsigned char>(c) >= 0x20 || c == '\t') out += c;
    }
  }
  return out;
}

// Street names come from outside: bytes that are no UTF-8 are replaced.
std::string json_text(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// JSON has no infinity.
nlohmann::ordered_json finite(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

nlohmann::ordered_json feature_of(const Itinerary& route) {
  const bool degrees = route.kind == CoordinateKind::kDegrees;
  const auto tenth = [&](double value) { return degrees ? rounded(value, 10) : value; };
  nlohmann::ordered_json geometry = nullptr;
  nlohmann::ordered_json facts = {{"cost", finite(route.cost)},
                                  {"lower_bound", finite(route.lower_bound)},
                                  {"optimal", route.optimal}};
  if (!route.line.empty()) {
    nlohmann::ordered_json line = nlohmann::ordered_json::array();
    for (const Point& p : route.line) {
      line.push_back(degrees ? std::array{rounded(p.x, 1e7), rounded(p.y, 1e7)}
                             : std::array{p.x, p.y});
    }
    if (line.size() == 1) line.push_back(line[0]);  // a line needs two positions
    geometry = {{"type", "LineString"}, {"coordinates", std::move(line)}};
  }
  if (route.potentials) facts["potentials"] = *route.potentials;
  if (std::isfinite(route.cost)) {
    if (!route.totals.empty()) {
      auto& totals = facts["totals"] = nlohmann::ordered_json::object();
      for (const auto& [metric, total] : route.totals) totals[metric] = rounded(total, 10);
    }
    facts["distance"] = tenth(route.length);
    if (route.duration) {
      facts["duration"] = rounded(*route.duration, 10);
      auto& streets = facts["streets"] = nlohmann::ordered_json::array();
      for (const StreetStep& step : route.streets) {
        streets.push_back({{"name", step.name}, {"distance", tenth(step.length)}});
      }
    }
  }
  return {{"type", "Feature"}, {"geometry", std::move(geometry)}, {"properties", std::move(facts)}};
}

std::string street_list(const Itinerary& route) {
  std::string out;
  for (const StreetStep& step : route.streets) {
    if (step.name.empty()) continue;
    if (!out.empty()) out += ", ";
    out += step.name;
  }
  return out;
}

}  // namespace

std::string to_geojson_feature(const Itinerary& route) {
  return json_text(feature_of(route));
}

std::string to_geojson(std::span<const Itinerary> routes) {
  nlohmann::ordered_json features = nlohmann::ordered_json::array();
  for (const Itinerary& route : routes) {
    require_degrees(route.kind, "GeoJSON");
    features.push_back(feature_of(route));
  }
  return json_text({{"type", "FeatureCollection"}, {"features", std::move(features)}}) + "\n";
}

std::string to_gpx(std::span<const Itinerary> routes) {
  std::string out =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<gpx version=\"1.1\" creator=\"lodestar\" xmlns=\"http://www.topografix.com/GPX/1/1\">\n";
  for (const Itinerary& route : routes) {
    require_degrees(route.kind, "GPX");
    out += "<trk>";
    const std::string streets = street_list(route);
    if (!streets.empty()) out += "<desc>" + xml_text(streets) + "</desc>";
    out += "<trkseg>\n";
    for (const Point& p : route.line) {
      out += "<trkpt lat=\"" + degrees_text(p.y) + "\" lon=\"" + degrees_text(p.x) + "\"/>\n";
    }
    out += "</trkseg></trk>\n";
  }
  return out + "</gpx>\n";
}

std::string to_polyline(std::span<const Point> line, int digits) {
  const double unit = std::pow(10, digits);
  std::string out;
  std::int64_t before[2] = {0, 0};
  for (const Point& p : line) {
    const double degrees[2] = {p.y, p.x};  // latitude first
    for (int i = 0; i < 2; ++i) {
      const std::int64_t now = std::llround(degrees[i] * unit);
      const std::int64_t step = now - before[i];
      before[i] = now;
      std::uint64_t bits = static_cast<std::uint64_t>(step) << 1;
      if (step < 0) bits = ~bits;
      for (; bits >= 0x20; bits >>= 5) out += static_cast<char>((0x20 | (bits & 0x1f)) + 63);
      out += static_cast<char>(bits + 63);
    }
  }
  return out;
}

std::vector<Point> from_polyline(std::string_view text, int digits) {
  const double unit = std::pow(10, digits);
  const auto wrong = [](const char* why) {
    return Error(std::string("this is no encoded polyline: ") + why);
  };
  std::vector<Point> line;
  std::int64_t now[2] = {0, 0};
  std::size_t at = 0;
  while (at < text.size()) {
    for (std::int64_t& coordinate : now) {
      std::uint64_t bits = 0;
      for (int shift = 0;; shift += 5) {
        if (at == text.size()) throw wrong("it ends within a number");
        const int c = static_cast<unsigned char>(text[at++]) - 63;
        if (c < 0 || c > 63 || shift > 35) throw wrong("a character or number is out of range");
        bits |= static_cast<std::uint64_t>(c & 0x1f) << shift;
        if (c < 0x20) break;
      }
      const auto step = static_cast<std::int64_t>(bits >> 1);
      coordinate += (bits & 1) != 0 ? -step - 1 : step;
    }
    line.push_back({static_cast<double>(now[1]) / unit, static_cast<double>(now[0]) / unit});
  }
  return line;
}

}  // namespace lodestar
