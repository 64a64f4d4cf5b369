// What both kinds of `lodestar fit` share: its options, and what Ctrl-C does.
#pragma once

#include <csignal>
#include <string>

#include "lodestar/fit.h"
#include "lodestar/graph_io.h"

namespace lodestar::cli {

struct FitVerb {
  std::string graph;
  std::string output;
  std::string queries;
  std::string distribution = "uniform";
  std::string start = "race";
  int bits = 32;
  double core = -1;    // nodes, or below 1 a share; negative: chosen
  bool whole = false;  // potentials of the whole graph
  bool paths = true;
  bool labels = false;
  bool search = false;  // across the core, even where potentials is better
  double memory = 0;    // bytes per node an index may take; 0: no matter
  bool resume = false;
  bool time_given = false;
  bool potentials_given = false;
  bool start_given = false;
  bool json = false;
  FitOptions fit;
  ReadOptions read;
};

// Ctrl-C ends the training, not the program: what was learned is saved. A second one kills.
class KeepOnInterrupt {
 public:
  KeepOnInterrupt();
  ~KeepOnInterrupt();
  static bool interrupted();
};

// Makes an index (.lsi) instead of potentials. Returns the exit code.
int run_fit_index(const FitVerb& verb);

}  // namespace lodestar::cli
