// Processor time of a batch of queries in C++, for python_peers.py to compare its own with.
//
//   batch_bench road.lsg road.lsi pairs.bin ROUNDS
//
// pairs.bin holds sources, then targets, as 32-bit numbers. Prints the seconds of each round and
// the sum of all costs, so that both can be seen to have done the same.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <vector>

#include "lodestar/graph_io.h"
#include "lodestar/router.h"

namespace {

std::vector<lodestar::Query> read_pairs(const char* path) {
  std::ifstream in(path, std::ios::binary);
  const std::vector<char> bytes((std::istreambuf_iterator<char>(in)), {});
  const std::size_t count = bytes.size() / 8;
  const auto* ids = reinterpret_cast<const lodestar::NodeId*>(bytes.data());
  std::vector<lodestar::Query> pairs(count);
  for (std::size_t i = 0; i < count; ++i) pairs[i] = {ids[i], ids[count + i]};
  return pairs;
}

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: batch_bench GRAPH INDEX PAIRS ROUNDS\n");
    return 2;
  }
  try {
    const lodestar::GraphFile file = lodestar::read_graph(argv[1]);
    const lodestar::Router router(file.graph, {.index_file = argv[2]});
    const auto pairs = read_pairs(argv[3]);
    double sum = 0;
    for (int round = 0; round < std::atoi(argv[4]); ++round) {
      const double start = processor_seconds();
      const auto costs = router.costs(pairs);
      std::printf("%.6f\n", processor_seconds() - start);
      sum = 0;
      for (const double cost : costs) sum += cost;
    }
    std::printf("sum %.17g\n", sum);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
