// `lodestar fit`, interrupted.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "lodestar/graph_io.h"
#include "lodestar/potential_family.h"
#include "lodestar/potentials.h"
#include "road.h"
#include "run_program.h"
#include "scratch_folder.h"

namespace lodestar::fit_program_test {
namespace {

// Runs the program; returns its process.
pid_t start(const std::vector<std::string>& arguments) {
  const pid_t child = ::fork();
  if (child == 0) {
    std::vector<char*> argv;
    for (const std::string& argument : arguments)
      argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    if (std::freopen("/dev/null", "w", stdout) == nullptr) ::_exit(125);
    if (std::freopen("/dev/null", "w", stderr) == nullptr) ::_exit(125);
    ::execv(testing::program_path().c_str(), argv.data());
    ::_exit(126);
  }
  return child;
}

int wait_for(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(FitProgram, InterruptedKeepsItsTableAndResumes) {
  const ScratchFolder folder;
  GraphFile file;
  file.graph = testing::road(3000);
  const std::string graph = folder / "roads.lsg", table = folder / "roads.lsp";
  write_graph(file, graph);
  // A busy machine may need longer until there is something to keep.
  int status = -1;
  for (int milliseconds = 1500; status != 0 && milliseconds < 30'000; milliseconds *= 4) {
    const pid_t child = start({"lodestar", "fit", graph, "--seconds", "300", "-o", table});
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    ::kill(child, SIGINT);
    status = wait_for(child);
  }
  EXPECT_EQ(status, 0);
  const Potentials kept = Potentials::load(table);
  kept.require_fit(file.graph);
  EXPECT_TRUE(kept.verify(file.graph).feasible());
  EXPECT_EQ(wait_for(start({"lodestar", "fit", graph, "--rounds", "2", "--resume", "-o", table})),
            0);
  EXPECT_TRUE(Potentials::load(table).verify(file.graph).feasible());
  EXPECT_EQ(wait_for(start({"lodestar", "fit", folder / "none.gr", "-o", table})), 2);
}

// An interrupted fit of a family writes the knots that are complete, if there are any.
TEST(FitProgram, InterruptedWhileFittingBlendsEndsSoon) {
  const ScratchFolder folder;
  const std::string graph = folder / "roads.lsg", family = folder / "roads.lsp";
  ASSERT_EQ(wait_for(start({"lodestar", "generate", "road", "-n", "20000", "-o", graph})), 0);
  for (const int after : {300, 3000}) {
    const pid_t child =
        start({"lodestar", "fit", graph, "--metrics", "length", "--seconds", "300", "-o", family});
    std::this_thread::sleep_for(std::chrono::milliseconds(after));
    ::kill(child, SIGINT);
    const auto begin = std::chrono::steady_clock::now();
    const int status = wait_for(child);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(3));
    EXPECT_EQ(status == 0, std::filesystem::exists(family)) << status;
    if (status == 0) {
      PotentialFamily::load(family).require_fit(read_graph(graph).graph);
      std::filesystem::remove(family);
    }
  }
}

// Before there is anything to keep, the program ends soon and writes nothing.
TEST(FitProgram, InterruptedWhileContractingEndsWithoutAnIndex) {
  const ScratchFolder folder;
  GraphFile file;
  file.graph = testing::road(150'000);
  const std::string graph = folder / "roads.lsg", index = folder / "roads.lsi";
  write_graph(file, graph);
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{}, {"--labels"}, {"--memory", "1000"}}) {
    std::vector<std::string> command = {"lodestar", "fit", graph, "-o", index};
    command.insert(command.end(), options.begin(), options.end());
    const pid_t child = start(command);
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
    ::kill(child, SIGINT);
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_NE(wait_for(child), 0);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(2));
    EXPECT_FALSE(std::filesystem::exists(index));
  }
}

}  // namespace
}  // namespace lodestar::fit_program_test
