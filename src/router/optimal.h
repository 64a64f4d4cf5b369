// Whether single queries have the costs of an exact matrix.
#pragma once

#include <cstdint>
#include <limits>

#include "lodestar/router.h"

namespace lodestar {

inline bool answers_optimally(const Router& router) {
  if (router.options().max_expansions < std::numeric_limits<std::uint64_t>::max()) return false;
  switch (router.algorithm().proof) {
    case Proof::kOptimal:
      return true;
    case Proof::kWithinBound:
      return router.options().bound == 0;
    case Proof::kOptimalIfPromised:
      return router.guarantee() == Guarantee::kConsistent;
    default:
      return false;
  }
}

}  // namespace lodestar
