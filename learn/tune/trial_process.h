// One trial: a process with one thread that trains in a folder of its own, from its checkpoint when
// there is one. It dies with the process that started it.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lodestar::tune {

struct TrialOrder {
  std::uint32_t trial = 0;
  std::string folder;
  std::vector<std::string> command;  // program and arguments
};

struct TrialReport {
  enum class Kind : std::uint8_t {
    kDone,      // text: what it measured, as JSON with the curve that search.h reads
    kDiverged,  // a result too: these values do not train
    kFailed,    // text: its error; another attempt would fail the same way
    kLost,      // text: how; another attempt may succeed
  };
  std::uint32_t trial = 0;
  Kind kind = Kind::kLost;
  std::string text;
  double seconds = 0;
};

class TrialProcess {
 public:
  // Waits a few seconds for a folder that another process still holds, then throws Error.
  explicit TrialProcess(const TrialOrder& order);
  TrialProcess(TrialProcess&& other) noexcept;
  TrialProcess& operator=(TrialProcess&&) = delete;
  ~TrialProcess();  // kills it

  // A report once it has ended.
  std::optional<TrialReport> poll();

 private:
  TrialReport report(int status) const;

  std::uint32_t trial_;
  std::string folder_;
  pid_t pid_ = -1;
  int lock_ = -1, out_ = -1, error_ = -1;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace lodestar::tune
