#include "learn/evaluate/plain_words.h"

#include <fmt/format.h>

#include <algorithm>

namespace lodestar::evaluate {
namespace {

using Sentences = std::vector<std::string>;

void say_overall(const std::vector<Claim>& claims, Sentences& out) {
  if (claims.empty()) return;
  std::size_t made = 0, held = 0, asked = 0, yes = 0, cells = 0, failed = 0;
  for (const Claim& claim : claims) {
    (claim.made ? made : asked) += 1;
    if (claim.holds()) (claim.made ? held : yes) += 1;
    if (!claim.made) continue;
    cells += claim.cells;
    failed += claim.failures.size();
  }
  std::string text =
      held == made ? fmt::format("Everything we claim holds in every cell ({} claims).", made)
                   : fmt::format(
                         "{} of {} claims hold in every cell; {} of their {} single checks fail, "
                         "and each is named below.",
                         held, made, failed, cells);
  if (asked > 0) {
    text +=
        fmt::format(" Of {} further questions, {} have the answer yes in every cell.", asked, yes);
  }
  out.push_back(text);
}

// The paper's own system, as far as its table goes.
void say_paper(const std::vector<Row>& rows, const std::string& preset, const std::string& words,
               Sentences& out) {
  int cells = 0, better = 0, worse = 0, shorter = 0, longer = 0;
  for (const PublishedCell& cell : published_table()) {
    const Row* row = find_row(rows, preset, Draw::kOr, cell.density, cell.nodes);
    if (row == nullptr) continue;
    ++cells;
    const Mark effort = compare(row->ratio, published_ratio(cell), Better::kLower);
    const Mark length = compare(row->distance, cell.distance, Better::kLower);
    better += effort == Mark::kBetter ? 1 : 0;
    worse += effort == Mark::kWorse ? 1 : 0;
    shorter += length == Mark::kBetter ? 1 : 0;
    longer += length == Mark::kWorse ? 1 : 0;
  }
  if (cells == 0) return;
  out.push_back(fmt::format(
      "{}: of {} published cells it needs fewer iterations (as a "
      "share of Dijkstra's) in {} and more in {}, and its paths are shorter in {} and longer in "
      "{}; the rest is within the noise.",
      words, cells, better, worse, shorter, longer));
}

// One number instead of a network.
void say_constant(const std::vector<Row>& rows, Sentences& out) {
  int cells = 0, met = 0;
  for (const PublishedCell& cell : published_table()) {
    const Row* row = find_row(rows, "constant", Draw::kOr, cell.density, cell.nodes);
    if (row == nullptr) continue;
    ++cells;
    met += compare(row->ratio, published_ratio(cell), Better::kLower) != Mark::kWorse &&
                   compare(row->distance, cell.distance, Better::kLower) != Mark::kWorse
               ? 1
               : 0;
  }
  if (cells == 0) return;
  out.push_back(fmt::format(
      "One constant (y is c at the target and 0 elsewhere: no learning, no look at the graph) is "
      "no "
      "worse than the published table in {} of {} cells. What is met there says little about a "
      "network.",
      met, cells));
}

// The largest row both have; nullptr when there is none.
const Row* largest(const std::vector<Row>& rows, const std::string& method, Density density) {
  const Row* best = nullptr;
  for (const PublishedCell& cell : published_table()) {
    if (cell.density != density) continue;
    if (const Row* row = find_row(rows, method, Draw::kOr, density, cell.nodes)) best = row;
  }
  return best;
}

void say_deep(const std::vector<Row>& rows, Sentences& out) {
  for (const Density density : {Density::kSparse, Density::kDense, Density::kVeryDense}) {
    const Row* deep = largest(rows, "deep + closure", density);
    const Row* limit = largest(rows, "exact potential", density);
    if (deep == nullptr || limit == nullptr) continue;
    const PublishedCell* cell = published_cell(density, deep->split.nodes);
    const std::string paths =
        deep->distance.high == 0
            ? "always returns the shortest path"
            : fmt::format("returns paths {:.2f} % too long", deep->distance.mean);
    out.push_back(fmt::format(
        "On {} graphs of {} nodes the deep model with closure expands {:.1f} nodes and {}; "
        "Dijkstra "
        "expands {:.0f}, a perfect heuristic {:.1f}, and the paper's A*, going by its share of "
        "Dijkstra's, {:.1f} with paths {:.2f} % too long.",
        to_string(density), deep->split.nodes, deep->iterations.mean, paths, deep->dijkstra.mean,
        limit->iterations.mean, cell->ratio() * deep->dijkstra.mean, cell->distance.mean));
  }
}

void say_time(const std::vector<Row>& rows, Sentences& out) {
  const Row* deep = largest(rows, "deep", Density::kDense);
  const Row* both = largest(rows, "bidirectional", Density::kDense);
  if (deep == nullptr || both == nullptr) return;
  const double even = deep->break_even_seconds();
  out.push_back(fmt::format(
      "Time is another matter. On a dense graph of {} nodes, seen once, the deep network takes "
      "{:.0f} µs where Dijkstra's whole search takes {:.0f} µs and bidirectional search {:.0f} µs: "
      "learning {} against compiled search here. It pays where expanding a node costs more than "
      "{:.1f} µs.",
      deep->split.nodes, 1e6 * deep->seconds.total(), 1e6 * deep->seconds.dijkstra,
      1e6 * both->seconds.total(), deep->speedup() < 1 ? "loses" : "wins", 1e6 * even));
}

}  // namespace

std::vector<std::string> plain_words(const std::vector<Row>& rows, const std::vector<Claim>& claims,
                                     const std::vector<std::string>& given) {
  Sentences out;
  say_overall(claims, out);
  say_paper(rows, "paper", "The paper's system as its text has it, trained anew", out);
  say_paper(rows, "paper-tuned",
            "The same network with a recipe, and a scale of y, chosen against the published table "
            "(on validation graphs)",
            out);
  for (const std::string& name : given) {
    say_paper(rows, name, fmt::format("Yours, {}, on undirected graphs", name), out);
  }
  say_deep(rows, out);
  say_constant(rows, out);
  say_time(rows, out);
  return out;
}

}  // namespace lodestar::evaluate
