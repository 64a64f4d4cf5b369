// Progress on stderr: a bar with the time left on a terminal, a plain line now and then elsewhere.
//
//   Progress progress("fitting");
//   progress.update(done / total, "objective 12.4");   // cheap: call it as often as you like
//
// Nothing is shown for work that ends within half a second.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace lodestar::cli {

// From now on nothing is shown: --quiet.
void set_quiet(bool quiet);
bool is_quiet();

class Progress {
 public:
  explicit Progress(std::string what);
  ~Progress();  // removes the bar
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void update(double fraction, std::string_view detail = {});
  // Prints a line that stays, above the bar.
  void note(std::string_view line);

 private:
  using Clock = std::chrono::steady_clock;
  std::string what_;
  bool terminal_;
  bool shown_ = false;
  Clock::time_point start_;
  Clock::time_point next_;
};

// "12.3 s left"; empty at the beginning, where no estimate is possible, and at the end.
std::string time_left(double fraction, double elapsed);

// "850 ms", "12.3 s", "4 min 10 s"
std::string format_seconds(double seconds);

}  // namespace lodestar::cli
