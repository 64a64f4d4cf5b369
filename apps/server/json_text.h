// Writes JSON straight into a string: a response has a few hundred bytes, and building a tree of
// values would take longer than the search.
//
//   JsonText json;
//   json.open('{').key("code").text("Ok").key("cost").number(3.5).close('}');
//   use(json.take());
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lodestar::server {

class JsonText {
 public:
  JsonText& open(char bracket);          // { or [
  JsonText& close(char bracket);         // } or ]
  JsonText& key(std::string_view name);  // without characters that need escaping
  JsonText& number(double value);        // null if it is not finite
  JsonText& whole(std::uint64_t value);
  JsonText& truth(bool value);
  JsonText& null();
  JsonText& text(std::string_view value);  // invalid UTF-8 becomes U+FFFD
  JsonText& raw(std::string_view json);    // appends JSON unchanged

  // A list, with what `write` adds of each value.
  template <class Values, class Write>
  JsonText& list(std::string_view name, const Values& values, const Write& write) {
    key(name).open('[');
    for (const auto& value : values) write(value);
    return close(']');
  }

  // With at most `digits` decimal places, for coordinates and lengths.
  JsonText& rounded(double value, int digits);

  std::string take() { return std::move(out_); }
  std::string& out() { return out_; }

 private:
  void comma();
  std::string out_;
  bool need_comma_ = false;
};

bool is_utf8(std::string_view text);

}  // namespace lodestar::server
