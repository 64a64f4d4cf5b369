#include "lodestar/potentials.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <optional>

#include "base/huge_pages.h"
#include "lodestar/closure.h"

namespace lodestar {
namespace {

constexpr std::int32_t kLargest16 = 32767;

// Symmetric potentials use |f(t) - f(v)|, so constraints hold in both directions. If weights differ
// by direction, the closure needs every arc in both directions.
std::optional<Graph> both_ways(const Graph& graph, bool needed) {
  if (!needed || graph.symmetric()) return std::nullopt;
  GraphBuilder builder(graph.node_count());
  builder.reserve(2 * graph.arc_count());
  for (NodeId u = 0; u < graph.node_count(); ++u) {
    for (const Arc arc : graph.arcs(u)) builder.add_edge(u, arc.head, arc.weight);
  }
  return builder.build();
}

// Makes rounded potentials feasible again. A stored value s means f in [q s, q s + q - 1]; the
// closure starts from the upper end, so it tells exactly whether a feasible f lies in all these
// ranges, and otherwise gives the largest one below them.
class PotentialsCloser {
 public:
  PotentialsCloser(const Graph& graph, double unit, std::uint32_t coarse)
      : graph_(graph), unit_(unit), coarse_(coarse), y_(graph.node_count()) {}

  // Calls lowered(v, value) for each stored value that has to fall; returns the violated arcs.
  template <class Lowered>
  std::size_t close(std::span<const std::int32_t> column, Lowered&& lowered) {
    const double q = coarse_;
    for (std::size_t v = 0; v < y_.size(); ++v) y_[v] = q * column[v] + (q - 1);
    const ClosureResult closed = close_below(graph_, y_, unit_, scratch_);
    for (const NodeId v : scratch_.changed) {
      const auto value = static_cast<std::int32_t>(std::floor(y_[v] / q));
      if (value < column[v]) lowered(v, value);
    }
    return closed.violated_arcs;
  }

