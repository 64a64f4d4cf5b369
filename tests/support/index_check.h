// Judges indexes on small nasty graphs: every pair of nodes against Bellman-Ford, every path
// re-summed on the plain list of arcs. For index_test (few graphs) and bench/index_check (many).
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "index/build/assemble.h"
#include "lodestar/index.h"
#include "oracle.h"

namespace lodestar::testing {

struct Judgement {
  std::uint64_t queries = 0;
  std::uint64_t unreachable = 0;
  std::uint64_t wrong = 0;
  std::string first_wrong;  // what, where

  void blame(const std::string& what) {
    if (wrong++ == 0) first_wrong = what;
  }
};

// The cheapest way along the nodes of a path; infinite when two are not joined.
inline double plain_cost(const PlainGraph& graph, const std::vector<NodeId>& path) {
  double sum = 0;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    double least = std::numeric_limits<double>::infinity();
    for (const PlainArc& arc : graph.arcs) {
      if (arc.tail == path[i] && arc.head == path[i + 1] && arc.weight < least) least = arc.weight;
    }
    sum += least;
  }
  return sum;
}

// All pairs of the graph. `tolerance` is relative, for weights whose sums are rounded.
inline void judge_index(const PlainGraph& plain, const Index& index, double tolerance,
                        Judgement& judgement) {
  IndexSearcher searcher(index);
  std::vector<NodeId> path;
  for (NodeId s = 0; s < plain.nodes; ++s) {
    const std::vector<double> truth = bellman_ford(plain, s);
    for (NodeId t = 0; t < plain.nodes; ++t) {
      const auto where = [&] {
        return plain.name + ", core " + std::to_string(index.facts().core) + ", " +
               std::to_string(s) + " → " + std::to_string(t);
      };
      ++judgement.queries;
      const SearchResult found = searcher.run({s, t});
      searcher.path(path);
      const bool reachable = truth[t] < kInfinity;
      judgement.unreachable += !reachable;
      if (found.reached() != reachable || !found.optimal()) {
        judgement.blame(where() + ": reached or proven wrongly");
      } else if (!reachable) {
        if (!path.empty()) judgement.blame(where() + ": a path to nowhere");
      } else if (std::abs(found.cost - truth[t]) > tolerance * truth[t]) {
        judgement.blame(where() + ": cost " + std::to_string(found.cost) + " instead of " +
                        std::to_string(truth[t]));
      } else if (path.empty() || path.front() != s || path.back() != t ||
                 std::abs(plain_cost(plain, path) - found.cost) > tolerance * truth[t]) {
        judgement.blame(where() + ": the path does not cost what was said");
      }
    }
  }
}

// Weights that rose, fell, and became so dear that the arc is as good as closed: three of `one_in`
// arcs. Twins stay alike, if asked for.
inline PlainGraph with_changes(const PlainGraph& plain, std::uint64_t seed, std::uint64_t one_in,
                               bool whole, bool twins = true) {
  PlainGraph changed = plain;
  changed.name += ", changed";
  for (PlainArc& arc : changed.arcs) {
    std::uint64_t ends = std::uint64_t{arc.tail} << 32 | arc.head;
    if (twins)
      ends = std::uint64_t{std::min(arc.tail, arc.head)} << 32 | std::max(arc.tail, arc.head);
    switch (mix64(mix64(ends) + seed) % one_in) {
      case 0:
        arc.weight *= 3;
        break;
      case 1:
        arc.weight = whole ? std::floor(arc.weight / 2) : 0;
        break;
      case 2:
        arc.weight = 1e9;
        break;
      default:
        break;
    }
  }
  return changed;
}

