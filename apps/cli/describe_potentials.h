// What `info` says about potentials (.lsp).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace lodestar::cli {

// Throws Error if the file is not valid.
nlohmann::ordered_json potentials_facts(const std::string& path);
std::string describe_potentials(const std::string& path);  // the same as text

}  // namespace lodestar::cli
