// The same index on every machine, as IndexOptions::rounds promises: one number for all arrays of
// an index and of a hierarchy. Who changes how they are built changes the numbers here in the same
// commit.
#include <gtest/gtest.h>

#include "fingerprint.h"
#include "index/data.h"
#include "index/hierarchy/cch_weights.h"
#include "lodestar/generate.h"
#include "road.h"

namespace lodestar::index_fingerprint_test {
namespace {

using testing::Fingerprint;
using testing::road;

template <class W>
void add_arcs(const index::Data& data, Fingerprint& print) {
  for (int side = 0; side < data.sides(); ++side) {
    for (NodeId u = 0; u < data.nodes; ++u) {
      for (const index::UpArc<W>& arc : data.row_of<W>(u, side))
        print.add(arc.head).add(arc.weight);
    }
  }
}

// The numbers, whatever their width.
std::vector<NodeId> all_of(const index::Ids& ids) {
  std::vector<NodeId> all(ids.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = ids[i];
  return all;
}

std::uint64_t fingerprint(const Index& index) {
  const index::Data& data = index::Access::data(index);
  Fingerprint print;
  print.add(data.nodes).add(data.core).add(data.unit).add(data.parts).add(data.potential_unit);
  print.add_all(all_of(data.place));
  for (int side = 0; side < data.sides(); ++side) {
    std::vector<std::uint32_t> range;
    std::vector<std::uint8_t> length;
    for (std::size_t i = 0; i < data.ranges[side].size(); ++i) {
      const index::PathRange one = data.ranges[side][i];
      range.push_back(one.at | (one.backward ? 1u << 31 : 0));
      length.push_back(one.length);
    }
    print.add_all(data.first[side]).add_all(range).add_all(length);
    print.add_all(data.label_at[side]).add_all(data.label_arcs[side]);
    for (const std::byte byte : data.labels[side]) print.add(static_cast<int>(byte));
  }
  data.wide ? add_arcs<double>(data, print) : add_arcs<std::uint32_t>(data, print);
  print.add_all(all_of(data.words)).add_all(data.potentials);
  for (const std::byte byte : data.between) print.add(static_cast<int>(byte));
  return print.value();
}

Graph directed(NodeId nodes) {
  const Graph both = road(nodes);
  GraphBuilder builder(both.node_count());
  for (NodeId u = 0; u < both.node_count(); ++u) {
    for (const Arc arc : both.arcs(u)) {
      if ((u + 3 * arc.head) % 5 != 0) builder.add_arc(u, arc.head, arc.weight);
    }
  }
  return builder.build();
}

Graph random_graph(NodeId nodes, double divisor) {
  GraphBuilder builder(nodes);
  Rng rng(7);
  for (NodeId u = 0; u < nodes; ++u) {
    for (int i = 0; i < 2; ++i)
      builder.add_edge(u, rng.below(nodes), (1 + rng.below(90)) / divisor);
  }
  return builder.build();
}

IndexOptions with(Crossing crossing, bool labels = false, std::optional<NodeId> core = {}) {
  IndexOptions options;
  options.crossing = crossing;
  options.labels = labels;
  options.core = core;
  options.rounds = 1;
  options.potential_count = 5;
  return options;
}

TEST(IndexFingerprint, OfRoadsIsTheRecordedOne) {
  const Graph graph = road(3000), one_way = directed(2000);
  EXPECT_EQ(fingerprint(Index::build(graph, with(Crossing::kChosen))), 2123624061380818394u);
  EXPECT_EQ(fingerprint(Index::build(graph, with(Crossing::kSearch))), 15406511448926449867u);
  EXPECT_EQ(fingerprint(Index::build(graph, with(Crossing::kChosen, true))), 8412434528972269980u);
  EXPECT_EQ(fingerprint(Index::build(graph, with(Crossing::kSearch, false, 0))),
            694839029978293063u);
  EXPECT_EQ(fingerprint(Index::build(one_way, with(Crossing::kChosen))), 10934735497835797562u);
  EXPECT_EQ(fingerprint(Index::build(one_way, with(Crossing::kSearch))), 12153249625009576751u);
  EXPECT_EQ(fingerprint(Index::build(one_way, with(Crossing::kChosen, true))),
            16067172727426556617u);
}

// Rounds are counted instead of time.
TEST(IndexFingerprint, RoundsKnowNoTimeLimit) {
  const Graph graph = road(2000);
  IndexOptions hurried = with(Crossing::kSearch);
  hurried.seconds = 1e-9;
  EXPECT_EQ(fingerprint(Index::build(graph, hurried)),
            fingerprint(Index::build(graph, with(Crossing::kSearch))));
}

TEST(IndexFingerprint, OfOtherGraphsIsTheRecordedOne) {
  const Graph whole = random_graph(600, 1), fractions = random_graph(600, 7);
  GraphSpec grid;
  grid.family = Family::kGrid;
  grid.nodes = 2500;
  const Graph cells = generate(grid);
  EXPECT_EQ(fingerprint(Index::build(whole, with(Crossing::kChosen))), 12483349718828019737u);
  EXPECT_EQ(fingerprint(Index::build(fractions, with(Crossing::kChosen))), 12967757054657409726u);
  EXPECT_EQ(fingerprint(Index::build(fractions, with(Crossing::kChosen, true, 60))),
            10025379185303624669u);
  EXPECT_EQ(fingerprint(Index::build(cells, with(Crossing::kChosen))), 8838353980151948699u);
}

TEST(IndexFingerprint, OfCustomizedIndexesIsTheRecordedOne) {
  const Graph graph = road(2000);
  std::vector<Weight> weights = graph.weights();
  for (std::size_t i = 0; i < weights.size(); ++i)
    weights[i] = std::floor(weights[i] * (1 + i % 7) / 3);
  const Graph changed = graph.with_weights(weights);
  IndexOptions options = with(Crossing::kSearch);
  EXPECT_EQ(fingerprint(Index::build(graph, options).customized(changed, options)),
            10300730986563962223u);
  options = with(Crossing::kStoredDistances);
  EXPECT_EQ(fingerprint(Index::build(graph, options).customized(changed, options)),
            7208961179533553684u);
}

// Order and shortcuts; the order is a nested dissection.
std::uint64_t fingerprint(const Cch& cch) {
  const index::Elimination& made = cch.topology()->elimination;
  Fingerprint print;
  print.add_all(made.rank).add_all(made.first).add_all(made.head).add_all(made.parent);
  return print.value();
}

TEST(CchFingerprint, IsTheRecordedOne) {
  EXPECT_EQ(fingerprint(Cch(road(3000))), 5150506278996052160u);
  EXPECT_EQ(fingerprint(Cch(directed(2000))), 16063730993267773653u);
  EXPECT_EQ(fingerprint(Cch(random_graph(300, 1))), 3878819661160120098u);
  EXPECT_EQ(fingerprint(Cch(GraphBuilder(50).build())), 1667491505266038826u);
}

}  // namespace
}  // namespace lodestar::index_fingerprint_test
