// A query that settles nothing, or not in order: whoever wants to watch sees the search that it
// stands for.
#pragma once

#include <memory>
#include <vector>

#include "index/core_query.h"
#include "index/runner.h"

namespace lodestar::index {

class Watchable : public Runner {
 public:
  explicit Watchable(const Data& data) : data_(data) {}
  SearchResult run(Query query) final;
  void path(std::vector<NodeId>& nodes) const final;

 protected:
  // The cost in units; kFar and more without a path.
  virtual std::uint32_t answer(Query query) = 0;
  // Of the last answer, which has one, from data.place[source] on; the source.
  virtual NodeId steps(std::vector<PathStep>& steps) const = 0;

  const Data& data_;

 private:
  bool reached_ = false;
  bool watched_ = false;
  std::unique_ptr<CoreQuery<std::uint32_t>> search_;
  mutable std::vector<PathStep> steps_;
};

}  // namespace lodestar::index
