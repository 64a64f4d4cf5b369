// The searcher behind IndexSearcher: one class per kind of index.
#pragma once

#include <memory>
#include <vector>

#include "index/data.h"
#include "lodestar/index.h"

namespace lodestar::index {

class Runner {
 public:
  virtual ~Runner() = default;
  virtual SearchResult run(Query query) = 0;
  virtual void path(std::vector<NodeId>& nodes) const = 0;
  IndexEffort effort;
  std::vector<IndexStep>* watch = nullptr;  // if not null, receives every settled node
};

// `data` must outlive the runner.
std::unique_ptr<Runner> make_runner(const Data& data);

}  // namespace lodestar::index
