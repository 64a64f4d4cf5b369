// lodestar-learn: the verbs that need torch, in a program of their own because loading torch takes
// a third of a second. `lodestar train` and `lodestar tune` start it.
#include <malloc.h>

#include "../verbs.h"

namespace {

constexpr lodestar::cli::AddVerb kVerbs[] = {
    lodestar::cli::add_train,
    lodestar::cli::add_tune,
};

}  // namespace

int main(int argc, char** argv) {
  // Tensors of a few megabytes come and go at every step: keep their pages instead of mapping and
  // clearing new ones.
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  return lodestar::cli::run_program(argc, argv, kVerbs);
}
