// Runs body(index, worker) for index 0 … count-1 on a number of threads. Which worker gets which
// index is not fixed: results must be stored by index.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace lodestar {

template <class Body>
void parallel_for(std::size_t count, std::uint32_t threads, Body&& body) {
  const std::size_t workers = std::min<std::size_t>(std::max(threads, 1u), count);
  std::atomic<std::size_t> next{0};
  const auto work = [&](std::size_t worker) {
    for (std::size_t i = next++; i < count; i = next++) body(i, worker);
  };
  std::vector<std::jthread> others;
  for (std::size_t worker = 1; worker < workers; ++worker) others.emplace_back(work, worker);
  work(0);
}

}  // namespace lodestar
