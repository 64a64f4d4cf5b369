// What `info` says of the rungs of the ladder: table, core, labels.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "lodestar/index_estimate.h"

namespace lodestar::cli {

nlohmann::ordered_json estimate_facts(const IndexCosts& estimate);
// The same for people, one line a rung, each after `indent`.
std::string describe_estimate(const IndexCosts& estimate, NodeId nodes, const std::string& indent);

}  // namespace lodestar::cli
