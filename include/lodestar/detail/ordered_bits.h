// Floating-point numbers as unsigned integers of the same order, so that a heap compares integers.
#pragma once

#include <bit>
#include <cstdint>

namespace lodestar::detail {

// Flips the sign bit of positive numbers and all bits of negative ones. Adding 0 turns -0 into 0.
// Clearing low bits of the result rounds down, for both signs.
inline std::uint64_t ordered_bits(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x + 0.0);
  return bits ^ ((0 - (bits >> 63)) | (std::uint64_t{1} << 63));
}
inline double from_ordered_bits(std::uint64_t bits) {
  return std::bit_cast<double>(bits ^ (((bits >> 63) - 1) | (std::uint64_t{1} << 63)));
}
inline std::uint32_t ordered_bits(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x + 0.0f);
  return bits ^ ((0 - (bits >> 31)) | (std::uint32_t{1} << 31));
}
inline float from_ordered_bits(std::uint32_t bits) {
  return std::bit_cast<float>(bits ^ (((bits >> 31) - 1) | (std::uint32_t{1} << 31)));
}

}  // namespace lodestar::detail
