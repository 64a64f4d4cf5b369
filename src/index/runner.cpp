#include "index/runner.h"

#include "index/hierarchy/quick.h"
#include "index/labels/label_query.h"
#include "index/query/core_query.h"
#include "index/query/plain_query.h"
#include "index/query/sweep_query.h"

namespace lodestar::index {

std::unique_ptr<Runner> make_runner(const Data& data) {
  if (data.metric) return make_quick_runner(data);
  if (data.sorted != nullptr) return std::make_unique<PlainQuery>(data);
  if (data.labelled && data.wide) return std::make_unique<LabelQuery<double>>(data);
  if (data.labelled) return std::make_unique<LabelQuery<std::uint32_t>>(data);
  if (data.has_core_distances && data.symmetric) {
    return std::make_unique<SweepQuery<PlainArcs<std::uint32_t>>>(data);
  }
  if (data.has_core_distances) return std::make_unique<SweepQuery<NarrowArcs>>(data);
  return make_core_query(data);
}

}  // namespace lodestar::index
