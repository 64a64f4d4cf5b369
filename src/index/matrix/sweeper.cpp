#include "index/matrix/sweeper.h"

#include <algorithm>
#include <type_traits>

#include "base/simd.h"
#include "lodestar/detail/stop.h"

namespace lodestar::index {
namespace {

constexpr NodeId kNodesPerCheck = 1 << 16;

// Passes down from node `from` to `to`. `first` and `arcs` hold the arcs from above.
template <class Arcs, class W>
void sweep_one(const std::uint32_t* first, Arcs arcs, NodeId from, NodeId to, W* distances) {
  for (NodeId u = from; u < to; ++u) {
    W least = distances[u];
    for (std::uint32_t a = first[u], end = first[u + 1]; a != end; ++a) {
      const UpArc<W> arc = arcs[a];
      least = std::min(least, distances[arc.head] + arc.weight);
    }
    distances[u] = least;
  }
}

template <class T>
struct SweepLanes {
  typedef T Value __attribute__((vector_size(32)));
  typedef T InMemory __attribute__((vector_size(32), aligned(sizeof(T)), may_alias));
};

template <class T, class Arcs, class W>
inline __attribute__((always_inline)) void sweep_lanes(const std::uint32_t* first, Arcs arcs,
                                                       NodeId from, NodeId to, W* distances) {
  using V = SweepLanes<T>;
  constexpr std::size_t kVectors = kLaneStep * sizeof(T) / 32;
  constexpr std::uint32_t kAhead = 24;  // arcs
  const std::uint32_t stop = first[to];
  for (NodeId u = from; u < to; ++u) {
    auto* mine = reinterpret_cast<typename V::InMemory*>(distances + std::size_t{u} * kLaneStep);
    typename V::Value least[kVectors];
    for (std::size_t k = 0; k < kVectors; ++k) least[k] = mine[k];
    for (std::uint32_t a = first[u], end = first[u + 1]; a != end; ++a) {
      if (a + kAhead < stop) {
        __builtin_prefetch(distances + std::size_t{arcs[a + kAhead].head} * kLaneStep);
      }
      const UpArc<W> arc = arcs[a];
      const auto* above = reinterpret_cast<const typename V::InMemory*>(
          distances + std::size_t{arc.head} * kLaneStep);
      const T weight = static_cast<T>(arc.weight);
      for (std::size_t k = 0; k < kVectors; ++k) {
        const typename V::Value sum = above[k] + weight;
        least[k] = sum < least[k] ? sum : least[k];
      }
    }
    for (std::size_t k = 0; k < kVectors; ++k) mine[k] = least[k];
  }
}

LODESTAR_AVX512_CLONE
void sweep_many(const std::uint32_t* first, PlainArcs<std::uint32_t> arcs, NodeId from, NodeId to,
                std::uint32_t* distances) {
  sweep_lanes<std::int32_t>(first, arcs, from, to, distances);
}
LODESTAR_AVX512_CLONE
void sweep_many(const std::uint32_t* first, NarrowArcs arcs, NodeId from, NodeId to,
                std::uint32_t* distances) {
  sweep_lanes<std::int32_t>(first, arcs, from, to, distances);
}
LODESTAR_AVX512_CLONE
void sweep_many(const std::uint32_t* first, PlainArcs<double> arcs, NodeId from, NodeId to,
                double* distances) {
  sweep_lanes<double>(first, arcs, from, to, distances);
}

// The arcs from above that lead away from the starts (end 0) or towards them (end 1).
int down_side(const Data& data, int end) {
  return data.symmetric ? 0 : 1 - end;
}

// Calls `use` with the arcs of a side.
template <class W, class Use>
void with_arcs(const Data& data, int side, Use&& use) {
  if constexpr (std::is_same_v<W, std::uint32_t>) {
    if (!data.symmetric) {
      use(data.arcs_as<NarrowArcs>(side));
      return;
    }
  }
  use(data.arcs_as<PlainArcs<W>>(side));
}

}  // namespace

template <class W>
void Sweeper<W>::begin(std::size_t lanes) {
  lanes_ = lanes;
  distances_.assign(data_.nodes * lanes, kUnreached<W>);
  row_.resize(data_.core);
}

template <class W>
void Sweeper<W>::enter(std::size_t lane, int end) {
  core_rows_.fill(climber_.entries(), end, row_.data(), scratch_);
  for (std::size_t u = 0; u < row_.size(); ++u) distances_[u * lanes_ + lane] = row_[u];
  for (const Item<W>& hub : climber_.hubs()) {
    distances_[std::size_t{hub.key} * lanes_ + lane] = hub.distance;
  }
}

template <class W>
void Sweeper<W>::run(std::span<const NodeId> starts, int end) {
  begin(1);
  starts_.clear();
  for (const NodeId id : starts) starts_.push_back({data_.place[id], 0});
  climber_.run(starts_, end);
  enter(0, end);
  const int side = down_side(data_, end);
  for (NodeId from = data_.core; from < data_.nodes;) {
    check_stop();
    const NodeId to = std::min(data_.nodes, from + kNodesPerCheck);
    with_arcs<W>(data_, side, [&](auto arcs) {
      sweep_one(data_.first[side].data(), arcs, from, to, distances_.data());
    });
    from = to;
  }
}

template <class W>
void Sweeper<W>::run_each(std::span<const NodeId> starts, int end) {
  begin(kLaneStep);
  for (std::size_t lane = 0; lane < starts.size(); ++lane) {
    climber_.run(data_.place[starts[lane]], end);
    enter(lane, end);
  }
  const int side = down_side(data_, end);
  for (NodeId from = data_.core; from < data_.nodes;) {
    check_stop();
    const NodeId to = std::min(data_.nodes, from + kNodesPerCheck / 16);
    with_arcs<W>(data_, side, [&](auto arcs) {
      sweep_many(data_.first[side].data(), arcs, from, to, distances_.data());
    });
    from = to;
  }
}

void NearestSweeper::run(std::span<const NodeId> starts, int end) {
  using Narrow = std::uint32_t;
  const auto pack = [](Narrow distance, std::size_t start) {
    return std::uint64_t{distance} << 32 | start;
  };
  best_.assign(data_.nodes, pack(kFar, 0));
  queue_.clear();
  const auto improve = [&](NodeId u, std::uint64_t value) {
    if (value >= best_[u]) return false;
    best_[u] = value;
    return true;
  };
  for (std::size_t i = 0; i < starts.size(); ++i) {
    check_stop(i);
    climber_.run(data_.place[starts[i]], end);
    for (const Item<Narrow>& hub : climber_.hubs()) improve(hub.key, pack(hub.distance, i));
    for (const Item<Narrow>& entry : climber_.entries()) {
      improve(entry.key, pack(entry.distance, i));
    }
  }
  for (NodeId u = 0; u < data_.core; ++u) {
    if (best_[u] < pack(kFar, 0)) queue_.push(best_[u], u);
  }
  while (!queue_.empty()) {
    const auto top = queue_.pop();
    if (top.key() != best_[top.tag()]) continue;
    for (const UpArc<Narrow>& arc : core_rows_.arcs(top.tag(), end)) {
      const std::uint64_t reached = top.key() + pack(arc.weight, 0);
      if (improve(arc.head, reached)) queue_.push(reached, arc.head);
    }
  }
  const int side = down_side(data_, end);
  const auto arcs = data_.arcs_as<AnyArcs<Narrow>>(side);
  for (NodeId u = data_.core; u < data_.nodes; ++u) {
    check_stop(u);
    std::uint64_t least = best_[u];
    for (std::uint32_t a = data_.first[side][u]; a != data_.first[side][u + 1]; ++a) {
      const UpArc<Narrow> arc = arcs[a];
      least = std::min(least, best_[arc.head] + pack(arc.weight, 0));
    }
    best_[u] = least;
  }
}

template class Sweeper<std::uint32_t>;
template class Sweeper<double>;

}  // namespace lodestar::index
