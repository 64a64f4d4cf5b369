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
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "lodestar/shape.h"

namespace lodestar::formats {

// The size in bytes, a multiple of 64; 0 for an empty shape.
std::uint64_t shape_bytes(const Shape& shape);
// out: shape_bytes() zero bytes.
void store_shape(const Shape& shape, char* out);
// The result uses `image`, which `keeper` keeps alive. Throws Error with `file` if it is malformed.
Shape load_shape(std::string_view image, std::shared_ptr<const void> keeper, std::size_t nodes,
                 std::size_t arcs, const std::string& file);

}  // namespace lodestar::formats
