// `lodestar reproduce` as a user runs it, on few graphs.
#include <gtest/gtest.h>

#include <filesystem>

#include "run_program.h"
#include "scratch_folder.h"

namespace lodestar::reproduce_test {
namespace {

using testing::run_program;

TEST(Reproduce, QuickRunWritesTheWholeReportAndRepeats) {
  const ScratchFolder folder;
  const auto first = run_program("reproduce --quick --threads 1 -o " + (folder / "a"));
  ASSERT_EQ(first.status, 0);
  EXPECT_NE(first.out.find("very dense (p = 0.5)"), std::string::npos);
  EXPECT_NE(first.out.find("deep + closure"), std::string::npos);
  EXPECT_NE(folder.read("a/report.md").find("every path optimal, every constraint kept: 6 of 6"),
            std::string::npos);
  for (const char* name :
       {"index.html", "report.md", "summary.md", "results.csv", "times.csv", "results.jsonl",
        "cells.jsonl", "fig1a.gp", "fig1b.gp", "front.gp", "times.gp"}) {
    EXPECT_FALSE(folder.read(std::string("a/") + name).empty()) << name;
  }
  const std::string page = folder.read("a/index.html");
  EXPECT_EQ(page.find("src=\"http"), std::string::npos);  // self-contained
  EXPECT_EQ(page.find("<script"), std::string::npos);
  EXPECT_NE(page.find("</html>"), std::string::npos);
  // The result first: table, figure, conclusion; then claims, whose lost lines open on a click.
  std::size_t at = 0;
  for (const char* part : {"<h2>Table 1", "<h2>Figure 1", "<h2>Conclusion", "<h2>Claims",
                           "<details><summary>", "<h2>In detail", "commit"}) {
    at = page.find(part, at);
    ASSERT_NE(at, std::string::npos) << part;
  }
  EXPECT_LT(first.out.find("published"), first.out.find("Trained anew"));
  EXPECT_LT(first.out.find("Trained anew"), first.out.find("Open comparisons"));

  // Another run on other threads: the same numbers.
  ASSERT_EQ(run_program("reproduce --quick --threads 2 -o " + (folder / "b")).status, 0);
  EXPECT_EQ(folder.read("a/results.csv"), folder.read("b/results.csv"));
  EXPECT_EQ(folder.read("a/cells.jsonl"), folder.read("b/cells.jsonl"));

  // The same folder again: nothing is computed, nothing is added.
  const std::string times = folder.read("a/times.jsonl");
  ASSERT_EQ(run_program("reproduce --quick -o " + (folder / "a")).status, 0);
  EXPECT_EQ(folder.read("a/times.jsonl"), times);
  EXPECT_EQ(folder.read("a/results.csv"), folder.read("b/results.csv"));
}

// What we claim, on a small grid of other graphs than those of the manual, and the questions whose
// answer is no: both are in the report, and only claims decide the exit code.
TEST(Reproduce, StrictAsksWhatIsClaimed) {
  const ScratchFolder folder;
  const auto found =
      run_program("reproduce --quick --strict --graphs 12 --seed 2 -o " + (folder / "a"));
  EXPECT_EQ(found.status, 0) << found.out;
  const std::string report = folder.read("a/report.md");
  EXPECT_NE(report.find("(open)"), std::string::npos);
  EXPECT_NE(report.find("the published speedup over Dijkstra's time"), std::string::npos);
  EXPECT_NE(report.find("better than one constant"), std::string::npos);
  // Other seeds, other graphs.
  ASSERT_EQ(
      run_program("reproduce --quick --graphs 12 --seed 3 --draw or -o " + (folder / "b")).status,
      0);
  EXPECT_NE(folder.read("a/results.csv"), folder.read("b/results.csv"));
}

// The default grid is the paper's table alone; --full has every kind of graphs, in three sets. The
// paper's figure has graphs of 16 nodes, its table has none: such a run ended with a crash.
TEST(Reproduce, TheFullGridIsAskedForAndSizesOutsideTheTableWork) {
  const ScratchFolder folder;
  const std::string few = "reproduce --sizes 16 --graphs 2 -o ";
  ASSERT_EQ(run_program(few + (folder / "a")).status, 0);
  ASSERT_EQ(run_program(few + (folder / "b") + " --full").status, 0);
  const std::string table = folder.read("a/results.csv"), full = folder.read("b/results.csv");
  for (const char* kind : {"\ndirected,", "\nexact,"}) {
    EXPECT_EQ(table.find(kind), std::string::npos) << kind;
    EXPECT_NE(full.find(kind), std::string::npos) << kind;
  }
  EXPECT_NE(table.find("\nor,sparse,16,2,"), std::string::npos) << table;
  EXPECT_NE(full.find("\nor,sparse,16,6,"), std::string::npos) << full.substr(0, 2000);
}

TEST(Reproduce, TakesModelsProgramsAndOtherSearches) {
  const ScratchFolder folder;
  const auto own = run_program(
      "reproduce --quick --graphs 2 --draw directed --algorithm focal --bound 0.2 --model "
      "mine=swift "
      "--program 'nothing=while read n m s t; do i=0; while [ $i -lt $m ]; do read u; "
      "i=$((i+1)); done; i=0; while [ $i -lt $n ]; do echo 0; i=$((i+1)); done; done' -o " +
      (folder / "a"));
  ASSERT_EQ(own.status, 0);
  for (const char* name : {"\"mine\"", "\"mine + closure\"", "\"nothing\""}) {
    EXPECT_NE(folder.read("a/results.csv").find(name), std::string::npos) << name;
  }
  EXPECT_NE(folder.read("a/report.md").find("focal 0.2"), std::string::npos);
}

TEST(Reproduce, AModelOfTheUserGetsAVerdict) {
  const ScratchFolder folder;
  const auto own =
      run_program("reproduce --quick --graphs 2 --draw or --model mine=swift -o " + (folder / "a"));
  ASSERT_EQ(own.status, 0);
  for (const std::string& text : {own.out, folder.read("a/report.md")}) {
    EXPECT_NE(text.find("Yours, mine"), std::string::npos) << text;
    EXPECT_NE(text.find("no more iterations than the paper"), std::string::npos) << text;
  }
}

TEST(Reproduce, BadArgumentsAreNamed) {
  const ScratchFolder folder;
  const std::string to = " --quick --graphs 1 -o " + (folder / "a");
  EXPECT_EQ(run_program("reproduce --quick").status, 2);
  EXPECT_EQ(run_program("reproduce --full" + to).status, 2);  // --quick or --full
  EXPECT_EQ(run_program("reproduce --algorithm fastest" + to).status, 2);
  EXPECT_EQ(run_program("reproduce --draw sideways" + to).status, 2);
  EXPECT_EQ(run_program("reproduce --sizes 33" + to).status, 2);
  EXPECT_EQ(run_program("reproduce --model no/such.file" + to).status, 2);
  EXPECT_EQ(folder.file_count(), 0u);  // not even the folder
  const auto program = run_program("reproduce --program none=true" + to, true);
  EXPECT_EQ(program.status, 2);
  EXPECT_NE(program.out.find("did not answer"), std::string::npos) << program.out;
}

}  // namespace
}  // namespace lodestar::reproduce_test
