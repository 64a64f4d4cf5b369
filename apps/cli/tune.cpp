// `lodestar tune`: handed over to the program that has torch; see learn/tune.cpp.
#include "learning.h"
#include "verbs.h"

namespace lodestar::cli {

void add_tune(CLI::App& program, int*) {
  add_learning_verb(program, "tune", "Search for the hyperparameters of training");
}

}  // namespace lodestar::cli
