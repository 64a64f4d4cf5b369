#include "index/build/assemble.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>

#include "graph/locality.h"
#include "index/build/ranges.h"
#include "lodestar/detail/stop.h"

namespace lodestar::index {
namespace {

// The arrays of an index that was not read from a file.
struct Owned {
  OwnedIds place, original;
  std::vector<std::uint32_t> first[2];
  std::vector<std::byte> arcs[2];
  Ranges ranges;
};

// The smallest format for these arcs.
ArcFormat format_for(const std::vector<UpArc<std::uint32_t>>* sides, NodeId nodes) {
  std::uint32_t longest = 0;
  for (int side = 0; side < 2; ++side) {
    for (const auto& arc : sides[side]) longest = std::max(longest, arc.weight);
  }
  const int head = std::bit_width(nodes == 0 ? 0 : nodes - 1);
  const int bytes = (head + std::bit_width(longest) + 7) / 8;
  if (bytes >= 8) return {};
  return {static_cast<std::uint8_t>(head), static_cast<std::uint8_t>(std::max(bytes, 1))};
}

// As bytes of the format.
template <class W>
std::vector<std::byte> arcs_in(ArcFormat format, const std::vector<UpArc<W>>& arcs) {
  if constexpr (std::is_same_v<W, std::uint32_t>) {
    if (format.narrow()) {
      std::vector<std::byte> bytes(arcs.size() * format.bytes + kArcSlack);
      std::byte* to = bytes.data();
      for (const auto& arc : arcs) {
        const std::uint64_t both = std::uint64_t{arc.weight} << format.head_bits | arc.head;
        std::memcpy(to, &both, format.bytes);
        to += format.bytes;
      }
      return bytes;
    }
  }
  const auto bytes = std::as_bytes(std::span(arcs));
  return {bytes.begin(), bytes.end()};
}

// Directed graphs have arcs on two sides and store them in fewer bytes. On the others, reading
// them whole is faster.
template <class W>
void store_arcs(Data& data, Owned& owned, const std::vector<UpArc<W>> (&arcs)[2]) {
  if constexpr (std::is_same_v<W, std::uint32_t>) {
    if (!data.symmetric) data.arc_format = format_for(arcs, data.nodes);
  }
  for (int side = 0; side < data.sides(); ++side) {
    owned.arcs[side] = arcs_in(data.arc_format, arcs[side]);
    data.arcs[side] = owned.arcs[side];
    data.first[side] = owned.first[side];
  }
}

void store_ids(Data& data, Owned& owned, const std::vector<NodeId>& place,
               const std::vector<NodeId>& original) {
  owned.place = OwnedIds(place, data.nodes);
  owned.original = OwnedIds(original, data.nodes);
  data.place = owned.place.view();
  data.original = owned.original.view();
}

template <class W>
class Assembler {
 public:
  Assembler(const Graph& graph, const Contraction<W>& contraction, const CoreSnapshot<W>& snapshot)
      : graph_(graph),
        contraction_(contraction),
        snapshot_(snapshot),
        owned_(std::make_shared<Owned>()),
        turn_(graph.node_count(), kCore) {
    for (std::size_t i = 0; i < snapshot.contracted; ++i) {
      turn_[contraction.contracted()[i]] = static_cast<std::uint32_t>(i);
    }
  }

  Data run(Assembly assembly) {
    number_core();
    number_forest();
    Data data;
    data.nodes = graph_.node_count();
    data.core = static_cast<NodeId>(snapshot_.nodes.size());
    data.symmetric = contraction_.symmetric();
    data.wide = contraction_.units().wide;
    data.exact = contraction_.units().exact;
    data.unit = contraction_.units().unit;
    data.parts = contraction_.units().parts;
    if (assembly != Assembly::kSample) {
      data.topology = topology_hash(graph_);
      data.weights = weights_hash(graph_);
    }
    data.graph = graph_;
    std::vector<UpArc<W>> arcs[2];
    for (int side = 0; side < data.sides(); ++side) fill_rows(side, arcs[side]);
    store_arcs(data, *owned_, arcs);
    store_ids(data, *owned_, place_, original_);
    data.paths = assembly == Assembly::kPaths;
    if (data.paths) {
      owned_->ranges = lay_out_ranges<W>(data, middles_);
      for (int side = 0; side < data.sides(); ++side) {
        data.shortcuts[side] = owned_->ranges.shortcuts[side];
        data.ranges[side] = owned_->ranges.view(side);
      }
      data.words = owned_->ranges.words.view();
    }
    data.keeper = owned_;
    return data;
  }

