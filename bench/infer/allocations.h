// How often the heap was asked for memory, by any thread, since the program started.
#pragma once

#include <cstdint>

namespace lodestar::bench {

std::uint64_t allocations();

}  // namespace lodestar::bench
