#include <fmt/core.h>

#include <algorithm>

#include "report.h"

namespace lodestar::cli {
namespace {

const char* sign(evaluate::Mark mark) {
  switch (mark) {
    case evaluate::Mark::kBetter:
      return "✓";
    case evaluate::Mark::kWithinNoise:
      return "≈";
    case evaluate::Mark::kWorse:
      return "✗";
  }
  return "";
}

}  // namespace

std::string density_words(Density density) {
  switch (density) {
    case Density::kSparse:
      return "sparse (p = ln n / n)";
    case Density::kDense:
      return "dense (p = 0.35)";
    case Density::kVeryDense:
      return "very dense (p = 0.5)";
    case Density::kGiven:
      break;
  }
  return to_string(density);
}

std::string draw_words(Draw draw) {
  if (draw == Draw::kDirected) return "directed graphs";
  return draw == Draw::kOr ? "undirected graphs" : "undirected graphs, each edge drawn once";
}

std::string draw_name(Draw draw) {
  return draw == Draw::kOr ? "undirected" : draw == Draw::kExact ? "each edge once" : "directed";
}

std::string value(const bench::Estimate& ours, int digits, std::size_t trials) {
  if (trials < 2) return fmt::format("{:.{}f}", ours.mean, digits);
  return fmt::format("{:.{}f}±{:.{}f}", ours.mean, digits, ours.deviation, digits);
}

std::string against(const bench::Estimate& ours, const PublishedValue& paper,
                    evaluate::Better better, int digits, std::size_t trials) {
  return fmt::format("{} ({:.{}f}) {}", value(ours, digits, trials), paper.mean, digits,
                     sign(evaluate::compare(ours, paper, better)));
}

const char* mark(const bench::Estimate& ours, const PublishedValue& paper) {
  return sign(evaluate::compare(ours, paper, evaluate::Better::kLower));
}

std::string factor(double value) {
  return value < 0.1 ? fmt::format("{:.2g}", value) : fmt::format("{:.2f}", value);
}

std::string baseline_name(const Report& report, const std::string& name) {
  return name == "constant" ? fmt::format("constant, c={:.2f}", report.constant) : name;
}

std::vector<NodeId> published_sizes(const Report& report, Draw draw) {
  std::vector<NodeId> sizes;
  for (const evaluate::Row& row : report.rows) {
    if (row.split.draw != draw || !published_cell(row.split.density, row.split.nodes)) continue;
    if (std::find(sizes.begin(), sizes.end(), row.split.nodes) == sizes.end()) {
      sizes.push_back(row.split.nodes);
    }
  }
  return sizes;
}

std::vector<Draw> draws_of(const Report& report) {
  std::vector<Draw> draws;
  for (const evaluate::Row& row : report.rows) {
    if (std::find(draws.begin(), draws.end(), row.split.draw) == draws.end()) {
      draws.push_back(row.split.draw);
    }
  }
  return draws;
}

bool ClaimGroup::holds() const {
  return std::all_of(claims.begin(), claims.end(),
                     [](const auto* claim) { return claim->holds(); });
}

std::vector<ClaimGroup> claim_groups(const Report& report) {
  std::vector<ClaimGroup> groups;
  for (const evaluate::Claim& claim : report.claims) {
    const std::string text = claim.subject + ": " + claim.statement;
    auto group = std::find_if(groups.begin(), groups.end(), [&](const ClaimGroup& g) {
      return g.made == claim.made && g.text == text;
    });
    if (group == groups.end()) group = groups.insert(group, {claim.made, text, {}});
    group->claims.push_back(&claim);
  }
  std::stable_partition(groups.begin(), groups.end(), [](const ClaimGroup& g) { return g.made; });
  return groups;
}

std::string claim_cell(const ClaimGroup& group, Draw draw) {
  const auto claim = std::find_if(group.claims.begin(), group.claims.end(),
                                  [&](const evaluate::Claim* c) { return c->draw == draw; });
  if (claim == group.claims.end()) return "";
  return fmt::format("{} of {} {}", (*claim)->passed(), (*claim)->cells,
                     (*claim)->holds() ? "✓" : "✗");
}

Table claims_table(const Report& report) {
  const std::vector<Draw> draws = draws_of(report);
  std::vector<std::string> header = {"cells in which it holds"};
  for (const Draw draw : draws) header.push_back(draw_name(draw));
  Table table(header);
  const ClaimGroup* before = nullptr;
  const std::vector<ClaimGroup> groups = claim_groups(report);
  for (const ClaimGroup& group : groups) {
    if (before == nullptr || before->made != group.made) {
      table.add({group.made ? "Claims" : "Open comparisons: shown, not claimed"});
    }
    before = &group;
    std::vector<std::string> line = {"  " + group.text};
    for (const Draw draw : draws) line.push_back(claim_cell(group, draw));
    table.add(std::move(line));
  }
  return table;
}

std::string short_legend(const Report& report) {
  const std::size_t graphs = report.rows.empty() ? 0 : report.rows.front().split.count;
  return fmt::format(
      "✓ better than published, ≈ within two standard errors, ✗ worse. {} models of each preset at "
      "most, {} graphs a cell{}.",
      report.models, graphs,
      report.draws > 1 ? fmt::format(" in {} independent sets", report.draws) : "");
}

std::string legend(const Report& report) {
  const std::size_t graphs = report.rows.empty() ? 0 : report.rows.front().split.count;
  return fmt::format(
      "Ours ± standard error over models and graphs ({} models, {} graphs a cell in {} independent "
      "sets), the published value in brackets. ✓ better, ≈ within two standard errors (ours and "
      "the "
      "paper's together), ✗ worse. A* runs as the paper defines it, without pruning against the "
      "best known path. Speedup: Dijkstra's time ÷ the time of the heuristic and its search on a "
      "graph that is seen once.",
      report.models, graphs, report.draws);
}

}  // namespace lodestar::cli