 private:
  static constexpr std::uint32_t kCore = 0xffffffffu;

  void put(NodeId node, NodeId place) {
    place_[node] = place;
    original_[place] = node;
  }

  void number_core() {
    place_.resize(graph_.node_count());
    original_.resize(graph_.node_count());
    const auto& nodes = snapshot_.nodes;
    GraphBuilder builder(static_cast<NodeId>(nodes.size()));
    std::vector<NodeId> rank(graph_.node_count(), kNoNode);
    for (NodeId i = 0; i < nodes.size(); ++i) rank[nodes[i]] = i;
    for (NodeId i = 0; i < nodes.size(); ++i) {
      for (const auto& arc : snapshot_.arcs[i]) builder.add_arc(i, rank[arc.head], 1);
    }
    const std::vector<NodeId> order = locality_order(builder.build());
    for (NodeId i = 0; i < nodes.size(); ++i) put(nodes[order[i]], i);
  }

  template <class Use>
  void for_heads(NodeId node, Use&& use) const {
    for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
      for (const auto& arc : contraction_.arcs(node, direction)) use(arc.head);
      if (contraction_.symmetric()) break;
    }
  }

  // A node is numbered after all its upper neighbours and before other waiting nodes. Up-arcs then
  // lead to smaller numbers, and the nodes below a node are contiguous.
  void number_forest() {
    const NodeId n = graph_.node_count();
    const std::span<const NodeId> contracted(contraction_.contracted().data(),
                                             snapshot_.contracted);
    std::vector<std::uint32_t> waits(n, 0);                   // for so many arcs up
    std::vector<std::uint64_t> first(n + std::size_t{1}, 0);  // arcs up by their heads
    std::size_t step = 0;
    for (const NodeId node : contracted) {
      check_stop(step++);
      for_heads(node, [&](NodeId head) {
        ++waits[node];
        ++first[head + std::size_t{1}];
      });
    }
    for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
    std::vector<NodeId> tails(first.back());
    std::vector<std::uint64_t> next(first.begin(), first.end() - 1);
    for (const NodeId node : contracted) {
      check_stop(step++);
      for_heads(node, [&](NodeId head) { tails[next[head]++] = node; });
    }
    NodeId free = static_cast<NodeId>(snapshot_.nodes.size());
    std::vector<NodeId> ready;
    const auto come = [&](NodeId node) {
      for (std::uint64_t i = first[node]; i < first[node + std::size_t{1}]; ++i) {
        if (--waits[tails[i]] == 0) ready.push_back(tails[i]);
      }
    };
    const auto come_all = [&] {
      while (!ready.empty()) {
        const NodeId node = ready.back();
        ready.pop_back();
        put(node, free++);
        come(node);
      }
    };
    std::vector<NodeId> roots;
    for (std::size_t i = contracted.size(); i-- > 0;) {
      if (waits[contracted[i]] == 0) roots.push_back(contracted[i]);
    }
    for (NodeId i = 0; i < snapshot_.nodes.size(); ++i) {
      come(original_[i]);
      come_all();
    }
    for (const NodeId root : roots) {
      ready.push_back(root);
      come_all();
    }
  }

  std::vector<GrowingArc<W>> arcs_of(NodeId node, int side) const {
    if (turn_[node] == kCore) {
      if (side == 1) return {};  // the core is searched forward only
      const auto found = std::lower_bound(snapshot_.nodes.begin(), snapshot_.nodes.end(), node);
      return snapshot_.arcs[static_cast<std::size_t>(found - snapshot_.nodes.begin())];
    }
    return contraction_.arcs(node, static_cast<Direction>(side));
  }

  void fill_rows(int side, std::vector<UpArc<W>>& arcs) {
    auto& first = owned_->first[side];
    first.reserve(graph_.node_count() + std::size_t{1});
    for (NodeId u = 0; u < graph_.node_count(); ++u) {
      check_stop(u);
      first.push_back(static_cast<std::uint32_t>(arcs.size()));
      std::vector<GrowingArc<W>> row = arcs_of(original_[u], side);
      for (auto& arc : row) {
        arc.head = place_[arc.head];
        if (arc.middle != kNoNode) arc.middle = place_[arc.middle];
      }
      std::sort(row.begin(), row.end(),
                [](const auto& a, const auto& b) { return a.head < b.head; });
      for (const auto& arc : row) {
        arcs.push_back({arc.head, arc.weight});
        middles_.middle[side].push_back(arc.middle);
        middles_.hops[side].push_back(arc.hops);
      }
      if (arcs.size() >= kDirect)
        throw Error("the index needs more than 2^32 arcs; build it with a larger core");
    }
    first.push_back(static_cast<std::uint32_t>(arcs.size()));
  }

