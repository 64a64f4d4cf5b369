#include "learning.h"

#include <cstdlib>

#include "hand_over.h"

namespace lodestar::cli {
namespace {

[[noreturn]] void start_learning(const std::string& verb,
                                 const std::vector<std::string>& arguments) {
  // These are read when the libraries are loaded, so they must be set before. Waiting threads that
  // spin make a 43 µs operation take 15 ms on a busy machine. And every processor with AVX2 uses
  // the same kernels: OpenBLAS otherwise falls back to SSE3 on one it does not know (half the
  // speed), and a model's last bits depend on the kernels.
  setenv("OMP_WAIT_POLICY", "passive", 0);
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx2")) {
    setenv("OPENBLAS_CORETYPE", "Haswell", 0);
    setenv("ATEN_CPU_CAPABILITY", "avx2", 0);
  }
#endif
  hand_over("lodestar-learn", verb, arguments,
            "there is no training here. Debian: install the package lodestar-learn; from source: "
            "./quickstart train installs libtorch and builds it");
}

}  // namespace

void add_learning_verb(CLI::App& program, const std::string& name, const std::string& description) {
  add_handed_over_verb(
      program, name, description,
      [name](const std::vector<std::string>& arguments) { start_learning(name, arguments); });
}

}  // namespace lodestar::cli
