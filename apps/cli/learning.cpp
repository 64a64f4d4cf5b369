// Forwards `train` and `tune` to lodestar-learn, the program that links torch. It is installed
// beside this one where it was built.
#include <cstdlib>

#include "hand_over.h"
#include "verbs.h"

namespace lodestar::cli {
namespace {

void add_learning_verb(Verb& program, const std::string& name, const std::string& text) {
  add_handed_over_verb(program, name, text, kModelVerbs,
                       [name](const std::vector<std::string>& arguments) {
                         // These are read when the libraries are loaded, so they must be set
                         // before. Waiting threads that spin make a 43 µs operation take 15 ms on a
                         // busy machine. Every processor with AVX2 uses the same kernels: OpenBLAS
                         // otherwise falls back to SSE3 on one it does not know (half the speed),
                         // and a model's last bits depend on the kernels.
                         setenv("OMP_WAIT_POLICY", "passive", 0);
#ifdef __x86_64__
                         if (__builtin_cpu_supports("avx2")) {
                           setenv("OPENBLAS_CORETYPE", "Haswell", 0);
                           setenv("ATEN_CPU_CAPABILITY", "avx2", 0);
                         }
#endif
                         hand_over("lodestar-learn", name, arguments,
                                   "training is not installed. Debian: install the package "
                                   "lodestar-learn; from source: ./quickstart train installs "
                                   "libtorch and builds it");
                       });
}

}  // namespace

void add_train(Verb& program) {
  add_learning_verb(program, "train", "Train a model for a family of graphs");
}
void add_tune(Verb& program) {
  add_learning_verb(program, "tune", "Search for the hyperparameters of training");
}

}  // namespace lodestar::cli
