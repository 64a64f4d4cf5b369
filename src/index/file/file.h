// The file of an index (.lsi), which stores its arrays as in memory.
//
//   header, 256 bytes
//   place, original                 [n] u32 each
//   first, arcs, range, length,     [n + 1] u32; [m] arcs of 8 or 16 bytes; with paths
//   by side                         blocks of 64 bits and a count, and u32 and u8 per shortcut
//   words                           u32
//   potentials                      [core][row] i32
//   core distances                  [core][core] of 4 or 8 bytes
//   labels, by side                 [n] u32; a header or item of 8 or 12 bytes; with paths
//                                   u8 per header and item
//
// Each array begins at a multiple of 64 bytes; gaps are zero. Little-endian.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "index/data.h"

namespace lodestar::index {

inline constexpr std::string_view kIndexMagic = "LODEIDX\n";

void save(const Data& data, const std::string& path);

// Checks everything that searches rely on: sizes, checksums and the range of every number. `keeper`
// keeps the bytes alive; `name` appears in errors.
std::shared_ptr<Data> parse(std::string_view image, std::shared_ptr<const void> keeper,
                            const std::string& name);

// Throws Error unless the index was built for the arcs and weights of this graph.
void require_fit(const Data& data, const Graph& graph, const std::string& name);

// Reads an index without its graph.
std::shared_ptr<const Data> read(const std::string& path, bool map = false);

// Sets both checksums of a file image; fuzzers call it to pass the checks.
void seal(std::span<char> image);

}  // namespace lodestar::index
