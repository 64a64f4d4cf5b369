#include "words.h"

#include <fmt/core.h>

#include <algorithm>

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
  switch (draw) {
    case Draw::kOr:
      return "undirected graphs";
    case Draw::kExact:
      return "undirected graphs, each edge drawn once";
    case Draw::kDirected:
      return "directed graphs";
  }
  return "";
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

std::string legend(const Report& report) {
  const std::size_t graphs = report.rows.empty() ? 0 : report.rows.front().split.count;
  return fmt::format(
      "Ours ± standard error, models and graphs redrawn together ({} models, {} graphs a cell in "
      "{} independent sets), the paper's value in brackets. ✓ better, ≈ within two standard errors "
      "(ours and the paper's together), ✗ worse. A* as the paper has it, without leaving out what "
      "costs as much as the best path known. "
      "Speedup: Dijkstra's time ÷ everything the heuristic and its search took on a graph seen "
      "once.",
      report.models, graphs, report.draws);
}

}  // namespace lodestar::cli
