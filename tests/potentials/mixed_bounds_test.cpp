// Bounds of several knots at once, against the heuristics of the knots one by one.
#include "potentials/mixed_bounds.h"

#include <gtest/gtest.h>

#include "lodestar/generate.h"
#include "lodestar/rng.h"

namespace lodestar::mixed_bounds_test {
namespace {

Graph random_graph(bool undirected) {
  GraphSpec spec;
  spec.family = undirected ? Family::kRoad : Family::kErdosRenyi;
  if (!undirected) spec.draw = Draw::kDirected;
  spec.nodes = 60;
  spec.seed = 4;
  return generate(spec);
}

// Any numbers will do: bounds are computed from values alone.
std::shared_ptr<const Potentials> random_potentials(const Graph& graph, std::uint32_t count,
                                                    PotentialsStorage storage, Rng& rng) {
  std::vector<std::vector<std::int32_t>> columns(count);
  for (auto& column : columns) {
    for (NodeId v = 0; v < graph.node_count(); ++v) {
      column.push_back(static_cast<std::int32_t>(rng.below(1 << 30)) - (1 << 29));
    }
  }
  return std::make_shared<const Potentials>(graph, columns, 0.25, storage);
}

TEST(MixedBoundsTest, AgreeWithTheHeuristicsOfTheKnots) {
  Rng rng(9);
  for (const bool undirected : {false, true}) {
    const Graph graph = random_graph(undirected);
    for (const std::uint32_t count : {1u, 4u, 13u, 16u, 20u}) {
      for (const bool narrow : {false, true}) {
        const PotentialsStorage second =
            narrow ? PotentialsStorage::k16Bit : PotentialsStorage::k32Bit;
        const PotentialFamily family(
            {"time", "length"},
            {{{1, 0}, random_potentials(graph, count, PotentialsStorage::k32Bit, rng)},
             {{0, 1}, random_potentials(graph, count, second, rng)}});
        PotentialFamily::Mix mix;
        mix.count = 1 + count % 2;
        mix.terms = {{{0, 0.75}, {1, 0.5}}};
        const Query query{static_cast<NodeId>(rng.below(graph.node_count())),
                          static_cast<NodeId>(rng.below(graph.node_count()))};
        const MixedBounds bounds(family, mix, query);
        for (NodeId v = 0; v < graph.node_count(); ++v) {
          Cost to = 0, from = 0;
          for (std::uint32_t i = 0; i < mix.count; ++i) {
            const Potentials& potentials = *family.knots()[mix.terms[i].knot].potentials;
            to += mix.terms[i].coefficient * potentials.to(query.target)(v);
            from += mix.terms[i].coefficient * potentials.from(query.source)(v);
          }
          const BothBounds found = bounds(v);
          ASSERT_NEAR(found.to_target, to, 1e-13 * to);
          ASSERT_NEAR(found.from_source, from, 1e-13 * from);
          ASSERT_LE(found.to_target, to);
          ASSERT_LE(found.from_source, from);
        }
      }
    }
  }
}

}  // namespace
}  // namespace lodestar::mixed_bounds_test
