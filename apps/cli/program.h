// What every program of the project does: parse the verbs, run one, turn exceptions into messages
// and exit codes. Errors end here, as a line on stderr and an exit code.
#pragma once

#include <span>

#include "verbs.h"

namespace lodestar::cli {

int run_program(int argc, char** argv, std::span<const AddVerb> verbs);

}  // namespace lodestar::cli
