// A query by labels: combines two labels and the core distances, without a search.
#pragma once

#include <cstdint>
#include <vector>

#include "index/core_distances.h"
#include "index/labels/labels.h"
#include "index/query/watchable.h"

namespace lodestar::index {

template <class W>
class LabelQuery final : public Watchable<W> {
 public:
  explicit LabelQuery(const Data& data) : Watchable<W>(data), walk_(data) {}

 private:
  using View = LabelView<W>;
  using Item = LabelItem<W>;
  using Watchable<W>::data_;

  W answer(Query query) override;
  void steps(PathSteps& steps) const override;
  void across_the_core(View from, View to);
  void over_hubs(View from, View to);
  void climb(PathSteps& steps) const;  // from both ends to the core or the hub

  Query query_{};
  W best_ = kUnreached<W>;
  W least_ = 0;                      // lower bound on the cost, on a symmetric graph
  bool over_hub_ = false;            // the best path meets at the hub `from_`
  std::uint32_t from_ = 0, to_ = 0;  // nodes of the core
  mutable CoreWalk<W> walk_;
};

}  // namespace lodestar::index
