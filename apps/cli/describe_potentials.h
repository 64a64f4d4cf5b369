// What `info` says about potentials (.lsp).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace lodestar::cli {

// Throws Error when the file is not a sound table.
nlohmann::ordered_json potentials_facts(const std::string& path);
std::string describe_potentials(const std::string& path);  // the same for people

}  // namespace lodestar::cli
