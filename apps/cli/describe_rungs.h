// What `info` says of the rungs of the ladder: table, core, labels.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "lodestar/rungs.h"

namespace lodestar::cli {

nlohmann::ordered_json rung_facts(const RungCosts& rungs);
// The same for people, one line a rung, each after `indent`.
std::string describe_rungs(const RungCosts& rungs, NodeId nodes, const std::string& indent);

}  // namespace lodestar::cli
