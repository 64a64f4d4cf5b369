// The verbs `convert` and `info`, run as a user runs them.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "lodestar/graph_io.h"
#include "run_program.h"
#include "scratch_folder.h"

namespace lodestar::convert_test {
namespace {

using testing::Outcome;

Outcome lodestar(const std::string& arguments) {
  return testing::run_program(arguments, /*with_stderr=*/true);
}

constexpr const char* kGraph = "p sp 4 4\na 1 2 3\na 2 1 3\na 2 2 0\na 2 3 1.5\n";

TEST(Convert, WritesTheGraphAndSaysWhatIsNotKept) {
  const ScratchFolder folder;
  const std::string in = folder.write("a.gr", kGraph);
  Outcome run = lodestar("convert " + in + " " + folder / "a.csv.gz");
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.out, folder /
                         "a.csv.gz: 4 nodes, 4 arcs, directed\n  odd: 1 self-loop\n"
                         "  odd: 1 arc of weight 0\n  odd: 1 node without arcs\n"
                         "  not kept: nodes without arcs: 1\n");
  EXPECT_EQ(read_graph(folder / "a.csv.gz").graph.arc_count(), 4u);
  run = lodestar("convert --undirected " + in + " " + folder / "b.graph");
  EXPECT_EQ(run.status, 0);
  EXPECT_TRUE(read_graph(folder / "b.graph").graph.symmetric());
}

TEST(Convert, RefusesWithExitCodeTwoAndLeavesNoFile) {
  const ScratchFolder folder;
  const std::string in = folder.write("a.gr", kGraph);
  Outcome run = lodestar("convert " + in + " " + folder / "a.graph");
  EXPECT_EQ(run.status, 2);
  EXPECT_NE(run.out.find("stores only undirected graphs"), std::string::npos) << run.out;
  folder.write("bad.gr", "p sp 2 1\na 1 2 x\n");
  run = lodestar("convert " + folder / "bad.gr" + " " + folder / "b.lsg");
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(run.out, "lodestar: " + folder / "bad.gr:2: a weight expected, found 'x'\n");
  EXPECT_EQ(lodestar("convert " + in).status, 2);
  EXPECT_EQ(folder.file_count(), 2u);
}

TEST(Info, DescribesForPeopleAndMachines) {
  const ScratchFolder folder;
  const std::string in = folder.write("a.gr", kGraph);
  const Outcome text = lodestar("info " + in);
  EXPECT_EQ(text.status, 0);
  for (const char* part : {"DIMACS, directed", "weak 2, the largest with 3 nodes", "0 … 3",
                           "1 self-loop", "1 node without arcs"}) {
    EXPECT_NE(text.out.find(part), std::string::npos) << part << " in\n" << text.out;
  }
  const Outcome json = lodestar("info --json " + in);
  EXPECT_EQ(json.status, 0);
  const nlohmann::json info = nlohmann::json::parse(json.out);
  EXPECT_EQ(info["nodes"], 4);
  EXPECT_EQ(info["arcs"], 4);
  EXPECT_EQ(info["undirected"], false);
  EXPECT_EQ(info["strong_components"]["count"], 3);
  EXPECT_EQ(info["self_loops"], 1);
  EXPECT_EQ(info["weight"][1], 3);
}

}  // namespace
TEST(Info, DescribesModels) {
  const Outcome text = lodestar("info deep");
  EXPECT_EQ(text.status, 0);
  EXPECT_NE(text.out.find("of preset deep"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("trained with seed "), std::string::npos) << text.out;
  const Outcome json = lodestar("info --json swift");
  EXPECT_EQ(nlohmann::json::parse(json.out)["config"]["steps"], 1);

  const ScratchFolder folder;
  const Outcome refused = lodestar("info " + folder.write("broken.safetensors", "not a model"));
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.out.find("broken.safetensors"), std::string::npos) << refused.out;
}

}  // namespace lodestar::convert_test
