// A way to answer queries on one graph, as data: what it is called, where it is shown, how it is
// prepared. all_methods() is the one list that `bench static` compares, draws and chooses from;
// a new baseline is one entry of methods.cpp.
//
//   Workshop workshop(graph, options);
//   for (const Method* method : choose_methods(Selection::kUsual)) {
//     if (auto ready = method->prepare(workshop)) comparison.add(*method, std::move(*ready));
//   }
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/harness/workshop.h"
#include "lodestar/search.h"

namespace lodestar::eval {

// A method prepared for one graph and asked from one thread. What its functions use they own, or
// share with the workshop: it may be moved, and may outlive the workshop.
struct ReadyMethod {
  std::function<SearchResult(Query)> run;       // cost and expansions; the path is asked for apart
  std::function<std::vector<NodeId>()> path{};  // of the last run, source first; empty: it has none
  std::size_t bytes = 0;                        // kept beside the graph
  std::optional<double> preparation_seconds{};  // not given: the time prepare() took
};

// When a method takes part without being named.
enum class Selection : std::uint8_t {
  kQuick,  // even with --quick: what ratios need
  kUsual,  // unless --quick
  kNamed,  // only when named
};

struct Method {
  std::string id;    // for the command line: "alt-farthest"
  std::string name;  // for people: "ALT farthest"
  Selection selection = Selection::kUsual;
  bool by_memory = false;  // a curve of --memory-curve: its size follows Workshop::potential_count()
  bool by_rank = false;    // a curve of --rank-curve
  double within = 0;       // promised: cost <= (1 + within) · optimum; infinite: nothing
  // Nothing when the method does not apply to this graph (no coordinates, say).
  std::function<std::optional<ReadyMethod>(Workshop&)> prepare{};
};

const std::vector<Method>& all_methods();

// Those that take part when none is named: kQuick alone, or kQuick and kUsual.
std::vector<const Method*> choose_methods(Selection selection);
// By id, in the order of the list. Throws Error on an id nobody has, naming those there are.
std::vector<const Method*> choose_methods(const std::vector<std::string>& ids);

// prepare(), with the time it took when the method does not say itself.
std::optional<ReadyMethod> prepare_timed(const Method& method, Workshop& workshop);

}  // namespace lodestar::eval
