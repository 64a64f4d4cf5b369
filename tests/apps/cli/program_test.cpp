// What the program does to its surroundings: output that cannot be written, signals, limits,
// standard input, misspelt words. Run as a user runs it.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "lodestar/generate.h"
#include "lodestar/graph_io.h"
#include "lodestar/potentials.h"
#include "road.h"
#include "run_program.h"
#include "scratch_folder.h"

namespace lodestar::program_test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::Outcome;
using testing::run_program;

constexpr const char* kGraph = "p sp 4 3\na 1 2 1\na 2 3 2\na 1 3 4\n";

// By a shell, which has redirections, limits and pipes; {} stands for the program.
Outcome shell(std::string command) {
  for (std::size_t at; (at = command.find("{}")) != std::string::npos;) {
    command.replace(at, 2, testing::program_path());
  }
  return testing::run_command("(" + command + ") 2>&1");
}

TEST(Program, OutputThatIsLostIsAnError) {
  const ScratchFolder folder;
  const std::string graph = folder.write("g.gr", kGraph);
  for (const std::string& command :
       {"solve " + graph + " --from 1 --to 3", "info " + graph, std::string("--help"),
        std::string("--version"), "info --json " + graph,
        "convert " + graph + " - --output-format csv"}) {
    SCOPED_TRACE(command);
    const Outcome full = shell("{} " + command + " > /dev/full");
    EXPECT_EQ(full.status, 2);
    EXPECT_TRUE(full.out.find("could not be written") != std::string::npos ||
                full.out.find("No space left on device") != std::string::npos)
        << full.out;
    EXPECT_EQ(shell("{} " + command + " > /dev/null").status, 0);
  }
}

