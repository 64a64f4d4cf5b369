#include "lodestar/index.h"

#include <gtest/gtest.h>

#include <cmath>

#include "index/build/contraction.h"
#include "index/data.h"
#include "index_check.h"
#include "lodestar/generate.h"
#include "road.h"
#include "scratch_folder.h"

namespace lodestar::index_test {
namespace {

using testing::road;

TEST(Index, AgreesWithBellmanFordOnNastyGraphs) {
  testing::Judgement judgement;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) testing::judge_seed(seed, judgement);
  EXPECT_EQ(judgement.wrong, 0u) << judgement.first_wrong;
  EXPECT_GT(judgement.queries, 100'000u);
  EXPECT_GT(judgement.unreachable, 1000u);
}

// 0 -1- 1 -1- 2, and a dear direct arc: the middle goes, a shortcut of 2 stays.
TEST(Index, PassesOverTheMiddleOfALine) {
  GraphBuilder builder(3);
  builder.add_edge(0, 1, 1);
  builder.add_edge(1, 2, 1);
  builder.add_edge(0, 2, 5);
  IndexOptions options;
  options.core = 0;
  IndexSearcher searcher(Index::build(builder.build(), options));
  EXPECT_EQ(searcher.run({0, 2}).cost, 2);
  EXPECT_EQ(searcher.path(), (std::vector<NodeId>{0, 1, 2}));
}

void expect_exact(IndexSearcher& searcher, Searcher& dijkstra, Query query) {
  const SearchResult truth = dijkstra.run(query, Zero{});
  const SearchResult found = searcher.run(query);
  ASSERT_EQ(found.cost, truth.cost);
  ASSERT_TRUE(found.optimal());
  if (truth.reached()) {
    ASSERT_EQ(path_cost(dijkstra.graph(), searcher.path()), truth.cost);
  }
}

void expect_exact_near_and_far(IndexSearcher& searcher, const Graph& graph) {
  Searcher dijkstra(graph);
  Rng rng(4);
  for (int i = 0; i < 300; ++i) {
    const NodeId s = rng.below(graph.node_count());
    const NodeId t = i % 2 == 0 ? rng.below(graph.node_count())
                                : std::min(s + rng.below(30), graph.node_count() - 1);
    ASSERT_NO_FATAL_FAILURE(expect_exact(searcher, dijkstra, {s, t}));
  }
}

TEST(Index, ChoosesACoreAndAgreesWithDijkstra) {
  const Graph graph = road(5000);
  IndexOptions options;
  options.rounds = 2;
  const Index index = Index::build(graph, options);
  EXPECT_LT(index.facts().core, graph.node_count() / 4);
  EXPECT_TRUE(index.facts().whole_numbers);
  IndexSearcher searcher(index);
  Searcher dijkstra(graph);
  Rng rng(3);
  for (int i = 0; i < 200; ++i) {
    const Query query{rng.below(graph.node_count()), rng.below(graph.node_count())};
    expect_exact(searcher, dijkstra, query);
  }
}

// The order, the arcs and the paths are the same with any number of threads.
TEST(Index, DoesNotDependOnThreads) {
  const Graph graph = road(3000);
  IndexOptions options;
  options.rounds = 2;
  const Index one = Index::build(graph, options);
  options.threads = 3;
  const Index three = Index::build(graph, options);
  const auto same = [](const auto& a, const auto& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  };
  EXPECT_EQ(one.facts().core, three.facts().core);
  const auto same_ids = [](const index::Ids& a, const index::Ids& b) {
    return a.size() == b.size() && a.width() == b.width() &&
           std::equal(a.data(), a.data() + a.size() * a.width(), b.data());
  };
  EXPECT_TRUE(same_ids(index::Access::data(one).place, index::Access::data(three).place));
  EXPECT_TRUE(same(index::Access::data(one).first[0], index::Access::data(three).first[0]));
  EXPECT_TRUE(same(index::Access::data(one).arcs[0], index::Access::data(three).arcs[0]));
  const index::PathRanges &ranges = index::Access::data(one).ranges[0],
                          &others = index::Access::data(three).ranges[0];
  ASSERT_EQ(ranges.size(), others.size());
  EXPECT_TRUE(
      std::equal(ranges.data(), ranges.data() + ranges.size() * ranges.width(), others.data()));
  EXPECT_TRUE(same_ids(index::Access::data(one).words, index::Access::data(three).words));
  EXPECT_TRUE(same(index::Access::data(one).potentials, index::Access::data(three).potentials));
}

// Where nothing can be saved by contracting, the graph is its own core.
TEST(Index, LeavesADenseGraphAlone) {
  GraphBuilder builder(60);
  Rng rng(1);
  for (NodeId u = 0; u < 60; ++u) {
    for (NodeId v = 0; v < u; ++v) builder.add_edge(u, v, 1000 + rng.below(1000));
  }
  IndexOptions options;
  options.rounds = 1;
  const Index index = Index::build(builder.build(), options);
  EXPECT_EQ(index.facts().nodes, 60u);
  IndexSearcher searcher(index);
  EXPECT_TRUE(searcher.run({0, 59}).optimal());
}

TEST(Index, AnswersOnGraphsWithoutArcsOrNodes) {
  const Index none = Index::build(GraphBuilder(0).build());
  EXPECT_EQ(none.facts().nodes, 0u);
  IndexSearcher searcher(Index::build(GraphBuilder(2).build()));
  EXPECT_FALSE(searcher.run({0, 1}).reached());
  EXPECT_EQ(searcher.run({1, 1}).cost, 0);
  EXPECT_EQ(searcher.path(), (std::vector<NodeId>{1}));
}

TEST(Index, CountsInDoublesWhereUnitsDoNotFit) {
  GraphBuilder builder(3);
  builder.add_edge(0, 1, 0x1p50);
  builder.add_edge(1, 2, 1);
  const Index index = Index::build(builder.build(), {.rounds = 1});
  EXPECT_FALSE(index.facts().whole_numbers);
  EXPECT_TRUE(index.facts().exact_sums);
  IndexSearcher searcher(index);
  EXPECT_EQ(searcher.run({0, 2}).cost, 0x1p50 + 1);
}

TEST(Index, WithoutPathsSaysSo) {
  IndexOptions options;
  options.paths = false;
  options.core = 0;
  GraphBuilder builder(2);
  builder.add_edge(0, 1, 1);
  IndexSearcher searcher(Index::build(builder.build(), options));
  EXPECT_EQ(searcher.run({0, 1}).cost, 1);
  EXPECT_THROW(searcher.path(), Error);
}

TEST(IndexFile, ComesBackAsItWas) {
  const ScratchFolder folder;
  const std::string path = folder / "road.lsi";
  const Graph graph = road(2000);
  IndexOptions options;
  options.crossing = Crossing::kSearch;
  options.rounds = 2;
  const Index saved = Index::build(graph, options);
  saved.save(path);
  const Index opened = Index::open(path, graph);
  EXPECT_EQ(opened.facts().bytes, saved.facts().bytes);
  EXPECT_EQ(opened.facts().origin.rounds, 2u);
  EXPECT_EQ(opened.verify(), 0u);
  IndexSearcher before(saved), after(opened);
  Rng rng(8);
  for (int i = 0; i < 100; ++i) {
    const Query query{rng.below(graph.node_count()), rng.below(graph.node_count())};
    ASSERT_EQ(before.run(query).cost, after.run(query).cost);
    ASSERT_EQ(before.path(), after.path());
  }
  // Training continues from the potentials in the file.
  const auto fitter = opened.fitter(options);
  ASSERT_NE(fitter, nullptr);
  fitter->round();
  EXPECT_EQ(opened.trained_by(*fitter).facts().origin.rounds, 3u);
  EXPECT_EQ(opened.trained_by(*fitter).verify(), 0u);
}

TEST(IndexFile, RefusesAnotherGraph) {
  const ScratchFolder folder;
  const std::string path = folder / "road.lsi";
  const auto line = [](double weight, NodeId last) {
    GraphBuilder builder(3);
    builder.add_edge(0, 1, 1);
    builder.add_edge(1, last, weight);
    return builder.build();
  };
  IndexOptions options;
  options.rounds = 1;
  Index::build(line(2, 2), options).save(path);
  EXPECT_NO_THROW(Index::open(path, line(2, 2)));
  EXPECT_THROW(Index::open(path, line(3, 2)), Error);  // other weights
  EXPECT_THROW(Index::open(path, line(2, 0)), Error);  // other arcs
  EXPECT_THROW(Index::open(folder / "none.lsi", line(2, 2)), Error);
}

// Any byte changed anywhere shows.
TEST(IndexFile, RefusesEveryDamagedByte) {
  const ScratchFolder folder;
  const std::string path = folder / "small.lsi";
  GraphBuilder builder(5);
  for (NodeId v = 0; v + 1 < 5; ++v) builder.add_edge(v, v + 1, v + 1);
  const Graph graph = builder.build();
  IndexOptions options;
  options.core = 2;
  options.rounds = 1;
  options.crossing = Crossing::kSearch;
  Index::build(graph, options).save(path);
  const std::string image = folder.read("small.lsi");
  const auto with = [&](const std::string& bytes) {
    return Index::open(folder.write("small.lsi", bytes), graph);
  };
  EXPECT_NO_THROW(with(image));
  for (std::size_t at = 0; at < image.size(); ++at) {
    std::string damaged = image;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    EXPECT_THROW(with(damaged), Error) << at;
  }
  for (const std::size_t size : {std::size_t{0}, std::size_t{100}, image.size() - 1}) {
    EXPECT_THROW(with(image.substr(0, size)), Error) << size;
  }
}

// From one corner to another: training for such queries serves them better than training for all.
TEST(Index, LearnsFromALog) {
  const Graph graph = road(6000);
  Point low{kInfinity, kInfinity}, high{-kInfinity, -kInfinity};
  for (const Point& p : graph.points()) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  std::vector<NodeId> here, there;
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    const Point p = graph.points()[v];
    const double x = (p.x - low.x) / (high.x - low.x), y = (p.y - low.y) / (high.y - low.y);
    if (x < 0.3 && y < 0.3) here.push_back(v);
    if (x > 0.7 && y > 0.7) there.push_back(v);
  }
  IndexOptions options;
  options.core = 1500;
  options.rounds = 6;
  options.potential_count = 2;
  std::vector<Query> log, ask;
  for (std::size_t i = 0; i < 1000; ++i) {
    const Query query{here[7 * i % here.size()], there[11 * i % there.size()]};
    (i < 500 ? log : ask).push_back(query);
  }
  const auto expanded = [&](const Index& index) {
    IndexSearcher searcher(index);
    Searcher truth(graph);
    double sum = 0;
    for (const Query& query : ask) {
      EXPECT_EQ(searcher.run(query).cost, truth.run(query, Zero{}).cost);
      sum += static_cast<double>(searcher.effort().expanded);
    }
    return sum;
  };
  // Two potentials end where luck puts them: of five seeds one is worse with the log.
  double with_log = 0, without = 0;
  for (options.seed = 1; options.seed <= 5; ++options.seed) {
    options.log.clear();
    without += expanded(Index::build(graph, options));
    options.log = log;
    with_log += expanded(Index::build(graph, options));
  }
  EXPECT_LT(with_log, 0.75 * without);
  options.seed = 1;
  options.log.clear();
  const Index plain = Index::build(graph, options);
  options.log = log;
  const Index trained = Index::build(graph, options);
  // The same log, the same index; queries that never cross the core are as good as none.
  const auto values = [](const Index& index) {
    const std::optional<Potentials> potentials = index::core_potentials(index::Access::data(index));
    const auto column = potentials->column(0);
    return std::vector<std::int32_t>(column.begin(), column.end());
  };
  EXPECT_EQ(values(Index::build(graph, options)), values(trained));
  options.log = {{5, 5}};
  EXPECT_EQ(values(Index::build(graph, options)), values(plain));
  options.log = {{5, graph.node_count()}};
  EXPECT_THROW(Index::build(graph, options), Error);
  options.log = {{5, 6}};
  options.paths = false;
  EXPECT_THROW(Index::build(graph, options), Error);
}

// Weights from 1e-280 to 1e280: beside a large bound a small distance does not show in a key, and
// nodes are taken in any order. The work stays bounded, and the answers right.
TEST(Index, EndsSoonWhereKeysAreRounded) {
  std::uint64_t most = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    Rng rng(seed);
    constexpr NodeId kNodes = 100;
    GraphBuilder builder(kNodes);
    for (NodeId u = 0; u < kNodes; ++u) {
      for (int i = 0; i < 12; ++i) {
        builder.add_arc(u, rng.below(kNodes), std::pow(10, rng.uniform(-280, 280)));
      }
    }
    const Graph graph = builder.build();
    IndexOptions options;
    options.core = kNodes;
    options.potential_count = 3;
    options.rounds = 1;
    const Index index = Index::build(graph, options);
    IndexSearcher searcher(index);
    Searcher truth(graph);
    for (NodeId s = 0; s < kNodes; s += 9) {
      for (NodeId t = 0; t < kNodes; ++t) {
        const SearchResult found = searcher.run({s, t});
        most = std::max(most, found.expansions);
        const Cost cost = truth.run({s, t}, Zero{}).cost;
        EXPECT_LE(std::abs(found.cost - cost), 1e-12 * cost) << seed << ' ' << s << ' ' << t;
      }
    }
    EXPECT_LE(most, most_expansions(kNodes));
  }
}

