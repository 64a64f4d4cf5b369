// Estimates of memory and build time printed by `info`.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "lodestar/index_estimate.h"

namespace lodestar::cli {

nlohmann::ordered_json estimate_facts(const IndexCosts& estimate);
// The same as text, one line per kind of index, each after `indent`.
std::string describe_estimate(const IndexCosts& estimate, NodeId nodes, const std::string& indent);

}  // namespace lodestar::cli
