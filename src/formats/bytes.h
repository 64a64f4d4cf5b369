// The bytes of a file, decompressed if its name ends in .gz or .xz.
//
//   const Bytes bytes = load_bytes("roads.gr.xz");
//   parse(bytes.text());
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace lodestar::formats {

// Shared memory, aligned to at least 16 bytes.
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

// "roads.gr.xz" -> "roads.gr"; other names are unchanged.
std::string without_compression(const std::string& name);

bool file_exists(const std::string& path);

// Reads a file into memory and decompresses it if `kind` ends in .gz or .xz. "-" is standard input.
// The file is not mapped: if another process truncated a mapped file, this process would crash, and
// changes after the checks would go unnoticed.
Bytes load_bytes(const std::string& path, const std::string& kind);

// Memory-maps a file, so that processes share one copy, if only this user or root may write it.
// Otherwise reads it as above. The caller must ensure that files in use are replaced, not changed.
Bytes map_bytes(const std::string& path);
inline Bytes load_bytes(const std::string& path) {
  return load_bytes(path, path);
}

Bytes copy_bytes(std::string_view text);

// Decompresses if `kind` ends in .gz or .xz. A few kilobytes can decompress to terabytes, so above
// 256 MiB the output may be at most 200 times the input (graphs reach about 10), and xz may use at
// most 256 MiB of working memory. Otherwise throws Error.
Bytes unpack(Bytes packed, const std::string& kind, const std::string& name);

}  // namespace lodestar::formats
