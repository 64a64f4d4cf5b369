#include "learn/tune/crew.h"

#include <fmt/core.h>

#include <map>
#include <thread>

#include "lodestar/types.h"

namespace lodestar::tune {
namespace {

constexpr auto kPause = std::chrono::milliseconds(20);
constexpr int kAttempts = 3;

}  // namespace

std::vector<TrialReport> LocalCrew::wait() {
  std::vector<TrialReport> reports;
  std::vector<TrialProcess> still;
  for (TrialProcess& process : running_) {
    if (auto report = process.poll()) {
      reports.push_back(std::move(*report));
    } else {
      still.push_back(std::move(process));
    }
  }
  running_ = std::move(still);
  if (reports.empty()) std::this_thread::sleep_for(kPause);
  return reports;
}

void run_search(Search& search, Journal& journal, Crew& crew, const Coordination& how) {
  std::map<std::uint32_t, Task> running;
  std::map<std::uint32_t, int> lost;
  while (!search.finished()) {
    while (crew.idle() > 0) {
      const std::optional<Task> task = search.next();
      if (!task) break;
      crew.start(how.order(*task));
      running[task->trial] = *task;
    }
    for (const TrialReport& report : crew.wait()) {
      const Task task = running.at(report.trial);
      running.erase(report.trial);
      if (report.kind == TrialReport::Kind::kLost) {
        const std::string what = fmt::format("trial {}: {}", task.trial, report.text);
        if (++lost[task.trial] == kAttempts) {
          throw Error(what + fmt::format(", for the {}rd time; is there enough memory? Run the "
                                         "same command again to continue",
                                         kAttempts));
        }
        how.on_note(what + "; it is tried again");
        search.give_back(task);
        continue;
      }
      if (report.kind == TrialReport::Kind::kFailed) {
        throw Error(
            fmt::format("trial {} cannot be run: {}\nThe trials that are finished are "
                        "kept; when the cause is gone, run the same command again",
                        task.trial, report.text));
      }
      Record record;
      record.task = task;
      record.seconds = report.seconds;
      record.diverged = report.kind == TrialReport::Kind::kDiverged;
      if (!record.diverged) {
        record.measures = Json::parse(report.text);
        record.metric = evaluate(search.plan().metric, record.measures);
      }
      journal.append(to_json(record));
      search.add(record);
      how.on_record(record);
    }
    how.on_tick(running.size());
  }
}

}  // namespace lodestar::tune