// One change after another, each answered at once: many arcs, few, one way only, and all of them
// back. In the end a contraction in the order the index was built with.
inline void judge_quick_changes(const PlainGraph& plain, const Index& built, std::uint64_t seed,
                                double tolerance, Judgement& judgement) {
  const bool whole = tolerance == 0;
  const IndexOptions quick{
      .seconds = 0, .threads = 1 + static_cast<std::uint32_t>(seed % 3), .quick = true};
  Index index = built.flexible();
  PlainGraph now = plain;
  const auto change = [&](PlainGraph next) {
    now = std::move(next);
    index = index.customized(now.graph(), quick);
    judge_index(now, index, tolerance, judgement);
    if (index.verify() != 0) judgement.blame(now.name + ": shortcuts that are not what they were");
  };
  change(with_changes(plain, seed, 6, whole));
  for (std::uint64_t few = 0; few < 3; ++few) {
    change(with_changes(now, seed + 7 * few + 1, 3 * now.arcs.size() + 3, whole));
  }
  change(with_changes(now, seed, 8, whole, false));
  change(plain);
  change(with_changes(plain, seed + 1, 2 * plain.arcs.size() + 3, whole));
  judge_index(now, index.customized(now.graph(), {.seconds = 0}), tolerance, judgement);
}

// Tolerances: of fractions whose sums are rounded, and of decimals that are added as such.
inline constexpr double kRounded = 1e-12, kDecimals = 2e-12;

// What Index::build makes of a graph that does not contract.
inline Index uncontracted(const Graph& graph) {
  const index::Units units = index::choose_units(graph, index::Decimals::kAllowed);
  return index::Access::index(std::make_shared<index::Data>(
      units.wide ? index::assemble_whole<double>(graph, units, true)
                 : index::assemble_whole<std::uint32_t>(graph, units, true)));
}

// One nasty graph, three cores (none, all, some), guided and not, and labels on each; in one of
// seven the weights are fractions whose sums are rounded, in two of seven decimals, of few places
// or of many. Also without contraction.
inline void judge_seed(std::uint64_t seed, Judgement& judgement) {
  PlainGraph plain = nasty_graph(seed);
  Rng rng = Rng(seed).fork(99);
  double tolerance = 0;
  switch (rng.below(7)) {
    case 0:
      tolerance = kRounded;
      for (PlainArc& arc : plain.arcs) arc.weight /= 7;
      plain.name += ", fractions";
      break;
    case 1:
      tolerance = kDecimals;
      for (PlainArc& arc : plain.arcs) arc.weight /= 100;
      plain.name += ", decimals";
      break;
    case 2:
      tolerance = kDecimals;
      for (PlainArc& arc : plain.arcs) arc.weight = std::round(arc.weight * 1e6 / 7) / 1e9;
      plain.name += ", decimals of nine places";
      break;
    default:
      break;
  }
  const Graph graph = plain.graph();
  for (const NodeId core : {NodeId{0}, plain.nodes, rng.below(plain.nodes)}) {
    IndexOptions options;
    options.core = core;
    options.potential_count = 1 + rng.below(5);
    options.rounds = 1;
    options.seed = seed;
    options.threads = 1;
    options.guide = static_cast<CorePotentials>(rng.below(3));
    options.crossing = static_cast<Crossing>(rng.below(3));
    const Index index = Index::build(graph, options);
    judge_index(plain, index, tolerance, judgement);
    options.labels = true;
    judge_index(plain, Index::build(graph, options), tolerance, judgement);
    options.labels = rng.below(2) == 0;
    if (rng.below(3) != 0) continue;
    const PlainGraph changed = with_changes(plain, seed, 6, tolerance == 0);
    options.rounds = rng.below(2);
    if (options.rounds == 0) options.guide = CorePotentials::kLandmarks;
    const Index built = Index::build(graph, options);
    judge_index(changed, built.customized(changed.graph(), options), tolerance, judgement);
    judge_quick_changes(plain, built, seed, tolerance, judgement);
  }
  const Index whole = uncontracted(graph);
  judge_index(plain, whole, tolerance, judgement);
  const PlainGraph changed = with_changes(plain, seed, 6, tolerance == 0);
  judge_index(changed, whole.customized(changed.graph()), tolerance, judgement);
}

}  // namespace lodestar::testing
