// `lodestar generate`: a graph from a specification, the same bytes for the same seed.
#include "lodestar/generate.h"

#include <fmt/core.h>

#include "lodestar/graph_io.h"
#include "verbs.h"

namespace lodestar::cli {

void add_generate(CLI::App& program, int* status) {
  (void)program;
  (void)status;
}

}  // namespace lodestar::cli
