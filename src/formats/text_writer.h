// Writes text atomically, compressed if the name ends in .gz or .xz.
//
//   TextWriter out("roads.gr.gz");
//   out.put("a ").put(tail).put(' ').put(weight).put('\n');
//   out.commit();
//
// Numbers have the fewest digits from which the same bits can be read.
#pragma once

#include <charconv>
#include <concepts>
#include <memory>
#include <string>
#include <string_view>

#include "lodestar/atomic_file.h"

namespace lodestar::formats {

class Packer;  // none, gzip or xz

class TextWriter {
 public:
  explicit TextWriter(const std::string& path) : TextWriter(path, path) {}
  // Compressed if `kind` ends in .gz or .xz.
  TextWriter(const std::string& path, const std::string& kind);
  ~TextWriter();

  TextWriter& put(std::string_view text) {
    if (text.size() > kBuffer - buffer_.size()) flush();
    if (text.size() > kBuffer) {
      write(text);
    } else {
      buffer_ += text;
    }
    return *this;
  }
  TextWriter& put(const char* text) { return put(std::string_view(text)); }
  TextWriter& put(char c) { return put(std::string_view(&c, 1)); }
  template <class Number>
  requires std::integral<Number> || std::floating_point<Number> TextWriter& put(Number number) {
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    return put(std::string_view(digits, static_cast<std::size_t>(end - digits)));
  }

  void commit();

 private:
  static constexpr std::size_t kBuffer = std::size_t{1} << 18;
  void flush();
  void write(std::string_view bytes);

  AtomicFile file_;
  std::unique_ptr<Packer> packer_;
  std::string buffer_;
};

}  // namespace lodestar::formats
