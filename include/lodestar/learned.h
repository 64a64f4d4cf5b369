// Queries answered with a model's potentials, and what is proven about the answers.
//
//   const PotentialNet net(load_model("deep"), graph);                 // shared by threads
//   LearnedSearcher searcher(graph, net, {.promise = Promise::kExact});  // one per thread
//   const SearchResult found = searcher.run({s, t});
//
// kNothing  The paper's A*: fastest, usually near the optimum; the result still carries a lower
//           bound that holds, and so a gap.
// kExact    The smallest feasible potential above the learned one (certificate.h) takes its place:
//           consistent, so the answer is optimal, to the last bit Dijkstra's.
// kBound    Focal search: the learned value orders, its closure proves. At most (1 + bound) times
//           the distance.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "lodestar/certificate.h"
#include "lodestar/focal.h"
#include "lodestar/infer.h"
#include "lodestar/potentials.h"
#include "lodestar/search.h"

namespace lodestar {

enum class Promise : std::uint8_t { kNothing, kExact, kBound };

struct LearnedOptions {
  Promise promise = Promise::kNothing;
  double bound = 0.05;        // of kBound
  SearchOptions search = {};  // kBound uses max_expansions only
  bool times = false;         // fill in the result's seconds
  // kExact: joined with the model by the larger of both; must be consistent and outlive the search.
  const Potentials* potentials = nullptr;
};

class LearnedSearcher {
 public:
  LearnedSearcher(const Graph& graph, const PotentialNet& net, const LearnedOptions& options = {});

  // Heuristic, closure and search are timed apart. A net that collapses is evaluated inside the
  // search when nothing is promised, and its share is then an estimate
  // (src/search/timed_heuristic.h).
  SearchResult run(Query query);
  // The same, with every settled node told: node, g, parent.
  using OnSettle = std::function<void(NodeId, Cost, NodeId)>;
  SearchResult run(Query query, const OnSettle& on_settle);
  std::vector<NodeId> path() const;

  // Nodes the closure changed for the last query.
  std::size_t closed_nodes() const { return closed_nodes_; }

 private:
  template <class Observer>
  SearchResult run_lazily(Query query, Observer& observer);
  template <class Observer>
  SearchResult run_watched(Query query, Observer& observer);

  PotentialNet net_;
  LearnedOptions options_;
  std::optional<Searcher> searcher_;
  std::optional<FocalSearcher> focal_;
  std::optional<ExactClosure> closure_;
  std::optional<LazyPotential> lazy_;
  std::optional<PotentialNet::Workspace> work_;
  std::vector<double> y_;
  std::vector<double> closed_;
  std::size_t closed_nodes_ = 0;
};

}  // namespace lodestar
