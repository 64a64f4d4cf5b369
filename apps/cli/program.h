// The main function of every program here: parses the command line, runs the verb, and turns
// exceptions into a line on stderr and an exit code.
#pragma once

#include <span>

#include "verbs.h"

namespace lodestar::cli {

int run_program(int argc, char** argv, std::span<const AddVerb> verbs);

}  // namespace lodestar::cli
