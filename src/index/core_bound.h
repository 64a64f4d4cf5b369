// The lower bound that the potentials of a core node give, in units of the potentials.
//
//   rise: max_i tp_i - f_i, or 0;  both: max_i max(tp_i - f_i, f_i - tm_i), or 0
#pragma once

#include <cstddef>
#include <cstdint>

namespace lodestar::index {

// Potentials per row are padded to a multiple of this: 32 bytes.
inline constexpr std::uint32_t kRowLanes = 8;

std::int32_t rise_bound(const std::int32_t* f, const std::int32_t* tp, std::uint32_t row);
std::int32_t both_bound(const std::int32_t* f, const std::int32_t* tp, const std::int32_t* tm,
                        std::uint32_t row);

}  // namespace lodestar::index
