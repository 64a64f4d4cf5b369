// A method's potential on one instance, timed.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "learn/evaluate/method.h"
#include "learn/evaluate/program_source.h"
#include "learn/evaluate/splits.h"
#include "lodestar/search.h"

namespace lodestar::evaluate {

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

}  // namespace lodestar::evaluate