// 0.1 + 0.2 as a decimal, not as a sum of doubles.
TEST(Index, AddsDecimalsAsDecimals) {
  GraphBuilder builder(3);
  builder.add_edge(0, 1, 0.1);
  builder.add_edge(1, 2, 0.2);
  IndexOptions options;
  options.core = 0;
  const Index index = Index::build(builder.build(), options);
  EXPECT_TRUE(index.facts().whole_numbers);
  EXPECT_FALSE(index.facts().exact_sums);
  EXPECT_EQ(index.verify(), 0u);
  IndexSearcher searcher(index);
  EXPECT_EQ(searcher.run({0, 2}).cost, 0.3);
  EXPECT_NE(0.1 + 0.2, 0.3);
}

Index labelled_road(const Graph& graph) {
  IndexOptions options;
  options.labels = true;
  return Index::build(graph, options);
}

// An index without training, sound, and exact when it comes back from a file.
void expect_exact_from_file(const Index& index, const Graph& graph) {
  EXPECT_EQ(index.verify(), 0u);
  EXPECT_EQ(index.fitter({}), nullptr);
  const ScratchFolder folder;
  index.save(folder / "index.lsi");
  IndexSearcher searcher(Index::open(folder / "index.lsi", graph));
  expect_exact_near_and_far(searcher, graph);
}

