// The texts of maxheight, maxwidth and maxweight as numbers.
#pragma once

#include <optional>
#include <string_view>

namespace lodestar::osm {

// Metres ("4.5", "4.5 m", "14'6\"", "14 ft 6 in") or tonnes ("7.5", "7500 kg", "8 st"). Infinity if
// the text says that there is no limit or none is signed; nothing if it is not understood. Of a
// list such as "3.5;7.5" the smallest counts.
std::optional<float> limit_in_metres(std::string_view text);
std::optional<float> limit_in_tonnes(std::string_view text);

}  // namespace lodestar::osm
