#include "learning.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

#include "lodestar/types.h"
#include "progress.h"

namespace lodestar::cli {
namespace {

[[noreturn]] void start_learning(const std::string& verb,
                                 const std::vector<std::string>& arguments) {
  std::error_code failed;
  const auto own = std::filesystem::read_symlink("/proc/self/exe", failed);
  const std::string program = (own.parent_path() / "lodestar-learn").string();
  if (failed || access(program.c_str(), X_OK) != 0) {
    throw Error("this build has no training: " + program +
                " is not there. ./quickstart train installs libtorch and builds it");
  }
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
  std::vector<std::string> words = {"lodestar-learn", verb};
  words.insert(words.end(), arguments.begin(), arguments.end());
  if (is_quiet()) words.insert(words.begin() + 1, "--quiet");
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execv(program.c_str(), pointers.data());
  throw Error(program + ": cannot be started: " + std::strerror(errno));
}

}  // namespace

void add_learning_verb(CLI::App& program, const std::string& name, const std::string& description) {
  CLI::App* verb = program.add_subcommand(name, description);
  verb->set_help_flag();
  verb->prefix_command();
  verb->callback([verb, name] { start_learning(name, verb->remaining()); });
}

}  // namespace lodestar::cli
