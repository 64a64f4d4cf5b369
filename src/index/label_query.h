// A query by labels: two of them, the table of the core, and no search.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "index/core_query.h"
#include "index/labels.h"
#include "index/path_steps.h"
#include "index/runner.h"

namespace lodestar::index {

class LabelQuery final : public Runner {
 public:
  explicit LabelQuery(const Data& data) : data_(data) {}
  SearchResult run(Query query) override;
  void path(std::vector<NodeId>& nodes) const override;

 private:
  LabelView label_of(NodeId id, int end) const {
    const int side = data_.symmetric ? 0 : end;
    return {data_.labels[side].data() + data_.label_at[side][id]};
  }
  void across_the_core(LabelView from, LabelView to);
  void over_hubs(LabelView from, LabelView to);
  // The steps from a node up to the core or a hub; the last node.
  NodeId climb(NodeId u, int end, bool hub, std::uint32_t key) const;
  void cross(NodeId from, NodeId to) const;

  const Data& data_;
  Query query_{};
  std::uint32_t best_ = kFar;
  std::uint32_t least_ = 0;          // no path is shorter, on a symmetric graph
  bool over_hub_ = false;            // the best meets at a hub, `from_`
  std::uint32_t from_ = 0, to_ = 0;  // nodes of the core
  bool watched_ = false;
  std::unique_ptr<CoreQuery<std::uint32_t>> search_;  // for queries that are watched
  mutable std::vector<PathStep> steps_;
};

}  // namespace lodestar::index
