#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <vector>

#include "learn/tune/search.h"
#include "lodestar/types.h"

namespace lodestar::tune {
namespace {

struct Point {
  double limited = 0, wanted = 0;
};

// The smallest `wanted` where `limited` is within the limit, also between neighbouring points.
std::optional<double> smallest_within(const std::vector<Point>& points, double limit) {
  std::optional<double> best;
  const auto offer = [&](double value) {
    if (!best || value < *best) best = value;
  };
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i].limited <= limit) offer(points[i].wanted);
    if (i == 0) continue;
    const Point &a = points[i - 1], &b = points[i];
    if ((a.limited <= limit) == (b.limited <= limit)) continue;
    const double share = (limit - a.limited) / (b.limited - a.limited);
    offer(a.wanted + share * (b.wanted - a.wanted));
  }
  return best;
}

double parse_number(const std::string& text, const std::string& whole) {
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{} || end != text.data() + text.size() || !(value >= 0)) {
    throw Error("--metric " + whole + ": '" + text + "' is not a number that is 0 or more");
  }
  return value;
}

}  // namespace

Metric parse_metric(const std::string& text) {
  if (text == "loss") return {};
  const std::size_t at = text.find('@');
  const std::string name = text.substr(0, at);
  if (at == std::string::npos || (name != "distance" && name != "iterations")) {
    throw Error("--metric " + text +
                ": choose loss, distance@R (R: share of Dijkstra's iterations) or iterations@D "
                "(D: relative distance)");
  }
  Metric metric;
  metric.kind = name == "distance" ? Metric::Kind::kDistanceAt : Metric::Kind::kIterationsAt;
  const std::string rest = text.substr(at + 1);
  const std::size_t comma = rest.find(',');
  metric.at = parse_number(rest.substr(0, comma), text);
  if (comma != std::string::npos) metric.constraints = parse_number(rest.substr(comma + 1), text);
  return metric;
}

std::string to_string(const Metric& metric) {
  if (metric.kind == Metric::Kind::kLoss) return "loss";
  std::string text = fmt::format(
      "{}@{}", metric.kind == Metric::Kind::kDistanceAt ? "distance" : "iterations", metric.at);
  if (metric.constraints > 0) text += fmt::format(",{}", metric.constraints);
  return text;
}

std::string describe(const Metric& metric) {
  if (metric.kind == Metric::Kind::kLoss) return "validation loss";
  std::string text =
      metric.kind == Metric::Kind::kDistanceAt
          ? fmt::format("relative distance at {:g} × Dijkstra's iterations", metric.at)
          : fmt::format("iterations ÷ Dijkstra's at relative distance {:g}", metric.at);
  if (metric.constraints > 0) text += fmt::format(", constraints ≥ {:g}", metric.constraints);
  return text;
}

std::optional<double> evaluate(const Metric& metric, const Json& measures) {
  if (metric.kind == Metric::Kind::kLoss) {
    const Json& loss = measures.at("validation_loss");
    return loss.is_number() ? std::optional(loss.get<double>()) : std::nullopt;
  }
  std::vector<Point> points;
  for (const Json& row : measures.at("curve")) {
    // Null stands for a number that is not finite: nothing is reached at this scale.
    if (std::any_of(row.begin(), row.end(), [](const Json& value) { return value.is_null(); })) {
      continue;
    }
    const auto ratio = row.at(1).get<double>(), distance = row.at(2).get<double>();
    if (row.at(3).get<double>() < metric.constraints) continue;
    points.push_back(metric.kind == Metric::Kind::kDistanceAt ? Point{ratio, distance}
                                                              : Point{distance, ratio});
  }
  return smallest_within(points, metric.at);
}

}  // namespace lodestar::tune
