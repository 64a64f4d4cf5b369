#include "learn/evaluate/constant.h"

#include <algorithm>

#include "learn/evaluate/grid.h"
#include "learn/evaluate/published.h"

namespace lodestar::paper {

double choose_constant(std::uint32_t count, unsigned threads) {
  Grid grid;
  constexpr int kSteps = 30;
  std::uint64_t seed = 500;  // apart from every test split and those the models' scales came from
  for (const PublishedCell& cell : published_table()) {
    GridPart part;
    part.split = {"validation-" + to_string(cell.density) + "-" + std::to_string(cell.nodes),
                  count,
                  cell.nodes,
                  cell.density,
                  0,
                  Draw::kOr,
                  seed++};
    for (int step = 1; step <= kSteps; ++step) {
      const double c = 0.02 * step;
      part.contenders.push_back(plain_contender(std::to_string(step), Source::kConstant, c));
    }
    grid.parts.push_back(std::move(part));
  }
  CellStore nowhere("");
  const std::vector<Row> rows = run_grid(grid, nowhere, "", threads);
  double best = 0, best_margin = 0;
  int best_met = -1;
  for (std::size_t step = 0; step < kSteps; ++step) {
    int met = 0;
    double tightest = 1;
    for (std::size_t cell = 0; cell < grid.parts.size(); ++cell) {
      const Row& row = rows[cell * kSteps + step];
      const double here = margin(published_table()[cell], row.ratio.mean, row.distance.mean / 100);
      met += here >= 0 ? 1 : 0;
      tightest = std::min(tightest, here);
    }
    if (met > best_met || (met == best_met && tightest > best_margin)) {
      best_met = met;
      best_margin = tightest;
      best = 0.02 * static_cast<double>(step + 1);
    }
  }
  return best;
}

}  // namespace lodestar::paper
