// A query without a queue. Whoever wants to watch is told afterwards what it has settled, or, where
// that is nothing, sees the search that it stands for.
#pragma once

#include <memory>
#include <vector>

#include "index/query/core_query.h"
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
  // Appends what the last answer has settled, in order; false when that is not its way.
  virtual bool tell(std::vector<IndexStep>& told) const {
    static_cast<void>(told);
    return false;
  }

  const Data& data_;

 private:
  SearchResult asked(Query query);

  bool reached_ = false;
  bool searched_ = false;  // by search_
  std::unique_ptr<CoreQuery<std::uint32_t>> search_;
  mutable std::vector<PathStep> steps_;
  mutable PathWriter writer_;
};

}  // namespace lodestar::index
