// Every search algorithm, one row each: what it is called, what it takes, what it proves.
//
//   for (const AlgorithmRow& row : kAlgorithms) show(row.name, row.summary);
//   const AlgorithmRow* row = find_algorithm("focal");
//
// The program's --help, the language bindings, the server and the tests that try every algorithm
// walk this table; a Router makes its searchers by it. A new algorithm is one row here and the
// function its row names (src/router/).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace lodestar {

namespace detail {
class Engine;       // one thread's searcher
struct RouterPlan;  // what all threads share
using MakeEngine = std::unique_ptr<Engine> (*)(const RouterPlan&);
using Prepare = void (*)(RouterPlan&);
void prepare_look_ahead(RouterPlan& plan);
void prepare_sorted_arcs(RouterPlan& plan);
void prepare_core(RouterPlan& plan);
std::unique_ptr<Engine> make_dijkstra(const RouterPlan& plan);
std::unique_ptr<Engine> make_astar(const RouterPlan& plan);
std::unique_ptr<Engine> make_weighted(const RouterPlan& plan);
std::unique_ptr<Engine> make_greedy(const RouterPlan& plan);
std::unique_ptr<Engine> make_focal(const RouterPlan& plan);
std::unique_ptr<Engine> make_bidirectional(const RouterPlan& plan);
std::unique_ptr<Engine> make_bidirectional_textbook(const RouterPlan& plan);
std::unique_ptr<Engine> make_bidirectional_astar(const RouterPlan& plan);
std::unique_ptr<Engine> make_core(const RouterPlan& plan);
}  // namespace detail

enum class HeuristicUse : std::uint8_t {
  kNone,        // searches without
  kAny,         // takes any, also one that promises nothing
  kConsistent,  // takes only what is consistent
};

// What an answer that was not cut short is worth. The result always carries its lower bound.
enum class Proof : std::uint8_t {
  kOptimal,            // the optimum
  kWithinBound,        // at most (1 + bound) times the optimum; the optimum for bound 0
  kOptimalIfPromised,  // the optimum when the heuristic is admissible
  kGap,                // whatever the lower bound says
};

struct AlgorithmRow {
  std::string_view name;
  std::string_view summary;  // for people, a few words
  HeuristicUse heuristic;
  Proof proof;
  bool takes_bound;           // RouterOptions::bound
  bool takes_max_expansions;  // RouterOptions::max_expansions
  bool takes_model;           // potentials of a model, computed for each query
  detail::Prepare prepare;    // once per graph, for all threads; may be null
  detail::MakeEngine make;    // once per thread
};

// clang-format off
inline constexpr AlgorithmRow kAlgorithms[] = {
    // name, summary, heuristic, proof, bound, max_expansions, model, prepared by, made by
    {"dijkstra", "one direction, no heuristic",
     HeuristicUse::kNone, Proof::kOptimal, false, true, false, nullptr, detail::make_dijkstra},
    {"astar", "A*, with any heuristic",
     HeuristicUse::kAny, Proof::kOptimalIfPromised, false, true, true, nullptr, detail::make_astar},
    {"weighted", "A* by g + weight · h: fewer expansions, longer paths",
     HeuristicUse::kAny, Proof::kGap, false, true, true, nullptr, detail::make_weighted},
    {"greedy", "by h alone: any path soon",
     HeuristicUse::kAny, Proof::kGap, false, true, true, nullptr, detail::make_greedy},
    {"focal", "within a bound, in the order of any heuristic",
     HeuristicUse::kAny, Proof::kWithinBound, true, true, true, nullptr, detail::make_focal},
    {"bidirectional", "from both ends, with look-ahead",
     HeuristicUse::kNone, Proof::kWithinBound, true, true, false,
     detail::prepare_look_ahead, detail::make_bidirectional},
    {"bidirectional-textbook", "from both ends, the nearer side first",
     HeuristicUse::kNone, Proof::kWithinBound, true, true, false, nullptr,
     detail::make_bidirectional_textbook},
    {"bidirectional-sorted", "from both ends, on arcs sorted by weight",
     HeuristicUse::kNone, Proof::kWithinBound, true, true, false,
     detail::prepare_sorted_arcs, detail::make_bidirectional},
    {"bidirectional-astar", "A* from both ends, with a consistent heuristic",
     HeuristicUse::kConsistent, Proof::kWithinBound, true, true, false, nullptr,
     detail::make_bidirectional_astar},
    {"core", "up, across and down an index of the graph: microseconds",
     HeuristicUse::kNone, Proof::kOptimal, false, false, false,
     detail::prepare_core, detail::make_core},
};
// clang-format on

// Null when there is none of that name.
constexpr const AlgorithmRow* find_algorithm(std::string_view name) {
  for (const AlgorithmRow& row : kAlgorithms) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

// "dijkstra, astar, …", for help and errors.
std::string algorithm_names();

}  // namespace lodestar
