#include "lodestar/index_estimate.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "index/core_distances.h"
#include "index/data.h"
#include "index/file/file.h"
#include "index/labels/labels.h"
#include "lodestar/bidirectional.h"
#include "lodestar/detail/clock.h"
#include "lodestar/detail/stop.h"
#include "lodestar/rng.h"

namespace lodestar {
namespace {

constexpr std::uint64_t kPieceSeed = 1;
constexpr double kQuarter = 4;         // from the smaller piece to the larger
constexpr std::size_t kMostArcs = 32;  // per node of a piece; dense graphs get a smaller piece
// Seconds grow slightly faster than the number of nodes, because of caches. On a small piece the
// measured growth is mostly noise.
constexpr double kSlowest = 1.15;
constexpr NodeId kLeastCore = 16;  // of a piece, for labels
constexpr NodeId kSampledLabels = 256;
constexpr std::uint64_t kQuerySeed = 5;
constexpr std::size_t kTurn = 8;  // queries between two looks at the clock
constexpr std::size_t kMostQueries = 10'000;

double per_node(std::size_t bytes, NodeId nodes) {
  return static_cast<double>(bytes) / std::max<double>(1, nodes);
}

// A connected piece of up to `size` nodes around random nodes.
Graph piece_of(const Graph& graph, NodeId size) {
  const NodeId n = graph.node_count();
  if (n <= size) return graph;
  std::vector<NodeId> number(n, kNoNode), nodes;
  Rng rng(mix64(kPieceSeed));
  const auto take = [&](NodeId u) {
    if (number[u] != kNoNode || nodes.size() >= size) return;
    number[u] = static_cast<NodeId>(nodes.size());
    nodes.push_back(u);
  };
  std::size_t next = 0, arcs = 0;
  while (nodes.size() < size) {
    if (next == nodes.size()) take(rng.below(n));
    if (next == nodes.size()) continue;
    const NodeId u = nodes[next++];
    for (const Arc arc : graph.arcs(u)) take(arc.head);
    arcs += graph.arcs(u).size();
    if (arcs > kMostArcs * size) break;
  }
  GraphBuilder builder(static_cast<NodeId>(nodes.size()));
  for (const NodeId u : nodes) {
    for (const Arc arc : graph.arcs(u)) {
      if (number[arc.head] != kNoNode) builder.add_arc(number[u], number[arc.head], arc.weight);
    }
  }
  return builder.build();
}

struct Measured {
  double bytes = 0, bare_bytes = 0;  // a node
  double seconds = 0;                // of contraction, and of labels
  bool trained = false;
  std::optional<QueryTimes> times;
  std::string why;  // not empty if the costs are unknown
};

// `nodes` is the number of nodes of the whole graph, which determines the size of a core for
// labels.
Measured measure(const Graph& piece, NodeId nodes, bool labels, const EstimateOptions& options) {
  Measured measured;
  IndexOptions build;
  build.labels = labels;
  if (labels && piece.node_count() < nodes) {
    const double share = static_cast<double>(piece.node_count()) / nodes;
    build.core = std::max(kLeastCore, static_cast<NodeId>(share * index::label_core(nodes)));
  }
  build.guide = CorePotentials::kNone;
  const double begin = processor_seconds();
  const auto stop = [&] { return processor_seconds() - begin > options.patience; };
  try {
    const Index index = Index::build(piece, build, stop);
    const IndexFacts facts = index.facts();
    measured.trained = !labels && !facts.core_distances && facts.core > 0;
    const std::size_t potentials =
        measured.trained ? std::size_t{4} * options.potential_count * facts.core : 0;
    measured.bytes = per_node(facts.bytes + potentials, facts.nodes);
    measured.bare_bytes = measured.bytes - per_node(facts.path_bytes, facts.nodes);
    measured.seconds = processor_seconds() - begin;
    if (!labels) measured.times = measure_queries(index);
  } catch (const Stopped&) {
    measured.why = "contraction is too slow to tell";
  } catch (const Error& error) {
    measured.why = error.what();
  }
  return measured;
}

// Extrapolates the growth from a quarter of the piece to the piece.
double grown(double quarter, double whole, double steps) {
  return whole + steps * std::max(0.0, whole - quarter);
}

}  // namespace

IndexCosts estimate_index_costs(const Graph& graph, const EstimateOptions& options) {
  const NodeId n = graph.node_count();
  IndexCosts result;
  const Graph piece = piece_of(graph, options.piece);
  const bool whole = piece.node_count() == n;
  if (!whole) result.piece = piece.node_count();
  result.costs.push_back(
      {IndexKind::kPotentials, 4.0 * options.potential_count, options.potentials_time, true, {}});
  if (n == 0) return result;
  const Graph quarter = whole ? piece : piece_of(piece, piece.node_count() / 4);
  const double times = static_cast<double>(n) / piece.node_count();
  const double steps = std::log(times) / std::log(kQuarter);
  const auto add = [&](IndexKind kind, const Measured& small, const Measured& large) {
    IndexCost cost{kind, {}, {}, whole, large.why.empty() ? small.why : large.why};
    if (cost.why.empty()) {
      cost.bytes_per_node = kind == IndexKind::kCoreWithoutPaths
                                ? grown(small.bare_bytes, large.bare_bytes, steps)
                            : kind == IndexKind::kLabels ? large.bytes
                                                         : grown(small.bytes, large.bytes, steps);
      const double power =
          std::clamp(std::log(large.seconds / small.seconds) / std::log(kQuarter), 1.0, kSlowest);
      cost.seconds = large.seconds * std::pow(times, power);
      if (large.trained) *cost.seconds += options.training;
    }
    result.costs.push_back(cost);
  };
  for (const bool labels : {false, true}) {
    const Measured large = measure(piece, n, labels, options);
    const Measured small =
        whole || !large.why.empty() ? large : measure(quarter, n, labels, options);
    if (!labels) {
      add(IndexKind::kCoreWithoutPaths, small, large);
      result.times = large.times;
    }
    add(labels ? IndexKind::kLabels : IndexKind::kCore, small, large);
  }
  return result;
}

QueryTimes measure_queries(const Index& index, double seconds) {
  const Graph& graph = index.graph();
  const NodeId n = graph.node_count();
  if (n == 0) return {};
  IndexSearcher with(index);
  BidirectionalSearcher without(graph.ordered(ArcOrder::kByWeight));
  Rng rng(mix64(kQuerySeed));
  QueryTimes sum;
  std::size_t count = 0;
  for (bool warm = false;
       count == 0 || (sum.index + sum.bidirectional < seconds && count < kMostQueries);) {
    check_stop();
    Query queries[kTurn];
    for (Query& query : queries) query = {rng.below(n), rng.below(n)};
    // In turns each goes first, since the second finds more in the caches.
    double spent[2] = {0, 0};
    for (const std::size_t turn : {count / kTurn, count / kTurn + 1}) {
      const double begin = processor_seconds();
      for (const Query& query : queries) turn % 2 == 0 ? with.run(query) : without.run(query);
      spent[turn % 2] = processor_seconds() - begin;
    }
    if (!std::exchange(warm, true) && spent[0] + spent[1] < seconds) continue;
    count += kTurn;
    sum.index += spent[0];
    sum.bidirectional += spent[1];
  }
  const auto queries = static_cast<double>(count);
  return {sum.index / queries, sum.bidirectional / queries};
}

IndexCosts index_costs_of(const Index& index, const EstimateOptions& options) {
  const IndexFacts facts = index.facts();
  const index::Data& data = index::Access::data(index);
  IndexCosts result;
  const double search = per_node(facts.bytes - facts.path_bytes - facts.label_bytes, facts.nodes);
  const double paths = per_node(facts.path_bytes, facts.nodes);
  const double spent = facts.origin.contraction_seconds + facts.origin.training_seconds;
  result.costs.push_back(
      {IndexKind::kPotentials, 4.0 * options.potential_count, options.potentials_time, true, {}});
  // The file does not store the times of contraction and labels separately.
  const std::optional<double> core_seconds =
      facts.labels ? std::nullopt : std::optional<double>(spent);
  result.costs.push_back({IndexKind::kCoreWithoutPaths, search, core_seconds, true, {}});
  IndexCost core{IndexKind::kCore, search + paths, core_seconds, facts.paths, {}};
  if (!facts.paths) {
    core.bytes_per_node.reset();
    core.why = "the index was built without paths";
  }
  result.costs.push_back(core);
  IndexCost labels{IndexKind::kLabels, {}, {}, facts.labels, {}};
  if (facts.labels) {
    labels.bytes_per_node = per_node(facts.bytes, facts.nodes);
    labels.seconds = spent;
  } else if (facts.core_distances && !facts.quick) {
    const index::LabelSample sample = index::sample_labels(data, kSampledLabels);
    labels.bytes_per_node = search + paths + sample.bytes_per_node;
    labels.seconds = spent + sample.seconds;
  } else {
    labels.why =
        "labels require a core small enough for core distances; run `lodestar info` on the graph";
  }
  result.costs.push_back(labels);
  return result;
}

IndexCosts index_costs_of(const std::string& path, const EstimateOptions& options) {
  return index_costs_of(index::Access::index(index::read(path)), options);
}

}  // namespace lodestar
