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
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "lodestar/metrics.h"

namespace lodestar::formats {

// The size in bytes, a multiple of 64. There must be metrics.
std::uint64_t metrics_bytes(const Metrics& metrics, std::size_t arcs);
// out: metrics_bytes() zero bytes.
void store_metrics(const Metrics& metrics, std::size_t arcs, char* out);
// The result uses `image`, which `keeper` keeps alive. Throws Error with `file` if it is malformed.
Metrics load_metrics(std::string_view image, std::shared_ptr<const void> keeper, std::size_t arcs,
                     const std::string& file);

}  // namespace lodestar::formats
