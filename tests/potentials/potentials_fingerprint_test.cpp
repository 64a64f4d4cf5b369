// Potentials depend on graph, options and seed alone: one number for each way of making them. Who
// changes how they are made changes the numbers here in the same commit.
#include <gtest/gtest.h>

#include "fingerprint.h"
#include "lodestar/fit.h"
#include "potentials/columns.h"
#include "road.h"

namespace lodestar::potentials_fingerprint_test {
namespace {

using testing::Fingerprint;
using testing::road;

std::uint64_t fingerprint(const PotentialColumns& made) {
  Fingerprint print;
  print.add(made.unit);
  for (const auto& column : made.columns) print.add_all(column);
  return print.value();
}

std::uint64_t fingerprint(const Potentials& made) {
  Fingerprint print;
  print.add(made.unit());
  for (std::uint32_t i = 0; i < made.count(); ++i) print.add_all(made.column(i));
  return print.value();
}

Graph directed(NodeId nodes) {
  GraphBuilder builder(nodes);
  Rng rng(3);
  for (NodeId u = 0; u < nodes; ++u) {
    builder.add_arc(u, (u + 1) % nodes, 20 + rng.below(50));
    for (int i = 0; i < 2; ++i) builder.add_arc(u, rng.below(nodes), 1 + rng.below(90));
  }
  return builder.build();
}

TEST(PotentialsFingerprint, OfLandmarksIsTheRecordedOne) {
  const auto made = [](const Graph& graph, LandmarkMethod method) {
    LandmarkOptions options;
    options.potential_count = 7;
    options.method = method;
    return fingerprint(landmark_columns(graph, options));
  };
  const Graph both = road(1500), one_way = directed(800);
  EXPECT_EQ(made(both, LandmarkMethod::kFarthest), 14429934044471586033u);
  EXPECT_EQ(made(both, LandmarkMethod::kAvoid), 16668433155277783717u);
  EXPECT_EQ(made(both, LandmarkMethod::kGreedy), 3712887006822545830u);
  EXPECT_EQ(made(one_way, LandmarkMethod::kFarthest), 12849563142400471861u);
  EXPECT_EQ(made(one_way, LandmarkMethod::kAvoid), 15480092261136896438u);
  EXPECT_EQ(made(one_way, LandmarkMethod::kGreedy), 10230902181996681213u);
}

TEST(PotentialsFingerprint, OfCutsIsTheRecordedOne) {
  CutOptions options;
  options.potential_count = 7;
  EXPECT_EQ(fingerprint(cut_columns(road(1500), options)), 248139278902637861u);
  EXPECT_EQ(fingerprint(cut_columns(directed(800), options)), 7528239166357676880u);
  options.sweeps = 3;
  EXPECT_EQ(fingerprint(cut_columns(road(1500), options)), 274549681070244367u);
  EXPECT_EQ(fingerprint(cut_columns(directed(800), options)), 1358011206076943490u);
  options.by_coordinates = true;
  EXPECT_EQ(fingerprint(cut_columns(road(1500), options)), 1800751840837020146u);
}

TEST(PotentialsFingerprint, OfTrainingIsTheRecordedOne) {
  const auto made = [](const Graph& graph, FitStart start, QueryKind kind) {
    FitOptions options;
    options.start = start;
    options.kind = kind;
    options.potential_count = 7;  // odd: of pairs of columns one is left out
    options.pairs = 3000;
    options.queries = 40;
    options.held_back = 20;
    options.rounds = 2;
    if (kind == QueryKind::kLog) {
      for (NodeId s = 0; s < 100; ++s) options.log.push_back({s, 700 - s});
    }
    const Potentials potentials = fit(graph, options).potentials;
    EXPECT_EQ(potentials.count(), 7u);
    return fingerprint(potentials);
  };
  const Graph both = road(1500), one_way = directed(800);
  EXPECT_EQ(made(both, FitStart::kLandmarks, QueryKind::kUniform), 1725265451219560879u);
  EXPECT_EQ(made(both, FitStart::kCuts, QueryKind::kRank), 2868085653417732645u);
  EXPECT_EQ(made(both, FitStart::kMix, QueryKind::kUniform), 7263726078276326192u);
  EXPECT_EQ(made(both, FitStart::kRace, QueryKind::kLog), 16893726512465661618u);
  EXPECT_EQ(made(one_way, FitStart::kFarthest, QueryKind::kRank), 5675450519155841496u);
  EXPECT_EQ(made(one_way, FitStart::kMix, QueryKind::kUniform), 11705815258374687256u);
}

}  // namespace
}  // namespace lodestar::potentials_fingerprint_test
