// `lodestar tune` and `mpirun lodestar train` as a user runs them: any number of processes, killed
// at any moment, on a full disk, must find what one undisturbed process finds.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "run_program.h"
#include "scratch_folder.h"

namespace lodestar::tune_program_test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// One JSON value per line.
std::vector<json> records_of(const std::string& lines) {
  std::istringstream in(lines);
  std::vector<json> records;
  for (std::string line; std::getline(in, line);) records.push_back(json::parse(line));
  return records;
}

constexpr const char* kData =
    R"("train": ["train:24:8:dense:or:1"], "validation": ["validation:8:8:dense:or:2"],
       "scale_graphs": ["scale:2:8:dense:or:3"], "batch": 8)";

std::string space_text(int epochs) {
  return R"({"preset": "paper-tuned", "fixed": {"epochs": )" + std::to_string(epochs) + ", " +
         kData +
         R"(}, "draw": {"hidden": {"low": 4, "high": 8}, "message": {"same_as": "hidden"},
            "learning_rate": {"low": 1e-3, "high": 1e-1, "log": true}}})";
}

bool has(const std::string& command) {
  return std::system(("command -v " + command + " >/dev/null 2>&1").c_str()) == 0;
}

class Tune : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(fs::path(LODESTAR_BINARY).parent_path() / "lodestar-learn")) {
      GTEST_SKIP() << "built without torch";
    }
    // Lets mpirun run as any user and on few processors.
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 1);
    setenv("OMPI_MCA_btl", "self,vader,tcp", 1);
  }

  std::string arguments(const std::string& name, int epochs = 1) const {
    return "tune --space " + folder_.write("space.json", space_text(epochs)) + " --trials 4 -o " +
           (folder_ / name);
  }

  // Trial and metric of each line, best first: what must not change.
  static std::string ranking(const std::string& lines) {
    std::string text;
    std::istringstream in(lines);
    for (std::string line; std::getline(in, line);) {
      const json record = json::parse(line, nullptr, false);
      if (!record.is_object()) return "not JSON: " + line;
      text += record["trial"].dump() + " " + record["metric"].dump() + "\n";
    }
    return text;
  }
  std::string found(const std::string& name) const {
    const auto outcome = testing_run("tune --report-only --json -o " + (folder_ / name));
    return ranking(outcome.out);
  }
  static lodestar::testing::Outcome testing_run(const std::string& text, bool errors = false) {
    return lodestar::testing::run_program(text, errors);
  }

  // Starts `words` in the background; the output goes to a file of the folder.
  pid_t start(const std::string& words) const {
    const pid_t pid = fork();
    if (pid == 0) {
      const std::string command = "exec " + words + " >" + (folder_ / "out") + " 2>&1";
      execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
      _exit(127);
    }
    return pid;
  }
  static bool eventually(const std::function<bool()>& holds) {
    for (int i = 0; i < 18000; ++i) {  // three minutes: the machine may be busy
      if (holds()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }
  static int wait_for(pid_t pid) {
    int status = 0;
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  std::size_t journal_lines(const std::string& name) const {
    const std::string text = folder_.read(name + "/journal.jsonl");
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  }
  static std::vector<pid_t> children(pid_t pid) {
    std::ifstream in("/proc/" + std::to_string(pid) + "/task/" + std::to_string(pid) + "/children");
    return {std::istream_iterator<pid_t>(in), {}};
  }

  ScratchFolder folder_;
};

TEST_F(Tune, OneTwoOrManyProcessesFindTheSame) {
  const auto one = testing_run(arguments("one") + " --json");
  ASSERT_EQ(one.status, 0);
  const std::string expected = ranking(one.out);
  EXPECT_EQ(std::count(expected.begin(), expected.end(), '\n'), 4);
  EXPECT_EQ(ranking(testing_run(arguments("two") + " --json --jobs 2").out), expected);
  for (const char* file : {"config.json", "train.log", "metrics.jsonl", "model.safetensors"}) {
    EXPECT_TRUE(fs::exists(folder_ / ("two/trials/0003/" + std::string(file)))) << file;
  }
  const std::string page = folder_.read("one/report.html");
  EXPECT_NE(page.find("learning_rate"), std::string::npos);
  if (has("gnuplot")) {
    EXPECT_NE(page.find("<svg"), std::string::npos);
  }
  // The winner can be trained from what was written.
  EXPECT_EQ(testing_run("train --show-config --config " + (folder_ / "one/best.json")).status, 0);
  // A search that is finished is not run again, and one with other settings is refused.
  const auto again = testing_run(arguments("one") + " --json");
  EXPECT_EQ(again.out, one.out);
  EXPECT_EQ(testing_run(arguments("one") + " --seed 2").status, 2);
  if (!has("mpirun")) GTEST_SKIP() << "the part under mpirun: it is not installed";
  const pid_t pid = start("mpirun -n 3 " LODESTAR_BINARY " " + arguments("three"));
  EXPECT_EQ(wait_for(pid), 0) << folder_.read("out");
  EXPECT_EQ(found("three"), expected);
}

TEST_F(Tune, KilledAnywhereItGoesOnAndFindsTheSame) {
  constexpr int kEpochs = 25;  // long enough to be killed in the middle
  ASSERT_EQ(testing_run(arguments("quiet", kEpochs)).status, 0);
  // A trial is killed: it is tried again within the same run. Then who leads is killed.
  const std::string call = LODESTAR_BINARY " " + arguments("killed", kEpochs);
  const pid_t pid = start(call);
  ASSERT_TRUE(eventually([&] {
    return fs::exists(folder_ / "killed/trials/0001/metrics.jsonl") ||
           fs::exists(folder_ / "killed/trials/0002/metrics.jsonl");
  }));
  const auto trials = children(pid);
  ASSERT_EQ(trials.size(), 1u);
  kill(trials[0], SIGKILL);
  ASSERT_TRUE(eventually([&] { return journal_lines("killed") >= 2; })) << folder_.read("out");
  EXPECT_NE(folder_.read("out").find("killed by signal 9; it is tried again"), std::string::npos);
  ASSERT_TRUE(eventually([&] { return !children(pid).empty(); }));
  const pid_t orphan = children(pid)[0];
  kill(pid, SIGKILL);
  wait_for(pid);
  // Its trial does not live on and write into the folder.
  EXPECT_TRUE(eventually([&] { return kill(orphan, 0) != 0; }));
  const std::size_t finished = journal_lines("killed") - 1;
  const std::string before = folder_.read("killed/journal.jsonl");
  ASSERT_LT(finished, 4u);
  EXPECT_EQ(wait_for(start(call)), 0);
  EXPECT_TRUE(folder_.read("killed/journal.jsonl").starts_with(before));
  EXPECT_EQ(journal_lines("killed"), 1u + 4u);
  EXPECT_EQ(found("killed"), found("quiet"));
  // Without its journal the search is found again in the folders; nothing is trained twice.
  const std::string log = folder_.read("killed/trials/0001/metrics.jsonl");
  fs::remove(folder_ / "killed/journal.jsonl");
  EXPECT_EQ(wait_for(start(call)), 0);
  EXPECT_EQ(found("killed"), found("quiet"));
  EXPECT_EQ(folder_.read("killed/trials/0001/metrics.jsonl"), log);
}

TEST_F(Tune, ALostRankIsNoticedAndItsTrialHandedOn) {
  if (!has("mpirun")) GTEST_SKIP() << "mpirun is not installed";
  constexpr int kEpochs = 25;
  const pid_t pid = start("mpirun --enable-recovery -n 3 " LODESTAR_BINARY " " +
                          arguments("lost", kEpochs) + " --rank-timeout 4");
  ASSERT_TRUE(eventually([&] {
    return fs::exists(folder_ / "lost/trials/0001/metrics.jsonl") ||
           fs::exists(folder_ / "lost/trials/0002/metrics.jsonl");
  }));
  bool killed = false;
  for (const pid_t rank : children(pid)) {
    std::ifstream in("/proc/" + std::to_string(rank) + "/environ");
    const std::string environment{std::istreambuf_iterator<char>(in), {}};
    if (environment.find("OMPI_COMM_WORLD_RANK=2") == std::string::npos) continue;
    killed = kill(rank, SIGKILL) == 0;
  }
  ASSERT_TRUE(killed);
  EXPECT_EQ(wait_for(pid), 0) << folder_.read("out");
  EXPECT_NE(folder_.read("out").find("rank 2 has not been heard of"), std::string::npos);
  EXPECT_EQ(journal_lines("lost"), 1u + 4u);
  ASSERT_EQ(testing_run(arguments("quiet", kEpochs)).status, 0);
  EXPECT_EQ(found("lost"), found("quiet"));
}

TEST_F(Tune, AFullDiskIsToldAndLosesNothing) {
  ASSERT_EQ(testing_run(arguments("whole")).status, 0);
  // No file may grow beyond 3 KB: a checkpoint does not fit.
  const std::string call = LODESTAR_BINARY " " + arguments("full");
  const pid_t pid = start("bash -c \"trap '' XFSZ; ulimit -f 3; " + call + "\"");
  EXPECT_EQ(wait_for(pid), 2);
  const std::string said = folder_.read("out");
  EXPECT_NE(said.find("cannot be run"), std::string::npos) << said;
  EXPECT_NE(said.find("run the same command again"), std::string::npos) << said;
  EXPECT_EQ(wait_for(start(call)), 0) << folder_.read("out");
  EXPECT_EQ(found("full"), found("whole"));
}

TEST_F(Tune, BadInputIsToldBeforeAnythingIsTrained) {
  const std::pair<const char*, const char*> spaces[] = {
      {"{", "not JSON"},
      {R"({"draw": {"hiden": {"low": 1, "high": 2}}})", "bad.json, draw: 'hiden' is no option"},
      {R"({"draw": {"hidden": {"low": 0, "high": 0}}})", "hidden must be 1"},
      {R"({"draw": {"optimizer": {"choose": ["best"]}}})", "'best' is unknown"},
      {R"({"fixed": {"epochs": "x"}, "draw": {"lambda": {"low": 0, "high": 1}}})",
       "bad.json, fixed: 'epochs' must"},
  };
  for (const auto& [text, expected] : spaces) {
    const auto outcome = testing_run(
        "tune --space " + folder_.write("bad.json", text) + " -o " + (folder_ / "bad"), true);
    EXPECT_EQ(outcome.status, 2) << text;
    EXPECT_NE(outcome.out.find(expected), std::string::npos) << outcome.out;
    EXPECT_FALSE(fs::exists(folder_ / "bad"));
  }
  for (const char* flags : {"--space none.json", "--metric x", "--levels 0", "--set epochs",
                            "--preset x", "--halving 1", "--jobs 0"}) {
    EXPECT_EQ(testing_run("tune " + std::string(flags) + " -o " + (folder_ / "bad")).status, 2)
        << flags;
  }
  // An unreadable journal.
  fs::create_directories(folder_ / "damaged");
  folder_.write("damaged/journal.jsonl", "{}\nnonsense\n{}\n");
  const auto outcome = testing_run(arguments("damaged"), true);
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.out.find("journal.jsonl:2: the journal is damaged"), std::string::npos);
}

// Learning rates far too high: divergence is a result, not a failure.
TEST_F(Tune, ATrialThatDivergesIsRankedLast) {
  folder_.write("wild.json", R"({"fixed": {"epochs": 2, "optimizer": "sgd", )" +
                                 std::string(kData) +
                                 R"(}, "draw": {"learning_rate": {"choose": [0.01, 1e6]}}})");
  const auto outcome =
      testing_run("tune --space " + (folder_ / "wild.json") +
                  " --levels 1 --trials 6 --halving 2 --json -o " + (folder_ / "wild"));
  ASSERT_EQ(outcome.status, 0);
  const std::vector<json> records = records_of(outcome.out);
  ASSERT_EQ(records.size(), 6u);
  EXPECT_EQ(records.front()["diverged"], false);
  EXPECT_EQ(records.front()["epochs"], 2);
  EXPECT_EQ(records.back()["diverged"], true);
}

// The loss is fine before the one step of the epoch, and not a number after it.
TEST_F(Tune, ATrialWithoutAFiniteValidationLossIsRankedLast) {
  folder_.write("wild.json", R"({"fixed": {"epochs": 1, "optimizer": "sgd", "scale": 1,
      "train": ["train:8:8:dense:or:1"], "validation": ["validation:8:8:dense:or:2"],
      "batch": 8}, "draw": {"learning_rate": {"choose": [0.001, 1e30]}}})");
  const std::string command = "tune --space " + (folder_ / "wild.json") +
                              " --levels 2 --trials 8 --json -o " + (folder_ / "wild");
  const auto first = testing_run(command, true);
  ASSERT_EQ(first.status, 0) << first.out;
  const std::string journal = folder_.read("wild/journal.jsonl");
  EXPECT_EQ(journal.find("null,"), journal.find("\"space2\":null,") + 9) << journal;
  const auto again = testing_run(command);
  ASSERT_EQ(again.status, 0);
  const std::vector<json> records = records_of(again.out);
  ASSERT_EQ(records.size(), 8u);
  EXPECT_EQ(records.front()["diverged"], false);
  EXPECT_EQ(records.back()["diverged"], true);
  for (const json& record : records) {
    EXPECT_EQ(record["diverged"], record["values"]["learning_rate"] == 1e30) << record;
    EXPECT_EQ(record.contains("metric"), !record["diverged"].get<bool>()) << record;
  }
}

