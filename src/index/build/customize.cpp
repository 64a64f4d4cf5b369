// Customization: contracts the graph again in the same order, with other weights.

#include "index/build/assemble.h"
#include "index/build/contraction.h"
#include "index/core_distances.h"
#include "index/data.h"
#include "index/file/file.h"
#include "index/hierarchy/quick.h"
#include "index/labels/labels.h"
#include "index/labels/levels.h"
#include "lodestar/detail/clock.h"
#include "lodestar/index.h"

namespace lodestar {
namespace index {
namespace {

template <class W>
Data contracted_again(const Data& data, const Graph& graph, const Units& units,
                      std::uint32_t threads) {
  Contraction<W> contraction(graph, units, {.threads = threads});
  for (std::vector<NodeId>& level : levels_of(data)) {
    for (NodeId& u : level) u = data.original[u];
    contraction.contract(level);
  }
  return assemble(graph, contraction, take_snapshot(contraction),
                  data.paths ? Assembly::kPaths : Assembly::kCosts);
}

}  // namespace
}  // namespace index

Index Index::customized(const Graph& graph, const IndexOptions& options) const {
  const auto begin = Clock::now();
  if (options.quick) {
    if (data_->flexible == nullptr) return flexible().customized(graph, options);
    return Index(
        std::make_shared<index::Data>(index::quickly_customised(*data_, graph, options.threads)));
  }
  const index::Data& old = data_->metric ? *data_->flexible->built : *data_;
  if (old.nodes != graph.node_count() || old.topology != topology_hash(graph)) {
    throw Error(
        "the index was built for other arcs (customization changes only weights); build a new "
        "index with `lodestar index`");
  }
  const index::Units units = index::choose_units(graph, index::Decimals::kAllowed);
  auto fresh = std::make_shared<index::Data>(
      units.wide ? index::contracted_again<double>(old, graph, units, options.threads)
                 : index::contracted_again<std::uint32_t>(old, graph, units, options.threads));
  fresh->origin = old.origin;
  fresh->flexible = data_->flexible;
  fresh->origin.contraction_seconds = seconds_since(begin);
  if (old.plain) {
    fresh->plain = true;
    index::set_graph(*fresh, graph);
  }
  if (old.labelled) index::add_labels(*fresh);
  if (old.has_core_distances && !fresh->wide) {
    fresh->has_core_distances = true;
    index::add_core_distances(*fresh);
  }
  if (old.potential_count == 0) return Index(std::move(fresh));
  // The core has the same nodes in another order. Potentials stay feasible where weights rose and
  // are repaired where weights fell.
  const Graph core = index::core_graph(*fresh);
  std::vector<std::vector<std::int32_t>> columns(old.potential_count,
                                                 std::vector<std::int32_t>(old.core));
  for (NodeId v = 0; v < old.core; ++v) {
    const NodeId before = old.place[fresh->original[v]];
    for (std::uint32_t i = 0; i < old.potential_count; ++i) {
      columns[i][v] = old.potentials[std::size_t{before} * old.row + i];
    }
  }
  Potentials potentials(core, columns, old.potential_unit);
  if (!potentials.verify(core).feasible()) potentials.repair(core);
  index::set_potentials(*fresh, potentials);
  const Index index(std::move(fresh));
  if (options.rounds == 0 && !(options.training_seconds() > 0)) return index;
  return index.trained(options);
}

IndexOpening Index::open_or_customize(const std::string& path, const Graph& graph, bool map) {
  auto data = std::make_shared<index::Data>(*index::read(path, map));
  if (data->topology == topology_hash(graph) && data->nodes == graph.node_count() &&
      data->weights != index::weights_hash(graph)) {
    IndexOptions refit;
    refit.potential_count = data->potential_count;
    refit.seconds = 0.3;
    return {Index(std::move(data)).customized(graph, refit),
            path + " was built for other weights and was customized"};
  }
  index::require_fit(*data, graph, path);
  index::set_graph(*data, graph);
  return {Index(std::move(data)), ""};
}

Index Index::flexible() const {
  if (data_->flexible != nullptr) return *this;
  // Above this limit a hierarchy does not help. Dense and random graphs exceed it.
  constexpr std::size_t kMostArcs = 200, kAlways = 1'000'000;
  auto made = std::make_shared<index::Data>(*data_);
  made->flexible = std::make_shared<const index::Flexible>(
      index::Flexible{Cch(data_->graph, kAlways + kMostArcs * data_->nodes), data_});
  return Index(std::move(made));
}

bool Index::fits(const Graph& graph) const {
  const auto where = [](const Graph& g) {
    return g.visit(Direction::kForward, [](auto a) { return static_cast<const void*>(a.arcs); });
  };
  const Graph& mine = data_->graph;
  // The same object as the graph it was built with.
  if (mine.node_count() == graph.node_count() && mine.arc_count() == graph.arc_count() &&
      graph.arc_count() > 0 && where(mine) == where(graph)) {
    return true;
  }
  if (data_->metric) return index::weights_hash(mine) == index::weights_hash(graph);
  return data_->nodes == graph.node_count() && data_->symmetric == graph.symmetric() &&
         data_->topology == topology_hash(graph) && data_->weights == index::weights_hash(graph);
}

}  // namespace lodestar