  const Graph& graph_;
  const Contraction<W>& contraction_;
  const CoreSnapshot<W>& snapshot_;
  std::shared_ptr<Owned> owned_;
  std::vector<NodeId> place_, original_;
  std::vector<std::uint32_t> turn_;  // in the order of contraction; kCore for the core
  ArcMiddles middles_;
};

}  // namespace

template <class W>
CoreSnapshot<W> take_snapshot(const Contraction<W>& contraction) {
  CoreSnapshot<W> snapshot;
  snapshot.contracted = contraction.contracted().size();
  snapshot.nodes = contraction.remaining_nodes();
  for (const NodeId node : snapshot.nodes) {
    snapshot.arcs.push_back(contraction.arcs(node, Direction::kForward));
  }
  return snapshot;
}

template <class W>
Data assemble(const Graph& graph, const Contraction<W>& contraction,
              const CoreSnapshot<W>& snapshot, Assembly assembly) {
  return Assembler<W>(graph, contraction, snapshot).run(assembly);
}

template <class W>
Data assemble_whole(const Graph& graph, Units units, bool paths) {
  if (units.wide) units.parts = 1;  // doubles are searched on the graph itself
  const NodeId n = graph.node_count();
  auto owned = std::make_shared<Owned>();
  std::vector<NodeId> same(n);
  std::iota(same.begin(), same.end(), NodeId{0});
  std::vector<UpArc<W>> sides[2];
  std::vector<UpArc<W>>& arcs = sides[0];
  std::vector<std::uint32_t>& first = owned->first[0];
  for (NodeId u = 0; u < n; ++u) {
    check_stop(u);
    first.push_back(static_cast<std::uint32_t>(arcs.size()));
    const auto row = static_cast<std::ptrdiff_t>(arcs.size());
    for (const Arc arc : graph.arcs(u, Direction::kForward)) {
      if (arc.head == u || arc.weight > units.longest) continue;
      arcs.push_back({arc.head, weight_in_units<W>(units, arc.weight)});
    }
    std::sort(arcs.begin() + row, arcs.end(), [](const UpArc<W>& a, const UpArc<W>& b) {
      return a.head != b.head ? a.head < b.head : a.weight < b.weight;
    });
    arcs.erase(std::unique(arcs.begin() + row, arcs.end(),
                           [](const UpArc<W>& a, const UpArc<W>& b) { return a.head == b.head; }),
               arcs.end());
  }
  first.push_back(static_cast<std::uint32_t>(arcs.size()));
  Data data;
  data.nodes = data.core = n;
  data.symmetric = graph.symmetric();
  data.wide = units.wide;
  data.exact = units.exact;
  data.unit = units.unit;
  data.parts = units.parts;
  data.topology = topology_hash(graph);
  data.weights = weights_hash(graph);
  data.paths = paths;
  if (paths) owned->ranges.shortcuts[0].resize((arcs.size() + 63) / 64);  // none is a shortcut
  if (!graph.symmetric()) owned->first[1].resize(n + std::size_t{1});
  store_arcs(data, *owned, sides);
  store_ids(data, *owned, same, same);
  for (int side = 0; side < data.sides(); ++side) {
    data.shortcuts[side] = owned->ranges.shortcuts[side];
  }
  data.keeper = owned;
  data.plain = units.parts == 1;  // decimals are added exactly only in units
  set_graph(data, graph);
  return data;
}

template Data assemble_whole<std::uint32_t>(const Graph&, Units, bool);
template Data assemble_whole<double>(const Graph&, Units, bool);
template CoreSnapshot<std::uint32_t> take_snapshot(const Contraction<std::uint32_t>&);
template CoreSnapshot<double> take_snapshot(const Contraction<double>&);
template Data assemble(const Graph&, const Contraction<std::uint32_t>&,
                       const CoreSnapshot<std::uint32_t>&, Assembly);
template Data assemble(const Graph&, const Contraction<double>&, const CoreSnapshot<double>&,
                       Assembly);

}  // namespace lodestar::index
