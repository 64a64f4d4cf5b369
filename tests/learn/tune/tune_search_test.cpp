// The stages of a search and its journal, without training: a trial's result is a function of its
// values here.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <cmath>
#include <filesystem>

#include "learn/tune/journal.h"
#include "learn/tune/search.h"
#include "lodestar/types.h"
#include "scratch_folder.h"

namespace lodestar::tune::tune_search_test {
namespace {

Record record_of(const Task& task) {
  Record record;
  record.task = task;
  const double rate = task.values["learning_rate"], hidden = task.values["hidden"];
  record.diverged = rate > 9e-3;
  if (record.diverged) return record;
  record.metric = std::abs(std::log(rate / 2e-3)) + std::abs(hidden - 6) + 1.0 / task.epochs;
  record.measures = {{"validation_loss", *record.metric}, {"curve", Json::array()}};
  return record;
}

SearchPlan small_plan(std::uint32_t halving) {
  SearchPlan plan;
  plan.space = parse_space(R"({"draw": {"hidden": {"low": 4, "high": 8},
      "learning_rate": {"low": 1e-4, "high": 1e-2, "log": true}}})",
                           "test");
  plan.samples = 41;
  plan.epochs = 9;
  plan.halving = halving;
  return plan;
}

std::vector<std::uint32_t> order_of(const Search& search) {
  std::vector<std::uint32_t> order;
  for (const Record* record : search.ranking()) order.push_back(record->task.trial);
  return order;
}

// `hands` trials at a time, ended in another order than begun, some given back.
Search run_with(std::size_t hands, std::uint32_t halving, std::vector<Json>* lines = nullptr) {
  Search search(small_plan(halving));
  std::vector<Task> running;
  std::size_t turn = 0;
  while (!search.finished()) {
    while (running.size() < hands) {
      const auto task = search.next();
      if (!task) break;
      running.push_back(*task);
    }
    const std::size_t pick = turn++ * 7 % running.size();
    const Task task = running[pick];
    running.erase(running.begin() + static_cast<std::ptrdiff_t>(pick));
    if (hands > 1 && turn % 5 == 0) {
      search.give_back(task);
      continue;
    }
    const Record record = record_of(task);
    if (lines) lines->push_back(to_json(record));
    search.add(record);
  }
  return search;
}

TEST(Search, TheRankingDoesNotDependOnHowManyWork) {
  for (const std::uint32_t halving : {0u, 3u}) {
    const Search one = run_with(1, halving), five = run_with(5, halving);
    EXPECT_EQ(order_of(one), order_of(five));
    EXPECT_EQ(order_of(one).size(), 41u);
    EXPECT_EQ(to_json(one.spaces()[1]), to_json(five.spaces()[1]));
    EXPECT_LT(one.spaces()[1].ranges[1].high / one.spaces()[1].ranges[1].low, 100);
    EXPECT_EQ(one.done(), one.expected());
  }
}

TEST(Search, GoesOnFromAnyPartOfItsJournal) {
  std::vector<Json> lines;
  const Search whole = run_with(1, 3, &lines);
  for (std::size_t kept = 0; kept <= lines.size(); kept += 6) {
    Search search(small_plan(3));
    for (std::size_t i = 0; i < kept; ++i) search.add(parse_record(lines[i], Metric{}));
    std::size_t trained = 0;
    while (!search.finished()) {
      search.add(record_of(search.next().value()));
      ++trained;
    }
    EXPECT_EQ(trained, lines.size() - kept);
    EXPECT_EQ(order_of(search), order_of(whole));
  }
}

TEST(Search, HalvingStopsBadTrialsAndRanksThemBelow) {
  EXPECT_EQ(rung_epochs(15, 0), (std::vector<std::uint32_t>{15}));
  EXPECT_EQ(rung_epochs(15, 3), (std::vector<std::uint32_t>{1, 5, 15}));
  EXPECT_EQ(rung_epochs(2, 3), (std::vector<std::uint32_t>{2}));
  const Search search = run_with(1, 3);
  const auto ranked = search.ranking();
  EXPECT_EQ(ranked.front()->task.epochs, 9u);
  std::map<std::uint32_t, int> by_epochs;
  for (const Record* record : ranked) ++by_epochs[record->task.epochs];
  EXPECT_EQ(by_epochs[9], 3 + 3);  // 21 → 7 → 3, 20 → 7 → 3
  EXPECT_EQ(search.done(), search.expected());
}

