#include "learn/evaluate/published.h"

#include <algorithm>

namespace lodestar {
namespace {

constexpr Density kSparse = Density::kSparse, kDense = Density::kDense,
                  kVeryDense = Density::kVeryDense;

// constraints, distance, iterations, speedup, Dijkstra
constexpr PublishedCell kTable[] = {
    {kSparse, 32, {99.4, .06, .1}, {.03, .00, .01}, {16.76, .22, .01}, .94, 19.23},
    {kSparse, 96, {99.7, .04, .1}, {.18, .05, .01}, {42.97, .93, .01}, 1.08, 53.68},
    {kSparse, 192, {99.8, .03, .1}, {.19, .09, .01}, {74.00, 2.02, .01}, 1.19, 97.18},
    {kSparse, 256, {99.8, .03, .1}, {.09, .01, .01}, {99.4, 2.71, .1}, 1.23, 132.07},
    {kDense, 32, {99.2, .08, .1}, {.98, .16, .01}, {11.73, .31, .01}, .93, 17.35},
    {kDense, 96, {99.4, .09, .1}, {10.75, .77, .01}, {21.92, 1.95, .01}, 2.29, 50.82},
    {kDense, 192, {99.5, .09, .1}, {33.5, 1.79, .1}, {21.85, 3.41, .01}, 4.30, 96.55},
    {kDense, 256, {99.5, .09, .1}, {52.8, 4.55, .1}, {21.44, 4.57, .01}, 4.83, 132.50},
    {kVeryDense, 32, {99.1, .08, .1}, {.7, .15, .1}, {11.01, .34, .01}, 1.22, 17.17},
    {kVeryDense, 96, {99.4, .11, .1}, {19.8, 1.53, .1}, {15.64, 1.60, .01}, 2.60, 49.85},
    {kVeryDense, 192, {99.5, .11, .1}, {59.4, 5.00, .1}, {16.02, 3.37, .01}, 5.06, 90.42},
    {kVeryDense, 256, {99.5, .11, .1}, {73.5, 6.75, .1}, {15.63, 3.85, .01}, 5.24, 130.40},
};

}  // namespace

std::span<const PublishedCell> published_table() {
  return kTable;
}

const PublishedCell* published_cell(Density density, NodeId nodes) {
  const auto* found = std::find_if(
      std::begin(kTable), std::end(kTable),
      [&](const PublishedCell& cell) { return cell.density == density && cell.nodes == nodes; });
  return found == std::end(kTable) ? nullptr : found;
}

double margin(const PublishedCell& cell, double iteration_ratio, double relative_distance) {
  // Half a unit of the last digit of the finest rows: 0.03 % may have been 0.0349.
  const double distance = cell.distance.mean / 100 + 5e-5;
  return std::min((cell.ratio() - iteration_ratio) / cell.ratio(),
                  (distance - relative_distance) / distance);
}

std::optional<double> published_margin(const Split& split, double iteration_ratio,
                                       double relative_distance) {
  const PublishedCell* cell = published_cell(split.density, split.nodes);
  if (cell == nullptr) return std::nullopt;
  return margin(*cell, iteration_ratio, relative_distance);
}

}  // namespace lodestar
