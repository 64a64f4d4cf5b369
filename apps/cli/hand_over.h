// Verbs of other programs that lie beside this one: what needs torch or MPI is kept apart, so that
// the rest starts at once and runs without either.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

namespace lodestar::cli {

// Becomes that program. Throws Error, with `why_missing`, when it is not there.
[[noreturn]] void hand_over(const std::string& program, const std::string& verb,
                            const std::vector<std::string>& arguments,
                            const std::string& why_missing);

// Adds a verb all of whose arguments, --help too, are given to `run`.
void add_handed_over_verb(CLI::App& program, const std::string& name,
                          const std::string& description,
                          const std::function<void(const std::vector<std::string>&)>& run);

}  // namespace lodestar::cli
