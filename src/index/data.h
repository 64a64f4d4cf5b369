// The arrays of an index, in its own memory or in the bytes of a file.
//
// Nodes are renumbered. The core has the numbers 0 … core-1, with neighbours close together. The
// other nodes follow such that up-arcs lead to smaller numbers. They are in depth-first order of
// the forest in which the parent of a node is its last upper neighbour, so a climb touches few
// cache lines.
//
// Row u of `first[0]`, `arcs[0]` holds the arcs within the core if u is in the core, otherwise the
// up-arcs u → head. On directed graphs, row u of side 1 holds the arcs head → u from above. Every
// arc is the cheapest between its ends, and a row has one arc per head. Directed graphs have two
// sides, so their arcs take as many bytes as the numbers of this index need (`arc_format`).
//
// Paths. `words` holds sequences of original ids. An arc with the range p represents words[p],
// words[p+1], … up to the id of its end; if the range is backward, words[p], words[p-1], …
// The sequence goes from the arc's tail to its head, also on side 1 (from `head` to u). An arc of
// the graph has no range. The halves of a shortcut are part of its sequence, so most arcs need
// no separate entry in `words`. All inner nodes of an arc are lower than its ends, so the end
// occurs exactly once. The length of a range says how far away it is.
//
// `between` holds the core distances of a small core (core_distances.h). Without labels they
// replace potentials (`has_core_distances`). `next` has the arcs of the paths across the core.
//
// Labels are optional (labels.h): the distances of a node to the core and to hubs below it.
//
// Weights and distances are integers of 32 bits, or doubles if `wide`.
//
// If nothing is gained by contraction, the core is the whole graph and queries search the graph
// from both ends (`plain`, query/plain_query.h).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "index/narrow.h"
#include "lodestar/cch.h"
#include "lodestar/graph.h"
#include "lodestar/index.h"

namespace lodestar::index {

inline constexpr std::uint32_t kDirect = 0xffffffffu;  // not a shortcut

struct ShortcutBlock {
  std::uint64_t bits = 0;    // which of 64 arcs are shortcuts
  std::uint32_t before = 0;  // shortcuts before these
  std::uint32_t zero = 0;
};

// Arcs of any format with weights W.
template <class W>
using AnyArcs = std::conditional_t<std::is_same_v<W, std::uint32_t>, NarrowArcs, PlainArcs<W>>;

inline constexpr std::uint8_t kNoNext = 255;

// `count` ids. The first eight are at `from`, and the next ones `step` bytes further. If `step` is
// negative, the first id is the last of these eight.
struct PathPiece {
  const std::byte* from = nullptr;
  std::uint32_t count = 0;
  std::int32_t step = 0;
};
// An arc of the core.
struct CorePiece {
  PathPiece piece;
  NodeId head = 0;
};

struct Data;
struct PlainGraph;  // query/plain_query.h

// For quick customization: shortcuts that do not depend on weights, and the index as built, whose
// order a later contraction repeats.
struct Flexible {
  Cch cch;
  std::shared_ptr<const Data> built;
};

struct Data {
  NodeId nodes = 0;
  NodeId core = 0;
  bool symmetric = false;
  bool wide = false;  // weights are doubles, otherwise 32-bit integers
  bool exact = true;  // sums do not depend on their order
  bool paths = true;  // `ranges` and `words` are present
  double unit = 1;    // a cost is unit · n / parts
  double parts = 1;
  std::uint64_t topology = 0;  // hash of the graph's arcs
  std::uint64_t weights = 0;   // hash of the graph's arcs and weights

  Ids place;                                // [nodes] id of the graph → number here
  Ids original;                             // [nodes] number here → id of the graph
  std::span<const std::uint32_t> first[2];  // [nodes + 1]
  std::span<const std::byte> arcs[2];       // in arc_format, or UpArc<double>
  ArcFormat arc_format;
  // Ranges of shortcuts, in the order of arcs; about half of the arcs are shortcuts. If the length
  // is kLong, the end is searched. Empty without paths.
  std::span<const ShortcutBlock> shortcuts[2];  // 64 arcs each
  PathRanges ranges[2];
  Ids words;

  // f_i(u) = potential_unit · potentials[u · row + i] for u in the core. `row` is a multiple of 8
  // and at least potential_count; the rest is zero. |f| <= 2^29.
  std::uint32_t potential_count = 0;
  std::uint32_t row = 0;
  double potential_unit = 1;
  bool both_ways = false;  // the core is symmetric: |f(v) - f(u)| bounds every arc
  std::span<const std::int32_t> potentials;

  // See labels.h.
  bool labelled = false;
  std::span<const std::uint32_t> label_at[2];   // [nodes] by id of the graph: position of its label
  std::span<const std::byte> labels[2];         // headers and items
  std::span<const std::uint8_t> label_arcs[2];  // parallel to labels: the up-arc of each item

