// Turns a hang into a failure that shows its case.
//
//   Watchdog dog(std::chrono::seconds(60));
//   for (…) {
//     dog.watch([&] { return text_of(plain); });   // a new case, a new minute
//     …
//   }
//
// When a case takes longer, its description goes to stderr and the program ends with status 1. The
// description is made on another thread while the case still runs: it must only read.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

namespace lodestar::testing {

class Watchdog {
 public:
  explicit Watchdog(std::chrono::milliseconds patience)
      : patience_(patience), thread_([this] { keep_watch(); }) {}
  ~Watchdog() {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  void watch(std::function<std::string()> describe) {
    const std::lock_guard lock(mutex_);
    describe_ = std::move(describe);
    ++watched_;
  }

 private:
  void keep_watch() {
    std::unique_lock lock(mutex_);
    std::uint64_t seen = watched_;
    while (!changed_.wait_for(lock, patience_, [&] { return done_; })) {
      if (seen == watched_ && describe_) {
        const std::string text = describe_();
        std::fprintf(stderr, "hangs for more than %lld ms:\n%s\n",
                     static_cast<long long>(patience_.count()), text.c_str());
        std::fflush(stderr);
        std::_Exit(EXIT_FAILURE);
      }
      seen = watched_;
    }
  }

  std::chrono::milliseconds patience_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::function<std::string()> describe_;
  std::uint64_t watched_ = 0;
  bool done_ = false;
  std::thread thread_;  // the last: it starts when all else is there
};

}  // namespace lodestar::testing
