// While it lives, standard output is this file, or closed if the path is empty.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <string>

namespace lodestar::testing {

class StandardOutput {
 public:
  explicit StandardOutput(const std::string& path) {
    std::fflush(stdout);
    kept_ = ::dup(STDOUT_FILENO);
    ::close(STDOUT_FILENO);
    if (path.empty()) return;
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file == STDOUT_FILENO) return;
    ::dup2(file, STDOUT_FILENO);
    ::close(file);
  }
  ~StandardOutput() {
    ::dup2(kept_, STDOUT_FILENO);
    ::close(kept_);
  }
  StandardOutput(const StandardOutput&) = delete;
  StandardOutput& operator=(const StandardOutput&) = delete;

 private:
  int kept_ = -1;
};

}  // namespace lodestar::testing
