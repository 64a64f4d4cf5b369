#include "json_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

namespace lodestar::server {
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
  const bool plain = std::all_of(value.begin(), value.end(), [](char c) {
    return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
  });
  if (!plain) {
    return raw(
        nlohmann::json(value).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  }
  comma();
  out_ += '"';
  out_ += value;
  out_ += '"';
  return *this;
}

bool is_utf8(std::string_view text) {
  try {
    static_cast<void>(nlohmann::json(text).dump());
    return true;
  } catch (const nlohmann::json::type_error&) {
    return false;
  }
}

}  // namespace lodestar::server
