// One configuration of the Router on one graph, and the check of its answers.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "case.h"
#include "lodestar/algorithms.h"
#include "lodestar/router.h"

namespace adversary {

// The source of estimates: those the Router has names for, and a few others.
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

// Draws a configuration: the algorithm by its row, everything else by the seed.
Way draw_way(const Case& c, std::size_t algorithm, std::uint64_t seed);

// A case with one configuration. Throws lodestar::Error if the Router rejects it.
class Trial {
 public:
  Trial(const Case& c, const Way& way);
  // The first error in the answers to these queries; empty if all are right.
  std::string check(const std::vector<lodestar::Query>& queries, Judge& judge);

 private:
  std::string judge_answer(lodestar::Query query, const lodestar::SearchResult& found,
                           const std::vector<lodestar::NodeId>& path, double truth,
                           const Judge& judge) const;

  const Case& case_;
  Way way_;
  std::unique_ptr<lodestar::Router> router_;
  bool many_ = false;           // whether matrices, distances and reach are checked too
  bool whole_numbers_ = false;  // whether the index has them, so that labels can be built
};

// Matrices, one-to-all, several roots, limits, reach and facilities, also by labels if the weights
// are whole numbers. The first error; empty if all are right.
std::string check_many(const Case& c, const lodestar::Router& router, bool whole_numbers,
                       Judge& judge, std::uint64_t seed);

}  // namespace adversary
