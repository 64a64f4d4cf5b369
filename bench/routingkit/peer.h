// RoutingKit's hierarchies as methods like our own. Never vendored: built only when its folder is
// given (-DLODESTAR_ROUTINGKIT=/path).
#pragma once

#include "bench/harness/method.h"
#include "bench/harness/traffic.h"

namespace lodestar::bench {

// Weights of the graph must be whole numbers below 2^31 - 1, and so must distances.
bench::Method routingkit_ch();
// With the order of its own inertial flow; nothing on a graph without coordinates.
bench::Method routingkit_cch();

// After a change of weights: a new CH; the CCH customised, and pruned by its perfect witness
// search.
bench::TrafficMethod routingkit_ch_traffic();
bench::TrafficMethod routingkit_cch_traffic();

}  // namespace lodestar::bench
