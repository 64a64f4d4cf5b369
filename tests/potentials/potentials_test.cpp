#include "lodestar/potentials.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "error_of.h"
#include "lodestar/bidirectional.h"
#include "lodestar/landmarks.h"
#include "lodestar/search.h"
#include "oracle.h"
#include "potentials/potentials_file.h"
#include "scratch_folder.h"

namespace lodestar::potentials_test {
namespace {

using testing::PlainGraph;

Potentials table_of(const Graph& graph, std::uint32_t potentials = 6) {
  LandmarkOptions options;
  options.potential_count = potentials;
  return landmark_potentials(graph, options);
}

PlainGraph random_plain(std::uint64_t seed, std::uint32_t nodes, bool undirected) {
  Rng rng(seed);
  PlainGraph plain;
  plain.nodes = nodes;
  for (std::uint32_t i = 0; i < 3 * nodes; ++i) {
    const std::uint32_t u = rng.below(nodes), v = rng.below(nodes);
    const double w = rng.below(50);
    plain.arcs.push_back({u, v, w});
    if (undirected) plain.arcs.push_back({v, u, w});
  }
  return plain;
}

void expect_exact(const PlainGraph& plain, const Graph& graph, const Potentials& potentials) {
  Searcher searcher(graph);
  Searcher backward(graph);
  backward.set_direction(Direction::kBackward);
  BidirectionalSearcher both(graph);
  for (NodeId s = 0; s < graph.node_count(); s += 3) {
    const auto expected = testing::bellman_ford(plain, s);
    for (NodeId t = 0; t < graph.node_count(); ++t) {
      EXPECT_EQ(searcher.run({s, t}, potentials.to(t)).cost, expected[t]) << plain.name;
      EXPECT_EQ(backward.run({t, s}, potentials.from(s)).cost, expected[t]) << plain.name;
      if (potentials.guarantee() == Guarantee::kConsistent) {
        EXPECT_EQ(both.run({s, t}, potentials.to(t), potentials.from(s)).cost, expected[t])
            << plain.name;
      }
    }
  }
}

TEST(Potentials, BoundsAreMadeOfDifferences) {
  GraphBuilder builder(3);
  builder.add_arc(0, 1, 2);
  builder.add_arc(1, 2, 2);
  const Graph directed = builder.build();
  const std::vector<std::vector<std::int32_t>> columns{{0, 2, 4}, {9, 5, 6}};
  const Potentials potentials(directed, columns, 0.5);
  EXPECT_EQ(potentials.to(2)(0), 2);    // (4 - 0) · 0.5
  EXPECT_EQ(potentials.from(0)(2), 2);  // the same from the other end
  EXPECT_EQ(potentials.to(0)(2), 1.5);  // (9 - 6) · 0.5
  EXPECT_TRUE(potentials.verify(directed).feasible());
}

TEST(Potentials, UnitsArePowersOfTwoWithinTheirLimits) {
  const Graph graph = GraphBuilder(2).build();
  const std::vector<std::vector<std::int32_t>> columns{{0, 1}};
  for (const double unit : {0x1p-1022, 0x1p-1021, 0.5, 1.0, 0x1p1021, 0x1p1022}) {
    EXPECT_EQ(Potentials(graph, columns, unit).unit(), unit) << unit;
  }
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double unit : {0x1p-1023, 0x1p-1074, 0x1p1023, 0.0, -1.0, 3.0, 0x1.8p-1022, 0x1.8p1021,
                            infinity, -infinity, std::nan("")}) {
    EXPECT_THROW(Potentials(graph, columns, unit), Error) << unit;
  }
}

TEST(Potentials, EveryNumberOfPotentials) {
  const PlainGraph plain = random_plain(5, 30, true);
  const Graph graph = plain.graph();
  for (std::uint32_t k = 1; k <= 21; ++k) {
    const Potentials potentials = table_of(graph, k);
    EXPECT_EQ(potentials.count(), k);
    for (const Potentials& each : {potentials, potentials.in_16_bits(graph)}) {
      std::int64_t widest = 0;  // the plain twin of the vectorised bound
      for (std::uint32_t i = 0; i < k; ++i) {
        const auto column = each.column(i);
        widest = std::max<std::int64_t>(widest, std::abs(column[7] - column[3]));
      }
      const std::int64_t q = each.coarse();
      const double expected =
          each.unit() * static_cast<double>(std::max<std::int64_t>(0, q * widest - (q - 1)));
      EXPECT_EQ(each.to(3)(7), expected);
    }
  }
}

TEST(Potentials, NastyGraphsAreAnsweredExactly) {
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    const PlainGraph plain = testing::nasty_graph(seed);
    const Graph graph = plain.graph();
    const Potentials potentials = table_of(graph, 1 + static_cast<std::uint32_t>(seed % 9));
    EXPECT_EQ(potentials.verify(graph).violated_arcs, 0u) << plain.name;
    expect_exact(plain, graph, potentials);
    const Potentials narrow = potentials.in_16_bits(graph);
    EXPECT_EQ(narrow.verify(graph).violated_arcs, 0u) << plain.name;
    expect_exact(plain, graph, narrow);
  }
}

