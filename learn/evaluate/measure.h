// One method on one graph: what it found, what it cost, what its potential is worth.
//
//   Measurer measurer({.algorithm = SearchAlgorithm::kAStar});      // one per thread
//   measurer.begin(instance, number);                               // runs Dijkstra
//   const Sample sample = measurer.measure(method);
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "learn/evaluate/method.h"
#include "learn/evaluate/potential_source.h"
#include "learn/evaluate/splits.h"
#include "lodestar/certificate.h"
#include "lodestar/router.h"
#include "lodestar/search.h"

namespace lodestar::evaluate {

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
