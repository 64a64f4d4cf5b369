#include "lodestar/weight_changes.h"

#include <algorithm>
#include <optional>
#include <string>

#include "graph/known_changes.h"
#include "graph/rows.h"

namespace lodestar {
namespace {

template <class W>
struct CopiedArcs {
  std::vector<StoredArc<W>> arcs[2];
};

// Keeps the other arrays of the graph alive. After several changes it keeps those of the first
// graph, not of all that were in between.
struct KeepRest {
  std::shared_ptr<const void> rest;
  // The graph that was changed: the keeper of its arcs, their place, and the positions that
  // changed.
  std::weak_ptr<const void> before;
  const std::byte* arcs_before = nullptr;
  std::vector<ArcIndex> changed;

  template <class W>
  void operator()(CopiedArcs<W>* copied) {
    delete copied;
    // Otherwise a graph would keep this object, and through it those of all graphs before.
    before.reset();
    changed = {};
  }
};

// All arcs between two nodes: where they begin in each direction. In both they are sorted by
// weight.
struct Parallels {
  ArcIndex forward, backward, count;
};

template <class W>
std::pair<ArcIndex, ArcIndex> arcs_between(const Adjacency<W>& adjacency, NodeId u, NodeId v) {
  const auto row = adjacency.of(u);
  const auto begin = std::ranges::lower_bound(row, v, {}, &StoredArc<W>::head);
  const auto end = std::ranges::upper_bound(begin, row.end(), v, {}, &StoredArc<W>::head);
  return {adjacency.begin(u) + static_cast<ArcIndex>(begin - row.begin()),
          static_cast<ArcIndex>(end - begin)};
}

// None if a weight needs more bits than the others.
template <class W>
std::optional<Graph> patched(const Graph& graph, std::span<const ArcIndex> changed,
                             std::span<const Weight> weights) {
  const GraphArrays& old = graph.arrays();
  const auto forward = graph.adjacency<W>(Direction::kForward);
  const auto backward = graph.adjacency<W>(Direction::kBackward);
  if (sizeof(W) == sizeof(float) && !std::ranges::all_of(weights, detail::is_narrow)) return {};
  const auto* before = std::get_deleter<KeepRest>(old.keeper);
  const std::shared_ptr<CopiedArcs<W>> made(
      new CopiedArcs<W>,
      KeepRest{before != nullptr ? before->rest : old.keeper, old.keeper, old.arcs[0].data(), {}});
  auto& arcs = made->arcs[0];
  arcs.assign(forward.arcs, forward.arcs + graph.arc_count());
  std::vector<Parallels> touched;
  for (std::size_t i = 0; i < changed.size(); ++i) {
    arcs[changed[i]].weight = static_cast<W>(weights[i] + 0.0);  // -0 becomes 0
    const auto row = std::upper_bound(old.first[0].begin(), old.first[0].end(), changed[i]) - 1;
    const auto tail = static_cast<NodeId>(row - old.first[0].begin());
    const NodeId head = forward.head(changed[i]);
    const auto [place, count] = arcs_between(forward, tail, head);
    touched.push_back({place, arcs_between(backward, head, tail).first, count});
  }
  for (const Parallels& same : touched) {
    std::ranges::sort(std::span(arcs).subspan(same.forward, same.count), {}, &StoredArc<W>::weight);
  }
  GraphArrays arrays = old;
  for (const Parallels& same : touched) {
    for (ArcIndex i = 0; arrays.symmetric && i < same.count; ++i) {
      arrays.symmetric = arcs[same.forward + i].weight == arcs[same.backward + i].weight;
    }
  }
  if (!arrays.symmetric) {
    auto& back = made->arcs[1];
    back.assign(backward.arcs, backward.arcs + graph.arc_count());
    for (const Parallels& same : touched) {
      for (ArcIndex i = 0; i < same.count; ++i) {
        back[same.backward + i].weight = arcs[same.forward + i].weight;
      }
    }
    const auto alike = [](const StoredArc<W>& a, const StoredArc<W>& b) {
      return a.head == b.head && a.weight == b.weight;
    };
    arrays.symmetric =
        std::ranges::equal(old.first[0], old.first[1]) && std::ranges::equal(arcs, back, alike);
  }
  if (arrays.symmetric) {
    made->arcs[1] = {};
    arrays.first[1] = arrays.first[0];
  }
  for (int d = 0; d < 2; ++d) {
    arrays.arcs[d] = std::as_bytes(std::span(made->arcs[arrays.symmetric ? 0 : d]));
  }
  auto& positions = std::get_deleter<KeepRest>(made)->changed;
  for (const Parallels& same : touched) {
    for (ArcIndex i = 0; i < same.count; ++i) positions.push_back(same.forward + i);
  }
  std::ranges::sort(positions);
  positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
  arrays.keeper = made;
  return Graph::adopt(std::move(arrays));
}

}  // namespace

Graph with_weights(const Graph& graph, std::span<const ArcIndex> arcs,
                   std::span<const Weight> weights) {
  if (arcs.size() != weights.size()) {
    throw Error("there are " + std::to_string(weights.size()) + " weights for " +
                std::to_string(arcs.size()) + " arcs; give one per arc");
  }
  for (const ArcIndex arc : arcs) {
    if (arc < graph.arc_count()) continue;
    throw Error("arc " + std::to_string(arc) + " is out of range; the graph has " +
                std::to_string(graph.arc_count()) + " arcs, numbered from 0");
  }
  if (graph.arc_order() == ArcOrder::kByHead &&
      std::all_of(weights.begin(), weights.end(), is_weight)) {
    const std::optional<Graph> made = graph.narrow() ? patched<float>(graph, arcs, weights)
                                                     : patched<double>(graph, arcs, weights);
    if (made) return *made;
  }
  std::vector<Weight> all = graph.weights();
  for (std::size_t i = 0; i < arcs.size(); ++i) all[arcs[i]] = weights[i];
  return graph.with_weights(all);  // which says what is wrong with a weight
}

std::optional<std::span<const ArcIndex>> known_changes(const Graph& before, const Graph& after) {
  const auto* made = std::get_deleter<KeepRest>(after.arrays().keeper);
  const auto& keeper = before.arrays().keeper;
  if (made == nullptr || made->arcs_before != before.arrays().arcs[0].data() ||
      made->before.owner_before(keeper) || keeper.owner_before(made->before)) {
    return std::nullopt;
  }
  return made->changed;
}

bool may_be_parallel(const Graph& graph, ArcIndex arc) {
  return graph.visit(Direction::kForward, [&](auto adjacency) {
    const NodeId head = adjacency.head(arc);
    return (arc > 0 && adjacency.head(arc - 1) == head) ||
           (arc + std::size_t{1} < graph.arc_count() && adjacency.head(arc + 1) == head);
  });
}

}  // namespace lodestar
