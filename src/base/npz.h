// Arrays of numpy: an .npz file is a zip archive of .npy members.
//
//   NpzWriter out("samples.npz");
//   out.add("A", {count, n, n}, std::span<const float>(values));
//   out.close();
//   const NpyArray a = read_npz_array(read_entire_file("samples.npz"), "A", "samples.npz");
//
// Members are written uncompressed, because random weights do not compress, and read with or
// without compression. Files are limited to 4 GB.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lodestar/atomic_file.h"

namespace lodestar {

// The content of an .npy file of doubles.
std::string npy_bytes(const std::vector<std::size_t>& shape, std::span<const double> values);

struct NpyArray {
  std::vector<std::size_t> shape;
  std::vector<double> values;  // the last index changes fastest
};

// The array `name` of an .npz file with these bytes: numbers of 4 or 8 bytes, or bool, in C order,
// little-endian. Throws Error, naming `where`, if it is missing or damaged.
NpyArray read_npz_array(std::string_view bytes, const std::string& name, const std::string& where);

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
