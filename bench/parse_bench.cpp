// parse_bench [NODES]: megabytes per second of DIMACS text, and milliseconds to open the same graph
// as .lsg. Prints medians of several runs on one thread; the graph is a generated road network.
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "bench/harness/program.h"
#include "bench/harness/statistics.h"
#include "bench/harness/turns.h"
#include "lodestar/generate.h"
#include "lodestar/graph_io.h"

namespace {

double median_seconds(int runs, const std::function<void()>& task) {
  using namespace lodestar::bench;
  return median(time_in_turns(1, {.turns = runs}, [&](std::size_t, int) { task(); }).front());
}

int measure(lodestar::NodeId nodes) {
  using namespace lodestar;
  GraphSpec spec;
  spec.family = Family::kRoad;
  spec.nodes = nodes;
  GraphFile file;
  file.graph = generate(spec);
  std::string folder = (std::filesystem::temp_directory_path() / "parse-bench-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) return 2;
  const std::string text = folder + "/road.gr";
  const std::string binary = folder + "/road.lsg";
  write_graph(file, text);
  write_graph(file, binary);
  std::filesystem::remove(folder + "/road.co");  // the arcs alone are timed

  std::printf("road graph, %u nodes, %zu arcs\n", file.graph.node_count(), file.graph.arc_count());
  const double megabytes = static_cast<double>(std::filesystem::file_size(text)) / 1e6;
  const double parse = median_seconds(5, [&] { read_graph(text); });
  std::printf("DIMACS   %7.1f MB  %7.1f ms  %6.1f MB/s\n", megabytes, parse * 1e3,
              megabytes / parse);
  const double open = median_seconds(11, [&] { read_graph(binary); });
  std::printf("binary   %7.1f MB  %7.1f ms\n",
              static_cast<double>(std::filesystem::file_size(binary)) / 1e6, open * 1e3);
  std::filesystem::remove_all(folder);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  lodestar::NodeId nodes = 1'000'000;
  CLI::App app("Speed of reading graph files", "parse_bench");
  app.add_option("nodes", nodes, "Nodes of the generated graph");
  return lodestar::bench::run_program(app, argc, argv, [&] { return measure(nodes); });
}
