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

volatile std::sig_atomic_t interrupt_seen = 0;

}  // namespace

void install_signal_handlers() {
  for (const int which : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
    // An ignored signal (nohup) stays ignored.
    if (std::signal(which, remove_and_end) == SIG_IGN) std::signal(which, SIG_IGN);
  }
  std::signal(SIGXFSZ, SIG_IGN);
}

KeepOnInterrupt::KeepOnInterrupt() {
  interrupt_seen = 0;
  for (const int which : {SIGINT, SIGTERM}) {
    std::signal(which, [](int) {
      interrupt_seen = 1;
      install_signal_handlers();  // the next one ends the program
    });
  }
}
bool KeepOnInterrupt::interrupted() {
  return interrupt_seen != 0;
}

}  // namespace lodestar::cli
