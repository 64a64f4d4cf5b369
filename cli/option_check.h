// The table of option_rules.h, made to hold.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace lodestar::cli {

// `name` as in the table: "solve", "bench static". The check runs before the verb does, and throws
// Error.
void check_options(CLI::App& verb, const std::string& name);

}  // namespace lodestar::cli
