#include <fmt/format.h>

#include "learn/evaluate/verdict.h"

namespace lodestar::evaluate {
namespace {

using Sentences = std::vector<std::string>;

// How the rows of a preset stand beside the published table.
struct Standing {
  int cells = 0, better = 0, worse = 0, shorter = 0, longer = 0;
};

Standing standing(const std::vector<Row>& rows, const std::string& preset) {
  Standing out;
  for (const PublishedCell& cell : published_table()) {
    const Row* row = find_row(rows, preset, Draw::kOr, cell.density, cell.nodes);
    if (row == nullptr) continue;
    ++out.cells;
    const Mark effort = compare(row->ratio, published_ratio(cell), Better::kLower);
    const Mark length = compare(row->distance, cell.distance, Better::kLower);
    out.better += effort == Mark::kBetter ? 1 : 0;
    out.worse += effort == Mark::kWorse ? 1 : 0;
    out.shorter += length == Mark::kBetter ? 1 : 0;
    out.longer += length == Mark::kWorse ? 1 : 0;
  }
  return out;
}

// The paper's own system, as far as its table goes.
void say_paper(const std::vector<Row>& rows, const std::string& preset, const std::string& words,
               Sentences& out) {
  const auto [cells, better, worse, shorter, longer] = standing(rows, preset);
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
      "no worse than the published table in {} of {} cells. Meeting the table there says little "
      "about a network.",
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

std::vector<std::string> conclusion(const std::vector<Row>& rows) {
  Sentences out;
  if (const Standing paper = standing(rows, "paper"); paper.cells > 0) {
    out.push_back(fmt::format(
        "Trained anew from its text, the paper's system needs no more iterations than published in "
        "{} of {} cells, and its paths are no longer than published in {}.",
        paper.cells - paper.worse, paper.cells, paper.cells - paper.longer));
  }
  const Row* deep = largest(rows, "deep + closure", Density::kDense);
  const Row* limit = largest(rows, "exact potential", Density::kDense);
  if (deep == nullptr || limit == nullptr) return out;
  out.push_back(fmt::format(
      "On dense graphs of {} nodes our deep model with closure expands {:.1f} nodes on average and "
      "{}; Dijkstra's algorithm expands {:.0f} and a perfect heuristic {:.1f}.",
      deep->split.nodes, deep->iterations.mean,
      deep->distance.high == 0
          ? "always finds the shortest path"
          : fmt::format("its paths are {:.2f} % too long", deep->distance.mean),
      deep->dijkstra.mean, limit->iterations.mean));
  const double even = deep->break_even_seconds();
  out.push_back(fmt::format(
      "{} on a graph that is seen once: the network and its search take {:.0f} µs, "
      "Dijkstra's algorithm {:.0f} µs{}.",
      deep->speedup() < 1 ? "It does not save time" : "It saves time", 1e6 * deep->seconds.total(),
      1e6 * deep->seconds.dijkstra,
      even > 0 && even < kInfinity
          ? fmt::format("; it pays where expanding a node costs more than {:.1f} µs", 1e6 * even)
          : ""));
  return out;
}

std::string claims_summary(const std::vector<Claim>& claims) {
  std::size_t made = 0, held = 0, asked = 0, lost = 0;
  for (const Claim& claim : claims) {
    (claim.made ? made : asked) += 1;
    if (claim.made && claim.holds()) ++held;
    if (!claim.made && !claim.holds()) ++lost;
  }
  std::string text = held == made ? fmt::format("All {} claims hold in all cells.", made)
                                  : fmt::format("{} of {} claims hold in all cells.", held, made);
  if (asked > 0) text += fmt::format(" {} of {} open comparisons are lost.", lost, asked);
  return text;
}

std::vector<std::string> findings(const std::vector<Row>& rows,
                                  const std::vector<std::string>& given) {
  Sentences out;
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
