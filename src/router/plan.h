// The prepared state of a router, shared by its threads: the graph in search order, the heuristic
// and the algorithm.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "lodestar/bidirectional.h"
#include "lodestar/heuristic.h"
#include "lodestar/infer.h"
#include "lodestar/potentials.h"
#include "lodestar/router.h"

namespace lodestar::detail {

// y(v) - y(s): a lower bound on the cost from the source, for a feasible y.
struct PotentialFromSource {
  const double* y;
  Cost at_source;
  Cost operator()(NodeId v) const { return y[v] - at_source; }
  static constexpr Guarantee guarantee() { return Guarantee::kConsistent; }
};

// A user's function for one query.
struct FunctionHeuristic {
  const HeuristicFunction* function;
  Query query;
  Guarantee promised;
  Cost operator()(NodeId v) const { return (*function)(v, query); }
  Guarantee guarantee() const { return promised; }
};

// The heuristic of one query.
using AnyHeuristic =
    std::variant<Zero, Constant, Random, Geometry::To, PotentialsHeuristic,
                 MaxOf<PotentialsHeuristic, Geometry::To>, PotentialHeuristic, FunctionHeuristic>;

// Any of them behind one type, if speed does not matter.
struct ErasedHeuristic {
  std::function<Cost(NodeId)> value;
  Guarantee promised;
  Cost operator()(NodeId v) const { return value(v); }
  Guarantee guarantee() const { return promised; }
};
ErasedHeuristic erased(const AnyHeuristic& heuristic);

struct RouterPlan {
  Graph given;  // the caller's graph
  Graph graph;  // the same graph, possibly with its arcs in another order
  RouterOptions options;
  const AlgorithmRow* row = nullptr;
  std::string note;
  Guarantee guarantee = Guarantee::kConsistent;

  std::optional<Geometry> geometry;
  std::shared_ptr<const Potentials> potentials;
  std::shared_ptr<const PotentialFamily> family;  // for requests
  std::shared_ptr<const LookAhead> look_ahead;    // for bidirectional search
  std::shared_ptr<const Index> index;             // for the algorithm "core"
  std::optional<PotentialNet> net;                // for the heuristic "learned"

  AnyHeuristic to_target(Query query) const;
};

// Checks that the options fit each other and the graph, and prepares the search.
void prepare(RouterPlan& plan);

}  // namespace lodestar::detail
