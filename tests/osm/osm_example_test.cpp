// The examples of README.md and docs/guide/openstreetmap.md, command by command, on an extract made
// here.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "extract.h"
#include "run_program.h"
#include "scratch_folder.h"

namespace lodestar::osm_example_test {
namespace {

struct Output {
  int status = -1;
  std::string out;  // with what went to stderr
};

Output run_in(const ScratchFolder& folder, const std::string& arguments) {
  const std::string command =
      "cd '" + (folder / "") + "' && " + testing::program_path() + " " + arguments + " 2>&1";
  Output output;
  FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return output;
  char buffer[4096];
  while (const std::size_t got = std::fread(buffer, 1, sizeof buffer, pipe)) {
    output.out.append(buffer, got);
  }
  const int raw = ::pclose(pipe);
  if (WIFEXITED(raw)) output.status = WEXITSTATUS(raw);
  return output;
}

// Eleven by eleven streets over the area the example asks about.
void write_town(const std::string& path) {
  osm::Extract town;
  constexpr int kSize = 11;
  for (int r = 0; r < kSize; ++r) {
    for (int c = 0; c < kSize; ++c) town.node(1 + c + 100 * r, 9.5 + c * 0.002, 47.1 + r * 0.002);
  }
  for (int line = 0; line < kSize; ++line) {
    std::vector<std::int64_t> east, north;
    for (int i = 0; i < kSize; ++i) {
      east.push_back(1 + i + 100 * line);
      north.push_back(1 + line + 100 * i);
    }
    const std::string kind = line % 5 == 0 ? "primary" : "residential";
    const std::string number = std::to_string(line + 1);
    town.way(10 + line, east, {{"highway", kind}, {"name", "East Street " + number}});
    town.way(50 + line, north, {{"highway", kind}, {"name", "North Street " + number}});
  }
  town.write(path);
}

std::vector<std::string> example_commands(const std::string& document) {
  std::ifstream manual(std::string(LODESTAR_SOURCE_DIR) + "/" + document);
  std::vector<std::string> commands;
  bool marked = false, inside = false;
  for (std::string line; std::getline(manual, line);) {
    if (line.find("example: run by tests/osm/osm_example_test.cpp") != std::string::npos) {
      marked = true;
    } else if (marked && line == "```") {
      if (inside) break;
      inside = true;
    } else if (inside) {
      commands.push_back(line);
    }
  }
  return commands;
}

class OsmExample : public ::testing::TestWithParam<const char*> {};

TEST_P(OsmExample, TheFourCommandsWork) {
  const ScratchFolder folder;
  write_town(folder / "town.osm.pbf");
  const std::vector<std::string> commands = example_commands(GetParam());
  ASSERT_EQ(commands.size(), 4u);
  std::string last;
  for (std::string command : commands) {
    ASSERT_TRUE(command.starts_with("lodestar ")) << command;
    command = command.substr(std::string("lodestar ").size());
    if (command.starts_with("index ")) command += " --seconds 0.2";  // enough for a small town
    const Output output = run_in(folder, command);
    ASSERT_EQ(output.status, 0) << command << "\n" << output.out;
    last = output.out;
  }
  EXPECT_NE(last.find("proven optimal"), std::string::npos) << last;
  EXPECT_NE(last.find("Street"), std::string::npos) << last;
  const auto json = nlohmann::json::parse(folder.read("route.geojson"));
  const auto& line = json["features"][0]["geometry"]["coordinates"];
  ASSERT_GE(line.size(), 3u);
  // It begins and ends at the roads nearest to the places asked for.
  EXPECT_NEAR(line.front()[0].get<double>(), 9.5024, 0.0011);
  EXPECT_NEAR(line.front()[1].get<double>(), 47.1012, 0.0011);
  EXPECT_NEAR(line.back()[0].get<double>(), 9.5178, 0.0011);
  EXPECT_NEAR(line.back()[1].get<double>(), 47.1171, 0.0011);
}

INSTANTIATE_TEST_SUITE_P(Documents, OsmExample,
                         ::testing::Values("README.md", "docs/guide/openstreetmap.md"));

TEST(OsmProgram, EveryVerbReadsExtractsAndSaysWhatItCannot) {
  const ScratchFolder folder;
  write_town(folder / "town.osm.pbf");
  const Output info = run_in(folder, "info town.osm.pbf --profile foot --weight length");
  EXPECT_EQ(info.status, 0) << info.out;
  EXPECT_NE(info.out.find("profile foot, weights are lengths in tenths of a metre"),
            std::string::npos)
      << info.out;
  const Output turns = run_in(folder, "info town.osm.pbf --turns");
  EXPECT_NE(turns.out.find("turn restrictions: 0 no_, 0 only_ used"), std::string::npos);
  const Output gr = run_in(folder, "convert town.osm.pbf town.gr");
  EXPECT_NE(gr.out.find("not kept: the lines, streets"), std::string::npos) << gr.out;
  const Output far = run_in(folder, "solve town.osm.pbf --from 9.5,47.1 --to 10.5,47.1");
  EXPECT_EQ(far.status, 2);
  EXPECT_NE(far.out.find("no road near 10.5,47.1: the nearest is 7"), std::string::npos) << far.out;
  const Output swapped = run_in(folder, "solve town.osm.pbf --from 9.5,47.1 --to 47.1,95");
  EXPECT_EQ(swapped.status, 2);
  EXPECT_NE(swapped.out.find("longitudes lie within"), std::string::npos) << swapped.out;
  // The same places by file, with other outputs; the cost does not depend on the heuristic.
  folder.write("places.tsv",
               "# two of them\n9.5024,47.1012\t9.5178,47.1171\n"
               "9.5178,47.1171\t9.5024,47.1012\n");
  std::string first;
  for (const char* how : {"", "--heuristic geometric", "--algorithm astar --threads 2"}) {
    const Output many = run_in(folder, std::string("solve town.osm.pbf --queries places.tsv "
                                                   "--json --gpx r.gpx --polyline 6 ") +
                                           how);
    ASSERT_EQ(many.status, 0) << many.out;
    std::istringstream lines(many.out);
    std::string costs;
    for (std::string text; std::getline(lines, text);) {
      if (!text.starts_with("{")) continue;  // notes on stderr
      const auto json = nlohmann::json::parse(text);
      EXPECT_TRUE(json["optimal"].get<bool>());
      EXPECT_FALSE(json["polyline"].get<std::string>().empty());
      // An import by time: the cost is the duration, in seconds.
      EXPECT_NEAR(json["cost"].get<double>(), json["duration"].get<double>(), 0.11);
      EXPECT_GT(json["distance"].get<double>(), 1000);
      costs += json["cost"].dump() + " ";
    }
    if (first.empty()) first = costs;
    EXPECT_EQ(costs, first) << how;
  }
  EXPECT_NE(folder.read("r.gpx").find("<trkpt"), std::string::npos);
}

TEST(OsmProgram, CostsAreSecondsAndMetres) {
  const ScratchFolder folder;
  write_town(folder / "town.osm.pbf");
  for (const auto& [weight, unit] :
       {std::pair("time", "duration"), std::pair("length", "distance")}) {
    SCOPED_TRACE(weight);
    ASSERT_EQ(
        run_in(folder, std::string("convert town.osm.pbf town.lsg --weight ") + weight).status, 0);
    const Output one = run_in(folder,
                              "--quiet solve town.lsg --from 9.5024,47.1012 --to 9.5178,47.1171 "
                              "--json --paths --geojson r.geojson");
    ASSERT_EQ(one.status, 0) << one.out;
    const auto json = nlohmann::json::parse(one.out.substr(one.out.find('{')));
    EXPECT_GT(json["cost"], 100);
    EXPECT_NEAR(json["cost"], json[unit], 0.1);
    // GeoJSON has the same names and units.
    const auto drawn = nlohmann::json::parse(folder.read("r.geojson"))["features"][0]["properties"];
    EXPECT_EQ(drawn["optimal"], true);
    EXPECT_NEAR(drawn["cost"], json["cost"], 1e-9);
    EXPECT_EQ(drawn["distance"], json["distance"]);
    EXPECT_EQ(drawn["duration"], json["duration"]);
    // So have queries between nodes, distances to all nodes, and matrices.
    const std::string from = json["path"].front().dump(), to = json["path"].back().dump();
    const Output nodes =
        run_in(folder, "--quiet solve town.lsg --json --from " + from + " --to " + to);
    const double cost = nlohmann::json::parse(nodes.out.substr(nodes.out.find('{')))["cost"];
    // Between the first and the last node of the path, without the parts of arcs at its ends.
    EXPECT_LE(cost, json["cost"].get<double>() + 1e-6);
    EXPECT_GT(cost, 0.7 * json["cost"].get<double>());
    folder.write("from.txt", from + "\n");
    folder.write("to.txt", to + "\n");
    const Output matrix =
        run_in(folder, "--quiet matrix town.lsg --sources from.txt --targets to.txt");
    EXPECT_NE(matrix.out.find(from + "," + to + "," + nlohmann::json(cost).dump()),
              std::string::npos)
        << matrix.out;
    const Output all = run_in(folder, "--quiet solve town.lsg --to-all --from " + from);
    EXPECT_NE(all.out.find("\n" + to + "\t" + nlohmann::json(cost).dump() + "\n"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace lodestar::osm_example_test
