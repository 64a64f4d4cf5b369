// The requests of `bench requests`: the same queries with preferences of several kinds.
#pragma once

#include <string>
#include <vector>

#include "requests/engine.h"

namespace lodestar::bench {

struct Request {
  Query query;
  Preferences wish;
  Cost cost = 0;  // by the search without potentials
};

struct RequestKind {
  std::string name;
  std::vector<Request> requests;
  bool blend = false;  // a blend and nothing else
  bool departs = false;
};

// `plain` answers without potentials, at a time of departure if it has travel times. `metrics` are
// those of the potentials.
std::vector<RequestKind> draw_requests(requests::RequestEngine& plain, bool with_departure,
                                       std::span<const std::string> metrics, std::size_t count,
                                       std::uint64_t seed);

// Factors of the rush hours for the classes of generated and imported roads.
std::string rush_hours(const Metrics& metrics);

}  // namespace lodestar::bench
