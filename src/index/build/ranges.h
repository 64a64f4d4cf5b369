// Stores the paths of all shortcuts such that the two halves of a shortcut share its range.
#pragma once

#include <cstdint>
#include <vector>

#include "index/data.h"

namespace lodestar::index {

// The middle node of each arc (kNoNode if it is an arc of the graph) and the number of arcs of the
// graph it represents, by side and arc. Needed only while building.
struct ArcMiddles {
  std::vector<NodeId> middle[2];
  std::vector<std::uint32_t> hops[2];
};

struct Ranges {
  std::vector<ShortcutBlock> shortcuts[2];
  std::vector<std::byte> ranges[2];  // of shortcuts
  std::uint32_t count[2] = {};
  unsigned width = 4;
  OwnedIds words;
  PathRanges view(int side) const { return {ranges[side].data(), count[side], width}; }
};

// Throws Error if there are more than 2^31 words.
template <class W>
Ranges lay_out_ranges(const Data& data, const ArcMiddles& middles);

}  // namespace lodestar::index
