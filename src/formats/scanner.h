// Lines of a text and the fields in them, with the line number for errors.
//
//   Lines lines(text, "roads.gr");
//   while (lines.next()) {
//     Fields fields(lines);
//     const NodeId tail = fields.node(1, n);            // ids from 1, below n + 1
//     const Weight weight = fields.weight();
//     fields.finish();                                  // nothing may follow
//   }
//
// Nothing is copied. The plain cases (short whole numbers) are inline: they decide the speed.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "lodestar/detail/stop.h"
#include "lodestar/types.h"

namespace lodestar::formats {

// Longer lines are refused: they are a sign of another format, or of malice.
inline constexpr std::size_t kMaxLine = std::size_t{1} << 16;
// Where a line holds a whole row (METIS, .map).
inline constexpr std::size_t kMaxRow = std::size_t{1} << 26;

class Lines {
 public:
  Lines(std::string_view text, const std::string& file, std::size_t max_line = kMaxLine)
      : at_(text.data()), end_(text.data() + text.size()), file_(&file), max_(max_line) {
    if (text.substr(0, 3) == "\xEF\xBB\xBF") at_ += 3;  // byte order mark
  }

  // Moves to the next line; false at the end. The line is without \n or \r\n.
  bool next() {
    if (at_ == end_) return false;
    check_stop(++number_);
    const auto* stop =
        static_cast<const char*>(std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_)));
    const char* stop_or_end = stop != nullptr ? stop : end_;
    std::size_t size = static_cast<std::size_t>(stop_or_end - at_);
    if (size > max_) fail_overlong();
    if (size > 0 && at_[size - 1] == '\r') --size;
    line_ = {at_, size};
    at_ = stop != nullptr ? stop + 1 : end_;
    return true;
  }
  // … to the next line that is neither blank nor begins with one of `comments`.
  bool next_content(std::string_view comments);

  std::string_view line() const { return line_; }
  std::uint64_t number() const { return number_; }
  std::size_t bytes_left() const { return static_cast<std::size_t>(end_ - at_); }
  const std::string& file() const { return *file_; }
  [[noreturn]] void fail(const std::string& message) const;

 private:
  [[noreturn]] void fail_overlong() const;

  const char* at_;
  const char* end_;
  const std::string* file_;
  std::size_t max_;
  std::string_view line_;
  std::uint64_t number_ = 0;
};

// In capitals or not.
bool same_word(std::string_view a, std::string_view b);
// "'abc'", shortened and with unprintable bytes shown as ?, for messages.
std::string quoted(std::string_view text);

// A finite number; `what` names it in messages. Returns the problem, empty when there is none.
std::string check_number(std::string_view field, const char* what, double* value);
// … that is not negative, and exact if it is whole.
std::string check_weight(std::string_view field, Weight* value);
// The same, failing with file and line.
double parse_number(std::string_view field, const Lines& lines, const char* what);
Weight parse_weight(std::string_view field, const Lines& lines);

// Fields between blanks of the current line.
class Fields {
 public:
  explicit Fields(const Lines& lines) : Fields(lines, lines.line()) {}
  Fields(const Lines& lines, std::string_view line)
      : at_(line.data()), end_(line.data() + line.size()), lines_(&lines) {}

  bool at_end() {
    skip_blanks();
    return at_ == end_;
  }
  // Empty at the end of the line.
  std::string_view next() {
    skip_blanks();
    const char* begin = at_;
    while (at_ < end_ && !is_blank(*at_)) ++at_;
    return {begin, static_cast<std::size_t>(at_ - begin)};
  }
  // `what` is named when there is none: "a node", "the number of arcs".
  std::uint64_t integer(const char* what) {
    skip_blanks();
    const char* p = at_;
    std::uint64_t value = 0;
    for (; p < end_ && is_digit(*p); ++p) value = value * 10 + digit(*p);
    if (p == at_ || p - at_ > 19 || (p < end_ && !is_blank(*p))) fail_integer(what);
    at_ = p;
    return value;
  }
  // A node of `count` numbered from `base`, as NodeId.
  NodeId node(std::uint64_t base, std::uint64_t count) {
    const std::uint64_t name = integer("a node");
    if (name - base >= count) fail_node(name, base, count);  // wraps below base
    return static_cast<NodeId>(name - base);
  }
  Weight weight() {
    skip_blanks();
    const char* p = at_;
    std::uint64_t value = 0;
    for (; p < end_ && is_digit(*p); ++p) value = value * 10 + digit(*p);
    if (p > at_ && p - at_ <= 15 && (p == end_ || is_blank(*p))) {
      at_ = p;
      return static_cast<Weight>(value);
    }
    return parse_weight(next(), *lines_);
  }
  double number(const char* what) { return parse_number(next(), *lines_, what); }
  void finish() {
    if (!at_end()) fail_finish();
  }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t'; }
  static bool is_digit(char c) { return digit(c) < 10; }
  static unsigned digit(char c) { return static_cast<unsigned>(c) - unsigned{'0'}; }
  void skip_blanks() {
    while (at_ < end_ && is_blank(*at_)) ++at_;
  }
  [[noreturn]] void fail_integer(const char* what);
  [[noreturn]] void fail_node(std::uint64_t name, std::uint64_t base, std::uint64_t count) const;
  [[noreturn]] void fail_finish();

  const char* at_;
  const char* end_;
  const Lines* lines_;
};

// A header's node count, before anything is allocated for it. Nodes without arcs take no space
// in a file, so a small file may announce up to a million.
NodeId checked_node_count(std::uint64_t announced, const Lines& lines);
// A header's count of `things` that take at least `bytes_each` of what is left of the file.
void check_announced(std::uint64_t announced, std::size_t bytes_each, const char* things,
                     const Lines& lines);

}  // namespace lodestar::formats
