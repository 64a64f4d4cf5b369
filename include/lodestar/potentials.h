// K feasible potentials per node for one graph, and the heuristic they give. A search with them is
// optimal, for any weights for which they are feasible.
//
//   const Potentials potentials = Potentials::load("roads.lsp");
//   potentials.require_fit(graph);                              // throws if the arcs differ
//   if (!potentials.verify(graph).feasible()) potentials.repair(graph);   // after weights fell
//   searcher.run(query, potentials.to(query.target));           // optimal
//
//   h(v) = max over i of f_i(t) - f_i(v)                   directed
//   h(v) = max over i of |f_i(t) - f_i(v)|                 symmetric
//
// Each f_i is feasible: f_i(v) - f_i(u) <= w(u,v) on every arc, so h is consistent. ALT landmarks
// are the special case f_i = d(L_i, ·); fit.h trains better ones. Values are integer multiples of a
// unit that is a power of two, so bounds are exact. The values of a node are adjacent; 16 values of
// 32 bits fill a cache line. With 16 bits, floor(f / coarse) is stored and h loses less than
// `coarse` units. It is then admissible but not consistent, so a search must reopen nodes, which
// Searcher does.
#pragma once

#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "lodestar/graph.h"
#include "lodestar/heuristic.h"
#include "lodestar/types.h"

namespace lodestar {

enum class PotentialsStorage : std::uint8_t { k32Bit, k16Bit };

// How potentials were made; stored in their file.
struct PotentialsOrigin {
  std::string method;  // "alt-farthest", "alt-avoid", "alt-greedy", "fit"
  std::string version;
  std::string commit;
  std::uint64_t seed = 0;
  std::uint64_t rounds = 0;
  double seconds = 0;
};

struct PotentialsCheck {
  // Arcs that a potential violates. With 16 bits: values that no feasible potential rounds to.
  std::size_t violated_arcs = 0;
  bool feasible() const { return violated_arcs == 0; }
};

struct PotentialsRepair {
  std::size_t violated_arcs = 0;
  std::size_t changed_values = 0;
};

class AtomicFile;  // atomic_file.h
class PotentialFamily;
class PotentialsHeuristic;
class MixedBounds;  // src/potentials/mixed_bounds.h

class Potentials {
 public:
  // columns[i][v] = f_i(v) in units, |f_i(v)| <= 2^30.
  Potentials(const Graph& graph, std::span<const std::vector<std::int32_t>> columns, double unit,
             PotentialsStorage storage = PotentialsStorage::k32Bit);

  NodeId node_count() const { return nodes_; }
  std::uint32_t count() const { return count_; }
  double unit() const { return unit_; }  // of f, a power of two
  // Units per step of a stored value; 1 with 32 bits.
  std::uint32_t coarse() const { return coarse_; }
  bool symmetric() const { return symmetric_; }
  PotentialsStorage storage() const { return storage_; }
  std::size_t bytes() const { return nodes_ * std::size_t{row_bytes_}; }
  std::uint64_t topology_hash() const { return topology_; }
  PotentialsOrigin& origin() { return origin_; }
  const PotentialsOrigin& origin() const { return origin_; }
  Guarantee guarantee() const {
    return coarse_ == 1 ? Guarantee::kConsistent : Guarantee::kAdmissible;
  }

  // Lower bounds on the cost from v to `target`, and from `source` to v (for backward search). Both
  // throw Error if the node is out of range. A search on a graph of another size throws Error.
  PotentialsHeuristic to(NodeId target) const;
  PotentialsHeuristic from(NodeId source) const;

  // The potential with the largest bound for the query. `rises` says that the target's value is the
  // higher one, which is always so unless symmetric.
  struct Best {
    std::uint32_t potential;
    bool rises;
    Cost bound;
  };
  Best best(Query query) const;

  // Throws Error if the potentials were made for a graph with other nodes or arcs.
  void require_fit(const Graph& graph) const;

  // Checks all constraints in one pass over the arcs. With 16 bits it checks that the values are
  // rounded feasible potentials, by one closure each: about a second per million values. Throws
  // Error if the potentials do not fit the graph, as the two functions below do.
  PotentialsCheck verify(const Graph& graph) const;

  // Makes every potential feasible after weights fell: each becomes the largest feasible potential
  // below it (closure.h). After one pass over the arcs the work is proportional to what changes.
  PotentialsRepair repair(const Graph& graph);

  // The stored values of one potential: f_i(v) = unit() · coarse() · value, rounded down.
  std::vector<std::int32_t> column(std::uint32_t i) const;

  // The values of one node, for code that makes potentials (32 bits only).
  std::span<std::int32_t> row(NodeId v);

