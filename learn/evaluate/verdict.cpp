#include "learn/evaluate/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace lodestar::evaluate {
namespace {

// Iterations ÷ nodes of a shortest path that deep with closure may take.
constexpr double kMeanPerPath = 1.15;
constexpr double kP99PerPath = 2.5;
constexpr double kWorstPerPath = 5;
constexpr double kNearlyOptimal = 0.05;  // percent

using bench::Estimate;

std::string name_of(const Split& split) {
  return fmt::format("{}, {} nodes", to_string(split.density), split.nodes);
}

std::string graphs_of(Draw draw) {
  return draw == Draw::kOr         ? "undirected graphs"
         : draw == Draw::kDirected ? "directed graphs"
                                   : "undirected graphs, each edge drawn once";
}

// Checks each row of a method and draw; `fails` says why, or nothing.
class Checker {
 public:
  explicit Checker(const std::vector<Row>& rows) : rows_(rows) {}

  using Fails = std::function<std::optional<std::string>(const Row&, const PublishedCell*)>;

  // `made`: whether we claim it, or only ask.
  void check(bool made, const std::string& subject, const std::string& statement,
             const std::string& method, Draw draw, bool published_cells, const Fails& fails) {
    Claim claim{
        subject + ", " + graphs_of(draw) + ": " + statement, subject, statement, draw, made, 0, {}};
    for (const Row& row : rows_) {
      if (row.method != method || row.split.draw != draw || row.scale != 1) continue;
      const PublishedCell* cell = published_cell(row.split.density, row.split.nodes);
      if (published_cells && cell == nullptr) continue;
      ++claim.cells;
      if (const auto why = fails(row, cell)) {
        claim.failures.push_back(name_of(row.split) + ": " + *why);
      }
    }
    if (claim.cells > 0) claims_.push_back(std::move(claim));
  }

