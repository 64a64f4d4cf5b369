// Parts of `lodestar bench static`: the table of methods (bench_static_table.cpp) and the curves
// (bench_static_curves.cpp), on one graph with one set of queries. What is measured and how is in
// bench/harness/; here it is asked for and shown.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/harness/workshop.h"
#include "lodestar/graph_io.h"
#include "progress.h"

namespace lodestar::cli {

struct BenchStaticOptions {
  std::string graph;
  std::string queries;
  std::string potentials_file;  // learned before; empty: train
  std::string folder;
  std::vector<std::string> methods;  // by id; empty: the usual ones
  std::size_t count = 1000;
  int passes = 3;
  bench::TrainingTime time;
  bool quick = false;  // only what the ratio needs
  bool fresh = false;
  bool paths = false;
  bool memory = false;
  std::vector<std::uint32_t> bytes;  // a node, to compare at; empty: those of the memory curve
  bool ranks = false;
  bool json = false;
  std::uint64_t seed = 1;
  FitOptions fit;
  ReadOptions read;
};

// What the figures and the table are made of.
struct BenchStatic {
  const BenchStaticOptions& options;
  Graph graph;
  std::vector<Query> queries;
  std::vector<std::string> notes;  // of reading the graph
  Progress progress{"bench static"};

  bench::WorkshopOptions workshop_options() const {
    return {options.fit, options.time, options.potentials_file};
  }
  bench::Workshop::Progress reporter() {
    return [this](double share, const std::string& what) { progress.update(share, what); };
  }
};

// Prints the table of all methods; returns the exit code.
int show_static_table(BenchStatic& bench);

void draw_against_memory(BenchStatic& bench);
void draw_against_rank(BenchStatic& bench);

}  // namespace lodestar::cli
