#include "learn/tune/crew.h"

#include <thread>

namespace lodestar::tune {
namespace {

constexpr auto kPause = std::chrono::milliseconds(20);

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

}  // namespace lodestar::tune