TEST(Labels, AgreeWithDijkstraAndComeBackFromAFile) {
  const Graph graph = road(5000);
  const Index index = labelled_road(graph);
  EXPECT_TRUE(index.facts().labels);
  EXPECT_GT(index.facts().label_bytes, 0u);
  expect_exact_from_file(index, graph);
}

// An observer sees the search that the labels represent.
TEST(Labels, CanBeWatched) {
  const Graph graph = road(2000);
  IndexSearcher searcher(labelled_road(graph));
  std::vector<IndexStep> steps;
  const SearchResult found = searcher.run({1, 1900}, steps);
  EXPECT_FALSE(steps.empty());
  EXPECT_EQ(found.cost, path_cost(graph, searcher.path()));
  EXPECT_EQ(found.cost, searcher.run({1, 1900}).cost);
  EXPECT_EQ(found.cost, path_cost(graph, searcher.path()));
}

Index has_core_distances(const Graph& graph) {
  IndexOptions options;
  options.crossing = Crossing::kStoredDistances;
  return Index::build(graph, options);
}

// Two-way roads, a tenth of them of one way.
Graph one_way_road(NodeId nodes) {
  const Graph both = road(nodes);
  GraphBuilder builder(both.node_count());
  for (NodeId u = 0; u < both.node_count(); ++u) {
    for (const Arc arc : both.arcs(u)) {
      if ((std::uint64_t{u} * 7 + arc.head) % 10 != 0) builder.add_arc(u, arc.head, arc.weight);
    }
  }
  return builder.build();
}

