// The Hilbert curve, which orders points so that neighbours on the curve are close in the plane.
#pragma once

#include <cstdint>
#include <utility>

namespace lodestar {

// The position of the cell (x, y) of a 65536 × 65536 grid on the curve.
inline std::uint32_t hilbert_place(std::uint32_t x, std::uint32_t y) {
  std::uint32_t place = 0;
  for (std::uint32_t side = 1u << 15; side > 0; side /= 2) {
    const std::uint32_t right = (x & side) != 0, up = (y & side) != 0;
    place += side * side * ((3 * right) ^ up);
    if (up == 0) {
      if (right == 1) {
        x = 0xffff - x;
        y = 0xffff - y;
      }
      std::swap(x, y);
    }
  }
  return place;
}

}  // namespace lodestar
