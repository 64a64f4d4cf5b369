// The number of a searcher's current run. A label carries the number of the run that wrote it; a
// label with another number is outdated, so nothing is cleared between runs.
#pragma once

#include <cstdint>

namespace lodestar::detail {

struct RunNumberAccess;  // defined by tests, which cannot wait for 2^32 runs

class RunNumber {
 public:
  // Begins the next run. New labels carry 0, which is the number of no run. After 2^32 runs the
  // numbers repeat and outdated labels would look current: clear() must set the numbers of all
  // labels to 0.
  template <class Clear>
  void next(Clear&& clear) {
    if (number_++ < last_) return;
    clear();
    number_ = 1;
  }
  operator std::uint32_t() const { return number_; }

 private:
  friend struct RunNumberAccess;
  inline static std::uint32_t last_ = UINT32_MAX;
  std::uint32_t number_ = 0;
};

}  // namespace lodestar::detail
