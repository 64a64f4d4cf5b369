// `lodestar bench static` as a user runs it: a table that is given is used, and refused where it
// does not belong.
#include <gtest/gtest.h>

#include <fstream>

#include "lodestar/potentials.h"
#include "run_program.h"
#include "scratch_folder.h"

namespace lodestar::bench_static_test {
namespace {

using testing::run_program;

class BenchStatic : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(run_program("generate road -n 2000 -o " + graph_).status, 0);
    ASSERT_EQ(run_program("fit " + graph_ + " -k 8 --rounds 1 -o " + table_).status, 0);
  }
  ScratchFolder folder_;
  std::string graph_ = folder_ / "roads.lsg", table_ = folder_ / "roads.lsp";
  std::string bench_ = "bench static " + graph_ + " --count 50 --passes 1 ";
};

// An hour of training would not end in time: the table must be the one that is used.
TEST_F(BenchStatic, UsesTheTableGiven) {
  const auto compared = run_program(bench_ + "--potentials " + table_);
  EXPECT_EQ(compared.status, 0);
  EXPECT_NE(compared.out.find("K = 8, 0 arcs violated"), std::string::npos) << compared.out;
  const auto ranks =
      run_program(bench_ + "--rank-curve --potentials " + table_ + " -o " + folder_ / "figures");
  EXPECT_EQ(ranks.status, 0);
  EXPECT_NE(ranks.out.find("Dijkstra rank"), std::string::npos);
  EXPECT_TRUE(std::ifstream(folder_ / "figures/rank.dat").good());
}

TEST_F(BenchStatic, TakesTablesOf16Bits) {
  const std::string narrow = folder_ / "narrow.lsp";
  ASSERT_EQ(run_program("fit " + graph_ + " -k 8 --rounds 1 --bits 16 -o " + narrow).status, 0);
  EXPECT_EQ(Potentials::load(narrow).storage(), PotentialsStorage::k16Bit);
  EXPECT_EQ(run_program(bench_ + "--quick --potentials " + narrow).status, 0);
}

TEST_F(BenchStatic, RefusesWhatDoesNotFit) {
  EXPECT_EQ(run_program(bench_ + "--memory-curve --potentials " + table_).status, 2);
  EXPECT_EQ(run_program(bench_ + "--seconds 3600 --potentials " + table_).status, 2);
  const std::string other = folder_ / "other.lsg";
  ASSERT_EQ(run_program("generate road -n 2000 --seed 2 -o " + other).status, 0);
  EXPECT_EQ(run_program("bench static " + other + " --potentials " + table_).status, 2);
  EXPECT_EQ(run_program(bench_ + "--potentials " + graph_).status, 2);
}

}  // namespace
}  // namespace lodestar::bench_static_test
