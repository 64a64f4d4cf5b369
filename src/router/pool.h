// A thread-safe pool of reusable objects, each used by one thread at a time.
//
//   const auto searcher = pool.borrow([&] { return std::make_unique<Searcher>(graph); });
//   searcher->run_all(s);                              // returned to the pool at end of scope
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace lodestar::detail {

template <class T>
class Pool {
 public:
  // Null if none is free.
  std::unique_ptr<T> take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return nullptr;
    std::unique_ptr<T> one = std::move(free_.back());
    free_.pop_back();
    return one;
  }
  // Destroys the object if there is no memory to keep it.
  void give_back(std::unique_ptr<T> one) noexcept {
    try {
      const std::lock_guard lock(mutex_);
      free_.push_back(std::move(one));
    } catch (...) {
    }
  }

  class Borrowed {
   public:
    Borrowed(Pool& pool, std::unique_ptr<T> one) : pool_(pool), one_(std::move(one)) {}
    ~Borrowed() { pool_.give_back(std::move(one_)); }
    Borrowed(const Borrowed&) = delete;
    Borrowed& operator=(const Borrowed&) = delete;
    T& operator*() const { return *one_; }
    T* operator->() const { return one_.get(); }

   private:
    Pool& pool_;
    std::unique_ptr<T> one_;
  };

  template <class Make>
  Borrowed borrow(Make&& make) {
    std::unique_ptr<T> one = take();
    if (!one) one = make();
    return Borrowed(*this, std::move(one));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<T>> free_;
};

}  // namespace lodestar::detail
