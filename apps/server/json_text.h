// JSON written straight into a string: an answer is a few hundred bytes, and a tree of values
// costs more than the search.
//
//   JsonText json;
//   json.open('{').key("code").text("Ok").key("cost").number(3.5).close('}');
//   use(json.take());
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lodestar::serve {

class JsonText {
 public:
  JsonText& open(char bracket);          // { or [
  JsonText& close(char bracket);         // } or ]
  JsonText& key(std::string_view name);  // plain: no character that needs escaping
  JsonText& number(double value);        // null when it is not finite
  JsonText& whole(std::uint64_t value);
  JsonText& truth(bool value);
  JsonText& null();
  JsonText& text(std::string_view value);  // bytes that are no UTF-8 become U+FFFD
  JsonText& raw(std::string_view json);    // JSON already

  // Digits behind the point at most: coordinates and lengths.
  JsonText& rounded(double value, int digits);

  std::string take() { return std::move(out_); }
  std::string& out() { return out_; }

 private:
  void comma();
  std::string out_;
  bool need_comma_ = false;
};

// `text` with every byte that belongs to no UTF-8 character replaced by U+FFFD.
std::string valid_utf8(std::string_view text);

}  // namespace lodestar::serve
