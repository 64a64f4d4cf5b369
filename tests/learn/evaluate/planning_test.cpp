#include "learn/evaluate/planning.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

namespace lodestar::evaluate {
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
  const std::string path = testing::TempDir() + "/" + name;
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

}  // namespace
}  // namespace lodestar::evaluate
