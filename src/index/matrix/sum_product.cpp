#include "index/matrix/sum_product.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "index/matrix/lane_block.h"
#include "lodestar/detail/parallel.h"
#include "lodestar/detail/stop.h"

namespace lodestar::index {
namespace {

using Packed = std::uint64_t;
constexpr std::uint32_t kUnknown = 0xffffffffu;
constexpr std::size_t kSumLanes = 256;

// Parts of 1 in which all numbers are whole; none if there are none, or if sums overflow.
std::optional<double> whole_parts(std::span<const double> along) {
  for (const double parts : {1.0, 10.0, 1000.0}) {
    double total = 0;
    bool whole = true;
    for (const double number : along) {
      const double scaled = number * parts;
      whole = whole && std::abs(scaled - std::round(scaled)) <= 1e-6;
      total += scaled;
    }
    if (whole) return total < kUnknown ? std::optional(parts) : std::nullopt;
  }
  return std::nullopt;
}

// The arcs of an index with both numbers.
struct PackedArcs {
  const Data& data;
  std::vector<UpArc<Packed>> arcs[2];
  std::vector<std::uint32_t> back;  // of a symmetric index: the number of the reverse arc

  explicit PackedArcs(const Data& from) : data(from) {
    for (int side = 0; side < data.sides(); ++side) {
      const std::size_t count = data.first[side].empty() ? 0 : data.first[side].back();
      const auto given = data.arcs_as<NarrowArcs>(side);
      arcs[side].resize(count);
      for (std::size_t a = 0; a < count; ++a) {
        const UpArc<std::uint32_t> arc = given[a];
        arcs[side][a] = {arc.head, Packed{arc.weight} << 32 | kUnknown};
      }
    }
    if (data.symmetric) back.assign(arcs[0].size(), kUnknown);
  }

  // The arc u → v; null if there is none. `against` says that it is stored as v → u.
  UpArc<Packed>* find(NodeId u, NodeId v, bool& against) {
    const bool core = u < data.core && v < data.core;
    against = !core && u < v;
    const NodeId row = against ? v : u, head = against ? u : v;
    const int side = against && !data.symmetric ? 1 : 0;
    for (std::uint32_t a = data.first[side][row]; a != data.first[side][row + std::size_t{1}];
         ++a) {
      if (arcs[side][a].head == head) return &arcs[side][a];
    }
    return nullptr;
  }
  static std::uint32_t cost_of(const UpArc<Packed>& arc) {
    return static_cast<std::uint32_t>(arc.weight >> 32);
  }

  void add_graph(std::span<const double> along, double parts) {
    std::size_t number = 0;
    for (NodeId u = 0; u < data.nodes; ++u) {
      check_stop(u);
      for (const Arc arc : data.graph.arcs(u)) {
        const auto sum = static_cast<std::uint32_t>(std::llround(along[number++] * parts));
        bool against = false;
        UpArc<Packed>* mine = find(data.place[u], data.place[arc.head], against);
        const double units = std::round(arc.weight / data.unit * data.parts);
        if (mine == nullptr || u == arc.head || units != cost_of(*mine)) continue;
        if (against && data.symmetric) {
          std::uint32_t& other = back[static_cast<std::size_t>(mine - arcs[0].data())];
          other = std::min(other, sum);
        } else {
          mine->weight = std::min(mine->weight, mine->weight >> 32 << 32 | sum);
        }
      }
    }
  }

  // From the lowest node, which has the largest number, to the core.
  void add_shortcuts() {
    for (NodeId m = data.nodes; m-- > data.core;) {
      check_stop(m);
      const int into = data.symmetric ? 0 : 1;
      for (std::uint32_t i = data.first[into][m]; i != data.first[into][m + std::size_t{1}]; ++i) {
        const UpArc<Packed> first = arcs[into][i];
        for (std::uint32_t k = data.first[0][m]; k != data.first[0][m + std::size_t{1}]; ++k) {
          const UpArc<Packed> second = arcs[0][k];
          if (first.head == second.head) continue;
          bool against = false;
          UpArc<Packed>* mine = find(first.head, second.head, against);
          if (mine == nullptr || cost_of(first) + cost_of(second) != cost_of(*mine)) continue;
          mine->weight = std::min(mine->weight, first.weight + second.weight);
        }
      }
    }
  }

  // Whether every arc has a number, and both directions of a symmetric one have the same.
  bool complete() const {
    for (int side = 0; side < data.sides(); ++side) {
      for (const UpArc<Packed>& arc : arcs[side]) {
        if (static_cast<std::uint32_t>(arc.weight) == kUnknown) return false;
      }
    }
    return true;
  }
  bool both_ways() const {
    for (std::size_t a = 0; a < back.size(); ++a) {
      const auto sum = static_cast<std::uint32_t>(arcs[0][a].weight);
      const bool core = a < data.first[0][data.core];
      if (!core && sum != back[a]) return false;
    }
    return true;
  }
};

class PackedProduct final : public SumProduct {
 public:
  PackedProduct(const Index& index, PackedArcs&& packed, double parts)
      : index_(index), parts_(parts), data_(Access::data(index_)) {
    for (int side = 0; side < data_.sides(); ++side) {
      arcs_[side] = std::move(packed.arcs[side]);
      data_.arcs[side] = std::as_bytes(std::span(arcs_[side]));
    }
    data_.arc_format = {};
    data_.labelled = data_.has_core_distances = false;
    data_.between = {};
    data_.next = {};
    data_.core_pieces = {};
    core_rows_.emplace(data_);
  }

  void run(std::span<const NodeId> sources, std::span<const NodeId> targets, std::span<Cost> costs,
           std::span<double> sums, unsigned threads) const override {
    const EndList<Packed> from(data_, sources, 0, threads), to(data_, targets, 1, threads);
    const std::size_t blocks = (targets.size() + kSumLanes - 1) / kSumLanes;
    parallel_for(blocks, threads, [&](std::size_t b, std::size_t) {
      const std::size_t begin = b * kSumLanes, count = std::min(kSumLanes, targets.size() - begin);
      LaneBlock<Packed> block(data_, *core_rows_);
      block.fill(to, begin, count, 1);
      std::vector<Packed> least(block.stride());
      for (std::size_t i = 0; i < sources.size(); ++i) {
        check_stop(i);
        block.distances(from[i], least.data());
        for (std::size_t k = 0; k < count; ++k) {
          const std::size_t cell = i * targets.size() + begin + k;
          const bool reached = least[k] < kUnreached<Packed>;
          costs[cell] = reached ? data_.cost_of(static_cast<double>(least[k] >> 32)) : kInfinity;
          sums[cell] = reached ? static_cast<std::uint32_t>(least[k]) / parts_ : kInfinity;
        }
      }
    });
  }

 private:
  const Index index_;  // keeps the arrays alive
  double parts_;
  Data data_;  // with arcs of its own
  std::vector<UpArc<Packed>> arcs_[2];
  std::optional<CoreRows<Packed>> core_rows_;
};

}  // namespace

std::unique_ptr<const SumProduct> SumProduct::make(const Index& index,
                                                   std::span<const double> along) {
  const Data& data = Access::data(index);
  if (data.metric || data.wide || along.size() != data.graph.arc_count()) return nullptr;
  const std::optional<double> parts = whole_parts(along);
  if (!parts) return nullptr;
  PackedArcs packed(data);
  packed.add_graph(along, *parts);
  if (!packed.both_ways()) return nullptr;
  packed.add_shortcuts();
  if (!packed.complete()) return nullptr;
  return std::make_unique<PackedProduct>(index, std::move(packed), *parts);
}

}  // namespace lodestar::index
