// What the program does when it is told to end.
#pragma once

namespace lodestar::cli {

// SIGINT, SIGTERM, SIGHUP and SIGPIPE remove the temporary files, then end the program as ever. A
// limit on the size of files becomes an error of writing instead of a death without a word.
void install_signal_handlers();

}  // namespace lodestar::cli
