// What `info` says about an index (.lsi).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace lodestar::cli {

// Throws Error when the file is not a sound index.
nlohmann::ordered_json index_facts(const std::string& path);
std::string describe_index(const std::string& path);  // the same for people

}  // namespace lodestar::cli
