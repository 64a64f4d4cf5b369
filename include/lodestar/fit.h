// Trains potentials for one graph. They are feasible at all times, so searches with them are exact.
//
//   const FitResult fitted = fit(graph, {.seconds = 30});
//   fitted.potentials.save("roads.lsp");
//
// or step by step:
//
//   Fitter fitter(graph, options);                     // computes initial potentials
//   while (fitter.seconds() < 30) report(fitter.round());
//   fitter.potentials().save("roads.lsp");
//
// The objective is the paper's, Σ over sample pairs of y(t) - y(s) subject to feasibility, with the
// best of K potentials per pair: Σ max_i (f_i(t) - f_i(s)). A round
//   1. searches sample queries with the current potentials and takes pairs (v, t) from the nodes
//      they settled, so training improves the estimates that searches use;
//   2. assigns each pair to the potential with the best bound (on graphs of up to 200,000 nodes the
//      first rounds randomise this); for a fixed assignment the objective is linear,
//      Σ_i Σ_v b_i(v) f_i(v), and a lower bound of the true objective;
//   3. improves each potential by cone moves at the ends of random pairs (src/potentials/cone.h).
// In step 3 the potentials are independent and have their own random numbers. The result therefore
// depends on the seed and the number of rounds, but not on the number of threads.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lodestar/graph.h"
#include "lodestar/landmarks.h"
#include "lodestar/potentials.h"
#include "lodestar/types.h"

namespace lodestar {

enum class QueryKind : std::uint8_t {
  kUniform,  // source and target are uniform
  kRank,     // the Dijkstra ranks 2^8, 2^9, … are equally frequent: near and far targets
  kLog,      // drawn from FitOptions::log
};

// The initial potentials. They matter, because training changes potentials gradually and does not
// replace them.
enum class FitStart : std::uint8_t {
  kRace,       // trains landmarks, cuts and mix briefly and continues with the best
  kLandmarks,  // the best of farthest, avoid (up to 100,000 nodes) and greedy (if time allows)
  kFarthest,   // landmarks.h
  kAvoid,
  kGreedy,
  kCuts,  // cuts.h
  kMix,   // the landmarks and cuts that save the most expansions, from a large pool
};
// "race", "landmarks", "farthest", "avoid", "greedy", "cuts", "mix".
std::string to_string(FitStart start);
FitStart parse_fit_start(const std::string& text);

// Default training time of potentials, in seconds.
inline constexpr double kDefaultFitSeconds = 30;

struct FitOptions {
  std::uint32_t potential_count = 16;
  std::uint64_t seed = 1;
  std::uint32_t threads = 1;  // 0: all cores
  FitStart start = FitStart::kRace;
  // Time limit of fit(), including the initial potentials. fit() ends earlier if two rounds in
  // succession improve nothing. A Fitter uses it only to limit the time for the initial potentials.
  double seconds = kDefaultFitSeconds;
  std::uint64_t rounds = 0;  // above 0: fit() runs this many rounds and ignores `seconds`
  // Returns the seconds by which time is measured, as process_seconds() (detail/clock.h) does.
  // Default: wall time. Called on the caller's thread only.
  std::function<double()> clock = {};
  QueryKind kind = QueryKind::kUniform;
  std::vector<Query> log = {};    // for kLog
  std::size_t pairs = 0;          // kept for training; 0: six per node, 500,000 to 24 million
  std::uint32_t queries = 1000;   // searched per round for new pairs
  std::uint32_t held_back = 100;  // held-out queries, searched after each round
};

struct FitRound {
  std::uint64_t round = 0;
  double seconds = 0;          // since the start
  double objective = 0;        // mean bound of the pairs before this round
  double expansions = 0;       // mean of the held-out queries after this round
  std::uint64_t moves = 0;     // attempted
  std::uint64_t accepted = 0;  // moves that improved the objective
  std::uint64_t settled = 0;   // nodes visited by all moves
};

class Fitter {
 public:
  // Throws Error if the graph has no pair of connected nodes.
  Fitter(const Graph& graph, const FitOptions& options);
  // Continues from potentials of any origin. They must have 32 bits and be feasible on this graph.
  Fitter(const Graph& graph, const Potentials& start, const FitOptions& options);
  ~Fitter();
  Fitter(Fitter&&) noexcept;
  Fitter& operator=(Fitter&&) noexcept;

  // Runs one round. If `stop` returns true, the round ends early with feasible potentials. `stop`
  // is called on the caller's thread every few milliseconds. If it or a worker thread throws, the
  // exception reaches the caller and the fitter keeps the state of the previous round.
  FitRound round(const std::function<bool()>& stop = {});

  // Adds pairs to train the next rounds on, beside those of its own searches.
  void add_pairs(std::span<const Query> pairs);

  std::uint64_t rounds() const;
  double seconds() const;
  // The best potentials so far, including the initial ones: those with the fewest expansions on the
  // held-out queries.
  const Potentials& potentials() const;
  double expansions() const;          // their mean on the held-out queries
  double evaluation_seconds() const;  // time of the last search of the held-out queries

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

struct FitProgress {
  double share = 0;                 // done, from 0 to 1
  double expansions_before = 0;     // with the initial potentials
  const FitRound* round = nullptr;  // the last round; null before the first
  const Fitter& fitter;             // fitter.potentials() is the best so far
};

// Callbacks of fit(), called on the caller's thread.
struct FitHooks {
  std::function<void(const FitProgress&)> progress = {};  // before the first and after each round
  std::function<bool()> stop = {};                        // true: return the best so far
};

struct FitResult {
  Potentials potentials;     // the best of all rounds on the held-out queries
  std::uint64_t rounds = 0;  // 0: the time was too short to train the initial potentials
  double seconds = 0;
  double expansions_before = 0;  // mean of the held-out queries with the initial potentials
  double expansions = 0;         // mean of the held-out queries with the result
  bool stopped = false;          // by FitHooks::stop
};

// Computes initial potentials and trains them as long as the options say. Throws Error as Fitter
// does, and if the options allow neither time nor rounds. Exceptions of the hooks pass through.
// Throws Stopped (detail/stop.h) if FitHooks::stop ends it before there are initial potentials.
FitResult fit(const Graph& graph, const FitOptions& options = {}, const FitHooks& hooks = {});
// Continues from potentials that are feasible on this graph.
FitResult fit(const Graph& graph, const Potentials& start, const FitOptions& options,
              const FitHooks& hooks = {});

}  // namespace lodestar
