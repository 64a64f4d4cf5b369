// Lays out the paths of all arcs so that the halves of a shortcut share its range.
#pragma once

#include <cstdint>
#include <vector>

#include "index/data.h"

namespace lodestar::index {

// What only building needs of an arc: the node it passes over (kNoNode: none) and how many arcs of
// the graph it stands for. By side and arc.
struct ArcMiddles {
  std::vector<NodeId> middle[2];
  std::vector<std::uint32_t> hops[2];
};

struct Ranges {
  std::vector<ShortcutBlock> shortcuts[2];
  std::vector<std::uint32_t> range[2];  // of shortcuts
  std::vector<NodeId> words;
};

// Throws Error when there are more than 2^31 words.
template <class W>
Ranges lay_out_ranges(const Data& data, const ArcMiddles& middles);

}  // namespace lodestar::index