 private:
  const Graph& graph_;
  double unit_;
  std::uint32_t coarse_;
  std::vector<double> y_;
  ClosureScratch scratch_;
};

}  // namespace

Potentials::Potentials(const Graph& graph, std::span<const std::vector<std::int32_t>> columns,
                       double unit, PotentialsStorage storage)
    : nodes_(graph.node_count()),
      count_(static_cast<std::uint32_t>(columns.size())),
      unit_(unit),
      symmetric_(graph.symmetric()),
      storage_(storage),
      topology_(lodestar::topology_hash(graph)) {
  const bool power_of_two =
      unit >= 0x1p-1022 && unit <= 0x1p1022 && std::exp2(std::ilogb(unit)) == unit;
  if (!power_of_two) throw Error("the unit of potentials must be a power of two");
  for (const auto& column : columns) {
    if (column.size() == nodes_) continue;
    throw Error("a potential has " + std::to_string(column.size()) + " values, but the graph has " +
                std::to_string(nodes_) + " nodes; give one value per node");
  }
  allocate();
  if (storage == PotentialsStorage::k32Bit) {
    for (std::uint32_t i = 0; i < count_; ++i) set_column(i, columns[i]);
    return;
  }
  std::int64_t widest = 0;
  for (const auto& column : columns) {
    const auto [least, most] = std::minmax_element(column.begin(), column.end());
    if (least != column.end()) widest = std::max(widest, std::int64_t{*most} - *least);
  }
  coarse_ = static_cast<std::uint32_t>(widest / (kLargest16 + 1) + 1);
  std::vector<std::int32_t> narrow(nodes_);
  for (std::uint32_t i = 0; i < count_; ++i) {
    if (nodes_ == 0) break;
    const std::int32_t least = *std::min_element(columns[i].begin(), columns[i].end());
    for (NodeId v = 0; v < nodes_; ++v) {
      const std::int64_t above = std::int64_t{columns[i][v]} - least;
      narrow[v] = static_cast<std::int32_t>(above / coarse_);
    }
    set_column(i, narrow);
  }
}

void Potentials::allocate() {
  const std::uint32_t value_bytes = storage_ == PotentialsStorage::k32Bit ? 4 : 2;
  row_bytes_ = (count_ * value_bytes + 15) / 16 * 16;
  const std::size_t lines = (bytes() + sizeof(Line) - 1) / sizeof(Line);
  rows_.clear();
  rows_.reserve(lines);
  prefer_huge_pages(rows_.data(), lines * sizeof(Line));
  rows_.resize(lines);
}

void Potentials::set_column(std::uint32_t i, std::span<const std::int32_t> values) {
  assert(values.size() == nodes_);
  for (NodeId v = 0; v < nodes_; ++v) {
    std::byte* row = data() + std::size_t{v} * row_bytes_;
    if (storage_ == PotentialsStorage::k32Bit) {
      reinterpret_cast<std::int32_t*>(row)[i] = values[v];
    } else {
      reinterpret_cast<std::int16_t*>(row)[i] = static_cast<std::int16_t>(values[v]);
    }
  }
}

void Potentials::require_wide() const {
  if (storage_ == PotentialsStorage::k32Bit) return;
  throw Error("this operation requires potentials with 32 bits, but these have 16");
}

void Potentials::check_row(NodeId v) const {
  // A moved-from object has a number of nodes but no rows.
  detail::check_node(v, bytes() <= rows_.size() * sizeof(Line) ? nodes_ : 0);
}

std::span<std::int32_t> Potentials::row(NodeId v) {
  require_wide();
  check_row(v);
  return {reinterpret_cast<std::int32_t*>(data() + std::size_t{v} * row_bytes_), count_};
}

std::vector<std::int32_t> Potentials::column(std::uint32_t i) const {
  if (i >= count_) {
    throw Error("potential " + std::to_string(i) +
                " is out of range; the number of potentials is " + std::to_string(count_));
  }
  if (nodes_ > 0) check_row(nodes_ - 1);
  std::vector<std::int32_t> values(nodes_);
  for (NodeId v = 0; v < nodes_; ++v) {
    const std::byte* row = data() + std::size_t{v} * row_bytes_;
    values[v] = storage_ == PotentialsStorage::k32Bit
                    ? reinterpret_cast<const std::int32_t*>(row)[i]
                    : reinterpret_cast<const std::int16_t*>(row)[i];
  }
  return values;
}

Potentials::Best Potentials::best(Query query) const {
  require_wide();
  check_row(query.source);
  check_row(query.target);
  if (count_ == 0) throw Error("there are no potentials");
  const auto row = [&](NodeId v) {
    return reinterpret_cast<const std::int32_t*>(data() + std::size_t{v} * row_bytes_);
  };
  const std::int32_t* s = row(query.source);
  const std::int32_t* t = row(query.target);
  std::uint32_t best = 0;
  std::int32_t most = t[0] - s[0];
  const auto worth = [&](std::int32_t rise) { return symmetric_ ? std::abs(rise) : rise; };
  for (std::uint32_t i = 1; i < count_; ++i) {
    if (worth(t[i] - s[i]) > worth(most)) {
      most = t[i] - s[i];
      best = i;
    }
  }
  return {best, !symmetric_ || most >= 0, unit_ * worth(most)};
}

PotentialsHeuristic Potentials::to(NodeId target) const {
  return {*this, target, Direction::kForward};
}
PotentialsHeuristic Potentials::from(NodeId source) const {
  return {*this, source, Direction::kBackward};
}

PotentialsHeuristic::PotentialsHeuristic(const Potentials& potentials, NodeId anchor,
                                         Direction direction)
    : nodes_(potentials.nodes_),
      rows_(potentials.data()),
      anchor_(rows_ + std::size_t{anchor} * potentials.row_bytes_),
      row_bytes_(potentials.row_bytes_),
      wide_(potentials.storage_ == PotentialsStorage::k32Bit),
      both_ways_(potentials.symmetric_),
      backward_(direction == Direction::kBackward),
      unit_(potentials.unit_),
      coarse_(static_cast<std::int32_t>(potentials.coarse_)),
      guarantee_(potentials.guarantee()) {
  potentials.check_row(anchor);
}

void Potentials::require_fit(const Graph& graph) const {
  if (graph.node_count() != nodes_) {
    throw Error("the potentials have " + std::to_string(nodes_) + " nodes, but the graph has " +
                std::to_string(graph.node_count()) +
                "; use the graph they were made for, or run `lodestar fit` again");
  }
  if (lodestar::topology_hash(graph) != topology_) {
    throw Error(
        "the potentials were made for other arcs (only weights may change); run `lodestar fit` "
        "again");
  }
}

PotentialsCheck Potentials::verify(const Graph& graph) const {
  require_fit(graph);
  PotentialsCheck check;
  if (coarse_ == 1) {
    for (NodeId u = 0; u < nodes_; ++u) {
      const PotentialsHeuristic bound = from(u);
      for (const Arc arc : graph.arcs(u)) check.violated_arcs += bound(arc.head) > arc.weight;
    }
    return check;
  }
  const std::optional<Graph> doubled = both_ways(graph, symmetric_);
  PotentialsCloser closer(doubled ? *doubled : graph, unit_, coarse_);
  for (std::uint32_t i = 0; i < count_; ++i) {
    closer.close(column(i), [&](NodeId, std::int32_t) { ++check.violated_arcs; });
  }
  return check;
}

PotentialsRepair Potentials::repair(const Graph& graph) {
  require_fit(graph);
  PotentialsRepair repair;
  const std::optional<Graph> doubled = both_ways(graph, symmetric_);
  PotentialsCloser closer(doubled ? *doubled : graph, unit_, coarse_);
  // Values stay in range, because a closure never lowers the smallest value.
  for (std::uint32_t i = 0; i < count_; ++i) {
    std::vector<std::int32_t> values = column(i);
    const std::vector<std::int32_t> old = values;
    repair.violated_arcs += closer.close(old, [&](NodeId v, std::int32_t value) {
      values[v] = value;
      ++repair.changed_values;
    });
    if (repair.changed_values > 0) set_column(i, values);
  }
  return repair;
}

Potentials Potentials::in_16_bits(const Graph& graph) const {
  require_wide();
  require_fit(graph);
  std::vector<std::vector<std::int32_t>> columns;
  for (std::uint32_t i = 0; i < count_; ++i) columns.push_back(column(i));
  Potentials narrow(graph, columns, unit_, PotentialsStorage::k16Bit);
  narrow.symmetric_ = symmetric_;
  narrow.origin_ = origin_;
  return narrow;
}

std::uint64_t topology_hash(const Graph& graph) {
  std::uint64_t sum = mix64(graph.node_count());
  graph.visit(Direction::kForward, [&](auto adjacency) {
    for (NodeId u = 0; u < graph.node_count(); ++u) {
      for (const auto& arc : adjacency.of(u)) sum += mix64(std::uint64_t{u} << 32 | arc.head);
    }
  });
  return sum;
}

}  // namespace lodestar
