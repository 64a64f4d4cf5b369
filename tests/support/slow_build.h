// Whether this build is several times as slow as usual: sanitizers, or counters of tools/coverage.
#pragma once

#include <cstdlib>

namespace lodestar::testing {

inline bool slow_build() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return true;
#else
  return std::getenv("LODESTAR_SLOW_BUILD") != nullptr;
#endif
}

}  // namespace lodestar::testing
