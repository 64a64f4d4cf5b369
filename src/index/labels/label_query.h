// A query by labels: combines two labels and the core distances, without a search.
#pragma once

#include <cstdint>
#include <vector>

#include "index/core_distances.h"
#include "index/labels/labels.h"
#include "index/query/watchable.h"

namespace lodestar::index {

class LabelQuery final : public Watchable {
 public:
  explicit LabelQuery(const Data& data) : Watchable(data), walk_(data) {}

 private:
  std::uint32_t answer(Query query) override;
  NodeId steps(std::vector<PathStep>& steps) const override;
  LabelView label_of(NodeId id, int end) const {
    const int side = data_.symmetric ? 0 : end;
    return {data_.labels[side].data() + data_.label_at[side][id]};
  }
  void across_the_core(LabelView from, LabelView to);
  void over_hubs(LabelView from, LabelView to);
  void climb() const;  // from both ends to the core or the hub

  Query query_{};
  std::uint32_t best_ = kFar;
  std::uint32_t least_ = 0;          // lower bound on the cost, on a symmetric graph
  bool over_hub_ = false;            // the best path meets at the hub `from_`
  std::uint32_t from_ = 0, to_ = 0;  // nodes of the core
  mutable CoreWalk walk_;
  mutable std::vector<PathStep> climbed_[2];  // the up-arcs of the path from either end
};

}  // namespace lodestar::index
