#include "job_queue.h"

#include <algorithm>

namespace lodestar::server {

JobQueue::JobQueue(unsigned threads, std::size_t longest) : longest_(longest) {
  for (unsigned i = 0; i < std::max(1u, threads); ++i) {
    threads_.emplace_back([this] { work(); });
  }
}

bool JobQueue::add(std::function<void()> job) {
  {
    const std::lock_guard lock(mutex_);
    if (ended_ || waiting_.size() >= longest_) return false;
    waiting_.push_back(std::move(job));
  }
  condition_.notify_one();
  return true;
}

void JobQueue::end() {
  std::deque<std::function<void()>> forgotten;
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    forgotten.swap(waiting_);
  }
  condition_.notify_all();
  for (std::thread& thread : threads_) {
    if (thread.joinable()) thread.join();
  }
}

void JobQueue::work() {
  for (;;) {
    std::function<void()> job;
    {
      std::unique_lock lock(mutex_);
      condition_.wait(lock, [&] { return ended_ || !waiting_.empty(); });
      if (ended_) return;
      job = std::move(waiting_.front());
      waiting_.pop_front();
    }
    job();
  }
}

}  // namespace lodestar::server
