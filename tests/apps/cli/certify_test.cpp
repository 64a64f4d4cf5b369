// The verb `certify`, run as a user runs it.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "lodestar/graph_io.h"
#include "lodestar/model.h"
#include "lodestar/potentials.h"
#include "random_model.h"
#include "run_program.h"
#include "scratch_folder.h"

namespace lodestar::certify_test {
namespace {

using testing::Outcome;

Outcome certify(const std::string& arguments) {
  return testing::run_program("certify " + arguments, /*with_stderr=*/true);
}

constexpr const char* kTriangle = "p sp 3 3\na 1 2 1\na 2 3 2\na 1 3 4\n";

TEST(Certify, PotentialsFromAFile) {
  const ScratchFolder folder;
  const std::string graph = folder.write("triangle.gr", kTriangle);
  const Outcome good = certify(graph + " --potentials " + folder.write("good.txt", "0\n1\n3\n"));
  EXPECT_EQ(good.status, 0) << good.out;
  const std::string bad = folder.write("bad.txt", "1 0\n2 1\n3 5\n");
  const Outcome table = certify(graph + " --potentials " + bad);
  EXPECT_EQ(table.status, 1) << table.out;
  EXPECT_NE(table.out.find("arc 2 → 3 of weight 2"), std::string::npos) << table.out;
  const Outcome json = certify(graph + " --json --samples 50 --potentials " + bad);
  EXPECT_EQ(json.status, 1);
  const auto verdict = nlohmann::json::parse(json.out);
  EXPECT_EQ(verdict["arcs_checked"], 3);
  EXPECT_EQ(verdict["satisfied"], 1);
  EXPECT_EQ(verdict["share_with_self_loops"], 4.0 / 6);
  EXPECT_EQ(verdict["worst_violation"]["excess"], 2);
  EXPECT_EQ(verdict["worst_violation"]["head"], "3");
  EXPECT_EQ(verdict["admissible_on_samples"], false);
  EXPECT_EQ(verdict["counterexample"]["node"], "1");  // the first of two
  EXPECT_EQ(verdict["counterexample"]["distance"], 3);
  EXPECT_EQ(verdict["counterexample"]["estimate"], 5);
}

TEST(Certify, HeuristicsAndModelsOnAFolder) {
  const ScratchFolder folder;
  folder.write("a.gr", kTriangle);
  folder.write("b.gr", "p sp 4 4\na 1 2 3\na 2 3 1\na 3 4 1\na 4 1 2\n");
  folder.write("notes.txt", "not a graph");
  ModelConfig config;
  config.hidden = config.message = 8;
  config.steps = 3;
  config.features.pos = config.features.hints = false;
  write_model(random_model(config, 3), folder / "random.safetensors");
  EXPECT_EQ(certify((folder / "") + " --heuristic zero").status, 0);
  EXPECT_EQ(certify((folder / "") + " --heuristic constant --constant 100").status, 1);
  const std::string model =
      (folder / "") + " --scale 50 --model " + (folder / "random.safetensors");
  EXPECT_EQ(certify(model).status, 1);
  const Outcome closed = certify(model + " --exact --tolerance 0 --json");
  EXPECT_EQ(closed.status, 0) << closed.out;
  EXPECT_EQ(std::count(closed.out.begin(), closed.out.end(), '\n'), 2);
}

TEST(Certify, TablesOfPotentials) {
  const ScratchFolder folder;
  const std::string path = folder.write("triangle.gr", kTriangle);
  const Graph graph = read_graph(path).graph;
  const std::vector<std::int32_t> good[] = {{0, 1, 3}, {0, 0, 2}}, bad[] = {{0, 1, 3}, {0, 0, 4}};
  Potentials(graph, good, 1).save(folder / "good.lsp");
  Potentials(graph, bad, 1).save(folder / "bad.lsp");
  EXPECT_EQ(certify(path + " --tolerance 0 --potentials " + (folder / "good.lsp")).status, 0);
  EXPECT_EQ(certify(path + " --potentials " + (folder / "bad.lsp")).status, 1);
  // The flag that `solve` has for tables does here too.
  EXPECT_EQ(certify(path + " --tolerance 0 --potentials " + (folder / "good.lsp")).status, 0);
}

TEST(Certify, BadInputIsTwo) {
  const ScratchFolder folder;
  const std::string graph = folder.write("triangle.gr", kTriangle);
  EXPECT_EQ(certify(graph).status, 2);
  EXPECT_EQ(certify(graph + " --heuristic nonsense").status, 2);
  EXPECT_EQ(certify(graph + " --heuristic geometric").status, 2);
  EXPECT_EQ(certify(graph + " --heuristic zero --tolerance -1").status, 2);
  EXPECT_EQ(certify(graph + " --model " + (folder / "missing")).status, 2);
  EXPECT_EQ(certify(graph + " --potentials " + folder.write("y.txt", "1\n2\n")).status, 2);
  EXPECT_EQ(certify((folder / "missing.gr") + " --heuristic zero").status, 2);
}

}  // namespace
}  // namespace lodestar::certify_test
