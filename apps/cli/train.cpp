// `lodestar train`: handed over to the program that has torch; see learn/train.cpp.
#include "learning.h"
#include "verbs.h"

namespace lodestar::cli {

void add_train(CLI::App& program, int*) {
  add_learning_verb(program, "train", "Learn a heuristic for a family of graphs");
}

}  // namespace lodestar::cli
