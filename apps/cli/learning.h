// The way to the verbs that need torch: lodestar-learn, which lies beside this program when it was
// built with torch.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace lodestar::cli {

// Adds a verb that is handed over with all its arguments, --help too.
void add_learning_verb(CLI::App& program, const std::string& name, const std::string& description);

}  // namespace lodestar::cli
