#include "json_text.h"

#include <charconv>
#include <cmath>

namespace lodestar::serve {
namespace {

// Bytes of the UTF-8 character at the front, 0 when there is none.
std::size_t character_at(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xc2 && first < 0xe0   ? 2
                             : first >= 0xe0 && first < 0xf0 ? 3
                             : first >= 0xf0 && first < 0xf5 ? 4
                                                             : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  // Overlong forms, surrogates, and what lies beyond the last character.
  if (first == 0xe0 && byte(1) < 0xa0) return 0;
  if (first == 0xed && byte(1) >= 0xa0) return 0;
  if (first == 0xf0 && byte(1) < 0x90) return 0;
  if (first == 0xf4 && byte(1) >= 0x90) return 0;
  return length;
}

}  // namespace

void JsonText::comma() {
  if (need_comma_) out_ += ',';
  need_comma_ = true;
}

JsonText& JsonText::open(char bracket) {
  comma();
  out_ += bracket;
  need_comma_ = false;
  return *this;
}

JsonText& JsonText::close(char bracket) {
  out_ += bracket;
  need_comma_ = true;
  return *this;
}

JsonText& JsonText::key(std::string_view name) {
  comma();
  out_ += '"';
  out_ += name;
  out_ += "\":";
  need_comma_ = false;
  return *this;
}

JsonText& JsonText::number(double value) {
  if (!std::isfinite(value)) return null();
  comma();
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value);
  out_.append(buffer, end.ptr);
  return *this;
}

JsonText& JsonText::rounded(double value, int digits) {
  const double unit = std::pow(10.0, digits);
  const double scaled = value * unit;
  return number(std::abs(scaled) < 1e15 ? std::round(scaled) / unit : value);
}

JsonText& JsonText::whole(std::uint64_t value) {
  comma();
  char buffer[24];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value);
  out_.append(buffer, end.ptr);
  return *this;
}

JsonText& JsonText::truth(bool value) {
  return raw(value ? "true" : "false");
}

JsonText& JsonText::null() {
  return raw("null");
}

JsonText& JsonText::raw(std::string_view json) {
  comma();
  out_ += json;
  return *this;
}

JsonText& JsonText::text(std::string_view value) {
  comma();
  out_ += '"';
  while (!value.empty()) {
    const std::size_t length = character_at(value);
    const char c = value[0];
    if (length == 0) {
      out_ += "\xef\xbf\xbd";
    } else if (c == '"' || c == '\\') {
      out_ += '\\';
      out_ += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      constexpr char kDigits[] = "0123456789abcdef";
      out_ += "\\u00";
      out_ += kDigits[(c >> 4) & 15];
      out_ += kDigits[c & 15];
    } else {
      out_.append(value.data(), length);
    }
    value.remove_prefix(length == 0 ? 1 : length);
  }
  out_ += '"';
  return *this;
}

std::string valid_utf8(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = character_at(text);
    if (length == 0) {
      out += "\xef\xbf\xbd";
    } else {
      out.append(text.data(), length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

}  // namespace lodestar::serve
