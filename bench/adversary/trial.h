// One configuration on one graph, and the check of its answers.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "case.h"
#include "lodestar/algorithms.h"
#include "lodestar/router.h"

namespace adversary {

// What is asked: a row of the table of algorithms, or a way to the same answers beside it.
enum class Door : std::uint8_t {
  kAlgorithm,
  kCustomized,        // an index made for other weights and customized
  kQuick,             // … by its elimination tree, twice in a row
  kLabels,            // an index with labels
  kCustomizedLabels,  // … made for other weights
  kCch,
  kChangedCch,     // after a change of weights
  kRequest,        // weights of the request
  kGuidedRequest,  // … with potentials for blends
  kAlternatives,   // … the best route and others
  kMany,           // matrices, one-to-all, reach, facilities by searches
  kManyByIndex,    // … by an index
  kManyByLabels,   // … by labels
};

struct Method {
  std::string name;
  Door door;
  const lodestar::AlgorithmRow* algorithm;
  std::uint32_t every;  // one graph in so many: methods that take long to prepare run less often
  // Whether answers are cells of a matrix and the like, which are counted apart.
  bool cells() const { return door >= Door::kMany; }
  bool contracts() const { return algorithm->name == "core"; }
};

// A row for each algorithm, and one for each further door.
std::span<const Method> methods();

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
  const Method* method = nullptr;
  Estimate estimate = Estimate::kZero;
  double bound = 0;
  bool exact = false;  // models: closed
  double weight = 1.5;
  lodestar::Reopen reopen = lodestar::Reopen::kAlways;
  std::uint64_t cap = 0;  // 0: none
  bool by_weight = false;
  bool from_file = false;  // graph and index are written and mapped
  unsigned threads = 1;
  std::uint64_t seed = 0;

  bool has_model() const { return estimate >= Estimate::kPaper; }
  std::string text() const;
};

// Draws a configuration: the method by its row, everything else by the seed.
Way draw_way(const Case& c, std::size_t method, std::uint64_t seed);

// A case with one configuration.
class Trial {
 public:
  Trial(const Case& c, const Way& way) : case_(c), way_(way) {}
  virtual ~Trial() = default;
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;
  // The first error in the answers to these queries; empty if all are right.
  virtual std::string check(const std::vector<lodestar::Query>& queries, Judge& judge) = 0;
  std::uint64_t answers() const { return answers_; }  // checked so far

 protected:
  const Case& case_;
  Way way_;
  std::uint64_t answers_ = 0;
};

// Throws lodestar::Error if the configuration is rejected.
std::unique_ptr<Trial> make_trial(const Case& c, const Way& way);
std::unique_ptr<Trial> make_cch_trial(const Case& c, const Way& way);
std::unique_ptr<Trial> make_request_trial(const Case& c, const Way& way);
std::unique_ptr<Trial> make_many_trial(const Case& c, const Way& way);

// The index of a configuration, for the weights of now or customized to them.
std::shared_ptr<const lodestar::Index> make_index(const Case& c, const lodestar::Graph& graph,
                                                  const Way& way);

// What a method promises of an answer that was not cut short.
struct Promise {
  double factor = 1;  // of the optimum; 1: and it says so
  std::uint64_t cap = 0;
};

// The first error of one answer; empty if it is right.
std::string judge_answer(const Case& c, lodestar::Query query, const lodestar::SearchResult& found,
                         const std::vector<lodestar::NodeId>& path, double truth,
                         const Judge& judge, const Promise& promise);

}  // namespace adversary
