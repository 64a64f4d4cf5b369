// What the program does when it receives a signal.
#pragma once

namespace lodestar::cli {

// SIGINT, SIGTERM, SIGHUP and SIGPIPE remove the temporary files, then end the program as usual. A
// limit on the size of files becomes a write error instead of a signal.
void install_signal_handlers();

// While it lives, SIGINT and SIGTERM end the training instead of the program: the best so far is
// saved. A second signal ends the program.
class KeepOnInterrupt {
 public:
  KeepOnInterrupt();
  ~KeepOnInterrupt() { install_signal_handlers(); }
  static bool interrupted();
};

}  // namespace lodestar::cli
