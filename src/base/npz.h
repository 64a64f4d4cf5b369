// Writes arrays for numpy: an .npz file is a zip archive of .npy members.
//
//   NpzWriter out("samples.npz");
//   out.add("A", {count, n, n}, std::span<const float>(values));
//   out.close();
//
// Members are not compressed, because random weights do not compress. Files are limited to 4 GB.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lodestar/atomic_file.h"

namespace lodestar {

// The content of an .npy file of doubles.
std::string npy_bytes(const std::vector<std::size_t>& shape, std::span<const double> values);

class NpzWriter {
 public:
  // The file appears with close(). Throws Error if it cannot be written.
  explicit NpzWriter(std::string path);
  void add(const std::string& name, const std::vector<std::size_t>& shape,
           std::span<const float> values);
  void add(const std::string& name, const std::vector<std::size_t>& shape,
           std::span<const std::int32_t> values);
  void close();

 private:
  struct Member {
    std::string name;
    std::uint32_t crc;
    std::uint32_t size;
    std::uint32_t offset;
  };
  void add_bytes(const std::string& name, const char* type, const std::vector<std::size_t>& shape,
                 std::span<const std::byte> bytes);

  std::string path_;
  AtomicFile out_;
  std::uint64_t written_ = 0;
  std::vector<Member> members_;
};

}  // namespace lodestar