std::size_t files_in(const std::string& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(Program, ASignalLeavesNoTemporaryFile) {
  const ScratchFolder folder;
  GraphFile file;
  file.graph = testing::road(60'000);
  write_graph(file, folder / "g.lsg");
  fs::create_directory(folder / "out");
  for (const char* name : {"TERM", "HUP"}) {
    SCOPED_TRACE(name);
    // Waits for the temporary to appear, then ends the program.
    const Outcome run = shell("{} convert " + folder / "g.lsg" + " " + folder / "out/g.gr.xz" +
                              " & pid=$!; for i in $(seq 500); do [ -n \"$(ls -A " +
                              folder / "out" + ")\" ] && break; sleep 0.01; done; ls -A " +
                              folder / "out" + "; kill -" + name + " $pid; wait $pid");
    EXPECT_NE(run.out.find(".tmp-"), std::string::npos) << "the signal came too early or too late";
    EXPECT_GT(run.status, 128);
    EXPECT_EQ(files_in(folder / "out"), 0u);
  }
}

TEST(Program, ALimitOnFilesIsAnErrorAndLeavesNothing) {
  const ScratchFolder folder;
  ASSERT_EQ(run_program("generate road -n 20000 -o " + folder / "g.lsg").status, 0);
  fs::create_directory(folder / "out");
  const Outcome run =
      shell("ulimit -f 8; {} convert " + folder / "g.lsg" + " " + folder / "out/g.gr");
  EXPECT_EQ(run.status, 2);
  EXPECT_NE(run.out.find("File too large"), std::string::npos) << run.out;
  EXPECT_EQ(files_in(folder / "out"), 0u);
}

// A graph that stays valid whatever happens to its file.
TEST(Program, AFileThatShrinksWhileInUseHarmsNothing) {
  const ScratchFolder folder;
  GraphFile file;
  file.graph = testing::road(5'000);
  const std::string path = folder / "g.lsg";
  write_graph(file, path);
  const GraphFile read = read_graph(path);
  fs::resize_file(path, 100);
  std::size_t arcs = 0;
  for (NodeId u = 0; u < read.graph.node_count(); ++u) {
    for (const Arc arc : read.graph.arcs(u)) arcs += arc.head < read.graph.node_count();
  }
  EXPECT_EQ(arcs, file.graph.arc_count());
  const Outcome cut = run_program("info " + path, true);
  EXPECT_EQ(cut.status, 2);
  EXPECT_NE(cut.out.find("g.lsg"), std::string::npos);
}

TEST(Program, AMisspeltVerbGetsASuggestion) {
  const Outcome run = run_program("sovle x.gr", true);
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(run.out,
            "lodestar: there is no verb 'sovle'; did you mean solve? `lodestar --help` lists "
            "them\n");
  EXPECT_EQ(run_program("frobnicate", true).out,
            "lodestar: there is no verb 'frobnicate'; `lodestar --help` lists them\n");
}

TEST(Program, AMissingFolderIsNamed) {
  const ScratchFolder folder;
  // With coordinates: the .co file beside the graph is written first.
  ASSERT_EQ(run_program("generate road -n 30 -o " + folder / "g.lsg").status, 0);
  const std::string target = folder / "none/x.gr";
  const Outcome run = run_program("convert " + folder / "g.lsg" + " " + target, true);
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(run.out, "lodestar: " + target + ": the folder " + folder / "none" +
                         " does not exist; create it first\n");
}

TEST(Program, StandardInputAndOutputNeedAFormat) {
  const ScratchFolder folder;
  const std::string graph = folder.write("g.gr", kGraph);
  EXPECT_EQ(shell("{} convert " + graph + " - --output-format csv 2>/dev/null").out,
            "source,target,weight\n1,2,1\n1,3,4\n2,3,2\n");
  EXPECT_EQ(shell("gzip -c " + graph + " | {} info - --format gr.gz --json").status, 0);
  EXPECT_EQ(shell("{} solve - --format gr --from 1 --to 3 < " + graph).status, 0);
  EXPECT_EQ(shell("printf '1\\t3\\n' | {} solve " + graph + " --queries -").status, 0);
  const Outcome vague = shell("{} info - < " + graph);
  EXPECT_EQ(vague.status, 2);
  EXPECT_NE(vague.out.find("--format"), std::string::npos) << vague.out;
  EXPECT_EQ(shell("{} generate er -n 9 -o - --output-format csv 2>/dev/null | head -1").out,
            "source,target,weight\n");
  const Outcome bad = shell("printf 'p sp 1 x' | {} info - --format gr");
  EXPECT_EQ(bad.out.substr(0, 18), "lodestar: stdin:1:") << bad.out;
}

TEST(Program, NotesThatChangeTheMeaningAreAlwaysSaid) {
  const ScratchFolder folder;
  const std::string graph = folder.write("g.csv", "from,to\n1,2\n2,1\n2,3\n3,2\n3,1\n");
  const std::string note = "no weights; each is 1";
  for (const std::string& verb : {"info " + graph, "convert " + graph + " " + folder / "c.gr",
                                  "certify " + graph + " --heuristic zero",
                                  "fit " + graph + " --rounds 1 -k 2 -o " + folder / "g.lsp"}) {
    SCOPED_TRACE(verb);
    const Outcome run = run_program("--quiet " + verb, true);
    EXPECT_NE(run.out.find(note), std::string::npos) << run.out;
    if (verb.starts_with("convert")) continue;
    const Outcome machine = run_program(verb + " --json");
    EXPECT_EQ(json::parse(machine.out)["notes"], json({note})) << machine.out;
  }
}

TEST(Program, ResumingKeepsTheHistoryAndRefusesAnotherSize) {
  const ScratchFolder folder;
  const std::string graph = folder / "g.lsg";
  const std::string table = folder / "g.lsp";
  ASSERT_EQ(run_program("generate road -n 900 -o " + graph).status, 0);
  const std::string fit = "fit " + graph + " -o " + table + " --rounds ";
  ASSERT_EQ(run_program(fit + "3 -k 4").status, 0);
  const PotentialsOrigin first = Potentials::load(table).origin();
  const Outcome refused = run_program(fit + "1 --resume -k 2", true);
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.out.find("has 4 values per node"), std::string::npos) << refused.out;
  EXPECT_EQ(run_program(fit + "1 --resume --start greedy").status, 2);
  ASSERT_EQ(run_program(fit + "1 --resume -k 4").status, 0);
  const PotentialsOrigin second = Potentials::load(table).origin();
  EXPECT_GE(second.rounds, first.rounds);
  EXPECT_GT(second.seconds, first.seconds);
}

// A graph without weights: every verb that reads it says that each is 1.
TEST(Program, EveryVerbSaysTheNotesOfTheReader) {
  const ScratchFolder folder;
  std::string text = "from,to\n";
  for (int v = 1; v < 30; ++v) {
    text += std::to_string(v) + "," + std::to_string(v + 1) + "\n";
    text += std::to_string(v + 1) + "," + std::to_string(v) + "\n";
  }
  const std::string graph = folder.write("g.csv", text);
  const std::string index = folder / "g.lsi", table = folder / "g.lsp";
  const std::string fast = " --quiet --rounds 1 -k 2 -o ";
  const std::string solve = " --quiet --from 1 --to 3";
  const std::string note = "no weights; each is 1";
  struct Case {
    std::string arguments;
    bool json = true;
  };
  for (const Case& one :
       {Case{"index " + graph + fast + index}, Case{"index " + graph + " --labels" + fast + index},
        Case{"fit " + graph + fast + table}, Case{"solve " + graph + solve},
        Case{"solve " + graph + " --index " + index + solve},
        Case{"certify " + graph + " --heuristic zero"},
        Case{"certify " + graph + " --index " + index}, Case{"info " + graph},
        Case{"matrix " + graph + " --sources all -o " + (folder / "m.csv"), false},
        Case{"predict " + graph + " --from 1 --to 3 -o " + (folder / "y.txt"), false},
        Case{"convert " + graph + " " + (folder / "g.gr"), false}}) {
    SCOPED_TRACE(one.arguments);
    const Outcome said = run_program(one.arguments, true);
    EXPECT_EQ(said.status, 0) << said.out;
    EXPECT_NE(said.out.find(note), std::string::npos) << said.out;
    if (!one.json) continue;
    const Outcome object = run_program(one.arguments + " --json");
    EXPECT_EQ(json::parse(object.out.substr(0, object.out.find('\n')))["notes"], json({note}));
  }
}

}  // namespace
}  // namespace lodestar::program_test
