// lodestar-learn: the verbs that need torch, in a program of their own because loading torch takes
// a third of a second. `lodestar train` and `lodestar tune` start it.
#include <malloc.h>

#include "../program.h"
#include "../verbs.h"

namespace {

constexpr lodestar::cli::AddVerb kVerbs[] = {
    lodestar::cli::add_train,
    lodestar::cli::add_tune,
};

}  // namespace

int main(int argc, char** argv) {
  return lodestar::cli::run_program(argc, argv, kVerbs);
}
