// A disk without room: while it lives, no file of this process grows beyond `bytes`.
#pragma once

#include <signal.h>
#include <sys/resource.h>

#include <cstdint>

namespace lodestar::testing {

class FullDisk {
 public:
  explicit FullDisk(std::uint64_t bytes) {
    ::signal(SIGXFSZ, SIG_IGN);  // an error of writing, as on a full disk
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() { ::setrlimit(RLIMIT_FSIZE, &before_); }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit before_{};
};

}  // namespace lodestar::testing