  bool plain = false;                        // nothing is contracted, and queries search the graph
  std::shared_ptr<const PlainGraph> sorted;  // for plain queries; null otherwise

  bool has_core_distances = false;     // `between` without labels
  std::span<const std::byte> between;  // [core · core] row v, column u: from u to v
  // [core · core] row v, column u: the first arc from u to v, counted in its row; kNoNext if there
  // is none. Empty without paths, and if a row of the core has too many arcs.
  std::span<const std::uint8_t> next;
  std::span<const CorePiece> core_pieces;  // by arc of the core, if there is `next`; not in files

  // After a quick customization the arrays above are empty and `metric` is used (quick.h).
  std::shared_ptr<const Flexible> flexible;
  std::optional<CchMetric> metric;

  IndexOrigin origin;
  Graph graph;
  std::shared_ptr<const void> keeper;            // of the arrays
  std::shared_ptr<const void> potential_keeper;  // of the potentials
  std::shared_ptr<const void> label_keeper;      // of the labels
  std::shared_ptr<const void> between_keeper;
  std::shared_ptr<const void> pieces_keeper;

  // Sums depend on their order: a cost is added up again along its path. Sums of decimals do not.
  bool rounded() const { return wide && !exact && parts == 1; }
  Cost cost_of(double n) const { return parts == 1 ? unit * n : n / parts; }
  // The range of an arc; none if it is an arc of the graph.
  std::optional<PathRange> range_of(int side, std::uint32_t arc) const {
    const ShortcutBlock& block = shortcuts[side][arc / 64];
    const std::uint64_t bit = std::uint64_t{1} << arc % 64;
    if ((block.bits & bit) == 0) return std::nullopt;
    return ranges[side]
                 [block.before + static_cast<std::uint32_t>(std::popcount(block.bits & (bit - 1)))];
  }
  int sides() const { return symmetric ? 1 : 2; }
  std::size_t arc_bytes() const { return wide ? sizeof(UpArc<double>) : arc_format.bytes; }
  // The arcs of a side as Arcs, which has to fit them: PlainArcs, or NarrowArcs in 32 bits.
  template <class Arcs>
  Arcs arcs_as(int side) const {
    if constexpr (std::is_same_v<Arcs, NarrowArcs>) {
      return {arcs[side].data(), arc_format};
    } else {
      using Arc = std::remove_reference_t<decltype(*std::declval<Arcs>().arcs)>;
      return {reinterpret_cast<const Arc*>(arcs[side].data())};
    }
  }
  template <class Arcs>
  ArcRow<Arcs> row_as(NodeId u, int side) const {
    return row_between(arcs_as<Arcs>(side), first[side][u], first[side][u + std::size_t{1}]);
  }
  // A row of any format.
  template <class W>
  ArcRow<AnyArcs<W>> row_of(NodeId u, int side) const {
    return row_as<AnyArcs<W>>(u, side);
  }
  template <class W>
  const W* between_of() const {
    return reinterpret_cast<const W*>(between.data());
  }
  std::size_t bytes() const {
    std::size_t sum =
        place.size_bytes() + original.size_bytes() + potentials.size_bytes() + between.size();
    for (int side = 0; side < 2; ++side) {
      sum += first[side].size_bytes() + arcs[side].size_bytes();
    }
    return sum + path_bytes() + label_bytes();
  }
  std::size_t path_bytes() const {
    std::size_t sum = words.size_bytes() + next.size() + core_pieces.size_bytes();
    for (int side = 0; side < 2; ++side) {
      sum += shortcuts[side].size_bytes() + ranges[side].size_bytes();
    }
    return sum;
  }
  std::size_t label_bytes() const {
    std::size_t sum = 0;
    for (int side = 0; side < 2; ++side) {
      sum +=
          label_at[side].size_bytes() + labels[side].size_bytes() + label_arcs[side].size_bytes();
    }
    return sum;
  }
};

// Access to the arrays of an Index, for other parts of the library.
struct Access {
  static const Data& data(const Index& index);
  static Index index(std::shared_ptr<const Data> data);
};

// Connects an index that was read with its graph.
void set_graph(Data& data, const Graph& graph);

// A hash of the arcs and their weights.
std::uint64_t weights_hash(const Graph& graph);

// The core as a graph, with true costs. Potentials are trained on it.
Graph core_graph(const Data& data);

// The potentials of the core; empty if the core is searched without potentials or crossed by core
// distances.
std::optional<Potentials> core_potentials(const Data& data);
// Replaces them; `potentials` must be made for core_graph, in 32 bits.
void set_potentials(Data& data, const Potentials& potentials);

}  // namespace lodestar::index
