#include "lodestar/algorithms.h"

#include <algorithm>
#include <array>

#include "router/engine.h"

namespace lodestar {
namespace detail {
namespace {

struct Algorithm {
  AlgorithmRow row;
  void (*prepare)(RouterPlan&);                        // once per graph; may be null
  std::unique_ptr<Engine> (*make)(const RouterPlan&);  // once per thread
};

// clang-format off
constexpr Algorithm kAlgorithms[] = {
    // {name, summary, heuristic, proof, bound, max_expansions, model}, prepared by, made by
    {{"dijkstra", "one direction, no heuristic",
      HeuristicUse::kNone, Proof::kOptimal, false, true, false},
     nullptr, make_dijkstra},
    {{"astar", "A*, with any heuristic",
      HeuristicUse::kAny, Proof::kOptimalIfPromised, false, true, true},
     nullptr, make_astar},
    {{"weighted", "A* by g + weight · h: fewer expansions, longer paths",
      HeuristicUse::kAny, Proof::kGap, false, true, true},
     nullptr, make_weighted},
    {{"greedy", "by h alone: any path soon",
      HeuristicUse::kAny, Proof::kGap, false, true, true},
     nullptr, make_greedy},
    {{"focal", "within a bound, in the order of any heuristic",
      HeuristicUse::kAny, Proof::kWithinBound, true, true, true},
     nullptr, make_focal},
    {{"bidirectional", "from both ends, with look-ahead",
      HeuristicUse::kNone, Proof::kWithinBound, true, true, false},
     prepare_look_ahead, make_bidirectional},
    {{"bidirectional-textbook", "from both ends, the nearer side first",
      HeuristicUse::kNone, Proof::kWithinBound, true, true, false},
     nullptr, make_bidirectional_textbook},
    {{"bidirectional-sorted", "from both ends, on arcs sorted by weight",
      HeuristicUse::kNone, Proof::kWithinBound, true, true, false},
     prepare_sorted_arcs, make_bidirectional},
    {{"bidirectional-astar", "A* from both ends, with a consistent heuristic",
      HeuristicUse::kConsistent, Proof::kWithinBound, true, true, false},
     nullptr, make_bidirectional_astar},
    {{"core", "up, across and down an index of the graph: microseconds",
      HeuristicUse::kNone, Proof::kOptimal, false, false, false},
     prepare_core, make_core},
};
// clang-format on

// The public part of each row, in the same order.
constexpr auto kRows = [] {
  std::array<AlgorithmRow, std::size(kAlgorithms)> rows{};
  std::transform(std::begin(kAlgorithms), std::end(kAlgorithms), rows.begin(),
                 [](const Algorithm& algorithm) { return algorithm.row; });
  return rows;
}();

const Algorithm& algorithm_of(const AlgorithmRow& row) {
  return kAlgorithms[&row - kRows.data()];
}

}  // namespace

void prepare_engines(const AlgorithmRow& row, RouterPlan& plan) {
  if (const auto prepare = algorithm_of(row).prepare) prepare(plan);
}

std::unique_ptr<Engine> make_engine(const AlgorithmRow& row, const RouterPlan& plan) {
  return algorithm_of(row).make(plan);
}

}  // namespace detail

std::span<const AlgorithmRow> algorithms() {
  return detail::kRows;
}

const AlgorithmRow* find_algorithm(std::string_view name) {
  for (const AlgorithmRow& row : algorithms()) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

std::string algorithm_names() {
  std::string names;
  for (const AlgorithmRow& row : algorithms()) {
    names += (names.empty() ? "" : ", ") + std::string(row.name);
  }
  return names;
}

}  // namespace lodestar
