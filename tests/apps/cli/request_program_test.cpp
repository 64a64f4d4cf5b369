// `solve` with preferences, and `fit --metrics`, as a user runs them.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "lodestar/graph_io.h"
#include "run_program.h"
#include "scratch_folder.h"

namespace lodestar::request_program_test {
namespace {

using nlohmann::json;
using testing::Outcome;
using testing::run_program;

// Weights are tenths of a second. From 0 to 3: over 1 the fast toll road (20 s, 900 m), over 2 the
// short road (30 s, 500 m), and over 4 a ferry (50 s, 700 m) under a bridge of 3 m. 5 is nowhere.
class RequestProgram : public ::testing::Test {
 protected:
  RequestProgram() {
    struct Road {
      NodeId tail, head;
      double time, length;
      const char* name;
    };
    const Road roads[] = {{0, 1, 100, 450, "toll"},  {0, 2, 150, 250, "road"},
                          {0, 4, 250, 350, "ferry"}, {1, 3, 100, 450, "toll"},
                          {2, 3, 150, 250, "road"},  {4, 3, 250, 350, "ferry"}};
    GraphBuilder builder(6);
    for (const Road& road : roads) builder.add_arc(road.tail, road.head, road.time);
    builder.set_points(
        CoordinateKind::kDegrees,
        {{9.50, 47.10}, {9.51, 47.12}, {9.51, 47.10}, {9.52, 47.10}, {9.51, 47.08}, {9.53, 47.10}});
    GraphFile file;
    file.graph = builder.build();
    file.names = NodeNames::numbered(0, 6);
    MetricsBuilder metrics({"time", "s", 0.1});
    std::vector<Weight> lengths;
    for (const Road& road : roads) lengths.push_back(road.length);
    metrics.add({"length", "m", 1}, lengths);
    for (const Road& road : roads) {
      const std::string_view name = road.name;
      ArcKind limits;
      if (name == "ferry") limits.max_height = 3;
      metrics.add_arc({&name, 1}, limits);
    }
    file.metrics = std::move(metrics).build(file.graph);
    write_graph(file, graph_);
  }

  json answer(const std::string& options, int status = 0) const {
    const Outcome run = run_program("solve " + graph_ + " --from 0 --to 3 --json " + options);
    EXPECT_EQ(run.status, status) << options << '\n' << run.out;
    return json::parse(run.out.substr(0, run.out.find('\n')), nullptr, false);
  }

  void expect_error(const std::string& options, const std::string& words) const {
    const Outcome run = run_program("solve " + graph_ + " --from 0 --to 3 " + options, true);
    EXPECT_EQ(run.status, 2) << options << '\n' << run.out;
    EXPECT_NE(run.out.find(words), std::string::npos) << options << '\n' << run.out;
  }

