#include "progress.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>
#include <utility>

namespace lodestar::cli {
namespace {

constexpr int kBarWidth = 24;
bool quiet_program = false;

}  // namespace

void set_quiet(bool quiet) {
  quiet_program = quiet;
}
bool is_quiet() {
  return quiet_program;
}

Progress::Progress(std::string what)
    : what_(std::move(what)),
      terminal_(isatty(STDERR_FILENO) == 1),
      start_(Clock::now()),
      next_(start_ + std::chrono::milliseconds(terminal_ ? 500 : 10'000)) {}

Progress::~Progress() {
  if (shown_ && terminal_) fmt::print(stderr, "\r\x1b[K");
}

void Progress::update(double fraction, std::string_view detail) {
  const auto now = Clock::now();
  if (now < next_ || is_quiet()) return;
  next_ = now + std::chrono::milliseconds(terminal_ ? 100 : 10'000);
  shown_ = true;
  fraction = fraction > 0 ? std::min(fraction, 1.0) : 0;  // 0 of 0 counts as a start
  const std::string left = time_left(fraction, std::chrono::duration<double>(now - start_).count());
  const int percent = static_cast<int>(100 * fraction);  // 100 is said of finished work only
  if (!terminal_) {
    fmt::print(stderr, "{}: {} %{}{}{}{}\n", what_, percent, left.empty() ? "" : ", ", left,
               detail.empty() ? "" : ", ", detail);
    return;
  }
  const int filled = static_cast<int>(fraction * kBarWidth);
  std::string bar;
  for (int i = 0; i < kBarWidth; ++i) bar += i < filled ? "━" : "┄";
  fmt::print(stderr, "\r{} {} {:3} %  {}  {}\x1b[K", what_, bar, percent, left, detail);
  std::fflush(stderr);
}

void Progress::note(std::string_view line) {
  if (is_quiet()) return;
  if (shown_ && terminal_) fmt::print(stderr, "\r\x1b[K");
  fmt::print(stderr, "{}\n", line);
}

std::string time_left(double fraction, double elapsed) {
  constexpr double kTooEarly = 0.001;
  if (!(fraction > kTooEarly && fraction < 1)) return "";
  const double seconds = elapsed * (1 - fraction) / fraction;
  return seconds < 1 ? "less than 1 s left" : format_seconds(seconds) + " left";
}

std::string format_seconds(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.0f} µs", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.0f} ms", seconds * 1e3);
  if (seconds < 60) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<long>(seconds + 0.5);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

std::string in_lines(const std::string& text, std::size_t width,
                     std::string (*written)(const std::string& word)) {
  std::string out;
  std::size_t line = 0;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (written != nullptr) word = written(word);
    if (line > 0 && line + 1 + word.size() > width) {
      out += '\n';
      line = 0;
    }
    out += (line > 0 ? " " : "") + word;
    line += (line > 0) + word.size();
  }
  return out;
}

}  // namespace lodestar::cli
