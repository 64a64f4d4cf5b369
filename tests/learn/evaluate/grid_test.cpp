// The grid: the same for any number of threads, taken up where it was left, rows as by hand.
#include "learn/evaluate/grid.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "scratch_folder.h"

namespace lodestar::evaluate::grid_test {
namespace {

Grid small_grid() {
  Grid grid;
  for (const NodeId nodes : {16u, 24u}) {
    GridPart part;
    part.split = {"s" + std::to_string(nodes), 6, nodes, Density::kDense, 0, Draw::kOr, nodes};
    part.methods = {plain_method("Dijkstra", Source::kZero),
                    plain_method("random", Source::kRandom, 0, 0),
                    plain_method("random", Source::kRandom, 0, 1),
                    plain_method("constant", Source::kConstant, 0.3)};
    grid.parts.push_back(part);
  }
  return grid;
}

TEST(Grid, ThreadsAndResumingChangeNothing) {
  const Grid grid = small_grid();
  const ScratchFolder one, two, cut;
  CellStore first(one / "r"), second(two / "r");
  const std::vector<Row> rows = run_grid(grid, first, "b", 1);
  run_grid(grid, second, "b", 3);
  const std::string cells = one.read("r/cells.jsonl");
  EXPECT_EQ(cells, two.read("r/cells.jsonl"));

  // A run killed in the middle of its fourth line.
  std::filesystem::create_directories(cut / "r");
  std::size_t at = 0;
  for (int line = 0; line < 3; ++line) at = cells.find('\n', at) + 1;
  cut.write("r/cells.jsonl", cells.substr(0, at + 40));
  cut.write("r/times.jsonl", one.read("r/times.jsonl"));
  CellStore third(cut / "r");
  EXPECT_EQ(third.size(), 3u);
  std::size_t kept = 0, computed = 0;
  const std::vector<Row> resumed = run_grid(grid, third, "b", 2, [&](const GridProgress& state) {
    kept = state.kept;
    computed = state.computed;
  });
  EXPECT_EQ(kept, 3u);
  EXPECT_EQ(computed, 5u);
  EXPECT_EQ(cut.read("r/cells.jsonl"), cells);
  ASSERT_EQ(resumed.size(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(resumed[i].iterations.mean, rows[i].iterations.mean);
    EXPECT_EQ(resumed[i].distance.high, rows[i].distance.high);
  }

  // Another build's cells are not taken for this one's.
  bool any = false;
  run_grid(grid, third, "other", 1, [&](const GridProgress& state) { any = state.kept > 0; });
  EXPECT_FALSE(any);
}

TEST(Grid, AFileThatIsNoStoreIsRefused) {
  const ScratchFolder folder;
  folder.write("cells.jsonl", "{\"key\": 7}\n");
  EXPECT_THROW(CellStore(folder / ""), Error);
}

TEST(Grid, RowsGatherTrials) {
  CellStore store("");
  const std::vector<Row> rows = run_grid(small_grid(), store, "b", 1);
  ASSERT_EQ(rows.size(), 6u);  // two splits of three names
  EXPECT_EQ(rows[0].method, "Dijkstra");
  EXPECT_EQ(rows[0].ratio.mean, 1);
  EXPECT_EQ(rows[0].accuracy.mean, 100);
  EXPECT_EQ(rows[1].method, "random");
  EXPECT_EQ(rows[1].trials, 2u);
  EXPECT_GT(rows[1].iterations.error, 0);
  EXPECT_LT(rows[1].arc_constraints.mean, 100);
  // Self-loops always hold, so counting them flatters.
  EXPECT_GT(rows[1].constraints.mean, rows[1].arc_constraints.mean);
  EXPECT_LT(rows[2].iterations.mean, rows[0].iterations.mean);
}

TEST(Grid, WhatDeterminesACellIsInItsKey) {
  const Grid grid = small_grid();
  const Split& split = grid.parts[0].split;
  const Method constant = grid.parts[0].methods[3];
  const std::string key = cell_key("b", {}, split, constant);
  Split fewer = split;
  fewer.count = 5;
  Method scaled = constant, closed = with_closure(constant), larger = constant;
  scaled.scale = 2;
  larger.parameter = 0.4;
  EXPECT_NE(key, cell_key("c", {}, split, constant));
  EXPECT_NE(key, cell_key("b", {.algorithm = SearchAlgorithm::kGreedy}, split, constant));
  EXPECT_NE(key, cell_key("b", {}, fewer, constant));
  EXPECT_NE(key, cell_key("b", {}, split, scaled));
  EXPECT_NE(key, cell_key("b", {}, split, closed));
  EXPECT_NE(key, cell_key("b", {}, split, larger));
  const Model model = load_model("deep");
  Model other = model;
  other.config.y_scale *= 2;
  EXPECT_NE(cell_key("b", {}, split, model_method("deep", model)),
            cell_key("b", {}, split, model_method("deep", other)));
}

TEST(Constant, IsChosenTheSameEveryTime) {
  const double c = choose_constant(4, 1);
  EXPECT_GT(c, 0);
  EXPECT_LT(c, 0.6);
  EXPECT_EQ(c, choose_constant(4, 2));
}

}  // namespace
}  // namespace lodestar::evaluate::grid_test
