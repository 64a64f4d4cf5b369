#include "index/path_steps.h"

#include <algorithm>

namespace lodestar::index {
namespace {

// Appends what lies behind the first node of a step, its last node included.
void append(const Data& data, const PathStep& step, std::vector<NodeId>& nodes) {
  const NodeId end_id = data.original[step.side == 0 ? step.head : step.tail];
  const NodeId last = step.reversed ? data.original[step.tail] : end_id;
  const std::uint32_t range = data.range_of(step.side, step.arc);
  if (range != kDirect) {
    // From the tail to the end as it stands; turned round afterwards if need be.
    const std::size_t before = nodes.size();
    const std::int64_t way = (range & kBackward) != 0 ? -1 : 1;
    const auto size = static_cast<std::int64_t>(data.words.size());
    for (std::int64_t at = range & ~kBackward;;) {
      at += way;
      if (at < 0 || at >= size) break;  // a damaged file; the path will not add up
      const NodeId node = data.words[static_cast<std::size_t>(at)];
      if (node == end_id) break;
      nodes.push_back(node);
    }
    if (step.reversed) {
      std::reverse(nodes.begin() + static_cast<std::ptrdiff_t>(before), nodes.end());
    }
  }
  nodes.push_back(last);
}

}  // namespace

void append_steps(const Data& data, NodeId source, const std::vector<PathStep>& steps,
                  std::vector<NodeId>& nodes) {
  for (const PathStep& step : steps) {
    const std::uint32_t range = data.range_of(step.side, step.arc);
    if (range != kDirect) __builtin_prefetch(&data.words[range & ~kBackward]);
    __builtin_prefetch(&data.original[step.head]);
  }
  nodes.push_back(data.original[source]);
  for (const PathStep& step : steps) append(data, step, nodes);
}

}  // namespace lodestar::index
