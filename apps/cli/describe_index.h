// What `info` says about an index (.lsi).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "lodestar/index.h"

namespace lodestar::cli {

nlohmann::ordered_json index_facts(const IndexFacts& facts);
// The same as text.
std::string describe_index(const IndexFacts& facts);

}  // namespace lodestar::cli
