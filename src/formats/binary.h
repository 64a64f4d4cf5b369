// The layout of the binary format .lsg, which stores the arrays of a Graph as in memory.
//
//   header, padded to 128 bytes
//   first  [n + 1] u32          forward rows
//   arcs   [m] StoredArc        head u32 and weight f32, or head u32, 4 zero bytes, weight f64
//   first, arcs                 backward rows, unless the graph is symmetric
//   points [n] 2 × f64          if there are coordinates
//   names                       cells [n] u32; or first [n + 1] u64, by_name [n] u32, text
//   shape                       version 2, optional in 3: lines, streets and ids, see below
//   metrics                     version 3, to the end: see below
//
// Each array begins at a multiple of 64 bytes; gaps are zero. Numbers are little-endian; big-endian
// machines reject the file.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "lodestar/graph_io.h"
#include "lodestar/metrics.h"
#include "lodestar/shape.h"

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

// Metrics as bytes: the optional last part of a .lsg file of version 3.
//
//   header, 64 bytes: arcs u64, metrics u32, classes u32, kinds u32, flags u32, letters u64; zeros
//   metrics  [r] scale f64, bytes of its name u32, of its unit u32, bytes of a weight u32, 0 u32;
//                the first describes the graph's own weights and has 0 bytes a weight
//   classes  [c] bytes of the name u32
//   letters      names and units of the metrics, then names of the classes
//   kinds    [k] classes u64, height f32, width f32, weight f32, 0 u32
//   arc_kind [m] u16          if flag 1 is set
//   columns  [r - 1] [m]      f32 or f64
//
// Each array begins at a multiple of 64 bytes; gaps are zero.
// The size in bytes, a multiple of 64. There must be metrics.
std::uint64_t metrics_bytes(const Metrics& metrics, std::size_t arcs);
// out: metrics_bytes() zero bytes.
void store_metrics(const Metrics& metrics, std::size_t arcs, char* out);
// The result uses `image`, which `keeper` keeps alive. Throws Error with `file` if it is malformed.
Metrics load_metrics(std::string_view image, std::shared_ptr<const void> keeper, std::size_t arcs,
                     const std::string& file);

// A Shape as bytes: the optional last part of a .lsg file.
//
//   header, 64 bytes: how many nodes, arcs, segments, points, streets, letters, remarks; flags
//   arc_segment [m] u32, arc_duration [m] u32, segment_length [s] u32, segment_street [s] u32,
//   segment_way [s] i64, first_point [s + 1] u64, points [p] 2 × i32, first_letter [k + 1] u64,
//   letters, node_id [n] i64, remarks
//
// Details of streets and ids of points were added later. They follow the last letter as one more
// street that no segment refers to, so older programs can still read the file.
//
//   header, 64 bytes: how many details, anchors, bytes of steps, entry costs
//   street_detail 4 × u32, anchors i64 and u64, steps
//
// Each array begins at a multiple of 64 bytes; gaps are zero.
// The size in bytes, a multiple of 64; 0 for an empty shape.
std::uint64_t shape_bytes(const Shape& shape);
// out: shape_bytes() zero bytes.
void store_shape(const Shape& shape, char* out);
// The result uses `image`, which `keeper` keeps alive. Throws Error with `file` if it is malformed.
Shape load_shape(std::string_view image, std::shared_ptr<const void> keeper, std::size_t nodes,
                 std::size_t arcs, const std::string& file);

}  // namespace lodestar::formats
