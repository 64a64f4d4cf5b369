// Parts of `lodestar bench static`: the comparison (static_compare.cpp) and the curves
// (static_curves.cpp), on one graph with one set of queries.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lodestar/graph_io.h"
#include "progress.h"
#include "static_bench.h"

namespace lodestar::cli {

struct BenchStatic {
  std::string graph;
  std::string queries;
  std::string table_file;  // learned before; empty: train
  std::string folder;
  std::size_t count = 1000;
  int passes = 3;
  TrainingTime time;
  bool quick = false;  // only what the ratio needs
  bool memory = false;
  bool ranks = false;
  bool json = false;
  std::string row;  // name of a Markdown row
  std::uint64_t seed = 1;
  FitOptions fit;
  ReadOptions read;
};

// What the figures and the table are made of.
struct Bench {
  const BenchStatic& options;
  Graph graph;
  std::vector<Query> queries;
  Progress progress{"bench static"};
};

// The table given, or one trained now. Throws Error when the one given belongs to another graph.
PreparedTable learned_table(Bench& bench, std::uint32_t potentials);

// Prints the table of all methods; returns the exit code.
int compare_static(Bench& bench);

void draw_against_memory(Bench& bench);
void draw_against_rank(Bench& bench);

}  // namespace lodestar::cli
