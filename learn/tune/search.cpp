#include "learn/tune/search.h"

#include <algorithm>

#include "lodestar/types.h"

namespace lodestar::tune {
namespace {

// The share of all trials so far that the next level is shrunk around.
constexpr double kBestShare = 0.15;
constexpr std::size_t kFewestBest = 3;
constexpr std::size_t kMostRungs = 3;

bool better(const Record& a, const Record& b) {
  if (a.diverged != b.diverged) return b.diverged;
  if (a.task.rung != b.task.rung) return a.task.rung > b.task.rung;
  if (a.metric.has_value() != b.metric.has_value()) return a.metric.has_value();
  if (a.metric && *a.metric != *b.metric) return *a.metric < *b.metric;
  return a.task.trial < b.task.trial;
}

}  // namespace

Json to_json(const Record& record) {
  Json json = {{"trial", record.task.trial},   {"level", record.task.level},
               {"rung", record.task.rung},     {"epochs", record.task.epochs},
               {"values", record.task.values}, {"seconds", record.seconds},
               {"diverged", record.diverged}};
  if (record.metric) json["metric"] = *record.metric;
  if (!record.diverged) json["measures"] = record.measures;
  return json;
}

Record parse_record(const Json& json, const Metric& metric) {
  Record record;
  record.task = {json.at("trial"), json.at("level"), json.at("rung"), json.at("epochs"),
                 json.at("values")};
  record.seconds = json.at("seconds");
  record.diverged = json.at("diverged");
  if (!record.diverged) {
    record.measures = json.at("measures");
    // Written by a version that took a loss that is not finite, null in JSON, for a result.
    record.diverged = record.measures.value("validation_loss", Json(0)).is_null();
  }
  if (!record.diverged) {
    record.metric = evaluate(metric, record.measures);
  }
  return record;
}

std::vector<std::uint32_t> rung_epochs(std::uint32_t epochs, std::uint32_t halving) {
  std::vector<std::uint32_t> rungs = {epochs};
  while (halving > 1 && rungs.size() < kMostRungs && rungs.front() / halving >= 1) {
    rungs.insert(rungs.begin(), rungs.front() / halving);
  }
  return rungs;
}

Search::Search(SearchPlan plan)
    : plan_(std::move(plan)), rungs_(rung_epochs(plan_.epochs, plan_.halving)) {
  if (plan_.levels < 1 || plan_.levels > 9) throw Error("--levels must be 1 … 9");
  if (plan_.samples < plan_.levels) throw Error("--trials must be at least one per level");
  if (plan_.halving == 1)
    throw Error("--halving must be 2 or more: one trial in so many continues");
  spaces_ = {plan_.space};
}

std::uint32_t Search::level_size(std::uint32_t level) const {
  return plan_.samples / plan_.levels + (level <= plan_.samples % plan_.levels ? 1 : 0);
}

std::size_t Search::expected() const {
  std::size_t tasks = 0;
  for (std::uint32_t level = 1; level <= plan_.levels; ++level) {
    std::size_t size = level_size(level);
    for (std::size_t rung = 0; rung < rungs_.size(); ++rung) {
      tasks += size;
      if (plan_.halving > 0) size = (size + plan_.halving - 1) / plan_.halving;
    }
  }
  return tasks;
}

void Search::add(Record record) {
  const auto key = std::pair(record.task.trial, record.task.rung);
  records_.insert_or_assign(key, std::move(record));
}

std::vector<Task> Search::stage_tasks() {
  std::uint32_t first = 1;
  for (std::uint32_t level = 1; level < level_; ++level) first += level_size(level);
  std::vector<Task> tasks;
  if (rung_ == 0) {
    for (std::uint32_t i = 0; i < level_size(level_); ++i) {
      tasks.push_back(
          {first + i, level_, 0, rungs_[0], draw(spaces_[level_ - 1], plan_.seed, level_, i)});
    }
    return tasks;
  }
  std::vector<const Record*> before;
  for (const Task& task : stage_) before.push_back(&records_.at({task.trial, task.rung}));
  std::sort(before.begin(), before.end(),
            [](const Record* a, const Record* b) { return better(*a, *b); });
  before.resize((before.size() + plan_.halving - 1) / plan_.halving);
  for (const Record* record : before) {
    if (record->diverged) continue;
    tasks.push_back({record->task.trial, level_, rung_, rungs_[rung_], record->task.values});
  }
  return tasks;
}

void Search::open_stages() {
  const auto is_done = [&](const Task& task) { return records_.contains({task.trial, task.rung}); };
  while (level_ <= plan_.levels) {
    if (!stage_open_) {
      stage_ = stage_tasks();
      waiting_.clear();
      std::copy_if(stage_.begin(), stage_.end(), std::back_inserter(waiting_),
                   [&](const Task& task) { return !is_done(task); });
      if (plan_.cost) {
        std::stable_sort(waiting_.begin(), waiting_.end(), [&](const Task& a, const Task& b) {
          return plan_.cost(a.values) > plan_.cost(b.values);
        });
      }
      stage_open_ = true;
    }
    if (!std::all_of(stage_.begin(), stage_.end(), is_done)) return;
    stage_open_ = false;
    if (++rung_ < rungs_.size()) continue;
    rung_ = 0;
    if (++level_ > plan_.levels) return;
    if (level_ == 2 && plan_.space2) {
      spaces_.push_back(replace_ranges(plan_.space, *plan_.space2));
      continue;
    }
    std::vector<Json> best;
    // When a journal is read, records of this level may be there already; they do not count.
    auto ranked = ranking();
    std::erase_if(ranked, [&](const Record* record) { return record->task.level >= level_; });
    const auto wanted = std::max(
        kFewestBest, static_cast<std::size_t>(kBestShare * static_cast<double>(ranked.size())));
    for (const Record* record : ranked) {
      if (best.size() < wanted && record->metric) best.push_back(record->task.values);
    }
    if (best.empty()) {
      throw Error("no trial of the levels so far has a result: all diverged or none reaches " +
                  to_string(plan_.metric) +
                  ". Give a space with smaller learning rates, or "
                  "another --metric, and another folder");
    }
    spaces_.push_back(shrink(spaces_.back(), best));
  }
}

std::optional<Task> Search::next() {
  open_stages();
  if (waiting_.empty()) return std::nullopt;
  Task task = std::move(waiting_.front());
  waiting_.erase(waiting_.begin());
  return task;
}

void Search::give_back(const Task& task) {
  waiting_.insert(waiting_.begin(), task);
}

bool Search::finished() {
  open_stages();
  return level_ > plan_.levels;
}

std::vector<const Record*> Search::ranking() const {
  std::vector<const Record*> ranked;
  for (const auto& [key, record] : records_) {
    if (!ranked.empty() && ranked.back()->task.trial == key.first) ranked.pop_back();
    ranked.push_back(&record);
  }
  std::sort(ranked.begin(), ranked.end(),
            [](const Record* a, const Record* b) { return better(*a, *b); });
  return ranked;
}

}  // namespace lodestar::tune
