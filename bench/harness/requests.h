// Requests with weights of their own, answered by several methods side by side.
//
//   RequestBench bench(graph, metrics, shape, options);   // trains and prepares
//   for (const RequestRow& row : bench.run()) use(row);
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bench/harness/traffic.h"
#include "lodestar/fit_family.h"
#include "lodestar/metrics.h"
#include "lodestar/preferences.h"
#include "lodestar/shape.h"

namespace lodestar::bench {

struct RequestBenchOptions {
  std::size_t count = 200;     // requests of a kind
  std::size_t customised = 5;  // of these, answered by customising, which is slow
  std::size_t passes = 3;      // the fastest one counts
  std::uint64_t seed = 1;
  FamilyOptions family;          // of the learned potentials; ALT gets the same knots and memory
  std::string family_file = {};  // to read instead of training
  double own_seconds = 0;        // above 0: trains potentials for each blend alone, to compare with
  bool labels = false;           // compares with label potentials
  std::vector<TrafficMethod> customisers = {};  // of other libraries, beside our own
};

struct RequestRow {
  std::string kind;    // "blend", "avoid a disc of 2 %"
  std::string method;  // "learned", "ALT", "CH-Potentials", "bidirectional", …
  double microseconds = 0;
  double expansions = 0;
  std::size_t wrong = 0;
};

struct RequestBenchResult {
  std::vector<RequestRow> rows;
  std::vector<std::string> preparation;  // one line per method: seconds and bytes per node
  std::size_t checked = 0;
  std::size_t wrong = 0;
};

// Throws Error if the graph has no second metric and no coordinates to make one of.
RequestBenchResult bench_requests(const Graph& graph, const Metrics& metrics, const Shape& shape,
                                  const RequestBenchOptions& options,
                                  const std::function<void(double, const std::string&)>& progress);

}  // namespace lodestar::bench