// JSON writes what is not finite as null.
TEST(Search, ALossThatIsNotFiniteIsADivergedTrial) {
  Search search(small_plan(0));
  Record good = record_of(search.next().value());
  Json lost = to_json(record_of(search.next().value()));
  lost["measures"]["validation_loss"] = nullptr;
  const Record record = parse_record(lost, Metric{});
  EXPECT_TRUE(record.diverged);
  EXPECT_FALSE(record.metric);
  good.metric = 1e300;
  search.add(record);
  search.add(good);
  EXPECT_EQ(search.ranking().front()->task.trial, good.task.trial);
  EXPECT_TRUE(parse_record(to_json(record), Metric{}).diverged);
}

TEST(Search, DearTrialsBeginFirst) {
  SearchPlan plan = small_plan(0);
  plan.cost = [](const Json& values) { return values["hidden"].get<double>(); };
  Search search(plan);
  double last = 8;
  for (int i = 0; i < 21; ++i) {
    const double hidden = search.next().value().values["hidden"];
    EXPECT_LE(hidden, last);
    last = hidden;
  }
  EXPECT_FALSE(search.next());  // level 2 waits for the results
}

TEST(Search, PlansThatMakeNoSenseAreRefused) {
  SearchPlan plan = small_plan(0);
  plan.levels = 0;
  EXPECT_THROW(Search{plan}, Error);
  plan = small_plan(0);
  plan.samples = 1;
  EXPECT_THROW(Search{plan}, Error);
  EXPECT_THROW(Search{small_plan(1)}, Error);
  Search search(small_plan(0));  // every trial diverges: there is nothing to shrink around
  const auto run = [&] {
    while (!search.finished()) {
      Record record;
      record.task = search.next().value();
      record.diverged = true;
      search.add(record);
    }
  };
  EXPECT_THROW(run(), Error);
}

TEST(Journal, KeepsWhatWasAppendedAndForgetsATornLine) {
  const ScratchFolder folder;
  const std::string path = folder / "journal.jsonl";
  Journal(path).append({{"trial", 1}});
  const std::string whole = folder.read("journal.jsonl");
  for (const std::string& tail :
       {std::string("{\"trial\": 2"), std::string("{\"trial\": 2\n"), std::string(3, '\0')}) {
    folder.write("journal.jsonl", whole + tail);
    Journal journal(path);
    ASSERT_EQ(journal.lines().size(), 1u) << tail;
    journal.append({{"trial", 3}});
    EXPECT_EQ(folder.read("journal.jsonl"), whole + "{\"trial\":3}\n");
  }
}

TEST(Journal, DamageIsNamedAndLeftAlone) {
  const ScratchFolder folder;
  const std::string text = "{\"trial\":1}\n{\"tri\n{\"trial\":3}\n";
  const std::string path = folder.write("journal.jsonl", text);
  try {
    Journal journal(path);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(path + ":2: the journal is damaged"),
              std::string::npos)
        << error.what();
  }
  EXPECT_EQ(folder.read("journal.jsonl"), text);
  std::filesystem::create_directory(folder / "folder");
  EXPECT_THROW(Journal(folder / "folder"), Error);
}

TEST(Journal, AFullDiskLosesNothing) {
  const ScratchFolder folder;
  const std::string path = folder / "journal.jsonl";
  Journal journal(path);
  journal.append({{"trial", 1}, {"text", std::string(500, 'x')}});
  const std::string before = folder.read("journal.jsonl");
  rlimit old{};
  getrlimit(RLIMIT_FSIZE, &old);
  rlimit full = old;
  full.rlim_cur = 700;
  const auto old_handler = signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &full);
  EXPECT_THROW(journal.append({{"trial", 2}, {"text", std::string(500, 'y')}}), Error);
  setrlimit(RLIMIT_FSIZE, &old);
  signal(SIGXFSZ, old_handler);
  EXPECT_EQ(folder.read("journal.jsonl"), before);
  journal.append({{"trial", 2}});  // there is room again
  EXPECT_EQ(Journal(path).lines().size(), 2u);
}

}  // namespace
}  // namespace lodestar::tune::tune_search_test
