// One method on one graph: what it found, what it cost, what its potential is worth.
//
//   Measurer measurer({.algorithm = SearchAlgorithm::kAStar});      // one per thread
//   measurer.begin(instance, number);                               // runs Dijkstra
//   const Sample sample = measurer.measure(method);
#pragma once

#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "learn/evaluate/method.h"
#include "learn/evaluate/splits.h"
#include "lodestar/certificate.h"
#include "lodestar/router.h"
#include "lodestar/search.h"

namespace lodestar::evaluate {

// A method's potential on one instance, timed.
// A user's heuristic as a program in any language, started once for many queries.
//
//   ProgramSource program("python3 mine.py");
//   program.ask(instance, y);                          // y = -h
//
// It reads from its standard input, for each query, a line "n m s t" (nodes 0 … n-1, m arcs, source
// and target) and m lines "u v w", one per arc; an undirected edge is two arcs. It writes n
// numbers, h(0) … h(n-1), its estimates of the cost from each node to t, separated by blanks or
// line ends, and flushes. At the end of its input it should end.
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

struct SourceSeconds {
  double preparation = 0;  // reusable for further queries on the same graph
  double heuristic = 0;    // for this query
};

// Use one per thread. It keeps users' programs running.
class PotentialSource {
 public:
  // Fills y with one finite number per node, before scaling and closure. `number` seeds random
  // methods. Throws Error if a program violates the protocol.
  SourceSeconds fill(const Method& method, const Instance& instance, std::uint64_t number,
                     std::vector<double>& y);

 private:
  std::map<std::string, std::unique_ptr<ProgramSource>> programs_;  // by command
};

enum class SearchAlgorithm : std::uint8_t { kAStar, kWeighted, kGreedy, kFocal, kBidirectional };

SearchAlgorithm parse_search(const std::string& name);  // throws Error
std::string search_names();

struct SearchPlan {
  SearchAlgorithm algorithm = SearchAlgorithm::kAStar;
  double weight = 1.5;  // of weighted A*
  double bound = 0.05;  // of focal search

  std::string identity() const;  // "astar", "weighted 1.5"
};

struct Sample {
  double iterations = 0;  // nodes taken from the queue, the target included
  double reopened = 0;
  double distance = 0;  // (cost - optimum) / optimum
  double gap = 0;       // (cost - proven lower bound) / optimum
  double violated = 0;  // arcs with y(v) - y(u) > w(u,v)
  double arcs = 0;
  double dijkstra = 0;  // iterations
  double path = 0;      // nodes of a shortest path: no search takes fewer
  double closed = 0;    // nodes that the closure changed: work that iterations do not show

  double preparation_seconds = 0;
  double heuristic_seconds = 0;
  double closure_seconds = 0;
  double search_seconds = 0;
  double dijkstra_seconds = 0;
};

class Measurer {
 public:
  explicit Measurer(const SearchPlan& plan) : plan_(plan) {}

  // The instance must outlive the measurements. `number` seeds random methods.
  void begin(const Instance& instance, std::uint64_t number);
  // y is kept from call to call: methods that share a source should follow each other.
  Sample measure(const Method& method);

 private:
  void prepare_potential(const Method& method, Sample& sample);
  Router router_for(const Method& method) const;

  SearchPlan plan_;
  PotentialSource source_;
  const Instance* instance_ = nullptr;
  std::uint64_t number_ = 0;
  std::optional<Searcher> searcher_;
  std::optional<ExactClosure> closure_;
  double ordering_seconds_ = 0;  // of the closure's graph
  SearchResult truth_;
  double path_ = 0;              // nodes
  std::string source_identity_;  // of y_
  SourceSeconds source_seconds_;
  std::vector<double> y_;       // as the source gave it
  std::vector<double> used_;    // scaled, closed when asked
  std::vector<double> proven_;  // feasible, for searches that need one
};

}  // namespace lodestar::evaluate
