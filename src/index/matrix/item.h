// A distance to a key: a node of the core, or a hub below it. What labels and climbs consist of.
#pragma once

#include <cstdint>

#include "index/core_distances.h"
#include "lodestar/types.h"

namespace lodestar::index {

template <class W>
struct Item {
  std::uint32_t key = 0;
  W distance = 0;
  friend bool operator==(const Item&, const Item&) = default;
};

}  // namespace lodestar::index
