#include "formats/scanner.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace lodestar::formats {
namespace {

bool all_digits(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// Whether the double is exactly the number that the digits represent.
bool is_exact_integer(std::string_view digits, double value) {
  const std::size_t zeros = std::min(digits.find_first_not_of('0'), digits.size());
  digits.remove_prefix(zeros);
  char buffer[400];
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, 0);
  return std::string_view(buffer, static_cast<std::size_t>(end.ptr - buffer)) == digits;
}

}  // namespace

bool Lines::next_content(std::string_view comments) {
  while (next()) {
    const std::size_t first = line_.find_first_not_of(" \t");
    if (first == std::string_view::npos) continue;
    if (comments.find(line_[first]) == std::string_view::npos) return true;
  }
  return false;
}

void Lines::fail(const std::string& message) const {
  throw Error::at(*file_, number_, message);
}

void Lines::fail_overlong() const {
  fail("the line is longer than " + std::to_string(max_) + " bytes; is this the right format?");
}

bool same_word(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

std::string quoted(std::string_view text) {
  constexpr std::size_t kShown = 40;
  std::string out = "'";
  for (const char c : text.substr(0, kShown)) {
    out += static_cast<unsigned char>(c) < 32 || c == 127 ? '?' : c;
  }
  return out + (text.size() > kShown ? "…'" : "'");
}

std::string check_number(std::string_view field, const char* what, double* value) {
  const std::string name(what);
  if (field.empty()) return name + " is missing";
  const std::string_view digits = field.front() == '+' ? field.substr(1) : field;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, *value);
  if (stop != end || error == std::errc::invalid_argument) {
    return name + " expected, found " + quoted(field);
  }
  if (error == std::errc::result_out_of_range) {
    return name + " " + quoted(field) + " is beyond what a double holds";
  }
  if (!std::isfinite(*value)) return name + " is " + std::string(field) + "; it must be finite";
  return {};
}

std::string check_weight(std::string_view field, Weight* value) {
  std::string problem = check_number(field, "a weight", value);
  if (!problem.empty()) return problem;
  if (*value < 0) return "weight " + quoted(field) + " is negative";
  // All integers below 2^53 are exact; above, most are not representable.
  if (*value >= 0x1p53 && all_digits(field) && !is_exact_integer(field, *value)) {
    return "weight " + quoted(field) + " cannot be stored exactly; integers are exact up to 2^53";
  }
  if (!is_weight(*value)) {
    return "weight " + quoted(field) +
           " is out of range; weights are 0 or from 1.03e-289 to 9.7e288; choose another unit";
  }
  *value += 0.0;  // -0 becomes 0
  return {};
}

double parse_number(std::string_view field, const Lines& lines, const char* what) {
  double value = 0;
  if (const std::string problem = check_number(field, what, &value); !problem.empty()) {
    lines.fail(problem);
  }
  return value;
}

Weight parse_weight(std::string_view field, const Lines& lines) {
  Weight value = 0;
  if (const std::string problem = check_weight(field, &value); !problem.empty()) {
    lines.fail(problem);
  }
  return value;
}

void Fields::fail_integer(const char* what) {
  const std::string_view field = next();
  if (field.empty()) lines_->fail(std::string(what) + " is missing");
  lines_->fail(std::string(what) + " expected, found " + quoted(field));
}

void Fields::fail_node(std::uint64_t name, std::uint64_t base, std::uint64_t count) const {
  if (count == 0)
    lines_->fail("node " + std::to_string(name) + " is out of range; the graph has no nodes");
  lines_->fail("node " + std::to_string(name) + " is out of range; nodes are " +
               std::to_string(base) + " to " + std::to_string(base + count - 1));
}

void Fields::fail_finish() {
  lines_->fail("unexpected " + quoted(next()) + " at the end of the line");
}

NodeId checked_node_count(std::uint64_t announced, const Lines& lines) {
  constexpr std::uint64_t kFreeNodes = 1'000'000;
  if (announced >= kNoNode) {
    lines.fail("announces " + std::to_string(announced) + " nodes; the limit is 2^32 - 2");
  }
  if (announced > kFreeNodes + lines.bytes_left()) {
    lines.fail("announces " + std::to_string(announced) + " nodes, but only " +
               std::to_string(lines.bytes_left()) + " bytes follow; is the file truncated?");
  }
  return static_cast<NodeId>(announced);
}

void check_announced(std::uint64_t announced, std::size_t bytes_each, const char* things,
                     const Lines& lines) {
  // The last line may lack its line feed.
  if (announced > (lines.bytes_left() + 1) / bytes_each) {
    lines.fail("announces " + std::to_string(announced) + " " + things + ", but only " +
               std::to_string(lines.bytes_left()) + " bytes follow; is the file truncated?");
  }
}

}  // namespace lodestar::formats
