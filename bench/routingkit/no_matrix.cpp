// A build without RoutingKit.
#include "bench/competitors/routingkit_matrix.h"

namespace lodestar::bench {

std::unique_ptr<PinnedMatrix> routingkit_matrix(const Graph&) {
  return nullptr;
}

}  // namespace lodestar::bench