  const std::vector<Row>& rows() const { return rows_; }
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

Why more_beyond_noise(const Row& row, const PublishedCell* cell) {
  if (compare(row.ratio, published_ratio(*cell), Better::kLower) != Mark::kWorse) return {};
  return fmt::format("{:.3f} ± {:.3f} of Dijkstra's, the paper {:.3f} ± {:.3f}", row.ratio.mean,
                     row.ratio.deviation, cell->ratio(), cell->ratio_error());
}

Why longer_beyond_noise(const Row& row, const PublishedCell* cell) {
  if (compare(row.distance, cell->distance, Better::kLower) != Mark::kWorse) return {};
  return fmt::format("{:.2f} ± {:.2f} %, the paper {:.2f} ± {:.2f} %", row.distance.mean,
                     row.distance.deviation, cell->distance.mean, cell->distance.error);
}

// Worse in one and not better in the other, beyond the noise of both.
Why no_better_than(const Row& row, const Row* other) {
  if (other == nullptr) return {};
  const auto mark = [](const Estimate& a, const Estimate& b) {
    return compare(a, {b.mean, b.deviation, 0}, Better::kLower);
  };
  const Mark effort = mark(row.ratio, other->ratio), length = mark(row.distance, other->distance);
  const bool better = (effort == Mark::kBetter && length != Mark::kWorse) ||
                      (length == Mark::kBetter && effort != Mark::kWorse);
  if (better) return {};
  return fmt::format("{:.3f} of Dijkstra's and {:.2f} %, {} {:.3f} and {:.2f} %", row.ratio.mean,
                     row.distance.mean, other->method, other->ratio.mean, other->distance.mean);
}

const Row* beside(const std::vector<Row>& rows, const Row& row, const std::string& method) {
  return find_row(rows, method, row.split.draw, row.split.density, row.split.nodes);
}

// The published system. Its graphs, we think, were drawn as Draw::kOr; the other draws are asked.
void check_paper(Checker& checker, const std::string& kind, const std::string& preset, bool made,
                 Draw draw) {
  const std::string who = kind + preset;
  checker.check(made, who, "no more iterations than the paper, beyond the noise", preset, draw,
                true, more_beyond_noise);
  checker.check(made, who, "paths no longer than the paper's, beyond the noise", preset, draw, true,
                longer_beyond_noise);
  if (draw != Draw::kOr) return;
  checker.check(made, who, "at least 99 % of the constraints hold", preset, draw, true,
                [](const Row& row, const PublishedCell*) -> Why {
                  if (row.constraints.mean >= 99) return {};
                  return fmt::format("{:.2f} %", row.constraints.mean);
                });
  checker.check(false, who, "the published speedup over Dijkstra's time", preset, draw, true,
                [](const Row& row, const PublishedCell* cell) -> Why {
                  if (row.speedup() >= cell->speedup) return {};
                  return fmt::format("{:.2g}, the paper {:.2f}", row.speedup(), cell->speedup);
                });
  checker.check(false, who, "better than one constant, beyond the noise", preset, draw, true,
                [&](const Row& row, const PublishedCell*) {
                  return no_better_than(row, beside(checker.rows(), row, "constant"));
                });
}

// In pairs: a model with imitation beside the one of the same seed and data without it.
void check_imitation(Checker& checker) {
  checker.check(false, "Preset paper", "better than trained without imitating Dijkstra, in pairs",
                kImitationGain, Draw::kOr, true, [](const Row& row, const PublishedCell*) -> Why {
                  const bool fewer = row.ratio.high < 0, shorter = row.distance.high < 0;
                  const bool more = row.ratio.low > 0, longer = row.distance.low > 0;
                  if (row.trials > 1 && ((fewer && !longer) || (shorter && !more))) return {};
                  return fmt::format(
                      "{:+.3f} [{:+.3f}, {:+.3f}] of Dijkstra's, {:+.2f} [{:+.2f}, {:+.2f}] %",
                      row.ratio.mean, row.ratio.low, row.ratio.high, row.distance.mean,
                      row.distance.low, row.distance.high);
                });
}

void check_deep(Checker& checker, Draw draw) {
  const std::string who = "Preset deep", sure = "Deep with closure";
  checker.check(true, who, "fewer iterations than the paper", "deep", draw, true, more_iterations);
  checker.check(true, who, fmt::format("paths at most {} % above the optimum", kNearlyOptimal),
                "deep", draw, true, [](const Row& row, const PublishedCell*) -> Why {
                  if (row.distance.mean <= kNearlyOptimal) return {};
                  return fmt::format("{:.3f} %", row.distance.mean);
                });
  checker.check(true, who, "at least as many constraints hold as in the paper", "deep", draw, true,
                [](const Row& row, const PublishedCell* cell) -> Why {
                  if (row.constraints.mean >= cell->constraints.mean) return {};
                  return fmt::format("{:.2f} %, the paper {:.1f} %", row.constraints.mean,
                                     cell->constraints.mean);
                });
  checker.check(true, who, "better than one constant, beyond the noise", "deep", draw, true,
                [&](const Row& row, const PublishedCell*) {
                  return no_better_than(row, beside(checker.rows(), row, "constant"));
                });
  checker.check(false, who, "faster than Dijkstra's algorithm, the network's time included", "deep",
                draw, true, [](const Row& row, const PublishedCell*) -> Why {
                  if (row.speedup() >= 1) return {};
                  return fmt::format("{:.2g} times its speed", row.speedup());
                });
  checker.check(
      true, sure, "every path optimal, every constraint kept", "deep + closure", draw, false,
      [](const Row& row, const PublishedCell*) -> Why {
        if (row.distance.high == 0 && row.distance.low == 0 && row.arc_constraints.low == 100) {
          return {};
        }
        return fmt::format("{:.4f} % above the optimum, {:.4f} % of the constraints",
                           row.distance.mean, row.arc_constraints.mean);
      });
  checker.check(true, sure, "still fewer iterations than the paper", "deep + closure", draw, true,
                more_iterations);
  checker.check(
      false, sure,
      fmt::format("iterations ÷ nodes of the path at most {} (mean), {} (p99), {} (worst)",
                  kMeanPerPath, kP99PerPath, kWorstPerPath),
      "deep + closure", draw, false, [](const Row& row, const PublishedCell*) -> Why {
        if (row.per_path.mean <= kMeanPerPath && row.per_path_p99 <= kP99PerPath &&
            row.per_path_worst <= kWorstPerPath) {
          return {};
        }
        return fmt::format("{:.2f}, {:.1f}, {:.1f}", row.per_path.mean, row.per_path_p99,
                           row.per_path_worst);
      });
}

}  // namespace

Mark compare(const bench::Estimate& ours, const PublishedValue& paper, Better better) {
  const double noise = 2 * std::hypot(ours.deviation, paper.error) + paper.digit / 2;
  const double above = better == Better::kLower ? ours.mean - paper.mean : paper.mean - ours.mean;
  if (std::abs(above) <= noise) return Mark::kWithinNoise;
  return above > 0 ? Mark::kWorse : Mark::kBetter;
}

PublishedValue published_ratio(const PublishedCell& cell) {
  return {cell.ratio(), cell.ratio_error(), cell.iterations.digit / cell.dijkstra};
}

const Row* find_row(const std::vector<Row>& rows, const std::string& method, Draw draw,
                    Density density, NodeId nodes) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const Row& row) {
    return row.method == method && row.split.draw == draw && row.split.density == density &&
           row.split.nodes == nodes && row.scale == 1;
  });
  return found == rows.end() ? nullptr : &*found;
}

bool all_made_hold(const std::vector<Claim>& claims) {
  return std::all_of(claims.begin(), claims.end(),
                     [](const Claim& claim) { return !claim.made || claim.holds(); });
}

std::vector<Claim> check_claims(const std::vector<Row>& rows,
                                const std::vector<std::string>& given) {
  constexpr Draw kDraws[] = {Draw::kOr, Draw::kExact, Draw::kDirected};
  Checker checker(rows);
  // What the letter of the paper comes to is a finding, not a claim of ours.
  for (const Draw draw : kDraws) check_paper(checker, "Preset ", "paper", false, draw);
  for (const Draw draw : kDraws) {
    check_paper(checker, "Preset ", "paper-tuned", draw == Draw::kOr, draw);
  }
  check_imitation(checker);
  for (const Draw draw : kDraws) check_deep(checker, draw);
  for (const std::string& name : given) {
    for (const Draw draw : kDraws) check_paper(checker, "Yours, ", name, false, draw);
  }
  return checker.take();
}

}  // namespace lodestar::evaluate