TEST(Potentials, SixteenBitsOfARangeThatDoesNotFit) {
  PlainGraph plain = random_plain(8, 60, true);
  for (auto& arc : plain.arcs) arc.weight = arc.weight * 1000 + 17;
  const Graph graph = plain.graph();
  const Potentials narrow = table_of(graph).in_16_bits(graph);
  EXPECT_GT(narrow.coarse(), 1u);
  EXPECT_EQ(narrow.guarantee(), Guarantee::kAdmissible);
  EXPECT_TRUE(narrow.verify(graph).feasible());
  expect_exact(plain, graph, narrow);
}

TEST(Potentials, RealWeightsNeverOverestimate) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Rng rng(seed);
    PlainGraph plain = random_plain(seed, 50, seed % 2 == 0);
    for (auto& arc : plain.arcs) arc.weight = rng.uniform() * 1e-3;
    const Graph graph = plain.graph();
    const Potentials potentials = table_of(graph);
    EXPECT_TRUE(potentials.verify(graph).feasible());
    for (NodeId s = 0; s < 50; ++s) {
      const auto expected = testing::bellman_ford(plain, s);
      for (NodeId t = 0; t < 50; ++t) EXPECT_LE(potentials.to(t)(s), expected[t]);
    }
  }
}

// Weights rise: nothing to do. Some fall: repaired, exact again.
TEST(Potentials, ChangedWeights) {
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    const bool undirected = seed % 2 == 0;
    PlainGraph plain = random_plain(seed, 60, undirected);
    const Potentials before = table_of(plain.graph(), 8);
    Rng rng(seed + 99);

    PlainGraph risen = plain;  // also by direction: a symmetric table holds then too
    for (auto& arc : risen.arcs) arc.weight += rng.below(3) == 0 ? rng.below(40) : 0;
    const Graph risen_graph = risen.graph();
    before.require_fit(risen_graph);
    EXPECT_TRUE(before.verify(risen_graph).feasible());
    expect_exact(risen, risen_graph, before);

    PlainGraph fallen = plain;
    for (auto& arc : fallen.arcs) arc.weight = rng.below(10) == 0 ? arc.weight / 4 : arc.weight + 1;
    for (auto& arc : fallen.arcs) arc.weight = static_cast<double>(static_cast<int>(arc.weight));
    const Graph fallen_graph = fallen.graph();
    for (const Potentials& start : {before, before.in_16_bits(plain.graph())}) {
      Potentials potentials = start;
      EXPECT_FALSE(potentials.verify(fallen_graph).feasible());
      const PotentialsRepair repair = potentials.repair(fallen_graph);
      EXPECT_GT(repair.changed_values, 0u);
      EXPECT_TRUE(potentials.verify(fallen_graph).feasible());
      EXPECT_EQ(potentials.repair(fallen_graph).changed_values, 0u);
      expect_exact(fallen, fallen_graph, potentials);
    }
    EXPECT_TRUE(before.verify(plain.graph()).feasible());  // copies are independent
  }
}

TEST(Potentials, FileKeepsEverything) {
  const ScratchFolder folder;
  const Graph graph = random_plain(3, 40, false).graph();
  Potentials potentials = table_of(graph, 5);
  potentials.origin() = {"fit", "1.2.3", "abcdef", 42, 7, 1.5};
  for (const Potentials& each : {potentials, potentials.in_16_bits(graph)}) {
    each.save(folder / "a.lsp");
    const Potentials read = Potentials::load(folder / "a.lsp");
    read.require_fit(graph);
    EXPECT_TRUE(read.verify(graph).feasible());
    EXPECT_EQ(read.count(), 5u);
    EXPECT_EQ(read.unit(), each.unit());
    EXPECT_EQ(read.coarse(), each.coarse());
    EXPECT_EQ(read.symmetric(), each.symmetric());
    EXPECT_EQ(read.origin().method, "fit");
    EXPECT_EQ(read.origin().commit, "abcdef");
    EXPECT_EQ(read.origin().rounds, 7u);
    for (std::uint32_t i = 0; i < 5; ++i) EXPECT_EQ(read.column(i), each.column(i));
  }
  EXPECT_EQ(folder.file_count(), 1u);  // nothing temporary left
}

TEST(Potentials, RefusesAnotherGraph) {
  const Graph graph = random_plain(3, 40, false).graph();
  const Potentials potentials = table_of(graph);
  EXPECT_THROW(potentials.require_fit(random_plain(4, 40, false).graph()), Error);
  EXPECT_THROW(potentials.require_fit(random_plain(3, 41, false).graph()), Error);
  potentials.require_fit(graph.ordered(ArcOrder::kByWeight));
}

