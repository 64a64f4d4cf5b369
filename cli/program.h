// What every program of the project does: parse the verbs, run one, turn exceptions into messages
// and exit codes. The only catch.
#pragma once

#include <span>

#include "verbs.h"

namespace lodestar::cli {

int run_program(int argc, char** argv, std::span<const AddVerb> verbs);

}  // namespace lodestar::cli
