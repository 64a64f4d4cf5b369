#include "learn/evaluate/planning.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>

#include "base/npz.h"

namespace lodestar::evaluate::planning_test {
namespace {

// A wall with a gap at the bottom; the goal is behind it, top right.
constexpr const char* kMap =
    "# made by hand\n"
    "0 0 4\n"
    "..@..\n"
    "..@..\n"
    "..@..\n"
    ".....\n"
    "6 6 -1 1 0\n"
    "5 5 -1 1 1\n"
    "5 4 -1 2 2\n"
    "5 4 3 3 3\n";

std::string write(const std::string& name, const std::string& text) {
  const std::string path = ::testing::TempDir() + "/" + name;
  std::ofstream(path) << text;
  return path;
}

TEST(Planning, ReadsMapsAndAgreesWithTheirDistances) {
  const auto maps = read_planning_maps(write("walls_4.test.txt", kMap));
  ASSERT_EQ(maps.size(), 1u);
  EXPECT_EQ(maps[0].family, "walls");
  EXPECT_EQ(maps[0].width, 5u);
  EXPECT_EQ(maps[0].height, 4u);
  const PlanningTask task(maps[0]);  // throws if a distance differs
  EXPECT_EQ(task.graph().node_count(), 17u);
  EXPECT_EQ(task.chebyshev(0), 4);
  Rng rng(1);
  EXPECT_EQ(task.starts(rng).size(), 3u);
}

TEST(Planning, SaysWhatIsWrongWithAFile) {
  for (const char* text : {"", "0 0\n..\n", "0 0 0\n.x\n", "0 0 0\n..\n.\n", "0 0 0\n..\n0\n",
                           "0 0 0\n..\n", "0 0 5\n..\n0 1\n", "0 0 0\n@.\n-1 0\n"}) {
    EXPECT_THROW(read_planning_maps(write("bad.test.txt", text)), Error) << text;
  }
  auto maps = read_planning_maps(write("walls_4.test.txt", kMap));
  maps[0].cost[0] = 7;
  EXPECT_THROW(PlanningTask{maps[0]}, Error);
}

TEST(Planning, EveryPlannerRunsAndThoseThatPromiseAreOptimal) {
  const auto maps = read_planning_maps(write("walls_4.test.txt", kMap));
  Rng rng(3);
  std::vector<PlanningMap> all = maps;
  all.push_back(tiled_map(maps, 2, rng));
  EXPECT_EQ(all[1].width, 10u);
  const PlanningReport report = run_planning(all, "deep", 1);
  ASSERT_EQ(report.rows.size(), 12u);
  ASSERT_EQ(report.pictures.size(), 2u);
  for (const PlanningRow& row : report.rows) {
    EXPECT_EQ(row.queries, 3u) << row.planner;
    EXPECT_GE(row.cost_ratio, 1);
    EXPECT_LE(row.saved_in_all, row.saved);
    if (row.planner == "A*") {
      EXPECT_EQ(row.optimal, 1);
      EXPECT_EQ(row.expansion_ratio, 1);
      EXPECT_EQ(row.saved, 0);
    }
    if (row.planner == "deep + closure") {
      EXPECT_EQ(row.optimal, 1);
    }
  }
}

TEST(Planning, ReadsArraysOfNumpyAndMapsOfMovingAi) {
  const std::string path = ::testing::TempDir() + "/walls_2_moore.npz";
  const std::vector<float> cells = {1, 0, 1, 1, 1, 1}, goal = {0, 0, 1, 0, 0, 0};
  std::vector<float> minus = {-2, -1024, 0, -2, -1, -1};
  const auto write_arrays = [&](const std::vector<std::size_t>& shape) {
    NpzWriter out(path);
    out.add("arr_8", shape, std::span<const float>(cells));
    out.add("arr_9", {1, 1, 2, 3}, std::span<const float>(goal));
    out.add("arr_11", {1, 1, 2, 3}, std::span<const float>(minus));
    out.close();
  };
  write_arrays({1, 2, 3});
  const auto maps = read_planning_maps(path);
  ASSERT_EQ(maps.size(), 1u);
  EXPECT_EQ(maps[0].family, "walls");
  EXPECT_EQ(maps[0].goal, 2u);
  EXPECT_EQ(PlanningTask(maps[0]).distance(0), 2);  // throws if a distance differs
  minus[0] = std::numeric_limits<float>::quiet_NaN();
  write_arrays({1, 2, 3});
  EXPECT_THROW(read_planning_maps(path), Error);
  write_arrays({6});
  EXPECT_THROW(read_planning_maps(path), Error);
  write("walls_2_moore.npz", "PK");
  EXPECT_THROW(read_planning_maps(path), Error);

  const auto grid =
      read_planning_maps(write("town7.map", "type octile\nheight 2\nwidth 3\nmap\n.@G\n.T.\n"));
  ASSERT_EQ(grid.size(), 1u);
  EXPECT_EQ(grid[0].family, "town");
  EXPECT_EQ(grid[0].free, (std::vector<char>{1, 0, 1, 1, 0, 1}));
  EXPECT_NE(grid[0].free[grid[0].goal], 0);
  for (const char* text :
       {"type octile\nheight 2\nwidth 2\nmap\n..\n.\n", "type octile\nmap\n..\n..\n",
        "type octile\nheight 3\nwidth 2\nmap\n..\n..\n",
        "type octile\nheight 2\nwidth 99999999\nmap\n..\n..\n",
        "type octile\nheight x\nmap\n.\n"}) {
    EXPECT_THROW(read_planning_maps(write("town8.map", text)), Error) << text;
  }
}

// The public files: deflated arrays, and the same maps as text.
TEST(Planning, PublicFilesAgreeInBothFormats) {
  const char* data = std::getenv("LODESTAR_DATA");
  const std::string name = std::string(data ? data : "") + "/learned/mazes_032";
  if (!std::ifstream(name + "_moore_c8.npz").good()) GTEST_SKIP() << "needs LODESTAR_DATA";
  const auto arrays = read_planning_maps(name + "_moore_c8.npz");
  const auto text = read_planning_maps(name + ".test.txt.xz");
  ASSERT_EQ(arrays.size(), text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    EXPECT_EQ(arrays[i].free, text[i].free);
    EXPECT_EQ(arrays[i].goal, text[i].goal);
    EXPECT_EQ(arrays[i].cost, text[i].cost);
  }
}

}  // namespace
}  // namespace lodestar::evaluate::planning_test
