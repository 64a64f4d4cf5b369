// Forwards verbs to the programs installed beside this one that link torch or MPI. The rest starts
// at once and runs without either.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "verb.h"

namespace lodestar::cli {

// Replaces this process by that program. Throws Error, with `why_missing`, if it is not installed.
[[noreturn]] void hand_over(const std::string& program, const std::string& verb,
                            const std::vector<std::string>& arguments,
                            const std::string& why_missing);

// Adds a verb all of whose arguments, --help too, are given to `run`.
void add_handed_over_verb(Verb& program, const std::string& name, const std::string& text,
                          const std::string& group,
                          const std::function<void(const std::vector<std::string>&)>& run);

}  // namespace lodestar::cli
