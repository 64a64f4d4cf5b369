// The verbs solve and generate, run as a user runs them.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "run_program.h"
#include "scratch_folder.h"

namespace lodestar::solve_test {
namespace {

using nlohmann::json;
using testing::run_program;

// 1 -> 2 -> 3 costs 3, directly 4; 4 cannot be reached.
constexpr const char* kGraph = "p sp 4 3\na 1 2 1\na 2 3 2\na 1 3 4\n";

std::string contents(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

TEST(Solve, TraceIsForPosthoc) {
  const ScratchFolder folder;
  const std::string graph = folder.write("g.gr", kGraph), trace = folder / "g.trace.json";
  ASSERT_EQ(run_program("solve " + graph + " --from 1 --to 3 --trace " + trace).status, 0);
  const json written = json::parse(contents(trace));
  EXPECT_EQ(written["version"], "1.4.0");
  const json& events = written["events"];
  ASSERT_GE(events.size(), 4u);
  EXPECT_EQ(events[0]["type"], "source");
  EXPECT_EQ(events[1]["type"], "destination");
  EXPECT_EQ(events[2]["type"], "expanding");
  EXPECT_EQ(events.back()["type"], "end");
  EXPECT_EQ(events.back()["g"], 3);
  for (const json& event : events) EXPECT_TRUE(event["id"].is_string());
}

TEST(Solve, OneQueryAsJson) {
  const ScratchFolder folder;
  const std::string graph = folder.write("g.gr", kGraph);
  for (const std::string algorithm :
       {"auto", "dijkstra", "astar", "weighted", "focal", "bidirectional", "bidirectional-textbook",
        "bidirectional-sorted", "bidirectional-astar"}) {
    SCOPED_TRACE(algorithm);
    const auto run =
        run_program("solve " + graph + " --from 1 --to 3 --json --paths --algorithm " + algorithm);
    ASSERT_EQ(run.status, 0);
    const json answer = json::parse(run.out);
    EXPECT_EQ(answer["source"], "1");
    EXPECT_EQ(answer["target"], "3");
    EXPECT_EQ(answer["cost"], 3);
    EXPECT_EQ(answer["lower_bound"], 3);
    EXPECT_EQ(answer["gap"], 0);
    EXPECT_EQ(answer["optimal"], true);
    EXPECT_GT(answer["expansions"], 0);
    EXPECT_EQ(answer["path"], json({"1", "2", "3"}));
  }
}

TEST(Solve, NoPathIsNullAndExitCodeOne) {
  const ScratchFolder folder;
  const std::string graph = folder.write("g.gr", kGraph);
  const auto run = run_program("solve " + graph + " --from 1 --to 4 --json --paths");
  EXPECT_EQ(run.status, 1);
  const json answer = json::parse(run.out);
  EXPECT_TRUE(answer["cost"].is_null());
  EXPECT_EQ(answer["optimal"], true);
  EXPECT_TRUE(answer["path"].empty());
}

TEST(Solve, CheckComparesExpectedCosts) {
  const ScratchFolder folder;
  const std::string graph = folder.write("g.gr", kGraph);
  const std::string right = folder.write("right.tsv", "# s t cost\n1\t3\t3\n1\t2\t1\n");
  const std::string wrong = folder.write("wrong.tsv", "1\t3\t3\n1\t2\t2\n");
  EXPECT_EQ(run_program("solve " + graph + " --queries " + right + " --check").status, 0);
  const auto run = run_program("solve " + graph + " --queries " + wrong + " --check");
  EXPECT_EQ(run.status, 1);
  EXPECT_NE(run.out.find("MISMATCH 1 → 2: cost 1, expected 2"), std::string::npos) << run.out;
}

TEST(Solve, BadInputIsTwoAndSaysWhatToDo) {
  const ScratchFolder folder;
  const std::string graph = folder.write("g.gr", kGraph);
  const struct {
    std::string arguments;
    std::string says;
  } cases[] = {
      {"solve nowhere.gr --from 1 --to 2", "nowhere.gr"},
      {"solve " + graph + " --from 1 --to 9", "no node '9'"},
      {"solve " + graph + " --from 1", "--from requires --to"},
      {"solve " + graph + " --from 1 --to 2 --algorithm fast", "choose one of"},
      {"solve " + graph + " --from 1 --to 2 --heuristic wise", "unknown heuristic"},
      {"solve " + graph + " --from 1 --to 2 --heuristic geometric", "coordinates"},
      {"solve " + graph + " --from 1 --to 2 --algorithm dijkstra --heuristic random",
       "does not use a heuristic"},
      {"solve " + graph + " --from 1 --to 2 --algorithm dijkstra --bound 0.1",
       "does not support a bound"},
      {"solve " + graph + " --from 1 --to 2 --bound -1", "bound"},
      {"solve " + graph + " --from 1 --to 2 --threads 2000", "threads"},
      {"solve " + graph + " --from 1 --to 2 --potentials nowhere.lsp", "nowhere.lsp"},
      {"solve " + graph + " --from 1 --to 2 --sideways", "--sideways"},
      {"solve", "graph"},
      {"juggle", "juggle"},
  };
  for (const auto& test : cases) {
    SCOPED_TRACE(test.arguments);
    const auto run = run_program(test.arguments, true);
    EXPECT_EQ(run.status, 2);
    EXPECT_NE(run.out.find(test.says), std::string::npos) << run.out;
  }
}

TEST(Solve, ThreadsDoNotChangeTheOutput) {
  const ScratchFolder folder;
  const std::string graph = folder / "road.lsg";
  ASSERT_EQ(run_program("generate road -n 3000 --seed 2 -o " + graph).status, 0);
  std::string lines;
  for (int i = 0; i < 300; ++i) {
    lines += std::to_string(i * 7 % 2900) + "\t" + std::to_string(i * 13 % 2900) + "\n";
  }
  const std::string queries = folder.write("q.tsv", lines);
  for (const std::string rest : {"", " --json --paths", " --heuristic geometric"}) {
    const std::string command = "solve " + graph + " --queries " + queries + rest;
    const auto one = run_program(command + " --threads 1");
    EXPECT_EQ(one.status, 0);
    EXPECT_EQ(one.out, run_program(command + " --threads 4").out);
    EXPECT_EQ(one.out, run_program(command + " --threads 1").out);
  }
}

TEST(Solve, ATableStaysExactWhenWeightsRiseAndWhenTheyFall) {
  const ScratchFolder folder;
  const std::string roads = folder / "road.gr";
  const std::string table = folder / "road.lsp";
  ASSERT_EQ(run_program("generate road -n 1500 --seed 5 -o " + roads).status, 0);
  ASSERT_EQ(run_program("fit " + roads + " -k 8 --rounds 2 -o " + table, true).status, 0);
  // Every third arc becomes dearer or cheaper, both directions alike.
  std::istringstream lines(contents(roads));
  std::string changed;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::string a;
    long u = 0, v = 0, w = 0;
    if (fields >> a >> u >> v >> w && a == "a" && (u + v) % 3 == 0) {
      line = "a " + std::to_string(u) + " " + std::to_string(v) + " " +
             std::to_string((u + v) % 2 == 0 ? w * 2 : w / 2);
    }
    changed += line + "\n";
  }
  const std::string drifted = folder.write("drifted.gr", changed);
  folder.write("drifted.co", contents(folder / "road.co"));
  std::string queries = "1\t1400\n";
  for (int i = 1; i < 60; ++i) {
    queries += std::to_string(1 + i * 17 % 1400) + "\t" + std::to_string(1 + i * 29 % 1400) + "\n";
  }
  const std::string asked = folder.write("q.tsv", queries);
  for (const std::string& graph : {roads, drifted}) {
    const std::string solve = "solve " + graph + " --queries " + asked + " --json";
    std::istringstream plain(run_program(solve + " --algorithm dijkstra").out);
    std::vector<json> truth;
    for (std::string line; std::getline(plain, line);) truth.push_back(json::parse(line));
    ASSERT_EQ(truth.size(), 60u);
    for (const std::string rest :
         {"", " --algorithm bidirectional-astar", " --heuristic geometric"}) {
      SCOPED_TRACE(graph + rest);
      std::istringstream answers(run_program(solve + " --potentials " + table + rest).out);
      std::size_t i = 0;
      for (std::string line; std::getline(answers, line); ++i) {
        const json answer = json::parse(line);
        EXPECT_EQ(answer["cost"], truth[i]["cost"]);
        EXPECT_EQ(answer["optimal"], true);
      }
      EXPECT_EQ(i, truth.size());
    }
  }
}

TEST(Solve, NamesOnAPathCanBeToldApart) {
  const ScratchFolder folder;
  const std::string graph =
      folder.write("g.csv", "source,target,weight\n\"New York\",York,1\nYork,\"a \"\"b\"\"\",2\n");
  const auto run =
      run_program("solve " + graph + " --from 'New York' --to 'a \"b\"' --paths --quiet");
  EXPECT_NE(run.out.find("  path \"New York\" York \"a \"\"b\"\"\"\n"), std::string::npos)
      << run.out;
  const std::string queries = folder.write("q.tsv", "New York\tYork\n");
  const auto batch = run_program("solve " + graph + " --queries " + queries + " --paths");
  EXPECT_NE(batch.out.find("\t\"New York\" York\n"), std::string::npos) << batch.out;
}

TEST(Solve, AnUnknownNodeNeedNotEndABatch) {
  const ScratchFolder folder;
  const std::string graph = folder.write("g.gr", kGraph);
  const std::string queries = folder.write("q.tsv", "1\t3\n1\t99\n1\t2\n");
  const std::string solve = "solve " + graph + " --queries " + queries;
  EXPECT_EQ(run_program(solve).status, 2);
  const auto run = run_program(solve + " --skip-unknown --json");
  EXPECT_EQ(run.status, 1);
  std::istringstream lines(run.out);
  std::vector<json> answers;
  for (std::string line; std::getline(lines, line);) answers.push_back(json::parse(line));
  ASSERT_EQ(answers.size(), 2u);
  EXPECT_EQ(answers[0]["skipped"], json({queries + ":2: the graph has no node '99'"}));
  EXPECT_EQ(answers[0]["cost"], 3);
  EXPECT_EQ(answers[1]["cost"], 1);
  EXPECT_FALSE(answers[1].contains("skipped"));
  const std::string unknown = folder.write("u.tsv", "98\t99\n");
  const auto none = run_program("solve " + graph + " --json --skip-unknown --queries " + unknown);
  EXPECT_EQ(json::parse(none.out)["skipped"].size(), 1u);
}

TEST(Solve, NotesAreSaid) {
  const ScratchFolder folder;
  const std::string graph = folder.write("g.csv", "from,to\n1,2\n2,3\n");
  const json note = {"no weights; each is 1"};
  const auto one = run_program("solve " + graph + " --from 1 --to 3 --json");
  EXPECT_EQ(json::parse(one.out)["notes"], note);
  const std::string queries = folder.write("q.tsv", "1\t3\n");
  const auto batch = run_program("solve " + graph + " --json --queries " + queries);
  EXPECT_EQ(json::parse(batch.out.substr(0, batch.out.find('\n')))["notes"], note);
  const auto text = run_program("solve " + graph + " --from 1 --to 3 --quiet", true);
  EXPECT_NE(text.out.find("note: " + graph + ": no weights; each is 1"), std::string::npos);
}

TEST(Generate, TheSameSeedGivesTheSameBytes) {
  const ScratchFolder folder;
  const struct {
    const char* arguments;
    const char* file;
  } cases[] = {{"er -n 50 --density sparse --draw directed", "a.gr"},
               {"er -n 40 --density 0.2", "b.csv"},
               {"grid -n 300 --obstacles 0.3", "c.map"},
               {"geometric -n 200 --degree 6", "d.lsg"},
               {"road -n 400", "e.lsg"}};
  for (const auto& test : cases) {
    SCOPED_TRACE(test.arguments);
    std::string bytes[3];
    for (int i = 0; i < 3; ++i) {
      const std::string file = folder / (std::to_string(i) + test.file);
      const std::string seed = i < 2 ? " --seed 4" : " --seed 5";
      ASSERT_EQ(
          run_program("generate " + std::string(test.arguments) + seed + " -o " + file).status, 0);
      bytes[i] = contents(file);
    }
    EXPECT_FALSE(bytes[0].empty());
    EXPECT_EQ(bytes[0], bytes[1]);
    EXPECT_NE(bytes[0], bytes[2]);
  }
  EXPECT_EQ(run_program("generate er -n 0 -o " + (folder / "x.gr")).status, 2);
  EXPECT_EQ(run_program("generate er -n 9 --density 2 -o " + (folder / "x.gr")).status, 2);
  EXPECT_EQ(run_program("generate tree -n 9 -o " + (folder / "x.gr")).status, 2);
}

}  // namespace
}  // namespace lodestar::solve_test
