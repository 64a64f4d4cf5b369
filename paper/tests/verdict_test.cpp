// Marks and claims on rows made by hand.
#include "paper/verdict.h"

#include <gtest/gtest.h>

#include "paper/plain_words.h"

namespace lodestar::paper {
namespace {

Row row_of(const std::string& contender, Draw draw, const PublishedCell& cell) {
  Row row;
  row.contender = contender;
  row.split = {"t", 128, cell.nodes, cell.density, 0, draw, 1};
  row.trials = 5;
  row.constraints = row.arc_constraints = {100, 0, 100, 100};
  row.dijkstra.mean = cell.dijkstra;
  row.iterations = {cell.iterations.mean - 2, 0.1, 0, 0};
  row.ratio = {row.iterations.mean / cell.dijkstra, 0.001, 0, 0};
  return row;
}

TEST(Published, TheTableIsWhole) {
  ASSERT_EQ(published_table().size(), 12u);
  const PublishedCell* cell = published_cell(Density::kDense, 256);
  ASSERT_NE(cell, nullptr);
  EXPECT_EQ(cell->distance.mean, 52.8);
  EXPECT_NEAR(cell->ratio(), 0.1618, 1e-4);
  EXPECT_EQ(published_cell(Density::kDense, 64), nullptr);
  EXPECT_GT(margin(*cell, 0.1, 0.2), 0);
  EXPECT_LT(margin(*cell, 0.2, 0.2), 0);
  EXPECT_LT(margin(*cell, 0.1, 0.6), 0);
}

TEST(Verdict, NoiseIsTwoErrorsOfBothSides) {
  const PublishedValue paper{10, 0.3, 0.01};
  // 2 √(0.3² + 0.4²) = 1, and half a digit.
  EXPECT_EQ(compare({11.0, 0.4, 0, 0}, paper, Better::kLower), Mark::kWithinNoise);
  EXPECT_EQ(compare({11.1, 0.4, 0, 0}, paper, Better::kLower), Mark::kWorse);
  EXPECT_EQ(compare({8.9, 0.4, 0, 0}, paper, Better::kLower), Mark::kBetter);
  EXPECT_EQ(compare({11.1, 0.4, 0, 0}, paper, Better::kHigher), Mark::kBetter);
}

TEST(Verdict, AFailingCellIsNamed) {
  std::vector<Row> rows;
  for (const PublishedCell& cell : published_table()) {
    rows.push_back(row_of("paper", Draw::kOr, cell));
    rows.push_back(row_of("deep", Draw::kDirected, cell));
  }
  for (const Claim& claim : check_claims(rows)) {
    EXPECT_EQ(claim.cells, 12u) << claim.text;
    EXPECT_TRUE(claim.holds()) << claim.text;
  }
  rows[4].distance.mean = 5;          // paper, sparse 192: the paper has 0.19 %
  rows[1].arc_constraints.mean = 98;  // deep, sparse 32
  rows[1].constraints.mean = 98;
  std::vector<std::string> failures;
  for (const Claim& claim : check_claims(rows)) {
    failures.insert(failures.end(), claim.failures.begin(), claim.failures.end());
  }
  ASSERT_EQ(failures.size(), 2u);
  EXPECT_EQ(failures[0], "sparse, 192 nodes: 5.00 ± 0.00 %, the paper 0.19 ± 0.09 %");
  EXPECT_EQ(failures[1], "sparse, 32 nodes: 98.00 %, the paper 99.4 %");
}

TEST(Verdict, WordsFollowTheNumbers) {
  std::vector<Row> rows;
  for (const PublishedCell& cell : published_table()) {
    rows.push_back(row_of("paper", Draw::kOr, cell));
  }
  EXPECT_EQ(plain_words(rows, check_claims(rows)).front(), "All 3 claims hold in every cell.");
  rows[0].constraints.mean = 90;
  EXPECT_NE(plain_words(rows, check_claims(rows)).front().find("2 of 3 claims"), std::string::npos);
}

}  // namespace
}  // namespace lodestar::paper
