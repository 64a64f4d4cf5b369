// Progress on stderr: a bar with the time left on a terminal, a plain line now and then elsewhere.
//
//   Progress progress("fitting");
//   progress.update(done / total, "objective 12.4");   // cheap: call it as often as you like
//
// Nothing is shown for work that ends within half a second.
#pragma once

#include <atomic>
#include <chrono>
#include <string>
#include <string_view>
#include <utility>

#include "lodestar/detail/parallel.h"

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

// body(i, worker) for every i below `count`, with a bar.
template <class Body>
void parallel_for_with_bar(std::string what, std::size_t count, unsigned threads,
                           const Body& body) {
  Progress progress(std::move(what));
  std::atomic<std::size_t> done{0};
  const auto report = [&] {
    progress.update(static_cast<double>(done) / static_cast<double>(count));
  };
  parallel_for(
      count, threads,
      [&](std::size_t i, std::size_t worker) {
        body(i, worker);
        ++done;
        if (worker == 0) report();
      },
      report);
}

// "12.3 s left"; empty at the beginning, where no estimate is possible, and at the end.
std::string time_left(double fraction, double elapsed);

// "850 ms", "12.3 s", "4 min 10 s"
std::string format_seconds(double seconds);

// The words of a text in lines of at most `width` bytes, each word as `written` has it.
std::string in_lines(const std::string& text, std::size_t width,
                     std::string (*written)(const std::string& word) = nullptr);

}  // namespace lodestar::cli