TEST(CoreDistances, AgreesWithDijkstraAndComesBackFromAFile) {
  for (const Graph& graph : {road(5000), one_way_road(3000)}) {
    const Index index = has_core_distances(graph);
    EXPECT_TRUE(index.facts().core_distances);
    EXPECT_GT(index.facts().core_distance_bytes, 0u);
    EXPECT_LE(index.facts().core_distance_bytes, 4u * graph.node_count());
    expect_exact_from_file(index, graph);
  }
}

TEST(CoreDistances, IsChosenForRoadsAndFollowsTheirWeights) {
  const Graph graph = road(5000);
  const Index index = Index::build(graph);
  EXPECT_TRUE(index.facts().core_distances);
  GraphBuilder builder(graph.node_count());
  for (NodeId u = 0; u < graph.node_count(); ++u) {
    for (const Arc arc : graph.arcs(u)) {
      builder.add_arc(u, arc.head, (u + arc.head) % 9 == 0 ? 3 * arc.weight : arc.weight);
    }
  }
  const Graph changed = builder.build();
  const Index after = index.customized(changed);
  EXPECT_TRUE(after.facts().core_distances);
  EXPECT_EQ(after.verify(), 0u);
  IndexSearcher searcher(after);
  Searcher dijkstra(changed);
  for (NodeId t = 0; t < graph.node_count(); t += 97) {
    ASSERT_EQ(searcher.run({7, t}).cost, dijkstra.run({7, t}, Zero{}).cost);
  }
}

