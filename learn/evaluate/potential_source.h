// A contender's potential on one instance, timed.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "learn/evaluate/method.h"
#include "learn/evaluate/program_source.h"
#include "learn/evaluate/splits.h"
#include "lodestar/search.h"

namespace lodestar::paper {

struct SourceSeconds {
  double preparation = 0;  // what would serve further queries on the same graph
  double heuristic = 0;    // what depends on the query
};

// One per thread: keeps users' programs running.
class PotentialSource {
 public:
  // Fills y, not yet scaled or closed: one finite number per node. `number` tells instances apart
  // for what is random. Throws Error when a program does not answer as it should.
  SourceSeconds fill(const Contender& contender, const Instance& instance, std::uint64_t number,
                     std::vector<double>& y);

 private:
  std::map<std::string, std::unique_ptr<ProgramSource>> programs_;  // by command
};

}  // namespace lodestar::paper
