// Whole runs, small: determinism, kill and resume, what a bad config is told. No torch needed here.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "learn/train/trainer.h"
#include "lodestar/search.h"
#include "lodestar/trace.h"

namespace lodestar::learn::training_test {
namespace {

namespace fs = std::filesystem;

std::string fresh_folder(const std::string& name) {
  const std::string folder = ::testing::TempDir() + "/lodestar_" + std::to_string(getpid()) + name;
  fs::remove_all(folder);
  return folder;
}

std::string content(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

TrainOptions tiny_options() {
  TrainOptions options = preset_options("paper-tuned");
  options.model.hidden = options.model.message = 8;
  options.train = {parse_split("train:40:8:dense:or:1")};
  options.validation = {parse_split("validation:8:8:dense:or:2")};
  options.scale_graphs = {parse_split("scale:4:16:dense:or:3")};
  options.optimizer = Optimizer::kAdam;
  options.learning_rate = 1e-2;
  options.batch = 8;
  options.epochs = 6;
  options.scale_rule = ScaleRule::kGap;
  return options;
}

TEST(Training, ComparesWithATableOnlyIfItIsGiven) {
  TrainOptions options = tiny_options();
  options.scale_rule = ScaleRule::kTable;
  EXPECT_THROW(train(options, fresh_folder("no_table"), {}), Error);
}

TEST(Training, SameSeedSameModelAnotherSeedAnother) {
  const TrainOptions options = tiny_options();
  const TrainResult first = train(options, fresh_folder("a"), {});
  const TrainResult second = train(options, fresh_folder("b"), {});
  EXPECT_EQ(content(first.model_path), content(second.model_path));
  TrainOptions other = options;
  other.seed = 2;
  EXPECT_NE(train(other, fresh_folder("c"), {}).hash, first.hash);
  ASSERT_EQ(first.metrics.size(), 6u);
  EXPECT_LT(first.metrics.back().loss, first.metrics.front().loss);
}

TEST(Training, TheFolderHoldsTheRun) {
  const std::string folder = fresh_folder("d");
  TrainOptions options = tiny_options();
  options.epochs = 2;
  TrainControl control;
  control.command = "lodestar train …";
  int reports = 0;
  control.on_progress = [&](const Progress&) { ++reports; };
  const TrainResult result = train(options, folder, control);
  EXPECT_EQ(reports, 2 * (5 + 1));
  EXPECT_EQ(options_json(stored_options(folder)), options_json(options));
  const auto run = nlohmann::json::parse(content(folder + "/run.json"));
  EXPECT_EQ(run["command"], control.command);
  EXPECT_EQ(run["seed"], 1);
  EXPECT_TRUE(run.contains("version") && run.contains("commit"));
  EXPECT_NE(content(folder + "/train.log").find("finished"), std::string::npos);
  const Model model = read_model(folder + "/model.safetensors");
  EXPECT_EQ(content_hash(model), result.hash);
  const auto provenance = nlohmann::json::parse(model.provenance);
  EXPECT_EQ(provenance["options"]["hidden"], 8);
  EXPECT_EQ(provenance["training_graphs"], 40);
  const auto scale = nlohmann::json::parse(content(folder + "/scale.json"));
  EXPECT_EQ(scale["chosen"], model.config.y_scale);
  if (std::system("gnuplot --version >/dev/null 2>&1") == 0) {
    EXPECT_NE(content(folder + "/curves.svg").find("<svg"), std::string::npos);
  }
  EXPECT_THROW(train(options, folder, {}), Error);  // the folder is taken
}

// Readings of the paper that shipped presets do not take: they train, resume and are read back.
TEST(Training, OtherReadingsOfThePaperTrainAndResume) {
  TrainOptions options = tiny_options();
  options.cross_entropy_weight = 1;
  options.decoder = Decoder::kLinear;
  options.teacher_forcing = false;
  options.model.update_layers = 2;
  const TrainResult whole = train(options, fresh_folder("reading"), {});
  EXPECT_LT(whole.metrics.back().cross_entropy, whole.metrics.front().cross_entropy);
  EXPECT_EQ(content_hash(read_model(whole.model_path)), whole.hash);
  const std::string folder = fresh_folder("reading2");
  TrainControl control;
  control.stop_after = 3;
  train(options, folder, control);
  control = {};
  control.resume = true;
  EXPECT_EQ(train(options, folder, control).hash, whole.hash);
}

// The progress callback ends the run from inside, at chosen moments: between the file operations
// nothing else can happen in one process.
struct Stop {};

TEST(Training, ResumedAfterAStopAnywhereTheModelIsTheSame) {
  TrainOptions options = tiny_options();
  const TrainResult whole = train(options, fresh_folder("e"), {});
  for (const int stop_at : {1, 4, 6, 13, 35}) {
    const std::string folder = fresh_folder("f" + std::to_string(stop_at));
    TrainControl control;
    int reports = 0;
    control.on_progress = [&](const Progress&) {
      if (++reports == stop_at) throw Stop{};
    };
    EXPECT_THROW(train(options, folder, control), Stop);
    TrainControl resume;
    resume.resume = true;
    const TrainResult result = train(options, folder, resume);
    EXPECT_EQ(content(result.model_path), content(whole.model_path)) << stop_at;
    EXPECT_EQ(result.metrics.size(), whole.metrics.size());
  }
}

TEST(Training, AnotherConfigIsNotResumed) {
  const std::string folder = fresh_folder("g");
  TrainOptions options = tiny_options();
  options.epochs = 1;
  train(options, folder, {});
  options.lambda = 0.5;
  TrainControl resume;
  resume.resume = true;
  EXPECT_THROW(train(options, folder, resume), Error);
  std::ofstream(folder + "/checkpoint.safetensors") << "cut";
  options.lambda = tiny_options().lambda;
  EXPECT_THROW(train(options, folder, resume), Error);
}

void expect_divergence(TrainOptions options, double rate, const std::string& folder,
                       const char* word) {
  options.optimizer = Optimizer::kSgd;
  options.learning_rate = rate;
  try {
    train(options, folder, {});
    FAIL() << "a learning rate of " << rate << " does not diverge";
  } catch (const Diverged& error) {
    EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
  }
}

TEST(Training, DivergenceStopsAndKeepsTheCheckpoint) {
  const std::string folder = fresh_folder("h");
  TrainOptions options = tiny_options();
  options.epochs = 200;
  expect_divergence(options, 30, folder, "learning_rate");
  EXPECT_NE(content(folder + "/train.log").find("stopped"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder + "/model.safetensors"));
}

// One step, far too large: every loss of training is finite, the network after it is not.
TEST(Training, AValidationLossThatIsNotFiniteIsDivergence) {
  const std::string folder = fresh_folder("v");
  TrainOptions options = tiny_options();
  options.batch = 40;
  options.epochs = 1;
  expect_divergence(options, 1e30, folder, "validation");
  EXPECT_FALSE(fs::exists(folder + "/checkpoint.safetensors"));
  EXPECT_FALSE(fs::exists(folder + "/model.safetensors"));
  EXPECT_EQ(content(folder + "/metrics.jsonl"), "");
}

// A run of a version that did not notice: null in its metrics.
TEST(Training, ARunWithoutAFiniteValidationLossGivesNoModel) {
  const std::string folder = fresh_folder("w");
  TrainOptions options = tiny_options();
  options.epochs = 1;
  train(options, folder, {});
  fs::remove(folder + "/model.safetensors");
  std::string metrics = content(folder + "/metrics.jsonl");
  const std::size_t begin = metrics.find("\"validation_loss\":") + 18;
  const std::size_t digits = metrics.find(',', begin) - begin;
  metrics.replace(begin, digits, "null" + std::string(digits - 4, ' '));
  std::ofstream(folder + "/metrics.jsonl") << metrics;
  TrainControl control;
  control.resume = true;
  EXPECT_THROW(train(options, folder, control), Diverged);
  EXPECT_FALSE(fs::exists(folder + "/model.safetensors"));
}

TEST(Training, PatienceEndsARunThatNoLongerImproves) {
  TrainOptions options = tiny_options();
  options.learning_rate = 1e-9;  // float32 hardly moves: the first epoch stays the best or nearly
  options.epochs = 60;
  options.patience = 2;
  const TrainResult result = train(options, fresh_folder("i"), {});
  EXPECT_LT(result.metrics.size(), 60u);
}

TEST(Options, JsonGivesThemBackAndPresetsAreSound) {
  for (const char* preset : {"paper", "paper-alone", "paper-tuned", "deep", "swift"}) {
    const TrainOptions options = preset_options(preset);
    check_options(options);
    TrainOptions back;
    apply_options_json(options_json(options), "test", back);
    EXPECT_EQ(options_json(back), options_json(options));
  }
  EXPECT_THROW(preset_options("none"), Error);
}

TEST(Options, ABadConfigIsRefusedWithTheReason) {
  const auto refusal = [](const std::string& text) -> std::string {
    TrainOptions options;
    try {
      apply_options_json(text, "my.json", options);
      check_options(options);
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal(R"({"hidden": 16, "penalty": "printed"})"), "accepted");
  EXPECT_NE(refusal("{").find("my.json: not JSON"), std::string::npos);
  EXPECT_NE(refusal("[]").find("object"), std::string::npos);
  EXPECT_NE(refusal(R"({"hiden": 16})").find("'hiden' is no option"), std::string::npos);
  EXPECT_NE(refusal(R"({"hidden": "16"})").find("'hidden' must be"), std::string::npos);
  EXPECT_NE(refusal(R"({"hidden": -1})").find("'hidden' must be"), std::string::npos);
  EXPECT_NE(refusal(R"({"hidden": 0})").find("hidden must be"), std::string::npos);
  EXPECT_NE(refusal(R"({"optimizer": "lion"})").find("sgd, adam, adamw"), std::string::npos);
  EXPECT_NE(refusal(R"({"train": ["x"]})").find("NAME:COUNT"), std::string::npos);
  EXPECT_NE(refusal(R"({"train": []})").find("training and a validation split"), std::string::npos);
  EXPECT_NE(refusal(R"({"steps": 4})").find("hints"), std::string::npos);
  EXPECT_NE(refusal(R"({"momentum": 1})").find("momentum"), std::string::npos);
  EXPECT_NE(refusal(R"({"update_layers": 4})").find("update_layers"), std::string::npos);
  EXPECT_NE(refusal(R"({"decoder": "cubic"})").find("bilinear, linear"), std::string::npos);
  EXPECT_NE(refusal(R"({"decoder": "linear", "direction": "against"})").find("along"),
            std::string::npos);
  EXPECT_NE(refusal(R"({"teacher_forcing": false, "hints": false})").find("teacher_forcing"),
            std::string::npos);
}

// The program itself, killed at random moments.
TEST(Program, KilledAndResumedItEndsWithTheSameModel) {
  const std::string common = std::string(LODESTAR_BINARY) +
                             " train --preset swift --hidden 16 --epochs 12 --train-graphs 300 "
                             "--scale 1 ";
  const std::string whole = fresh_folder("k"), killed = fresh_folder("l");
  ASSERT_EQ(std::system((common + "-o " + whole + " >/dev/null 2>&1").c_str()), 0);
  int kills = 0;
  for (int attempt = 0; attempt < 4; ++attempt) {
    const pid_t child = fork();
    if (child == 0) {
      execl("/bin/sh", "sh", "-c",
            ("exec " + common + "-o " + killed + (attempt > 0 ? " --resume" : "") +
             " >/dev/null 2>&1")
                .c_str(),
            nullptr);
      _exit(127);
    }
    // Before the folder says which run it holds there is nothing to resume.
    for (int i = 0; i < 1200 && !fs::exists(killed + "/config.json"); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(600 + 150 * attempt));
    kills += kill(child, SIGKILL) == 0 ? 1 : 0;
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status)) break;
  }
  ASSERT_EQ(std::system((common + "-o " + killed + " --resume >/dev/null 2>&1").c_str()), 0);
  EXPECT_EQ(content(killed + "/model.safetensors"), content(whole + "/model.safetensors"));
  EXPECT_GT(kills, 0);
}

// Runs `lodestar train` with these arguments; its output goes to `text`.
int run_train(const std::string& arguments, std::string* text) {
  const std::string log = fresh_folder("train.log");
  const std::string command =
      std::string(LODESTAR_BINARY) + " train " + arguments + " >" + log + " 2>&1";
  const int status = WEXITSTATUS(std::system(command.c_str()));
  *text = content(log);
  return status;
}

constexpr const char* kTiny =
    "--preset paper --hidden 8 --message 8 --train train:8:8:dense:or:1 --validation "
    "validation:8:8:dense:or:2 --batch 8 --epochs 1 ";

TEST(Program, ResumingWhatIsNotThereIsAnError) {
  const std::string folder = fresh_folder("r");
  std::string said;
  EXPECT_EQ(run_train(std::string(kTiny) + "--resume -o " + folder, &said), 2);
  EXPECT_NE(said.find("holds no run to resume"), std::string::npos) << said;
  EXPECT_FALSE(fs::exists(folder));
}

TEST(Program, ADivergedRunExitsWithOne) {
  std::string said;
  const std::string run = "-o " + fresh_folder("s");
  EXPECT_EQ(run_train(kTiny + run + " --optimizer sgd --learning-rate 1e30", &said), 1) << said;
  EXPECT_NE(said.find("learning_rate"), std::string::npos) << said;
}

TEST(Program, ItSaysWhatValidationFound) {
  const std::string folder = fresh_folder("t");
  std::string said;
  ASSERT_EQ(run_train(std::string(kTiny) + "-o " + folder, &said), 0) << said;
  const auto metrics = nlohmann::json::parse(content(folder + "/metrics.jsonl"));
  char expected[64];
  std::snprintf(expected, sizeof expected, "validation: loss %.3f, constraints",
                metrics["validation_loss"].get<double>());
  EXPECT_NE(said.find(expected), std::string::npos) << said;
  // An untrained network saves next to nothing, and that is said.
  EXPECT_NE(said.find("note: this heuristic saves"), std::string::npos) << said;
}

TEST(Program, HelpNamesEveryPreset) {
  std::string help;
  EXPECT_EQ(run_train("--help", &help), 0);
  EXPECT_EQ(help.find("{false}"), std::string::npos);  // behind --no-…
  for (const char* preset : {"paper ", "paper-alone ", "paper-tuned ", "deep ", "swift "}) {
    EXPECT_NE(help.find(preset + std::string("(")), std::string::npos) << preset;
  }
  EXPECT_EQ(help.find("(optimal paths)"), std::string::npos);
}

TEST(Program, TrainsOnGraphFilesOfAFolder) {
  const std::string graphs = fresh_folder("m"), run = fresh_folder("n");
  fs::create_directories(graphs);
  const std::string lodestar = LODESTAR_BINARY;
  for (const char* seed : {"1", "2"}) {
    ASSERT_EQ(std::system((lodestar + " generate er -n 20 --seed " + seed + " -o " + graphs + "/g" +
                           seed + ".gr >/dev/null")
                              .c_str()),
              0);
  }
  std::ofstream(graphs + "/g1.queries.tsv") << "1\t2\n3\t4\n5\t6\n";
  ASSERT_EQ(std::system((lodestar + " train --preset deep --graph-folder " + graphs +
                         " --epochs 2 -o " + run + " >/dev/null 2>&1")
                            .c_str()),
            0);
  const Model model = read_model(run + "/model.safetensors");
  const auto provenance = nlohmann::json::parse(model.provenance);
  EXPECT_EQ(provenance["training_graphs"], 3 + 32 - (3 + 32) / 5);
  EXPECT_EQ(WEXITSTATUS(std::system((lodestar + " train --preset deep --graph-folder " + run +
                                     "/none -o " + run + "2 2>/dev/null")
                                        .c_str())),
            2);
}

// 1 -> 2 -> 3, and 4 not connected: two of four queries have a path.
TEST(Program, QueriesWithoutAPathAreNotTrainedOn) {
  const std::string graphs = fresh_folder("o"), run = fresh_folder("p");
  fs::create_directories(graphs);
  std::ofstream(graphs + "/g.gr") << "p sp 4 2\na 1 2 5\na 2 3 7\n";
  std::ofstream(graphs + "/g.queries.tsv") << "1\t3\n3\t1\n2\t3\n1\t4\n";
  TrainOptions options = preset_options("deep");
  options.graphs = graphs;
  options.epochs = 2;
  const TrainResult result = train(options, run, {});
  const auto provenance = nlohmann::json::parse(result.model.provenance);
  EXPECT_EQ(provenance["training_graphs"], 1);  // and one to validate
}

// Ctrl-C: the epochs done are kept, and the run says how to go on.
TEST(Program, InterruptedItSaysHowToGoOn) {
  const std::string run = fresh_folder("q"), log = run + ".log";
  const pid_t child = fork();
  if (child == 0) {
    execl("/bin/sh", "sh", "-c",
          (std::string("exec ") + LODESTAR_BINARY + " train --preset swift --epochs 100000 -o " +
           run + " >/dev/null 2>" + log)
              .c_str(),
          nullptr);
    _exit(127);
  }
  for (int i = 0; i < 600 && !fs::exists(run + "/checkpoint.safetensors"); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  kill(child, SIGINT);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
  EXPECT_NE(content(log).find("--resume"), std::string::npos);
}

// Training for a fixed point on several families: it resumes to the same bits, and the model that
// comes out ends its steps by itself.
TEST(Training, FixedPointTrainsAndResumes) {
  TrainOptions options = preset_options("deep");
  options.train = {parse_split("g:6:25:0.2:grid:1"), parse_split("c:6:24:0.5:chain:2"),
                   parse_split("n:6:24:6:geometric:3"), parse_split("e:6:16:0.5:directed:4")};
  options.validation = {parse_split("v:4:25:0.2:grid:5")};
  options.scale_graphs = {parse_split("s:2:36:0.2:grid:6")};
  options.fewest_steps = 8;
  options.train_steps = 16;
  options.epochs = 4;
  const TrainResult whole = train(options, fresh_folder("fixed"), {});
  EXPECT_EQ(whole.model.config.y_scale_most, options.scale_most);
  EXPECT_LT(whole.metrics.back().loss, whole.metrics.front().loss);
  const std::string folder = fresh_folder("fixed2");
  TrainControl control;
  control.stop_after = 2;
  train(options, folder, control);
  fs::remove(folder + "/model.safetensors");
  control.stop_after = 0;
  control.resume = true;
  EXPECT_EQ(train(options, folder, control).hash, whole.hash);
}

TEST(Training, SplitsNameOtherFamilies) {
  for (const char* text :
       {"a:3:64:0.2:grid:7", "b:3:64:8:geometric:7", "c:3:64:0:road:7", "d:3:64:0.5:chain:7",
        "e:3:64:3:chain:7", "f:3:16:0.25:directed:7", "g:3:16:dense:clrs:7"}) {
    const Split split = parse_split(text);
    EXPECT_EQ(to_string(split), text);
    const Instance one = draw_instance(split, 1), again = draw_instance(split, 1);
    EXPECT_EQ(one.query.source, again.query.source);
    EXPECT_EQ(one.graph.weights(), again.graph.weights());
  }
  EXPECT_THROW(parse_split("a:3:64:nothing:grid:7"), Error);
  EXPECT_THROW(parse_split("a:3:64:65:chain:7"), Error);
}

// Edges with probability p², weights of the root of two uniform numbers' product, never near 0.
TEST(Training, GraphsDrawnAsInClrs) {
  const Split split = parse_split("c:1:200:0.5:clrs:3");
  const Graph graph = draw_instance(split, 0).graph;
  EXPECT_NEAR(static_cast<double>(graph.arc_count()), 0.25 * 200 * 199, 700);
  double sum = 0;
  for (const double weight : graph.weights()) {
    EXPECT_GE(weight, std::sqrt(1e-3));
    sum += weight;
  }
  EXPECT_NEAR(sum / static_cast<double>(graph.arc_count()), 0.446, 0.01);  // E √(uu′) = 4/9
}

// The accuracy of predecessors is a share of nodes; copying the hint is counted from trajectories.
TEST(Training, ReportsHowWellDijkstraIsImitated) {
  TrainOptions options = tiny_options();
  options.cross_entropy_weight = 8;
  options.decoder = Decoder::kLinear;
  options.epochs = 12;
  const TrainResult result = train(options, fresh_folder("imitation"), {});
  double kept = 0, steps = 0;
  for (std::uint32_t i = 0; i < 8; ++i) {
    const Instance instance = draw_instance(options.validation[0], i);
    Searcher searcher(instance.graph);
    const Trajectory path = dijkstra_trajectory(searcher, instance.query.source);
    double here = 0;
    for (std::size_t t = 0; t < path.steps(); ++t) {
      for (NodeId v = 0; v < 8; ++v) here += path.pi[t * 8 + v] == path.pi[(t + 1) * 8 + v];
    }
    kept += here / static_cast<double>(path.steps());
    ++steps;
  }
  const Imitation& found = result.metrics[result.epoch - 1].imitation;
  EXPECT_NEAR(found.copied, kept / steps / 8, 1e-12);
  EXPECT_GT(found.all, 0.75);
  EXPECT_LE(found.all, 1);
  EXPECT_GT(found.all, result.metrics.front().imitation.all);
  EXPECT_EQ(found.per_step.size(), 8u);
  const auto json = nlohmann::json::parse(result.model.provenance);
  EXPECT_EQ(json["validation"]["predecessors"]["all"], found.all);
  EXPECT_EQ(json["validation"]["predecessors"]["per_step"].size(), 8u);
  options.cross_entropy_weight = 0;
  options.decoder = Decoder::kBilinear;
  options.epochs = 1;
  const auto alone = train(options, fresh_folder("alone"), {});
  EXPECT_FALSE(
      nlohmann::json::parse(alone.model.provenance)["validation"].contains("predecessors"));
}

// A few batches of the shipped recipes. If a hash changes, the network's inputs or arithmetic
// have changed: train the shipped models again (learn/models/retrain says which differ) or say in
// docs/design/TRAINING.md why their results still stand. The hash holds for processors with AVX2
// and OpenBLAS, as the models do.
TEST(Program, ShortTrainingHasAFixedHash) {
#ifdef __x86_64__
  if (!__builtin_cpu_supports("avx2")) GTEST_SKIP() << "the hash holds with AVX2";
#else
  GTEST_SKIP() << "the hash holds on x86-64";
#endif
  const std::string lodestar = LODESTAR_BINARY;
  for (const auto& [preset, hash] :
       {std::pair("deep", "93e1df9392828a79"), {"paper", "9549ac93a7650355"}}) {
    const std::string run = fresh_folder(std::string("hash") + preset), facts = run + ".json";
    const std::string command = std::string(" train --preset ") + preset +
                                " --seed 1 --epochs 2 --train-graphs 60 --scale 1 -o ";
    ASSERT_EQ(std::system((lodestar + command + run + " >/dev/null 2>&1").c_str()), 0);
    ASSERT_EQ(
        std::system((lodestar + " info " + run + "/model.safetensors --json > " + facts).c_str()),
        0);
    const auto json = nlohmann::json::parse(content(facts));
    EXPECT_EQ(json["command"], "lodestar" + command + "RUN");
    EXPECT_FALSE(json["commit"].get<std::string>().empty());
    EXPECT_EQ(json["hash"], json["provenance"]["hash"]);
    EXPECT_EQ(json["hash"], hash) << preset;
  }
}

}  // namespace
}  // namespace lodestar::learn::training_test
