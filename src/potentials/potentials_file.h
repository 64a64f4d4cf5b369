// What files of potentials (.lsp) have in common: those of one set of weights and those of a
// family.
#pragma once

#include <cstddef>
#include <cstdio>
#include <memory>
#include <span>

namespace lodestar {

inline constexpr char kFamilyMagic[8] = {'L', 'O', 'D', 'E', 'F', 'A', 'M', '\n'};

struct FileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using OpenFile = std::unique_ptr<std::FILE, FileCloser>;

// For fuzzers, which must pass the checksum.

// Sets the checksum of a file image.
void seal_potentials(std::span<std::byte> image);

}  // namespace lodestar
