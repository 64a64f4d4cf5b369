// The bytes of a file, unpacked when its name ends in .gz or .xz.
//
//   const Bytes bytes = load_bytes("roads.gr.xz");
//   parse(bytes.text());
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace lodestar::formats {

// Memory that stays while a copy of it is held. Aligned to 16 bytes at least.
class Bytes {
 public:
  Bytes() = default;
  Bytes(std::string_view text, std::shared_ptr<const void> keeper)
      : text_(text), keeper_(std::move(keeper)) {}
  std::string_view text() const { return text_; }
  const std::shared_ptr<const void>& keeper() const { return keeper_; }

 private:
  std::string_view text_;
  std::shared_ptr<const void> keeper_;
};

// "roads.gr.xz" -> "roads.gr"; other names stay.
std::string without_compression(const std::string& name);

bool file_exists(const std::string& path);

// Read into memory, not mapped: a mapped file that another process shortens kills this one, and
// one that it changes makes nonsense of every check.
// "-" is standard input. Unpacked when `kind` says so.
Bytes load_bytes(const std::string& path, const std::string& kind);

// Mapped, so that processes share one copy, where nobody else may write: the file belongs to this
// user or to root, and neither group nor others may change it. Otherwise read, as above. For those
// who asked for it and know that a file in use is replaced, never changed.
Bytes map_bytes(const std::string& path);
inline Bytes load_bytes(const std::string& path) {
  return load_bytes(path, path);
}

Bytes copy_bytes(std::string_view text);

// Unpacks if the kind ends in .gz or .xz. A few kilobytes can unpack to terabytes, so beyond 256
// MiB the output may be at most 200 times the input (graph text reaches about 10), and xz may use
// at most 256 MiB of its own; otherwise Error.
Bytes unpack(Bytes packed, const std::string& kind, const std::string& name);

}  // namespace lodestar::formats
