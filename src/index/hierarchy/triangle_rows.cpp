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

LODESTAR_AVX2_CLONE
std::uint32_t shorten(const NodeId* heads, std::uint32_t* mine, std::size_t count,
                      const ArcIndex* to, const std::uint32_t* along, const std::uint32_t* against,
                      std::uint32_t low) {
  std::uint32_t least = low;
  const auto one = [&](std::size_t i) {
    const ArcIndex at = to[heads[i]];
    const std::uint32_t back = mine[i] + against[at], sum = low + along[at];
    least = back < least ? back : least;
    mine[i] = sum < mine[i] ? sum : mine[i];
  };
  std::size_t i = 0;
  const Costs lows = low - Costs{};
  Costs leasts = lows;
  while (i + kLanes <= count) {
    const ArcIndex at = to[heads[i]];
    if (to[heads[i + kLanes - 1]] == at + kLanes - 1) {
      const Costs now = LODESTAR_FROM(mine + i);
      const Costs back = now + LODESTAR_FROM(against + at);
      const Costs sum = lows + LODESTAR_FROM(along + at);
      leasts = back < leasts ? back : leasts;
      LODESTAR_AT(mine + i) = sum < now ? sum : now;
      i += kLanes;
    } else {
      for (const std::size_t end = i + kLanes / 2; i < end; ++i) one(i);
    }
  }
  for (; i < count; ++i) one(i);
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    least = leasts[lane] < least ? leasts[lane] : least;
  }
  return least;
}

double shorten(const NodeId* heads, double* mine, std::size_t count, const ArcIndex* to,
               const double* along, const double* against, double low) {
  double least = low;
  for (std::size_t i = 0; i < count; ++i) {
    const ArcIndex at = to[heads[i]];
    const double back = mine[i] + against[at], sum = low + along[at];
    least = back < least ? back : least;
    mine[i] = sum < mine[i] ? sum : mine[i];
  }
  return least;
}

}  // namespace lodestar::index
