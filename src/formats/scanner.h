// Splits a text into lines and fields, and reports errors with the line number.
//
//   Lines lines(text, "roads.gr");
//   while (lines.next()) {
//     Fields fields(lines);
//     const NodeId tail = fields.node(1, n);            // ids from 1, below n + 1
//     const Weight weight = fields.weight();
//     fields.finish();                                  // nothing may follow
//   }
//
// Nothing is copied. Short integers are parsed inline, because they determine the speed.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "lodestar/detail/stop.h"
#include "lodestar/types.h"

namespace lodestar::formats {

// Longer lines are an error: the file probably has another format.
inline constexpr std::size_t kMaxLine = std::size_t{1} << 16;
// For formats with a whole row per line (METIS, .map).
inline constexpr std::size_t kMaxRow = std::size_t{1} << 26;

class Lines {
 public:
  Lines(std::string_view text, const std::string& file, std::size_t max_line = kMaxLine)
      : at_(text.data()), end_(text.data() + text.size()), file_(&file), max_(max_line) {
    if (text.substr(0, 3) == "\xEF\xBB\xBF") at_ += 3;  // byte order mark
  }

  // Moves to the next line, without \n or \r\n. Returns false at the end.
  bool next() {
    if (at_ == end_) return false;
    check_stop(++number_);
    const auto* stop =
        static_cast<const char*>(std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_)));
    const char* stop_or_end = stop != nullptr ? stop : end_;
    line_ = {at_, static_cast<std::size_t>(stop_or_end - at_)};
    if (line_.size() > max_) fail_overlong();
    if (line_.ends_with('\r')) line_.remove_suffix(1);
    at_ = stop != nullptr ? stop + 1 : end_;
    return true;
  }
  // Moves to the next line that is not blank and does not begin with one of `comments`.
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

// Compares without case.
bool same_word(std::string_view a, std::string_view b);
// The text in quotes for messages, shortened, with unprintable bytes shown as ?.
std::string quoted(std::string_view text);

// Parses a finite number; `what` names it in messages. Returns the error, or an empty string.
std::string check_number(std::string_view field, const char* what, double* value);
// The same for a weight: not negative, and exact if it is an integer.
std::string check_weight(std::string_view field, Weight* value);
// The same, but throws Error with file and line.
double parse_number(std::string_view field, const Lines& lines, const char* what);
Weight parse_weight(std::string_view field, const Lines& lines);

// The fields of the current line, separated by blanks.
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
  // `what` appears in the error if the field is missing: "a node", "the number of arcs".
  std::uint64_t integer(const char* what) {
    skip_blanks();
    const char* p = at_;
    std::uint64_t value = 0;
    for (; p < end_ && is_digit(*p); ++p) value = value * 10 + digit(*p);
    if (p == at_ || p - at_ > 19 || (p < end_ && !is_blank(*p))) fail_integer(what);
    at_ = p;
    return value;
  }
  // A node numbered from `base`, as NodeId below `count`.
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

// Checks the node count of a header before memory is allocated for it. Nodes without arcs take no
// space in a file, so a small file may announce up to a million nodes.
NodeId checked_node_count(std::uint64_t announced, const Lines& lines);
// Checks the count of `things` in a header; each takes at least `bytes_each` of the rest of the
// file.
void check_announced(std::uint64_t announced, std::size_t bytes_each, const char* things,
                     const Lines& lines);

}  // namespace lodestar::formats
