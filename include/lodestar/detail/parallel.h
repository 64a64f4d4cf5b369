// Runs a loop on several threads.
//
//   parallel_for(queries.size(), threads, [&](std::size_t i, std::size_t worker) {
//     results[i] = searchers[worker].run(queries[i]);
//   });
//
// Calls body(index, worker) for index 0 … count-1. Worker 0 is the caller's thread. The assignment
// of indices to workers varies, so store results by index. The first exception ends the loop and
// reaches the caller when all threads have stopped; exceptions of the caller's thread have
// priority. All threads check the caller's StopScope (stop.h).
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "lodestar/detail/stop.h"

namespace lodestar {

// The number of threads to use; 0 stands for all cores.
inline unsigned thread_count(unsigned threads) {
  return threads > 0 ? threads : std::max(1u, std::thread::hardware_concurrency());
}

// `poll` is called on the caller's thread every few milliseconds while it waits for the other
// threads. It may throw.
template <class Body, class Poll>
void parallel_for(std::size_t count, unsigned threads, Body&& body, Poll&& poll) {
  const std::size_t workers = std::min<std::size_t>(thread_count(threads), count);
  // Blocks of items reduce contention on the counter; few items are assigned singly.
  const std::size_t block = std::clamp<std::size_t>(count / (64 * workers + 1), 1, 16);
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  bool callers_own = false;  // the failure
  std::size_t running = 0;
  std::mutex mutex;
  std::condition_variable one_ended;
  const auto fail = [&](std::size_t worker) {
    const std::lock_guard lock(mutex);
    // When a StopScope ends the loop, the others merely throw Stopped; what its function threw on
    // the caller's thread says why.
    if (!failure || (worker == 0 && !callers_own)) failure = std::current_exception();
    callers_own = callers_own || worker == 0;
    next = count;
  };
  const auto work = [&](std::size_t worker) {
    try {
      for (std::size_t begin; (begin = next.fetch_add(block)) < count;) {
        check_stop();
        const std::size_t end = std::min(begin + block, count);
        for (std::size_t i = begin; i < end; ++i) body(i, worker);
      }
    } catch (...) {
      fail(worker);
    }
  };
  std::vector<std::jthread> others;
  others.reserve(workers);
  for (std::size_t worker = 1; worker < workers; ++worker) {
    {
      const std::lock_guard lock(mutex);
      ++running;
    }
    try {
      others.emplace_back([&, worker, scope = StopScope::current()] {
        const StopScope::Share share(scope);
        work(worker);
        const std::lock_guard lock(mutex);
        --running;
        one_ended.notify_one();
      });
    } catch (const std::system_error&) {  // the system allows no more threads
      const std::lock_guard lock(mutex);
      --running;
      break;
    }
  }
  if (count > 0) work(0);
  std::unique_lock lock(mutex);
  while (running > 0) {
    one_ended.wait_for(lock, std::chrono::milliseconds(5));
    if (running == 0) break;
    lock.unlock();
    try {
      check_stop();
      poll();
    } catch (...) {
      fail(0);
    }
    lock.lock();
  }
  lock.unlock();
  others.clear();  // joins
  if (failure) std::rethrow_exception(failure);
}

template <class Body>
void parallel_for(std::size_t count, unsigned threads, Body&& body) {
  parallel_for(count, threads, body, [] {});
}

}  // namespace lodestar
