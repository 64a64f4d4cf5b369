// Estimates of memory and build time printed by `info`.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "lodestar/index_estimate.h"

namespace lodestar::cli {

nlohmann::ordered_json estimate_facts(const IndexCosts& estimate);
// The same as text, one line per kind of index, each after `indent`.
std::string describe_estimate(const IndexCosts& estimate, NodeId nodes, const std::string& indent);

nlohmann::ordered_json query_times_facts(const QueryTimes& times);
std::string describe_query_times(const QueryTimes& times);
// What a user should know of an index that does not help.
std::vector<std::string> index_notes(const IndexFacts& facts, const QueryTimes& times);

}  // namespace lodestar::cli
