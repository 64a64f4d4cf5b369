// The file of an index (.lsi), which stores its arrays as in memory.
//
//   header, 256 bytes
//   place, original                 [n] ids of 2 to 4 bytes each
//   first, arcs, shortcuts, ranges, [n + 1] u32; [m] arcs of 1 to 8 or 16 bytes; with paths
//   by side                         blocks of 64 bits and a count, and 3 to 5 bytes per shortcut
//   words                           ids of 2 to 4 bytes
//   potentials                      [core][row] i32
//   core distances                  [core][core] of 4 or 8 bytes; with paths u8 each
//   labels, by side                 [n] u32; a header or item of 8 or 12 bytes; with paths
//                                   u8 per header and item
//
// Each array begins at a multiple of 64 bytes; gaps are zero. Little-endian. Ids and narrow arcs
// are followed by zeros that wide loads may read (narrow.h).
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
