// What `info` says about a potential table (.lsp).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace lodestar::cli {

// Throws Error when the file is not a sound table.
nlohmann::ordered_json table_facts(const std::string& path);
std::string describe_table(const std::string& path);  // the same for people

}  // namespace lodestar::cli
