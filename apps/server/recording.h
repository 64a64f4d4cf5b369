// One page that needs no server: the viewer with a comparison recorded into it.
//
//   write(recorded_page(world, live, methods, {s, t}, {"dijkstra", "learned"}));
#pragma once

#include <string>
#include <vector>

#include "methods.h"
#include "request_context.h"

namespace lodestar::server {

// Throws Refusal when there is no such method.
std::string recorded_page(const World& world, const Snapshot& snapshot, Methods& methods,
                          Query query, const std::vector<std::string>& names);

}  // namespace lodestar::server
