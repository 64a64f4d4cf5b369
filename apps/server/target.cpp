#include "target.h"

#include <charconv>
#include <cmath>

#include "json_text.h"
#include "message.h"

namespace lodestar::server {
namespace {

Refusal wrong(const std::string& why) {
  return Refusal(400, "InvalidUrl", "the URL or form " + why);
}

int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string decoded(std::string_view text, bool plus_is_blank) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '+' && plus_is_blank) {
      c = ' ';
    } else if (c == '%') {
      if (i + 2 >= text.size()) throw wrong("ends within a %-escape");
      const int high = hex(text[i + 1]), low = hex(text[i + 2]);
      if (high < 0 || low < 0) throw wrong("has a %-escape that is no two hexadecimal digits");
      c = static_cast<char>(high * 16 + low);
      i += 2;
    }
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      throw wrong("has control characters in it");
    }
    out += c;
  }
  if (!is_utf8(out)) throw wrong("is no UTF-8 text once decoded");
  return out;
}

}  // namespace

const std::string* Target::option(std::string_view name) const {
  for (auto it = options.rbegin(); it != options.rend(); ++it) {
    if (it->first == name) return &it->second;
  }
  return nullptr;
}

Target parse_target(std::string_view text) {
  if (!text.starts_with('/')) throw wrong("must begin with /");
  Target out;
  text = text.substr(0, text.find('#'));
  const std::size_t mark = text.find('?');
  for (const std::string_view part : split(text.substr(0, mark), '/')) {
    if (!part.empty()) out.path.push_back(decoded(part, false));
  }
  if (mark != std::string_view::npos) out.options = parse_pairs(text.substr(mark + 1));
  return out;
}

std::vector<std::pair<std::string, std::string>> parse_pairs(std::string_view text) {
  std::vector<std::pair<std::string, std::string>> out;
  for (const std::string_view pair : split(text, '&')) {
    if (pair.empty()) continue;
    const std::size_t equals = pair.find('=');
    out.emplace_back(
        decoded(pair.substr(0, equals), true),
        equals == std::string_view::npos ? "" : decoded(pair.substr(equals + 1), true));
  }
  return out;
}

std::optional<double> parse_number(std::string_view text) {
  if (text.empty() || text.find_first_not_of("+-.0123456789eE") != std::string_view::npos) {
    return std::nullopt;
  }
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, failed] = std::from_chars(text.data(), end, value);
  if (failed != std::errc() || stop != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> parse_count(std::string_view text) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  if (text.empty() || text[0] < '0' || text[0] > '9') return std::nullopt;
  const auto [stop, failed] = std::from_chars(text.data(), end, value);
  if (failed != std::errc() || stop != end) return std::nullopt;
  return value;
}

std::vector<std::string_view> split(std::string_view text, char by) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(by);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

}  // namespace lodestar::server
