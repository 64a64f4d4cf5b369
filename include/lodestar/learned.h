// Searches with the potentials of a trained model, with a choice of guarantees.
//
//   const PotentialNet net(load_model("deep"), graph);                 // shared by threads
//   LearnedSearcher searcher(graph, net, {.promise = Promise::kExact});  // one per thread
//   const SearchResult found = searcher.run({s, t});
//
// kNothing  The paper's A*: fastest, and usually close to the optimum. The result has a valid lower
//           bound and therefore a gap.
// kExact    Replaces the learned potential by the smallest feasible one above it (certificate.h),
//           which is consistent. The cost equals that of Dijkstra's algorithm bit for bit.
// kBound    Focal search ordered by the learned potential and proven by its closure. The cost is at
//           most (1 + bound) times the distance.
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
  double bound = 0.05;        // for kBound
  SearchOptions search = {};  // kBound uses max_expansions only
  bool times = false;         // measure the seconds of the result
  // For kExact: combined with the model by the maximum. Must be consistent and outlive the
  // searcher.
  const Potentials* potentials = nullptr;
};

class LearnedSearcher {
 public:
  LearnedSearcher(const Graph& graph, const PotentialNet& net, const LearnedOptions& options = {});

  // Measures heuristic, closure and search separately. With kNothing a net that collapses is
  // evaluated inside the search, and its time is estimated from samples.
  SearchResult run(Query query);
  // The same; calls on_settle(node, g, parent) for every settled node.
  using OnSettle = std::function<void(NodeId, Cost, NodeId)>;
  SearchResult run(Query query, const OnSettle& on_settle);
  std::vector<NodeId> path() const;

  // The number of nodes that the closure changed for the last query.
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
