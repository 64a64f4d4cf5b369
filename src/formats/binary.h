// The layout of the binary format .lsg, which stores the arrays of a Graph as in memory.
//
//   header, padded to 128 bytes
//   first  [n + 1] u32          forward rows
//   arcs   [m] StoredArc        head u32 and weight f32, or head u32, 4 zero bytes, weight f64
//   first, arcs                 backward rows, unless the graph is symmetric
//   points [n] 2 × f64          if there are coordinates
//   names                       cells [n] u32; or first [n + 1] u64, by_name [n] u32, text
//   shape                       version 2, optional in 3: lines, streets and ids, see shape_image.h
//   metrics                     version 3, to the end: see metrics_image.h
//
// Each array begins at a multiple of 64 bytes; gaps are zero. Numbers are little-endian; big-endian
// machines reject the file.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "lodestar/graph_io.h"

namespace lodestar::formats {

inline constexpr std::string_view kBinaryMagic = "LODESTAR";
inline constexpr std::uint32_t kBinaryVersion = 1;
// With a shape after the names. Programs that support only version 1 reject such files.
inline constexpr std::uint32_t kBinaryVersionWithShape = 2;
// With metrics at the end.
inline constexpr std::uint32_t kBinaryVersionWithMetrics = 3;
inline constexpr std::uint32_t kEndianMark = 0x01020304;

struct BinaryHeader {
  char magic[8];
  std::uint32_t version;
  std::uint32_t endian;
  std::uint64_t file_bytes;
  std::uint64_t arcs;
  std::uint32_t nodes;
  std::uint8_t symmetric;
  std::uint8_t narrow;
  std::uint8_t order;        // ArcOrder
  std::uint8_t coordinates;  // CoordinateKind
  std::uint8_t names;        // NodeNames::Kind
  std::uint8_t zero[3];
  std::uint32_t width;  // of the grid
  std::uint32_t height;
  std::uint32_t shape_blocks;  // of 64 bytes
  std::uint64_t base;          // of numbered names
  std::uint64_t text_bytes;    // of a table of names
  std::uint64_t body_sum;      // checksum of everything after the header
  std::uint64_t header_sum;    // checksum of the header up to here
};
static_assert(sizeof(BinaryHeader) == 88);

inline constexpr std::size_t kHeaderBytes = 128;

// The offset of each array. Sizes follow from the counts of the header.
struct BinaryLayout {
  struct Section {
    std::uint64_t begin = 0;
    std::uint64_t bytes = 0;
  };
  std::array<Section, 2> first;
  std::array<Section, 2> arcs;
  Section points;
  std::array<Section, 3> names;
  Section shape;
  Section metrics;                   // what header.file_bytes leaves
  std::uint64_t end = kHeaderBytes;  // the file's size
};
BinaryLayout binary_layout(const BinaryHeader& header);

// Sets both checksums of a file image. The writer calls it last, and fuzzers to pass the checks.
void seal_binary(std::span<char> image);

}  // namespace lodestar::formats
