#include "index/hierarchy/triangle_rows.h"

#include "base/simd.h"

namespace lodestar::index {
namespace {

constexpr std::size_t kLanes = 8;
typedef std::uint32_t Costs __attribute__((vector_size(4 * kLanes)));
typedef std::uint32_t CostsInMemory __attribute__((vector_size(4 * kLanes), aligned(4), may_alias));

#define LODESTAR_AT(where) (*reinterpret_cast<CostsInMemory*>(where))
#define LODESTAR_FROM(where) (*reinterpret_cast<const CostsInMemory*>(where))

}  // namespace

LODESTAR_AVX2_CLONE
void lower_over(const NodeId* heads, const std::uint32_t* other, std::size_t count,
                const ArcIndex* to, std::uint32_t first, NodeId over, std::uint32_t* cost,
                NodeId* middle) {
  const auto one = [&](std::size_t i) {
    const ArcIndex at = to[heads[i]];
    const std::uint32_t sum = first + other[i];
    if (sum < cost[at]) {
      cost[at] = sum;
      middle[at] = over;
    }
  };
  std::size_t i = 0;
  const Costs firsts = first - Costs{}, overs = over - Costs{};
  while (i + kLanes <= count) {
    const ArcIndex at = to[heads[i]];
    if (to[heads[i + kLanes - 1]] == at + kLanes - 1) {
      const Costs sum = LODESTAR_FROM(other + i) + firsts, now = LODESTAR_FROM(cost + at);
      LODESTAR_AT(cost + at) = sum < now ? sum : now;
      LODESTAR_AT(middle + at) = sum < now ? overs : LODESTAR_FROM(middle + at);
      i += kLanes;
    } else {
      for (const std::size_t end = i + kLanes / 2; i < end; ++i) one(i);
    }
  }
  for (; i < count; ++i) one(i);
}

void lower_over(const NodeId* heads, const double* other, std::size_t count, const ArcIndex* to,
                double first, NodeId over, double* cost, NodeId* middle) {
  for (std::size_t i = 0; i < count; ++i) {
    const ArcIndex at = to[heads[i]];
    const double sum = first + other[i];
    if (sum < cost[at]) {
      cost[at] = sum;
      middle[at] = over;
    }
  }
}

}  // namespace lodestar::index