  ScratchFolder folder_;
  std::string graph_ = folder_ / "town.lsg";
};

TEST_F(RequestProgram, EveryPreferenceChangesTheRoute) {
  EXPECT_EQ(answer("")["cost"], 200);
  const json blend = answer("--blend time=1,length=0.1");
  EXPECT_EQ(blend["cost"], 800);  // 30 s and 500 m
  EXPECT_EQ(blend["totals"], json({{"time", 30}, {"length", 500}}));
  EXPECT_EQ(blend["potentials"], false);
  EXPECT_EQ(blend["optimal"], true);
  EXPECT_EQ(answer("--avoid toll")["cost"], 300);
  EXPECT_EQ(answer("--avoid toll=1.25")["cost"], 250);
  EXPECT_EQ(answer("--avoid toll --avoid road=2")["cost"], 500);
  EXPECT_EQ(answer("--avoid toll --avoid road --vehicle height=2.9")["cost"], 500);
  EXPECT_EQ(answer("--avoid toll --avoid road --vehicle height=3.1", 1)["cost"], nullptr);
  EXPECT_EQ(answer("--avoid 9.51,47.12,100")["cost"], 300);
  const std::string area = folder_.write("area.geojson", R"({"type": "Polygon", "coordinates":
        [[[9.505, 47.11], [9.515, 47.11], [9.515, 47.13], [9.505, 47.13], [9.505, 47.11]]]})");
  EXPECT_EQ(answer("--avoid " + area)["cost"], 300);
  EXPECT_EQ(answer("--avoid " + area + "=1.25")["cost"], 250);
  const std::string wish = folder_.write("wish.json", R"({"avoid": ["toll"]})");
  EXPECT_EQ(answer("--preferences " + wish)["cost"], 300);
  EXPECT_EQ(answer("--preferences " + wish + " --avoid road")["cost"], 500);
  const std::string times = folder_.write("rush.csv", "class,from,to,factor\ntoll,08:00,09:00,4\n");
  EXPECT_EQ(answer("--depart 08:10 --travel-times " + times)["cost"], 300);
  EXPECT_EQ(answer("--depart 10:10 --travel-times " + times)["cost"], 200);
}

TEST_F(RequestProgram, AlternativesAreInEveryOutput) {
  const std::string file = folder_ / "routes.geojson";
  const json found = answer("--alternatives 2 --paths --blend length=1 --geojson " + file);
  EXPECT_EQ(found["path"], json({"0", "2", "3"}));
  EXPECT_TRUE(found["alternatives"].is_array());
  const Outcome text = run_program("solve " + graph_ + " --from 0 --to 3 --avoid toll --paths");
  EXPECT_EQ(text.out,
            "0 → 3: cost 300, proven optimal\n  time 30 s, length 500 m; without potentials\n" +
                text.out.substr(text.out.find("  expanded")));
  EXPECT_NE(text.out.find("  path 0 2 3\n"), std::string::npos) << text.out;
  const std::string queries = folder_.write("q.tsv", "0\t3\n0\t5\n");
  const Outcome rows = run_program("solve " + graph_ + " --queries " + queries + " --avoid toll");
  EXPECT_EQ(rows.out.substr(0, rows.out.find('\n')),
            "source\ttarget\troute\tcost\tlower_bound\tgap\toptimal\texpansions\tpotentials\ttime\t"
            "length");
  EXPECT_NE(rows.out.find("\n0\t3\t1\t300\t300\t0\tyes\t"), std::string::npos) << rows.out;
  EXPECT_NE(rows.out.find("\n0\t5\t1\t∞\t"), std::string::npos) << rows.out;
  const json features = json::parse(std::ifstream(file))["features"];
  EXPECT_EQ(features[0]["properties"]["totals"], json({{"time", 30}, {"length", 500}}));
  EXPECT_EQ(features[0]["properties"]["potentials"], false);
}

TEST_F(RequestProgram, PlacesHaveTheSameWeights) {
  const Outcome run = run_program(
      "solve " + graph_ + " --from 9.505,47.11 --to 9.515,47.10 --json --avoid 9.51,47.11,1");
  const json found = json::parse(run.out, nullptr, false);
  ASSERT_TRUE(found.is_object()) << run.out;
  EXPECT_EQ(found["optimal"], true);
  EXPECT_TRUE(found.contains("totals") || found["cost"].is_null());
  EXPECT_TRUE(found.contains("source_distance"));
}

TEST_F(RequestProgram, WrongPreferencesAreErrors) {
  expect_error("--avoid dragons", "has no class 'dragons'; it has toll, road, ferry");
  expect_error("--avoid toll=0.5", "must be a number of at least 1");
  expect_error("--avoid toll=x", "must be a number of at least 1");
  expect_error("--avoid 9.5,47.1", "is no circle");
  expect_error("--avoid 9.5,47.1,-5", "radius");
  expect_error("--avoid 9.5,147.1,5", "latitude");
  expect_error("--avoid way/7", "OpenStreetMap ways");
  expect_error("--avoid none.geojson", "none.geojson: cannot be read");
  expect_error("--avoid " + folder_.write("bad.geojson", "{"), "parse error");
  expect_error("--avoid " + folder_.write("point.json", R"({"type": "Point"})"), "has a Point");
  expect_error("--avoid " + folder_.write("bow.json", R"({"type": "Polygon", "coordinates":
      [[[9, 47], [10, 48], [10, 47], [9, 48]]]})"),
               "crosses");
  expect_error("--blend speed=1", "no metric 'speed'; it has time, length");
  expect_error("--blend time=-1", "at least 0");
  expect_error("--blend time=0", "above 0");
  expect_error("--blend time=x", "write a blend as");
  expect_error("--vehicle length=3", "no 'length'");
  expect_error("--depart 08:00", "requires --travel-times");
  expect_error("--depart 8 --travel-times x.csv", "is no time of day");
  expect_error("--depart 08:00 --travel-times none.csv", "none.csv");
  expect_error("--preferences none.json", "none.json: cannot be read");
  expect_error("--preferences " + folder_.write("a.json", R"({"avoyd": []})"), "'avoyd'");
  expect_error("--preferences " + folder_.write("b.json", "[]"), "b.json: must be a JSON object");
  expect_error("--alternatives 0", "--alternatives");
  expect_error("--avoid toll --heuristic geometric", "cannot be combined with");
  expect_error("--travel-times " + folder_.write("t.csv", "nonsense\n") + " --depart 08:00",
               "t.csv:1");
}

