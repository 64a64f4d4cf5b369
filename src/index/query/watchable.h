// Base class for queries without a queue that can replay their settled nodes to an observer.
// Queries that settle nothing replay an equivalent CoreQuery.
#pragma once

#include <memory>
#include <vector>

#include "index/path_steps.h"
#include "index/runner.h"

namespace lodestar::index {

template <class W>
class Watchable : public Runner {
 public:
  explicit Watchable(const Data& data) : data_(data) {}
  SearchResult run(Query query) final;
  void path(std::vector<NodeId>& nodes) const final;

 protected:
  // The cost in units; kUnreached<W> or more if there is no path.
  virtual W answer(Query query) = 0;
  // Appends the arcs of the last path, which must exist.
  virtual void steps(PathSteps& steps) const = 0;
  // Appends the settled nodes of the last query, in order. Returns false if it settles none.
  virtual bool tell(std::vector<IndexStep>& told) const {
    static_cast<void>(told);
    return false;
  }

  const Data& data_;

 private:
  SearchResult asked(Query query);

  bool reached_ = false;
  bool searched_ = false;  // by search_
  std::unique_ptr<Runner> search_;
  mutable PathSteps steps_;
  mutable PathWriter writer_;
  std::vector<NodeId> added_up_;
};

}  // namespace lodestar::index
