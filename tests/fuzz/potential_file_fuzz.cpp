#include <cmath>

#include "lodestar/potential_file.h"
#include "target.h"

// The text file of `certify --potentials`.
FUZZ_TARGET(potential_file) {
  using namespace lodestar;
  static const GraphFile numbered = parse_graph("p sp 3 1\na 1 2 3\n", "a.gr");
  static const GraphFile named = parse_graph("a,c,1\nc,d,1\n", "a.csv");
  for (const GraphFile* graph : {&numbered, &named}) {
    try {
      const std::vector<double> y = parse_potentials(bytes, "fuzz.txt", *graph);
      fuzz::require(y.size() == graph->graph.node_count());
      for (const double value : y) fuzz::require(std::isfinite(value));
    } catch (const Error& error) {
      fuzz::require(std::string_view(error.what()).starts_with("fuzz.txt"));
    }
  }
}
