// A row of the report: what all trials of one contender on one split come to.
#pragma once

#include <string>
#include <vector>

#include "bench/harness/statistics.h"
#include "learn/evaluate/measure.h"
#include "learn/evaluate/method.h"

namespace lodestar::paper {

using Samples = std::vector<Sample>;  // one per graph

struct TypicalSeconds {  // medians over graphs and trials
  double preparation = 0, heuristic = 0, closure = 0, search = 0, dijkstra = 0;
  double total() const { return preparation + heuristic + closure + search; }
};

struct Row {
  Split split;
  std::string contender;
  std::size_t trials = 0;
  double scale = 1;            // of the contender
  bool potential = true;       // false: the method has no y, so constraints do not apply
  eval::Estimate constraints;  // in percent, a self-loop at every node counted as the paper does
  eval::Estimate arc_constraints;  // in percent, of the graph's arcs alone
  eval::Estimate accuracy;         // in percent: paths as short as Dijkstra's
  eval::Estimate distance;         // in percent above the optimum
  eval::Estimate iterations;
  eval::Estimate dijkstra;  // iterations
  eval::Estimate ratio;     // iterations ÷ Dijkstra's on the same graphs
  eval::Estimate reopened;  // nodes a graph
  eval::Estimate gap;       // in percent of the optimum: cost - proven lower bound
  // Iterations ÷ nodes of a shortest path, query by query; of all trials together.
  eval::Estimate per_path;
  double per_path_p99 = 0;
  double per_path_worst = 0;
  TypicalSeconds seconds;

  double speedup() const { return seconds.dijkstra / seconds.total(); }
  // Cost of an expansion from which the heuristic pays off; infinite if it saves none.
  double break_even_seconds() const;
};

Row make_row(const Split& split, const Contender& contender,
             const std::vector<const Samples*>& trials);

}  // namespace lodestar::paper
