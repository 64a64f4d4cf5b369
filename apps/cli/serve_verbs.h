// The verbs that are there where the server could be built (LODESTAR_SERVE).
#pragma once

#include "verbs.h"

namespace lodestar::cli {

void add_serve(CLI::App& program, int* status);
void add_view(CLI::App& program, int* status);

}  // namespace lodestar::cli
