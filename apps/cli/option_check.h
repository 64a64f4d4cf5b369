// The table of option_rules.h, made to hold.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace lodestar::cli {

// `name` as in the table: "solve", "bench static". The check runs before the verb does, and throws
// Error.
void check_options(CLI::App& verb, const std::string& name);

// The rows of an option as a manual says them: "only with --heuristic constant".
std::vector<std::string> rules_in_words(const std::string& verb, const std::string& option);

}  // namespace lodestar::cli
