// A user's heuristic as a program in any language, started once for many queries.
//
//   ProgramSource program("python3 mine.py");
//   program.ask(instance, y);                          // y = -h
//
// It reads from its standard input, for each query, a line "n m s t" (nodes 0 … n-1, m arcs, source
// and target) and m lines "u v w", one per arc; an undirected edge is two arcs. It writes n
// numbers, h(0) … h(n-1), its estimates of the cost from each node to t, separated by blanks or
// line ends, and flushes. At the end of its input it should end.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "learn/evaluate/splits.h"

namespace lodestar::evaluate {

class ProgramSource {
 public:
  explicit ProgramSource(std::string command);  // throws Error when it cannot be started
  ProgramSource(const ProgramSource&) = delete;
  ProgramSource& operator=(const ProgramSource&) = delete;
  ~ProgramSource();

  // Throws Error when the program ends early or writes anything but finite numbers.
  void ask(const Instance& instance, std::vector<double>& y);

 private:
  std::string command_;
  int process_ = -1;
  std::FILE* to_ = nullptr;
  std::FILE* from_ = nullptr;
};

}  // namespace lodestar::evaluate
