// One way of asking one graph, and whether the answer is right.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "case.h"
#include "lodestar/algorithms.h"
#include "lodestar/router.h"

namespace adversary {

// Where an estimate comes from; what the Router calls them, and a few it has no name for.
enum class Estimate : std::uint8_t {
  kZero,
  kGeometric,
  kConstant,
  kRandom,
  kTable,               // landmarks for earlier weights, some of which fell: repaired
  kTable16,             // … in 16 bits: admissible, not consistent
  kPotentialsGeometry,  // … joined with coordinates
  kPotential,           // a feasible potential of the caller's
  kWild,                // a function that promises nothing
  kPaper,               // models
  kDeep,
  kSwift,
  kDeepTable,
};
inline constexpr int kEstimates = 13;

struct Way {
  const lodestar::AlgorithmRow* algorithm = nullptr;
  Estimate estimate = Estimate::kZero;
  double bound = 0;
  bool exact = false;  // models: closed
  double weight = 1.5;
  lodestar::Reopen reopen = lodestar::Reopen::kAlways;
  std::uint64_t cap = 0;  // 0: none
  bool by_weight = false;
  bool from_file = false;  // the graph is written and mapped
  unsigned threads = 1;
  std::uint64_t seed = 0;

  std::string text() const;
};

// Draws a way of asking: the algorithm by its place in the potentials, everything else by the seed.
Way draw_way(const Case& c, std::size_t algorithm, std::uint64_t seed);

// A case asked in one way. Made anew for each; throws lodestar::Error when the Router refuses.
class Trial {
 public:
  Trial(const Case& c, const Way& way);
  // What is wrong with the answers to these queries; empty when nothing is.
  std::string check(const std::vector<lodestar::Query>& queries, Judge& judge);

 private:
  std::string judge_answer(lodestar::Query query, const lodestar::SearchResult& found,
                           const std::vector<lodestar::NodeId>& path, double truth,
                           const Judge& judge) const;

  const Case& case_;
  Way way_;
  std::unique_ptr<lodestar::Router> router_;
};

}  // namespace adversary
