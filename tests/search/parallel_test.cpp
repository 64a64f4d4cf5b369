#include "lodestar/detail/parallel.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>
#include <stdexcept>

namespace lodestar::parallel_test {
namespace {

TEST(Parallel, EveryIndexOnceOnWorkersThereAre) {
  for (const std::size_t count : {0, 1, 2, 7, 64, 1000, 5001}) {
    for (const unsigned threads : {1u, 2u, 3u, 8u}) {
      std::vector<std::atomic<int>> seen(count);
      std::atomic<std::size_t> largest{0};
      parallel_for(count, threads, [&](std::size_t i, std::size_t worker) {
        ++seen[i];
        for (std::size_t old = largest;
             worker > old && !largest.compare_exchange_weak(old, worker);) {
        }
      });
      for (const auto& times : seen) ASSERT_EQ(times, 1);
      EXPECT_LT(largest, threads);
    }
  }
}

TEST(Parallel, WorkerZeroIsTheCaller) {
  const auto caller = std::this_thread::get_id();
  std::atomic<int> wrong{0};
  parallel_for(1000, 4, [&](std::size_t, std::size_t worker) {
    wrong += (worker == 0) != (std::this_thread::get_id() == caller);
  });
  EXPECT_EQ(wrong, 0);
}

// Whichever thread throws, the caller gets it, the others stop, and no thread is left running.
TEST(Parallel, ExceptionsReachTheCaller) {
  for (const unsigned threads : {1u, 2u, 8u}) {
    for (const std::size_t bad : {0, 1, 500, 999}) {
      std::atomic<int> running{0};
      const auto run = [&] {
        parallel_for(1000, threads, [&](std::size_t i, std::size_t) {
          ++running;
          if (i == bad) {
            --running;
            throw std::out_of_range("item " + std::to_string(i));
          }
          --running;
        });
      };
      try {
        run();
        FAIL() << "nothing was thrown";
      } catch (const std::out_of_range& error) {
        EXPECT_EQ(error.what(), "item " + std::to_string(bad));
      }
      EXPECT_EQ(running, 0);
    }
  }
  std::atomic<int> done{0};
  EXPECT_THROW(parallel_for(1'000'000, 4,
                            [&](std::size_t, std::size_t) {
                              ++done;
                              throw 7;
                            }),
               int);
  EXPECT_LE(done, 4);  // each worker at most once
}

// Two items, one for each of two threads: neither continues before the other has begun.
struct Meeting {
  std::atomic<int> there{0};
  void wait() {
    ++there;
    while (there < 2) std::this_thread::yield();
  }
};

TEST(Parallel, PollsWhileItWaits) {
  const auto caller = std::this_thread::get_id();
  Meeting meeting;
  std::atomic<bool> told{false};
  parallel_for(
      2, 2,
      [&](std::size_t, std::size_t worker) {
        meeting.wait();
        while (worker != 0 && !told) std::this_thread::yield();  // until a poll tells it to end
      },
      [&] {
        EXPECT_EQ(std::this_thread::get_id(), caller);
        told = true;
      });
  EXPECT_TRUE(told);
}

TEST(Parallel, AThrowingPollReachesTheCaller) {
  Meeting meeting;
  std::atomic<bool> told{false};
  EXPECT_THROW(parallel_for(
                   2, 2,
                   [&](std::size_t, std::size_t worker) {
                     meeting.wait();
                     while (worker != 0 && !told) std::this_thread::yield();
                   },
                   [&] {
                     told = true;
                     throw std::runtime_error("enough");
                   }),
               std::runtime_error);
}

TEST(Parallel, ZeroStandsForAllProcessors) {
  EXPECT_EQ(thread_count(3), 3u);
  EXPECT_GE(thread_count(0), 1u);
}

}  // namespace
}  // namespace lodestar::parallel_test
