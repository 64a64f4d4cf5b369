// Runs items 0 … count-1 on a number of threads. Each thread makes its own worker, and takes items
// in small blocks; what a worker writes to its item's own slot does not depend on the threads.
//
//   parallel_for(queries.size(), threads, [&] { return Solver(plan); },
//                [&](Solver& solver, std::size_t i) { results[i] = solver.solve(queries[i]); });
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace lodestar::cli {

template <class MakeWorker, class Work>
void parallel_for(std::size_t count, unsigned threads, MakeWorker make_worker, Work work) {
  constexpr std::size_t kBlock = 16;
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex failure_mutex;
  const auto loop = [&] {
    try {
      auto worker = make_worker();
      for (std::size_t begin; (begin = next.fetch_add(kBlock)) < count;) {
        for (std::size_t i = begin; i < std::min(begin + kBlock, count); ++i) work(worker, i);
      }
    } catch (...) {
      const std::lock_guard lock(failure_mutex);
      failure = std::current_exception();
      next = count;
    }
  };
  std::vector<std::thread> others;
  const std::size_t useful = std::min<std::size_t>(threads, (count + kBlock - 1) / kBlock);
  for (std::size_t t = 1; t < useful; ++t) others.emplace_back(loop);
  loop();
  for (std::thread& thread : others) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace lodestar::cli
