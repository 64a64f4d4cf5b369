// Learns the potentials of one graph for its queries: exact by construction, at every moment.
//
//   const FitResult fitted = fit(graph, {.seconds = 30});
//   fitted.potentials.save("roads.lsp");
//
// or step by step:
//
//   Fitter fitter(graph, options);                     // finds a start
//   while (fitter.seconds() < 30) report(fitter.round());
//   fitter.potentials().save("roads.lsp");
//
// The objective is the paper's, Σ over sample pairs of y(t) - y(s) subject to feasibility, with the
// best of K potentials per pair: Σ max_i (f_i(t) - f_i(s)). A round
//   1. searches sample queries with the potentials so far and takes pairs (v, t) from the nodes
//      they settled: what the search asks for is what gets better;
//   2. gives each pair to the potential that serves it best (on graphs of up to 200,000 nodes the
//      first rounds leave some of that to chance); for this assignment the objective is linear,
//      Σ_i Σ_v b_i(v) f_i(v), and a lower bound of the true one;
//   3. improves each potential by cone moves at the ends of random pairs (src/potentials/cone.h).
// Potentials are independent in step 3 and have their own random numbers, so the result depends on
// the seed and the number of rounds, not on the number of threads.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "lodestar/graph.h"
#include "lodestar/landmarks.h"
#include "lodestar/potentials.h"
#include "lodestar/types.h"

namespace lodestar {

enum class QueryKind : std::uint8_t {
  kUniform,  // both ends anywhere
  kRank,     // all Dijkstra ranks 2^8, 2^9, … equally often: near and far alike
  kLog,      // drawn from the queries given
};

// The potentials that training begins with. A poor start stays poor: training moves potentials, it
// does not exchange them.
enum class FitStart : std::uint8_t {
  kRace,       // landmarks, cuts and mix, each trained for a little; the leader goes on
  kLandmarks,  // the best of farthest, avoid (up to 100,000 nodes) and greedy (if there is time)
  kFarthest,   // landmarks.h
  kAvoid,
  kGreedy,
  kCuts,  // cuts.h
  kMix,   // of many landmarks and cuts those that spare most expansions
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
  // How long fit() trains, the start included. A Fitter is told by its caller when to end, and
  // takes this as what the start may cost.
  double seconds = kDefaultFitSeconds;
  std::uint64_t rounds = 0;     // above 0: fit() ends after so many rounds, whatever they take
  bool processor_time = false;  // fit() counts seconds of all threads, not those on the wall
  QueryKind kind = QueryKind::kUniform;
  std::vector<Query> log;         // for kLog
  std::size_t pairs = 0;          // kept; 0: six per node, 500,000 to 24 million
  std::uint32_t queries = 1000;   // searched per round for new pairs
  std::uint32_t held_back = 100;  // queries never trained on, searched per round to report
};

struct FitRound {
  std::uint64_t round = 0;
  double seconds = 0;          // since the start
  double objective = 0;        // mean bound of the pairs, in cost, before this round's moves
  double expansions = 0;       // mean of the held-back queries, after it; not always fewer
  std::uint64_t moves = 0;     // tried
  std::uint64_t accepted = 0;  // that gained
  std::uint64_t settled = 0;   // nodes they looked at
};

class Fitter {
 public:
  // Throws Error when the graph has no pair of nodes to ask for.
  Fitter(const Graph& graph, const FitOptions& options);
  // Continues from potentials (32 bits, any origin), feasible on this graph.
  Fitter(const Graph& graph, const Potentials& start, const FitOptions& options);
  ~Fitter();
  Fitter(Fitter&&) noexcept;
  Fitter& operator=(Fitter&&) noexcept;

  // One round. `stop` ends its moves early: the potentials stay feasible, only less trained. It is
  // called on the caller's thread, every few milliseconds. What it throws, or a worker thread
  // throws, reaches the caller; the fitter is then as after the round before.
  FitRound round(const std::function<bool()>& stop = {});

  std::uint64_t rounds() const;
  double seconds() const;
  // The best so far: the potentials after the round, or at the start, with the fewest expansions
  // on the queries held back.
  const Potentials& potentials() const;
  double expansions() const;  // the mean of its held-back queries

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

struct FitProgress {
  double share = 0;                 // of the time or the rounds, 0 to 1
  double expansions_before = 0;     // of the start
  const FitRound* round = nullptr;  // the last one; null before the first
  const Fitter& fitter;             // fitter.potentials() is the best so far
};

// Both are called on the thread that called fit().
struct FitHooks {
  std::function<void(const FitProgress&)> progress = {};  // before the first round, after each
  std::function<bool()> stop = {};                        // true: end, and return the best so far
};

struct FitResult {
  Potentials potentials;  // the best of all rounds on the queries held back
  std::uint64_t rounds = 0;
  double seconds = 0;
  double expansions_before = 0;  // mean of the queries held back, at the start …
  double expansions = 0;         // … and with the potentials
  bool stopped = false;          // by FitHooks::stop
};

// Finds a start and trains as long as the options say. Throws Error as Fitter does, and when the
// options allow neither time nor rounds; exceptions of the hooks pass through.
FitResult fit(const Graph& graph, const FitOptions& options = {}, const FitHooks& hooks = {});
// Goes on from potentials, feasible on this graph.
FitResult fit(const Graph& graph, const Potentials& start, const FitOptions& options,
              const FitHooks& hooks = {});

}  // namespace lodestar
