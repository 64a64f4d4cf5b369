// Imports judged by a second import in Python (check_import.py), which shares no code with ours:
// counts of nodes and arcs, the sum of all weights, costs of shortest paths. And what must hold on
// every profile: one strong component, an admissible great circle, a fast index of places.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "extract.h"
#include "lodestar/graph_stats.h"
#include "lodestar/heuristic.h"
#include "lodestar/osm.h"
#include "lodestar/places.h"
#include "lodestar/rng.h"
#include "scratch_folder.h"

namespace lodestar::osm_oracle_test {
namespace {

const std::string kSource = LODESTAR_SOURCE_DIR;

bool runs(const std::string& command) {
  return std::system((command + " >/dev/null 2>&1").c_str()) == 0;
}

std::string python() {
  return runs("/usr/bin/python3 --version") ? "/usr/bin/python3" : "python3";
}

void judge(const std::string& extract, const std::string& profile) {
  const std::string command = python() + " '" + kSource + "/tests/osm/check_import.py' " +
                              LODESTAR_BINARY + " '" + extract + "' '" + kSource +
                              "/src/osm/profiles/" + profile + ".json' 2>&1";
  FILE* pipe = ::popen(command.c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::string said;
  char buffer[4096];
  while (const std::size_t got = std::fread(buffer, 1, sizeof buffer, pipe)) {
    said.append(buffer, got);
  }
  const int status = ::pclose(pipe);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << profile << "\n" << said;
}

// Tags of all kinds, drawn by chance: the two imports must read every one of them alike.
osm::Extract wild_town(std::uint64_t seed) {
  osm::Extract town;
  Rng rng(seed);
  constexpr int kSize = 14;
  const auto draw = [&](std::initializer_list<const char*> words) {
    return std::string(words.begin()[rng.below(static_cast<std::uint32_t>(words.size()))]);
  };
  for (int i = 0; i < kSize * kSize; ++i) {
    osm::Tags tags;
    if (rng.below(12) == 0) tags.push_back({"barrier", draw({"bollard", "gate", "stile", "kerb"})});
    if (rng.below(12) == 0) tags.push_back({"access", draw({"no", "yes", "private"})});
    if (rng.below(30) != 0) {
      town.node(i, 7 + (i % kSize) * 0.002 + rng.below(900) * 1e-6,
                48 + (i / kSize) * 0.002 + rng.below(900) * 1e-6, tags);
    }
  }
  for (int w = 0; w < 160; ++w) {
    std::vector<std::int64_t> nodes = {rng.below(kSize * kSize)};
    for (std::uint32_t steps = 1 + rng.below(8); steps > 0; --steps) {
      const std::int64_t to = nodes.back() + std::array{1, -1, kSize, -kSize, 0}[rng.below(5)];
      if (to >= 0 && to < kSize * kSize) nodes.push_back(to);
    }
    osm::Tags tags;
    tags.push_back({rng.below(12) == 0 ? "route" : "highway",
                    draw({"residential", "primary", "motorway", "service", "footway", "cycleway",
                          "path", "track", "ferry", "construction", "tertiary", "steps"})});
    const auto maybe = [&](const char* key, std::initializer_list<const char*> values) {
      if (rng.below(6) == 0) tags.push_back({key, draw(values)});
    };
    maybe("oneway", {"yes", "-1", "no", "reversible", "1"});
    maybe("oneway:bicycle", {"no", "yes"});
    maybe("oneway:vehicle", {"no", "yes", "-1", "reversible"});
    maybe("conveying", {"forward", "backward", "yes", "reversible"});
    maybe("smoothness", {"impassable", "bad", "good"});
    maybe("junction", {"roundabout", "circular", "yes"});
    maybe("access", {"no", "private", "yes", "destination", "permissive", "odd"});
    maybe("motor_vehicle", {"no", "yes", "agricultural", "forestry;agricultural", "taxi",
                            "destination; forestry", "odd;no", ";"});
    maybe("bicycle", {"no", "yes", "dismount", "designated"});
    maybe("railway", {"tram", "train", "construction"});
    maybe("foot", {"no", "yes", "use_sidepath"});
    maybe("vehicle:forward", {"no", "yes"});
    maybe("maxspeed", {"50", "30 mph", "none", "walk", "signals", "DE:rural", "RO:urban", "odd",
                       "70;50", " 40 ", "0", "5.5", "120km/h", "8 knots"});
    maybe("maxspeed:backward", {"20", "80"});
    maybe("source:maxspeed", {"DE:urban", "sign"});
    maybe("surface", {"gravel", "asphalt", "mud", "cobblestone"});
    maybe("tracktype", {"grade2", "grade5"});
    maybe("cycleway", {"opposite", "lane"});
    maybe("area", {"yes", "no"});
    maybe("duration", {"00:15", "10", "1:00:00", "soon", "PT1M", "PT1H30M", "P1D", "PT90S"});
    town.way(1000 + w, nodes, tags);
  }
  return town;
}

TEST(OsmOracle, TwoImportsAgreeOnWildTowns) {
  if (!runs("osmium --version") || !runs(python() + " --version")) {
    GTEST_SKIP() << "needs osmium-tool and python3";
  }
  const ScratchFolder folder;
  std::uint64_t seed = 0;
  for (const char* profile : {"car", "bicycle", "foot"}) {
    wild_town(++seed).write(folder / "wild.osm.pbf");
    judge(folder / "wild.osm.pbf", profile);
  }
}

TEST(OsmOracle, TwoImportsAgreeOnRealExtracts) {
  const char* data = std::getenv("LODESTAR_DATA");
  if (data == nullptr) GTEST_SKIP() << "LODESTAR_DATA is not set";
  if (!runs("osmium --version") || !runs(python() + " --version")) {
    GTEST_SKIP() << "needs osmium-tool and python3";
  }
  const std::string folder = std::string(data) + "/roads/osm/";
  judge(folder + "rome-piece.osm.pbf", "foot");
  judge(folder + "ny-access-restriction.osm.pbf", "car");
  judge(folder + "krems.osm.gz", "bicycle");
}

TEST(OsmOracle, RealExtractsHoldTogetherOnEveryProfile) {
  const char* data = std::getenv("LODESTAR_DATA");
  if (data == nullptr) GTEST_SKIP() << "LODESTAR_DATA is not set";
  for (const char* name : {"andorra.osm.pbf", "baltimore.osm.pbf", "monaco.osm.gz", "krems.osm.gz",
                           "ny-access-restriction.osm.pbf", "rome-piece.osm.pbf"}) {
    const std::string path = std::string(data) + "/roads/osm/" + name;
    for (const char* profile : {"car", "bicycle", "foot"}) {
      for (const bool turns : {false, true}) {
        SCOPED_TRACE(std::string(name) + " " + profile + (turns ? " turns" : ""));
        const GraphFile file = read_osm(path, {.profile = profile, .turns = turns});
        EXPECT_EQ(strong_components(file.graph).count, 1u);
        EXPECT_TRUE(file.graph.narrow());
        EXPECT_EQ(what_is_wrong(file.shape, file.graph.node_count(), file.graph.arc_count()), "");
        // The scaled great circle never exceeds an arc: admissible on every profile.
        const Geometry geometry(file.graph);
        EXPECT_GT(geometry.scale(), 0);
        for (NodeId u = 0; u < file.graph.node_count(); u += 7) {
          for (const Arc arc : file.graph.arcs(u)) {
            EXPECT_LE(geometry.between(u, arc.head), arc.weight);
          }
        }
        // Every node lies on a road, and finds itself there.
        const Places places(file.graph, file.shape);
        for (NodeId u = 0; u < file.graph.node_count(); u += 11) {
          EXPECT_LT(places.nearest(file.graph.points()[u]).distance, 0.02);
        }
      }
    }
  }
}

}  // namespace
}  // namespace lodestar::osm_oracle_test