TEST_F(Tune, RanksThatTrainTogetherFollowTheCurveOfOne) {
  if (!has("mpirun")) GTEST_SKIP() << "mpirun is not installed";
  // 22 graphs: the last batch has 6, and of 4 ranks one or another has a smaller share.
  const std::string call = LODESTAR_BINARY
      " train --preset paper --hidden 8 --message 8 --epochs 4 --batch 8 --train a:22:8:dense:or:1 "
      "--validation v:8:8:dense:or:2 --scale-graphs s:2:8:dense:or:3 -o ";
  ASSERT_EQ(wait_for(start(call + (folder_ / "alone"))), 0) << folder_.read("out");
  ASSERT_EQ(wait_for(start("mpirun -n 4 " + call + (folder_ / "ranks"))), 0) << folder_.read("out");
  std::istringstream one(folder_.read("alone/metrics.jsonl")),
      four(folder_.read("ranks/metrics.jsonl"));
  int epochs = 0;
  for (std::string a, b; std::getline(one, a) && std::getline(four, b); ++epochs) {
    for (const char* name :
         {"loss", "objective", "penalty", "norm", "cross_entropy", "validation_loss"}) {
      const double expected = json::parse(a)[name], got = json::parse(b)[name];
      EXPECT_NEAR(got, expected, 1e-4 * std::max(1.0, std::abs(expected))) << name;
    }
  }
  EXPECT_EQ(epochs, 4);
  EXPECT_TRUE(fs::exists(folder_ / "ranks/model.safetensors"));
}

}  // namespace
}  // namespace lodestar::tune_program_test