  // The same potentials with half the memory; see the top of this file.
  Potentials in_16_bits(const Graph& graph) const;

  // save() writes a .lsp file atomically. load() throws Error if the file is malformed.
  void save(const std::string& path) const;
  static Potentials load(const std::string& path);

 private:
  Potentials() = default;
  void write(AtomicFile& file) const;
  std::size_t file_bytes() const;
  // Reads `size` bytes from here on.
  static Potentials read(std::FILE* file, std::uintmax_t size, const std::string& path);
  void allocate();
  void require_wide() const;       // throws Error in 16 bits
  void check_row(NodeId v) const;  // throws Error when there is no such row
  std::byte* data() { return reinterpret_cast<std::byte*>(rows_.data()); }
  const std::byte* data() const { return reinterpret_cast<const std::byte*>(rows_.data()); }
  void set_column(std::uint32_t i, std::span<const std::int32_t> values);
  friend class PotentialsHeuristic;
  friend class MixedBounds;
  friend class PotentialFamily;

  NodeId nodes_ = 0;
  std::uint32_t count_ = 0;
  std::uint32_t row_bytes_ = 0;  // a multiple of 16; what K leaves over is zero
  double unit_ = 1;
  std::uint32_t coarse_ = 1;
  bool symmetric_ = false;
  PotentialsStorage storage_ = PotentialsStorage::k32Bit;
  std::uint64_t topology_ = 0;
  struct alignas(64) Line {
    std::byte bytes[64];
  };
  std::vector<Line> rows_;  // [nodes][row_bytes] bytes
  PotentialsOrigin origin_;
};

// A hash of the arcs of a graph that depends neither on their order nor on their weights.
std::uint64_t topology_hash(const Graph& graph);

// The heuristic of one query. The potentials must outlive it.
class PotentialsHeuristic {
 public:
  PotentialsHeuristic(const Potentials& potentials, NodeId anchor, Direction direction);

  Cost operator()(NodeId v) const;
  Guarantee guarantee() const { return guarantee_; }
  NodeId node_count() const { return nodes_; }

 private:
  // 16 bytes at a time: one vector register on x86 and Arm.
  typedef std::int32_t Lanes32 __attribute__((vector_size(16)));
  typedef std::int16_t Lanes16 __attribute__((vector_size(16)));

  // max over lanes of anchor - row and of row - anchor.
  template <class Lanes>
  std::int32_t widest(const std::byte* row) const;

  NodeId nodes_;
  const std::byte* rows_;
  const std::byte* anchor_;  // its row
  std::uint32_t row_bytes_;
  bool wide_;       // 32-bit values
  bool both_ways_;  // symmetric: the absolute value
  bool backward_;   // row - anchor instead of anchor - row
  double unit_;
  std::int32_t coarse_;
  Guarantee guarantee_;
};

template <class Lanes>
std::int32_t PotentialsHeuristic::widest(const std::byte* row) const {
  constexpr int kLanes = static_cast<int>(sizeof(Lanes) / sizeof(Lanes{}[0]));
  const Lanes* a = reinterpret_cast<const Lanes*>(anchor_);
  const Lanes* b = reinterpret_cast<const Lanes*>(row);
  Lanes most{};  // zero: costs are never negative
  const std::uint32_t blocks = row_bytes_ / sizeof(Lanes);
  if (both_ways_) {
    Lanes least{};
    for (std::uint32_t k = 0; k < blocks; ++k) {
      const Lanes rise = a[k] - b[k];
      most = most > rise ? most : rise;
      least = least < rise ? least : rise;
    }
    least = -least;
    most = most > least ? most : least;
  } else if (backward_) {
    for (std::uint32_t k = 0; k < blocks; ++k) {
      const Lanes rise = b[k] - a[k];
      most = most > rise ? most : rise;
    }
  } else {
    for (std::uint32_t k = 0; k < blocks; ++k) {
      const Lanes rise = a[k] - b[k];
      most = most > rise ? most : rise;
    }
  }
  std::int32_t best = 0;
  for (int lane = 0; lane < kLanes; ++lane) {
    best = most[lane] > best ? most[lane] : best;
  }
  return best;
}

inline Cost PotentialsHeuristic::operator()(NodeId v) const {
  const std::byte* row = rows_ + std::size_t{v} * row_bytes_;
  if (wide_) return unit_ * widest<Lanes32>(row);
  // floor(a/q) - floor(b/q) = d means a - b >= q d - (q - 1).
  const std::int64_t rise = std::int64_t{widest<Lanes16>(row)} * coarse_ - (coarse_ - 1);
  return rise > 0 ? unit_ * static_cast<double>(rise) : 0;
}

}  // namespace lodestar
