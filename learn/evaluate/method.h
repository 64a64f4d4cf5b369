// A method of an evaluation: how it computes a potential for every node, and its trial.
//
//   Method deep = model_method("deep", load_model("deep"));
//   Method sure = with_closure(deep);               // the feasible potential next to it
//
// All but one are potentials y, searched with h(v) = y(t) - y(v). The exception is bidirectional
// search without a potential.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "lodestar/model.h"

namespace lodestar::evaluate {

enum class Source : std::uint8_t {
  kZero,            // Dijkstra
  kRandom,          // U[0, 1), the paper's baseline
  kConstant,        // y(t) = c, 0 elsewhere
  kValueIteration,  // k rounds of V(v) = min w + V, V(t) = 0, from 0
  kExact,           // minus the distance to t: no heuristic is better
  kModel,
  kProgram,        // a user's, see measure.h
  kBidirectional,  // from both ends, with look-ahead; no potential
};

struct Method {
  std::string name;         // of the row it belongs to: trials of one row share it
  std::uint32_t trial = 0;  // 0 … trials-1 within the row
  Source source = Source::kZero;
  double parameter = 0;  // c or k
  double scale = 1;      // y is multiplied by it, on top of a model's own scale
  bool close = false;    // use the smallest feasible potential above y
  bool prune = false;    // leave out what costs as much as the best path known; the paper does not
  std::shared_ptr<const Model> model;
  std::string model_hash;  // content_hash
  std::string command;     // of a program

  // Everything the result depends on beside the instance; equal texts mean equal results.
  std::string identity() const;
  // The same without scale, closure and pruning. Methods with equal texts share the computation of
  // y.
  std::string source_identity() const;
  // Whether y is feasible without closure.
  bool consistent() const;
};

Method plain_method(const std::string& name, Source source, double parameter = 0,
                    std::uint32_t trial = 0);
Method model_method(const std::string& name, Model model, std::uint32_t trial = 0);
Method program_method(const std::string& name, const std::string& command);
Method with_closure(Method method);  // "NAME + closure"
Method with_pruning(Method method);  // "NAME, pruned"

}  // namespace lodestar::evaluate
