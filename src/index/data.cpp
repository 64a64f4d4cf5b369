#include "index/data.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <new>

#include "index/core_bound.h"
#include "index/query/plain_query.h"
#include "lodestar/rng.h"

namespace lodestar::index {

void set_graph(Data& data, const Graph& graph) {
  data.graph = graph;
  if (data.plain) data.sorted = std::make_shared<const PlainGraph>(graph);
}

std::uint64_t weights_hash(const Graph& graph) {
  std::uint64_t sum = mix64(graph.node_count());
  graph.visit(Direction::kForward, [&](auto adjacency) {
    for (NodeId u = 0; u < graph.node_count(); ++u) {
      for (const auto& arc : adjacency.of(u)) {
        const auto bits = std::bit_cast<std::uint64_t>(static_cast<double>(arc.weight) + 0.0);
        sum += mix64(mix64(std::uint64_t{u} << 32 | arc.head) ^ bits);
      }
    }
  });
  return sum;
}

Graph core_graph(const Data& data) {
  GraphBuilder builder(data.core);
  const auto add = [&](auto weight_type) {
    using W = decltype(weight_type);
    for (NodeId u = 0; u < data.core; ++u) {
      for (const UpArc<W>& arc : data.row_of<W>(u, 0)) {
        // A sum may exceed the domain of weights; a smaller weight keeps potentials feasible.
        const double weight = data.cost_of(static_cast<double>(arc.weight));
        builder.add_arc(u, arc.head, std::min(weight, kLargestWeight));
      }
    }
  };
  if (data.wide) {
    add(double{});
  } else {
    add(std::uint32_t{});
  }
  return builder.build();
}

std::optional<Potentials> core_potentials(const Data& data) {
  if (data.potential_count == 0) return std::nullopt;
  std::vector<std::vector<std::int32_t>> columns(data.potential_count,
                                                 std::vector<std::int32_t>(data.core));
  for (std::uint32_t i = 0; i < data.potential_count; ++i) {
    for (NodeId v = 0; v < data.core; ++v) {
      columns[i][v] = data.potentials[std::size_t{v} * data.row + i];
    }
  }
  return Potentials(core_graph(data), columns, data.potential_unit);
}

void set_potentials(Data& data, const Potentials& potentials) {
  if (potentials.node_count() != data.core || potentials.storage() != PotentialsStorage::k32Bit) {
    throw Error("the potentials were not made for the core of this index");
  }
  // Clamping keeps potentials feasible. Values of this size plus a distance fit 32 bits.
  constexpr std::int32_t kMost = 1 << 29;
  const std::uint32_t row = (potentials.count() + kRowLanes - 1) / kRowLanes * kRowLanes;
  const std::size_t size = std::size_t{data.core} * row;
  // Aligned, so that a row of 16 values is one cache line.
  const std::shared_ptr<std::int32_t[]> owned(
      new (std::align_val_t{64}) std::int32_t[size]{},
      [](std::int32_t* values) { ::operator delete[](values, std::align_val_t{64}); });
  for (std::uint32_t i = 0; i < potentials.count(); ++i) {
    const std::vector<std::int32_t> column = potentials.column(i);
    for (NodeId v = 0; v < data.core; ++v) {
      owned[std::size_t{v} * row + i] = std::clamp(column[v], -kMost, kMost);
    }
  }
  data.potential_count = potentials.count();
  data.row = row;
  data.potential_unit = potentials.unit();
  data.both_ways = potentials.symmetric();
  data.potentials = {owned.get(), size};
  data.potential_keeper = owned;
}

}  // namespace lodestar::index
