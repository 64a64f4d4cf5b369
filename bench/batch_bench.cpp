// Processor time of a batch of queries in C++, for comparison with python_peers.py.
//
//   batch_bench road.lsg road.lsi pairs.bin ROUNDS
//
// pairs.bin holds sources, then targets, as 32-bit numbers. Prints the seconds of each round and
// the sum of all costs, to compare the results too.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <numeric>
#include <string>
#include <vector>

#include "bench/harness/program.h"
#include "bench/harness/stopwatch.h"
#include "lodestar/graph_io.h"
#include "lodestar/router.h"

namespace {

std::vector<lodestar::Query> read_pairs(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const std::vector<char> bytes((std::istreambuf_iterator<char>(in)), {});
  const std::size_t count = bytes.size() / 8;
  const auto* ids = reinterpret_cast<const lodestar::NodeId*>(bytes.data());
  std::vector<lodestar::Query> pairs(count);
  for (std::size_t i = 0; i < count; ++i) pairs[i] = {ids[i], ids[count + i]};
  return pairs;
}

}  // namespace

int main(int argc, char** argv) {
  std::string graph, index, pairs_file;
  int rounds = 1;
  CLI::App app("Processor time of a batch of queries", "batch_bench");
  app.add_option("graph", graph)->required();
  app.add_option("index", index)->required();
  app.add_option("pairs", pairs_file, "Sources, then targets, as 32-bit numbers")->required();
  app.add_option("rounds", rounds)->required();
  return lodestar::bench::run_program(app, argc, argv, [&] {
    const lodestar::GraphFile file = lodestar::read_graph(graph);
    const lodestar::Router router(file.graph, {.index_file = index});
    const auto pairs = read_pairs(pairs_file);
    double sum = 0;
    for (int round = 0; round < rounds; ++round) {
      const double start = lodestar::bench::process_seconds();
      const auto costs = router.costs(pairs);
      std::printf("%.6f\n", lodestar::bench::process_seconds() - start);
      sum = std::accumulate(costs.begin(), costs.end(), 0.0);
    }
    std::printf("sum %.17g\n", sum);
    return 0;
  });
}
