// Worker threads with a bounded queue.
//
//   JobQueue jobs(2, 64);
//   if (!jobs.add([] { … })) refuse_as_busy();
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace lodestar::server {

class JobQueue {
 public:
  JobQueue(unsigned threads, std::size_t longest);
  ~JobQueue() { end(); }
  JobQueue(const JobQueue&) = delete;
  JobQueue& operator=(const JobQueue&) = delete;

  // Returns false if the queue is full or ended; the job is then not taken. Jobs must not throw.
  bool add(std::function<void()> job);
  void end();  // finishes running jobs, drops waiting ones

 private:
  void work();
  std::mutex mutex_;
  std::condition_variable condition_;
  std::deque<std::function<void()>> waiting_;
  std::size_t longest_;
  bool ended_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace lodestar::server
