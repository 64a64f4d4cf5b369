// The metric that a search minimizes, computed from the measures of a trial.
//
//   loss             validation loss, as in the paper. It depends on the weights of the loss: with
//                    λ among what is drawn, small λ are favoured.
//   distance@R       relative distance at R times Dijkstra's iterations, over the scales of y
//   iterations@D     iterations, as a share of Dijkstra's, at relative distance D
//   …@X,C            likewise, among scales that satisfy a share C of the constraints
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace lodestar::tune {

using Json = nlohmann::ordered_json;

struct Metric {
  enum class Kind : std::uint8_t { kLoss, kDistanceAt, kIterationsAt };
  Kind kind = Kind::kLoss;
  double at = 0;
  double constraints = 0;
};

Metric parse_metric(const std::string& text);  // throws Error
std::string to_string(const Metric& metric);
std::string describe(const Metric& metric);  // for the axis of a figure

// `measures` has validation_loss and curve: a list of [scale, iteration ratio, relative distance,
// constraints]. Between scales the curve is taken as straight. Returns nothing if the point is not
// reached.
std::optional<double> evaluate(const Metric& metric, const Json& measures);

}  // namespace lodestar::tune