TEST(FitBlends, FitsDescribesAndServes) {
  const ScratchFolder folder;
  const std::string graph = folder / "road.lsg", potentials = folder / "road.lsp";
  ASSERT_EQ(run_program("generate road -n 3000 --seed 4 -o " + graph).status, 0);
  const Outcome fit = run_program(
      "fit " + graph + " --metrics length --rounds 2 -k 8 --bits 16 -o " + potentials + " --json");
  ASSERT_EQ(fit.status, 0) << fit.out;
  const json facts = json::parse(fit.out);
  EXPECT_EQ(facts["metrics"], json({"time", "length"}));
  ASSERT_GE(facts["knots"].size(), 2u);
  EXPECT_EQ(facts["knots"][0]["blend"], json({{"time", 1.0}, {"length", 0.0}}));
  EXPECT_GT(facts["knots"].size() > 2 ? facts["knots"][2]["loss_before"].get<double>() : 1, 0);
  const json info = json::parse(run_program("info " + potentials + " --json").out);
  EXPECT_EQ(info["knots"].size(), facts["knots"].size());
  EXPECT_EQ(info["bytes_per_node"], 16 * facts["knots"].size());
  EXPECT_NE(run_program("info " + potentials).out.find("blends of time, length"),
            std::string::npos);
  // The same cost with and without potentials, and by the library.
  const std::string ask =
      "solve " + graph + " --from 17 --to 2500 --blend time=1,length=0.1 --json";
  const json with = json::parse(run_program(ask + " --potentials " + potentials).out);
  const json without = json::parse(run_program(ask).out);
  EXPECT_EQ(with["cost"], without["cost"]);
  EXPECT_EQ(with["totals"], without["totals"]);
  EXPECT_EQ(with["potentials"], true);
  EXPECT_EQ(without["potentials"], false);
  // Potentials of one metric are a plain file.
  EXPECT_EQ(run_program("fit " + graph + " --metrics time --rounds 1 -k 4 -o " + potentials).status,
            0);
  EXPECT_EQ(json::parse(run_program("info " + potentials + " --json").out)["per_node"], 4);
  for (const auto& [options, words] :
       {std::pair{"--metrics speed", "no metric 'speed'"},
        std::pair{"--knots 3", "requires --metrics"},
        std::pair{"--metrics length --knots 1", "at least one knot"},
        std::pair{"--metrics length --resume", "cannot be combined"}}) {
    const Outcome run = run_program("fit " + graph + " " + options + " -o " + potentials, true);
    EXPECT_EQ(run.status, 2) << options;
    EXPECT_NE(run.out.find(words), std::string::npos) << run.out;
  }
}

}  // namespace
}  // namespace lodestar::request_program_test
