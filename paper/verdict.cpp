#include "paper/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace lodestar::paper {
namespace {

// How far iterations may be above those of a perfect heuristic.
constexpr double kNearPerfect = 1.6;
constexpr double kNearlyOptimal = 0.05;  // percent

std::string name_of(const Split& split) {
  return fmt::format("{}, {} nodes", to_string(split.density), split.nodes);
}

// Checks each row of a contender and draw; `fails` says why, or nothing.
class Checker {
 public:
  explicit Checker(const std::vector<Row>& rows) : rows_(rows) {}

  using Fails = std::function<std::optional<std::string>(const Row&, const PublishedCell*)>;

  void check(std::string text, const std::string& contender, Draw draw, bool published_cells,
             const Fails& fails) {
    Claim claim{std::move(text), 0, {}};
    for (const Row& row : rows_) {
      if (row.contender != contender || row.split.draw != draw || row.scale != 1) continue;
      const PublishedCell* cell = published_cell(row.split.density, row.split.nodes);
      if (published_cells && cell == nullptr) continue;
      ++claim.cells;
      if (const auto why = fails(row, cell)) {
        claim.failures.push_back(name_of(row.split) + ": " + *why);
      }
    }
    if (claim.cells > 0) claims_.push_back(std::move(claim));
  }

  std::vector<Claim> take() { return std::move(claims_); }

 private:
  const std::vector<Row>& rows_;
  std::vector<Claim> claims_;
};

using Why = std::optional<std::string>;

Why more_iterations(const Row& row, const PublishedCell* cell) {
  if (row.ratio.mean < cell->ratio()) return {};
  return fmt::format("{:.3f} of Dijkstra's, the paper {:.3f}", row.ratio.mean, cell->ratio());
}

void check_paper(Checker& checker) {
  const std::string who = "Preset paper, undirected graphs: ";
  checker.check(who + "no more iterations than the paper, beyond the noise", "paper", Draw::kOr,
                true, [](const Row& row, const PublishedCell* cell) -> Why {
                  if (compare(row.ratio, published_ratio(*cell), Better::kLower) != Mark::kWorse) {
                    return {};
                  }
                  return fmt::format("{:.3f} ± {:.3f} of Dijkstra's, the paper {:.3f} ± {:.3f}",
                                     row.ratio.mean, row.ratio.error, cell->ratio(),
                                     cell->ratio_error());
                });
  checker.check(who + "paths no longer than the paper's, beyond the noise", "paper", Draw::kOr,
                true, [](const Row& row, const PublishedCell* cell) -> Why {
                  if (compare(row.distance, cell->distance, Better::kLower) != Mark::kWorse) {
                    return {};
                  }
                  return fmt::format("{:.2f} ± {:.2f} %, the paper {:.2f} ± {:.2f} %",
                                     row.distance.mean, row.distance.error, cell->distance.mean,
                                     cell->distance.error);
                });
  checker.check(who + "at least 99 % of the constraints hold", "paper", Draw::kOr, true,
                [](const Row& row, const PublishedCell*) -> Why {
                  if (row.constraints.mean >= 99) return {};
                  return fmt::format("{:.2f} %", row.constraints.mean);
                });
}

void check_deep(Checker& checker, Draw draw) {
  const std::string graphs = draw == Draw::kOr ? "undirected graphs: " : "directed graphs: ";
  const std::string who = "Preset deep, " + graphs;
  checker.check(who + "fewer iterations than the paper", "deep", draw, true, more_iterations);
  checker.check(who + fmt::format("paths at most {} % above the optimum", kNearlyOptimal), "deep",
                draw, true, [](const Row& row, const PublishedCell*) -> Why {
                  if (row.distance.mean <= kNearlyOptimal) return {};
                  return fmt::format("{:.3f} %", row.distance.mean);
                });
  checker.check(who + "at least as many constraints hold as in the paper", "deep", draw, true,
                [](const Row& row, const PublishedCell* cell) -> Why {
                  if (row.constraints.mean >= cell->constraints.mean) return {};
                  return fmt::format("{:.2f} %, the paper {:.1f} %", row.constraints.mean,
                                     cell->constraints.mean);
                });
  const std::string sure = "Deep with closure, " + graphs;
  checker.check(
      sure + "every path optimal, every constraint kept", "deep + closure", draw, false,
      [](const Row& row, const PublishedCell*) -> Why {
        if (row.distance.high == 0 && row.distance.low == 0 && row.arc_constraints.low == 100) {
          return {};
        }
        return fmt::format("{:.4f} % above the optimum, {:.4f} % of the constraints",
                           row.distance.mean, row.arc_constraints.mean);
      });
  checker.check(sure + "still fewer iterations than the paper", "deep + closure", draw, true,
                more_iterations);
}

}  // namespace

Mark compare(const eval::Estimate& ours, const PublishedValue& paper, Better better) {
  const double noise = 2 * std::hypot(ours.error, paper.error) + paper.digit / 2;
  const double above = better == Better::kLower ? ours.mean - paper.mean : paper.mean - ours.mean;
  if (std::abs(above) <= noise) return Mark::kWithinNoise;
  return above > 0 ? Mark::kWorse : Mark::kBetter;
}

PublishedValue published_ratio(const PublishedCell& cell) {
  return {cell.ratio(), cell.ratio_error(), cell.iterations.digit / cell.dijkstra};
}

const Row* find_row(const std::vector<Row>& rows, const std::string& contender, Draw draw,
                    Density density, NodeId nodes) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const Row& row) {
    return row.contender == contender && row.split.draw == draw && row.split.density == density &&
           row.split.nodes == nodes && row.scale == 1;
  });
  return found == rows.end() ? nullptr : &*found;
}

std::vector<Claim> check_claims(const std::vector<Row>& rows) {
  Checker checker(rows);
  check_paper(checker);
  for (const Draw draw : {Draw::kOr, Draw::kDirected}) check_deep(checker, draw);
  for (const Draw draw : {Draw::kOr, Draw::kDirected}) {
    checker.check(
        fmt::format(
            "Deep with closure, {} graphs of every size: at most {} times the iterations of "
            "a perfect heuristic",
            draw == Draw::kOr ? "undirected" : "directed", kNearPerfect),
        "deep + closure", draw, false, [&](const Row& row, const PublishedCell*) -> Why {
          const Row* limit =
              find_row(rows, "exact potential", row.split.draw, row.split.density, row.split.nodes);
          if (limit == nullptr) return {};
          const double factor = row.iterations.mean / limit->iterations.mean;
          if (factor <= kNearPerfect) return {};
          return fmt::format("{:.2f} times ({:.1f} against {:.1f})", factor, row.iterations.mean,
                             limit->iterations.mean);
        });
  }
  return checker.take();
}

}  // namespace lodestar::paper
