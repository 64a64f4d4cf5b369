// What `reproduce` runs: which splits, which methods on each.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "learn/evaluate/grid.h"

namespace lodestar::cli {

struct ReproduceOptions {
  bool quick = false;       // a few graphs
  bool full = false;        // every kind and size of graphs, three sets of each
  std::string planning;     // folder of maps: the planning benchmark instead
  std::string folder;       // of the results; also where an interrupted run is taken up
  std::uint64_t seed = 1;   // of the test graphs
  std::uint32_t draws = 0;  // independent sets of test graphs; 0: three if full, otherwise one
  bool strict = false;      // exit code 1 when a claim fails
  std::vector<std::string> kinds;     // of drawing; empty: as the grid has them
  std::vector<std::string> models;    // NAME=FILE, or FILE
  std::vector<std::string> programs;  // NAME=COMMAND
  std::string search = "astar";
  double weight = 1.5;
  double bound = 0.05;
  std::vector<NodeId> sizes;  // of the paper's, alone; empty: as the grid has them
  std::uint32_t graphs = 0;   // of each cell; 0: as the grid has them
  unsigned threads = 0;       // 0: as many as there are processors
};

struct ReproducePlan {
  evaluate::Grid grid;
  double constant = 0;                    // c of the constant heuristic
  std::vector<std::string> learned;       // names of the rows of models, embedded and given
  std::vector<std::string> baselines;     // names of the others
  std::vector<std::string> given;         // of the learned: the user's own, without closure
  std::size_t models = 0;                 // of each embedded preset
  std::uint32_t draws = 1;                // sets of test graphs
  std::vector<std::string> model_hashes;  // "deep 0: 7d1d759e1923fb37"
  // By method: share of predecessors its models name like Dijkstra's algorithm, as their files say.
  std::map<std::string, std::vector<double>> predecessors;
};

// Chooses the constant on validation graphs. Throws Error on a name or file that is not there.
ReproducePlan make_plan(const ReproduceOptions& options);

// `reproduce --planning`: the benchmark of learned planners, on maps that the user gives.
// Writes planning.md, planning.csv and planning.html to the folder of results and prints the table.
int run_planning_benchmark(const ReproduceOptions& options);

}  // namespace lodestar::cli
