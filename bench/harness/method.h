// A method that answers queries on one graph: its name, where it is shown, and how it is prepared.
// all_methods() is the one list that `bench static` compares, draws and chooses from;
// a new baseline is one entry of methods.cpp.
//
//   Workshop workshop(graph, options);
//   for (const Method* method : choose_methods(Selection::kUsual)) {
//     if (auto ready = method->prepare(workshop)) comparison.add(*method, std::move(*ready));
//   }
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/harness/workshop.h"
#include "lodestar/search.h"

namespace lodestar::bench {

// A method prepared for one graph, used by one thread. Its functions own their data or share it
// with the workshop, so it may be moved and may outlive the workshop.
struct ReadyMethod {
  std::function<SearchResult(Query)> run;       // cost and expansions, without the path
  std::function<std::vector<NodeId>()> path{};  // of the last run, source first; empty: no paths
  std::size_t bytes = 0;                        // memory beside the graph
  std::optional<double> preparation_seconds{};  // default: the time prepare() took
};

// A searcher that has run(query) and path().
template <class S>
ReadyMethod ready_searcher(std::shared_ptr<S> searcher, std::size_t bytes = 0) {
  ReadyMethod ready;
  ready.run = [searcher](Query query) { return searcher->run(query); };
  ready.path = [searcher] { return searcher->path(); };
  ready.bytes = bytes;
  return ready;
}

// A* with the heuristic that make(query) returns.
template <class MakeHeuristic>
ReadyMethod ready_astar(std::shared_ptr<Searcher> searcher, MakeHeuristic make,
                        std::size_t bytes = 0) {
  ReadyMethod ready;
  ready.run = [searcher, make](Query query) { return searcher->run(query, make(query)); };
  ready.path = [searcher] { return searcher->path(); };
  ready.bytes = bytes;
  return ready;
}

// Shortcuts beyond which a customizable hierarchy is left out: it would not be competitive, and its
// memory would grow without bound.
inline std::size_t most_shortcuts(const Graph& graph) {
  return 1'000'000 + std::size_t{200} * graph.node_count();
}

// When a method is used without being named.
enum class Selection : std::uint8_t {
  kQuick,  // even with --quick: what ratios need
  kUsual,  // unless --quick
  kNamed,  // only when named
};

struct Method {
  std::string id;    // for the command line: "alt-farthest"
  std::string name;  // as shown: "ALT farthest"
  Selection selection = Selection::kUsual;
  // A curve of --memory-curve and --bytes: four or two bytes for each of potential_count() values.
  bool by_memory = false, by_memory_16 = false;
  bool by_rank = false;  // a curve of --rank-curve
  double within = 0;     // promised: cost <= (1 + within) · optimum; infinite: nothing
  // Returns nothing if the method does not apply to the graph, for example without coordinates.
  std::function<std::optional<ReadyMethod>(Workshop&)> prepare{};
};

const std::vector<Method>& all_methods();

// The methods used by default: kQuick alone, or kQuick and kUsual.
std::vector<const Method*> choose_methods(Selection selection);
// By id, in the order of the list. Throws Error on an unknown id and lists the known ones.
std::vector<const Method*> choose_methods(const std::vector<std::string>& ids);

// Calls prepare() and fills in preparation_seconds if the method did not.
std::optional<ReadyMethod> prepare_timed(const Method& method, Workshop& workshop);

}  // namespace lodestar::bench
