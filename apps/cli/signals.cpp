#include "signals.h"

#include <csignal>

#include "lodestar/atomic_file.h"

namespace lodestar::cli {
namespace {

extern "C" void remove_and_end(int which) {
  remove_temporary_files();
  std::signal(which, SIG_DFL);
  std::raise(which);
}

}  // namespace

void install_signal_handlers() {
  for (const int which : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
    // Who is told to ignore it (nohup) goes on doing so.
    if (std::signal(which, remove_and_end) == SIG_IGN) std::signal(which, SIG_IGN);
  }
  std::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace lodestar::cli
