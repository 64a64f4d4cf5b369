// Potentials as data: what the program writes, read back, and recomputed by examples/potentials.py,
// which shares no code with it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>

#include "lodestar/graph_io.h"
#include "lodestar/model.h"
#include "lodestar/potential_file.h"
#include "random_model.h"
#include "run_program.h"
#include "scratch_folder.h"

namespace lodestar::numpy_test {
namespace {

using testing::run_program;

constexpr const char* kPython = "/usr/bin/python3";

TEST(Potentials, TextAndArrayHoldTheSameNumbers) {
  const ScratchFolder folder;
  ASSERT_EQ(run_program("generate er -n 20 --seed 3 -o " + folder / "g.gr").status, 0);
  const std::string ask = "predict " + folder / "g.gr" + " --from 2 --to 7 -o ";
  ASSERT_EQ(run_program(ask + folder / "y.txt").status, 0);
  ASSERT_EQ(run_program(ask + folder / "y.npy").status, 0);
  const GraphFile file = read_graph(folder / "g.gr");
  const std::vector<double> y = read_potentials(folder / "y.txt", file);
  ASSERT_EQ(y.size(), 20u);
  const std::string npy = folder.read("y.npy");
  EXPECT_TRUE(npy.starts_with("\x93NUMPY"));
  ASSERT_GT(npy.size(), y.size() * sizeof(double));
  EXPECT_EQ(0, std::memcmp(npy.data() + npy.size() - y.size() * sizeof(double), y.data(),
                           y.size() * sizeof(double)));
  EXPECT_EQ(potentials_text(y, file), folder.read("y.txt"));
  EXPECT_EQ(potentials_npy(y, file), npy);

  // Closed, they pass `certify`; several targets give several columns.
  ASSERT_EQ(run_program(ask + folder / "closed.txt" + " --exact").status, 0);
  EXPECT_EQ(
      run_program("certify " + folder / "g.gr" + " --potentials " + folder / "closed.txt").status,
      0);
  ASSERT_EQ(
      run_program("predict " + folder / "g.gr" + " --from 2 --to 7 8 9 -o " + folder / "three.txt")
          .status,
      0);
  const std::string three = folder.read("three.txt");
  EXPECT_EQ(std::count(three.begin(), three.end(), '\t'), 60);
}

TEST(Potentials, RefusesWhatIsNotInTheGraph) {
  const ScratchFolder folder;
  folder.write("g.gr", "p sp 2 1\na 1 2 3\n");
  const std::string ask = "predict " + folder / "g.gr" + " -o " + folder / "y.txt ";
  EXPECT_EQ(run_program(ask + "--from 1 --to 3").status, 2);
  EXPECT_EQ(run_program(ask + "--from 1 2 1 --to 1 2").status, 2);
  EXPECT_EQ(run_program(ask + "--from 1").status, 2);
  EXPECT_EQ(run_program(ask + "--from 1 --to 2 --model nothing").status, 2);
  EXPECT_EQ(folder.file_count(), 1u);
}

TEST(Potentials, NumpyAgreesForEveryPreset) {
  if (std::system((std::string(kPython) + " -c 'import numpy' 2>/dev/null").c_str()) != 0) {
    GTEST_SKIP() << "needs " << kPython << " with numpy";
  }
  const ScratchFolder folder;
  const std::string source = LODESTAR_SOURCE_DIR;
  int number = 0;
  std::vector<std::string> files;
  std::set<std::string> presets;
  for (const EmbeddedModel& model : embedded_models()) {
    if (!model.is_default) continue;
    files.push_back(source + "/learn/models/" + std::string(model.name) + ".safetensors");
    presets.emplace(model.preset);
  }
  const std::set<std::string> all = {"paper", "paper-alone", "paper-tuned", "deep", "swift"};
  EXPECT_TRUE(presets == all || embedded_models().empty());
  // What no preset has: further layers, and hints with heads.
  ModelConfig config;
  config.hidden = 7;
  config.message = 5;
  config.message_layers = 2;
  config.update_layers = 3;
  config.heads = 2;
  files.push_back(folder / "layers.safetensors");
  write_model(random_model(config, 1), files.back());
  for (const std::string& name : files) {
    for (const char* kind :
         {"er -n 24 --density dense --draw or", "er -n 60 --density sparse --draw directed",
          "er -n 40 --density very-dense --draw exact", "grid -n 150"}) {
      const std::string graph = folder / ("g" + std::to_string(++number) + ".gr");
      ASSERT_EQ(run_program("generate " + std::string(kind) + " --seed " + std::to_string(number) +
                            " -o " + graph)
                    .status,
                0);
      ASSERT_EQ(run_program("predict " + graph + " --from 3 --to 17 --model " + name + " -o " +
                            folder / "y.npy")
                    .status,
                0);
      const std::string command = std::string(kPython) + " " + source + "/examples/potentials.py " +
                                  name + " " + graph + " 3 17 " + folder / "y.npy";
      FILE* pipe = ::popen(command.c_str(), "r");
      ASSERT_NE(pipe, nullptr);
      double difference = -1;
      EXPECT_EQ(std::fscanf(pipe, "%lf", &difference), 1) << command;
      EXPECT_EQ(::pclose(pipe), 0);
      EXPECT_GE(difference, 0);
      // A fitted scale depends on the lightest arcs, where float32 shows most; and inference that
      // settles may end a few steps earlier or later.
      const double tolerance = name.find("/deep-") != std::string::npos ? 1e-3 : 1e-5;
      EXPECT_LT(difference, tolerance) << name << ' ' << kind;
    }
  }
}

}  // namespace
}  // namespace lodestar::numpy_test