TEST(Potentials, MalformedFiles) {
  const ScratchFolder folder;
  const Graph graph = random_plain(3, 40, false).graph();
  table_of(graph).save(folder / "good.lsp");
  const std::string good = folder.read("good.lsp");
  EXPECT_THROW(Potentials::load(folder / "missing.lsp"), Error);
  for (const std::size_t size : {std::size_t{0}, std::size_t{7}, std::size_t{100}, std::size_t{160},
                                 good.size() - 1, good.size() + 1}) {
    std::string text = good;
    text.resize(size, 'x');
    EXPECT_THROW(Potentials::load(folder.write("bad.lsp", text)), Error) << size;
  }
  // Any single changed byte of the header that matters, and of the values, is noticed or harmless.
  for (std::size_t at = 0; at < good.size(); at += at < 160 ? 1 : 37) {
    for (const unsigned char flip : {0x01, 0x80, 0xff}) {
      std::string text = good;
      text[at] = static_cast<char>(static_cast<unsigned char>(text[at]) ^ flip);
      try {
        const Potentials potentials = Potentials::load(folder.write("bad.lsp", text));
        EXPECT_LT(at, 160u) << "a damaged value was not noticed";
        EXPECT_EQ(potentials.node_count(), 40u);
      } catch (const Error&) {
      }
    }
  }
}

// One field of the header after the other, just within its limits and just beyond.
TEST(Potentials, HeadersAreCheckedFieldByField) {
  const ScratchFolder folder;
  const Graph graph = random_plain(3, 40, false).graph();
  const Potentials wide = table_of(graph);
  wide.save(folder / "wide.lsp");
  wide.in_16_bits(graph).save(folder / "narrow.lsp");
  constexpr std::size_t kHeaderBytes = 12, kNodes = 16, kCount = 20, kRowBytes = 24, kCoarse = 28,
                        kStorage = 32, kSymmetric = 36, kUnit = 40, kHeader = 160;
  const auto refusal = [&](const char* file, std::size_t at, auto value) {
    std::string text = folder.read(file);
    std::memcpy(text.data() + at, &value, sizeof value);
    seal_potentials(std::as_writable_bytes(std::span(text)));
    const std::string changed = folder.write("changed.lsp", text);
    const std::string said = testing::error_of([&] { Potentials::load(changed); });
    return said.substr(std::min(said.size(), changed.size()));
  };
  const std::string advice = "; make the file again with `lodestar fit`";
  EXPECT_EQ(refusal("wide.lsp", kHeaderBytes, 161u), ": the header has another size" + advice);
  EXPECT_EQ(refusal("wide.lsp", kStorage, 2u), ": the header has an unknown kind" + advice);
  EXPECT_EQ(refusal("wide.lsp", kSymmetric, 2u), ": the header has an unknown kind" + advice);
  for (const std::uint32_t count : {0u, 4097u}) {
    EXPECT_EQ(refusal("wide.lsp", kCount, count),
              ": the header announces " + std::to_string(count) + " potentials" + advice);
  }
  const std::string row = ": the size of a row does not fit the number of potentials" + advice;
  EXPECT_EQ(refusal("wide.lsp", kCount, 4096u), row) << "as many as there may be";
  EXPECT_EQ(refusal("wide.lsp", kCount, 9u), row);
  EXPECT_EQ(refusal("wide.lsp", kRowBytes, 48u), row);
  for (const double unit : {3.0, 0.0, -1.0, kInfinity, std::nan("")}) {
    EXPECT_EQ(refusal("wide.lsp", kUnit, unit), ": the unit is not a power of two" + advice)
        << unit;
  }
  const std::string step = ": the step of the values is invalid" + advice;
  EXPECT_EQ(refusal("wide.lsp", kCoarse, 2u), step) << "of 32 bits";
  for (const std::uint32_t coarse : {0u, (1u << 20) + 1}) {
    EXPECT_EQ(refusal("narrow.lsp", kCoarse, coarse), step);
  }
  for (const std::uint32_t coarse : {1u, 2u, 1u << 20}) {
    EXPECT_EQ(refusal("narrow.lsp", kCoarse, coarse), "") << coarse;
  }
  EXPECT_EQ(refusal("wide.lsp", kNodes, 41u),
            ": the file has " + std::to_string(kHeader + 40 * 32) +
                " bytes, its header announces " + std::to_string(kHeader + 41 * 32) + advice);
  const std::string damaged = ": a value is out of range; the file is damaged";
  for (const std::int32_t most : {1 << 30, -(1 << 30)}) {
    EXPECT_EQ(refusal("wide.lsp", kHeader, most), "");
    EXPECT_EQ(refusal("wide.lsp", kHeader, most + (most > 0 ? 1 : -1)), damaged);
  }
  EXPECT_EQ(refusal("narrow.lsp", kHeader, std::int16_t{0}), "");
  EXPECT_EQ(refusal("narrow.lsp", kHeader, std::int16_t{-1}), damaged);
}

}  // namespace
}  // namespace lodestar::potentials_test
