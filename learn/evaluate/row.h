// A row of the report: what all trials of one method on one split come to.
#pragma once

#include <string>
#include <vector>

#include "bench/harness/statistics.h"
#include "learn/evaluate/measure.h"
#include "learn/evaluate/method.h"

namespace lodestar::evaluate {

using Samples = std::vector<Sample>;  // one per graph

struct TypicalSeconds {  // medians over graphs and trials
  double preparation = 0, heuristic = 0, closure = 0, search = 0, dijkstra = 0;
  double total() const { return preparation + heuristic + closure + search; }
};

struct Row {
  Split split;
  std::string method;
  std::size_t trials = 0;
  double scale = 1;             // of the method
  bool potential = true;        // false: the method has no y, so constraints do not apply
  bench::Estimate constraints;  // in percent, a self-loop at every node counted as the paper does
  bench::Estimate arc_constraints;  // in percent, of the graph's arcs alone
  bench::Estimate accuracy;         // in percent: paths as short as Dijkstra's
  bench::Estimate distance;         // in percent above the optimum
  bench::Estimate iterations;
  bench::Estimate dijkstra;  // iterations
  bench::Estimate ratio;     // iterations ÷ Dijkstra's on the same graphs
  bench::Estimate reopened;  // nodes a graph
  bench::Estimate closed;    // nodes changed by closure, per graph
  bench::Estimate gap;       // in percent of the optimum: cost - proven lower bound
  // Iterations ÷ nodes of a shortest path, query by query; of all trials together.
  bench::Estimate per_path;
  double per_path_p99 = 0;
  double per_path_worst = 0;
  TypicalSeconds seconds;

  double speedup() const { return seconds.dijkstra / seconds.total(); }
  // Cost of an expansion from which the heuristic pays off; infinite if it saves none.
  double break_even_seconds() const;
};

Row make_row(const Split& split, const Method& method, const std::vector<const Samples*>& trials);

// Name of the row of `paper` beside `paper-alone`, which has the same seeds and data.
inline constexpr const char* kImitationGain = "paper - paper-alone";

// Trial i of one method beside trial i of another on the same graphs. Ratio, iterations and
// distance are differences, the first method's minus the second's; the rest stays empty.
Row make_paired_row(const Split& split, const std::string& name,
                    const std::vector<const Samples*>& trials,
                    const std::vector<const Samples*>& others);

}  // namespace lodestar::evaluate