// Arcs of cost 0 in circles: walking by the potentials alone would not end.
TEST(CoreDistances, WalksThroughCirclesOfNoCost) {
  GraphBuilder builder(8);
  for (NodeId v = 0; v < 6; ++v) {
    builder.add_edge(v, (v + 1) % 6, 0);
    builder.add_edge(v, (v + 2) % 6, 0);
  }
  builder.add_edge(6, 3, 1);
  builder.add_edge(7, 0, 2);
  const Graph graph = builder.build();
  IndexOptions options;
  options.crossing = Crossing::kStoredDistances;
  options.core = 8;
  IndexSearcher searcher(Index::build(graph, options));
  for (NodeId s = 0; s < 8; ++s) {
    for (NodeId t = 0; t < 8; ++t) {
      const SearchResult found = searcher.run({s, t});
      ASSERT_EQ(path_cost(graph, searcher.path()), found.cost);
      ASSERT_EQ(searcher.path().front(), s);
      ASSERT_EQ(searcher.path().back(), t);
    }
  }
}

// Climbs end when the ends have met, as those of a hierarchy do.
TEST(CoreDistances, LocalQueriesTakeAboutAsManyNodesAsAHierarchy) {
  const Graph graph = road(20'000);
  IndexOptions whole;
  whole.core = 0;
  IndexSearcher hierarchy(Index::build(graph, whole)), searcher(has_core_distances(graph));
  Rng rng(5);
  std::uint64_t core = 0, plain = 0;
  for (int i = 0; i < 300; ++i) {
    const NodeId source = rng.below(graph.node_count());
    NodeId target = source;
    for (int hop = 0; hop < 6; ++hop) {
      const auto arcs = graph.arcs(target);
      target = arcs[rng.below(static_cast<std::uint32_t>(arcs.size()))].head;
    }
    const SearchResult found = searcher.run({source, target});
    const SearchResult expected = hierarchy.run({source, target});
    ASSERT_EQ(found.cost, expected.cost);
    ASSERT_EQ(path_cost(graph, searcher.path()), found.cost);
    core += found.expansions;
    plain += expected.expansions;
  }
  EXPECT_LE(static_cast<double>(core), 1.1 * static_cast<double>(plain));
}

TEST(CoreDistances, CanBeWatched) {
  const Graph graph = road(2000);
  IndexSearcher searcher(has_core_distances(graph));
  std::vector<IndexStep> steps;
  const SearchResult found = searcher.run({1, 1900}, steps);
  // Both climbs, as they were: from the ends up, in turns.
  EXPECT_EQ(steps.size(), found.expansions);
  EXPECT_EQ(found.expansions, searcher.run({1, 1900}).expansions);
  ASSERT_GE(steps.size(), 2u);
  EXPECT_EQ(steps[0].node, 1u);
  EXPECT_EQ(steps[1].node, 1900u);
  for (const IndexStep& step : steps) {
    EXPECT_EQ(step.parent == kNoNode, step.cost == 0);
  }
  EXPECT_EQ(found.cost, path_cost(graph, searcher.path()));
  EXPECT_EQ(found.cost, searcher.run({1, 1900}).cost);
  EXPECT_EQ(found.cost, path_cost(graph, searcher.path()));
}

// Customized labels stay labels, whatever the weights.
TEST(Labels, FollowWeightsOfEveryKind) {
  const auto line = [](double weight) {
    GraphBuilder builder(3);
    builder.add_edge(0, 1, 1);
    builder.add_edge(1, 2, weight);
    return builder.build();
  };
  IndexOptions options;
  options.labels = true;
  options.core = 1;
  const Index whole = Index::build(line(2), options);
  for (const double weight : {3.0, 0.25, 1e-9, 1.0 / 3, 0x1p50}) {
    const Index index = whole.customized(line(weight), options);
    EXPECT_TRUE(index.facts().labels);
    EXPECT_EQ(IndexSearcher(index).run({0, 2}).cost, 1 + weight);
  }
}

// Nine decimal places: sums of up to 10^11 units, which are exact only as whole numbers.
TEST(Labels, AddDecimalsOfManyPlacesExactly) {
  constexpr NodeId kNodes = 60;
  constexpr double kParts = 1e9;
  for (const bool directed : {false, true}) {
    Rng rng(directed ? 5 : 6);
    testing::PlainGraph whole{.name = "whole", .nodes = kNodes, .arcs = {}};
    GraphBuilder builder(kNodes);
    for (NodeId u = 0; u < kNodes; ++u) {
      for (int i = 0; i < 2; ++i) {
        const NodeId v = rng.below(kNodes);
        const double number = 1 + rng.below(2'000'000'000);
        for (const bool back : {false, true}) {
          if (back && directed) break;
          whole.arcs.push_back({back ? v : u, back ? u : v, number});
          builder.add_arc(back ? v : u, back ? u : v, number / kParts);
        }
      }
    }
    const Graph graph = builder.build();
    const ScratchFolder folder;
    for (const NodeId core : {0u, 10u, kNodes}) {
      IndexOptions options;
      options.core = core;
      options.labels = true;
      Index::build(graph, options).save(folder / "index.lsi");
      const Index index = Index::open(folder / "index.lsi", graph);
      EXPECT_EQ(index.verify(), 0u);
      EXPECT_FALSE(index.facts().whole_numbers);
      EXPECT_EQ(index.facts().unit, 1 / kParts);
      IndexSearcher searcher(index);
      bool rounded = false;  // sums of the doubles differ
      for (NodeId s = 0; s < kNodes; ++s) {
        const std::vector<double> truth = testing::bellman_ford(whole, s);
        for (NodeId t = 0; t < kNodes; ++t) {
          const SearchResult found = searcher.run({s, t});
          EXPECT_EQ(found.cost, truth[t] / kParts) << s << ' ' << t;
          if (!found.reached()) continue;
          EXPECT_EQ(testing::plain_cost(whole, searcher.path()), truth[t]);
          rounded |= path_cost(graph, searcher.path()) != found.cost;
        }
      }
      EXPECT_TRUE(rounded);
    }
  }
}

// Weights that no unit fits. The cost is that of the path, added up from the source. Some pairs are
// so close, beside their distance to the core, that the bound which skips hubs is a rounding error.
TEST(Labels, AreWithinRoundingForFractions) {
  constexpr NodeId kNodes = 80;
  for (const bool directed : {false, true}) {
    Rng rng(directed ? 7 : 8);
    GraphBuilder builder(kNodes);
    for (NodeId u = 0; u < kNodes; ++u) {
      for (int i = 0; i < 2; ++i) {
        const NodeId v = rng.below(kNodes);
        const double weight = std::pow(10, rng.uniform(-6, 6));
        builder.add_arc(u, v, weight);
        if (!directed) builder.add_arc(v, u, weight);
      }
    }
    const Graph graph = builder.build();
    const ScratchFolder folder;
    IndexOptions options;
    options.core = 20;
    options.labels = true;
    Index::build(graph, options).save(folder / "index.lsi");
    const Index index = Index::open(folder / "index.lsi", graph);
    EXPECT_EQ(index.verify(), 0u);
    EXPECT_FALSE(index.facts().exact_sums);
    EXPECT_TRUE(index.facts().rounded_sums);
    IndexSearcher searcher(index);
    Searcher dijkstra(graph);
    for (NodeId s = 0; s < kNodes; ++s) {
      for (NodeId t = 0; t < kNodes; ++t) {
        const SearchResult found = searcher.run({s, t});
        const Cost truth = dijkstra.run({s, t}, Zero{}).cost;
        ASSERT_EQ(found.reached(), truth < kInfinity);
        if (!found.reached()) continue;
        EXPECT_NEAR(found.cost, truth, 1e-14 * truth);
        EXPECT_EQ(found.cost, path_cost(graph, searcher.path()));
      }
    }
  }
}

TEST(Labels, RefuseEveryDamagedByte) {
  const ScratchFolder folder;
  GraphBuilder builder(6);
  for (NodeId v = 0; v + 1 < 6; ++v) builder.add_arc(v, v + 1, v + 1);
  builder.add_arc(5, 0, 2);
  const Graph graph = builder.build();
  IndexOptions options;
  options.core = 2;
  options.crossing = Crossing::kStoredDistances;
  for (const bool labels : {true, false}) {  // without labels: the potentials of the core
    options.labels = labels;
    Index::build(graph, options).save(folder / "small.lsi");
    const std::string image = folder.read("small.lsi");
    EXPECT_NO_THROW(Index::open(folder / "small.lsi", graph));
    for (std::size_t at = 0; at < image.size(); ++at) {
      std::string damaged = image;
      damaged[at] = static_cast<char>(damaged[at] ^ 0x04);
      EXPECT_THROW(Index::open(folder.write("small.lsi", damaged), graph), Error) << at;
    }
  }
}

// Contraction keeps the distances between the nodes that remain.
TEST(Contraction, KeepsDistancesOfTheCore) {
  const Graph graph = road(1500);
  const index::Units units = index::choose_units(graph, index::Decimals::kAllowed);
  index::Contraction<std::uint32_t> contraction(graph, units, {});
  contraction.run(100);
  EXPECT_EQ(contraction.remaining(), 100u);
  GraphBuilder builder(graph.node_count());
  for (const NodeId u : contraction.remaining_nodes()) {
    for (const auto& arc : contraction.arcs(u, Direction::kForward)) {
      builder.add_arc(u, arc.head, units.unit * arc.weight);
    }
  }
  Searcher core(builder.build()), whole(graph);
  for (const NodeId s : contraction.remaining_nodes()) {
    core.run_all(s);
    whole.run_all(s);
    for (const NodeId t : contraction.remaining_nodes()) {
      ASSERT_EQ(core.distance(t), whole.distance(t));
    }
  }
}

}  // namespace
}  // namespace lodestar::index_test
