// Prepares methods: the graph, their memory limit, and parts that several methods share, which are
// made at first use.
//
//   Workshop workshop(graph, {.potential_count = 16, .time = {.seconds = 10}});
//   const std::shared_ptr<const PreparedPotentials> learned = workshop.learned();   // trained now
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "lodestar/bidirectional.h"
#include "lodestar/fit.h"
#include "lodestar/landmarks.h"
#include "lodestar/search.h"

namespace lodestar::bench {

// Potentials and the time to make them.
struct PreparedPotentials {
  Potentials potentials;
  double seconds;
};

PreparedPotentials prepare_landmarks(const Graph& graph, LandmarkMethod method,
                                     std::uint32_t potentials, std::uint64_t seed);

// How long to train. Processor time does not depend on other processes of the machine.
struct TrainingTime {
  double seconds = 30;
  bool processor = false;    // of all threads together
  std::uint64_t rounds = 0;  // instead, when above 0
};
// `progress` is called with the share done.
PreparedPotentials prepare_learned(const Graph& graph, const FitOptions& options,
                                   const TrainingTime& time,
                                   const std::function<void(double)>& progress = {});

struct WorkshopOptions {
  FitOptions fit;  // also the seed of everything else
  TrainingTime time;
  std::string potentials_file;  // potentials to read instead of training
  // Training rounds of a core; 0: train for two seconds. Rounds give the same index on any machine.
  std::uint64_t index_rounds = 0;
};

class Workshop {
 public:
  // Called with the share done of a long step and its name.
  using Progress = std::function<void(double, const std::string&)>;

  Workshop(Graph graph, WorkshopOptions options, Progress progress = {});

  const Graph& graph() const { return graph_; }
  const FitOptions& fit_options() const { return options_.fit; }
  std::uint32_t potential_count() const {
    return options_.fit.potential_count;
  }  // values a node may have
  std::uint64_t seed() const { return options_.fit.seed; }
  std::uint32_t threads() const { return options_.fit.threads; }
  std::uint64_t index_rounds() const { return options_.index_rounds; }
  void report(double share, const std::string& what) const;

  // Shared by all methods, which take turns, because node labels of a large graph take much memory.
  std::shared_ptr<Searcher> searcher();
  std::shared_ptr<BidirectionalSearcher> both_ends();
  // Trained, or read from potentials_file. Throws Error if the file belongs to another graph.
  std::shared_ptr<const PreparedPotentials> learned();
  bool has_learned() const { return learned_ != nullptr; }

 private:
  Graph graph_;
  WorkshopOptions options_;
  Progress progress_;
  std::shared_ptr<Searcher> searcher_;
  std::shared_ptr<BidirectionalSearcher> both_ends_;
  std::shared_ptr<const PreparedPotentials> learned_;
};

}  // namespace lodestar::bench
