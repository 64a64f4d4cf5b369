// A function of the numbers first … last - 1, as a range. Views of the standard library do the
// same, but clang 14 does not compile those of libstdc++ 12.
#pragma once

#include "lodestar/types.h"

namespace lodestar::requests {

template <class F>
class MappedRange {
 public:
  MappedRange(ArcIndex first, ArcIndex last, F f) : first_(first), last_(last), f_(f) {}

  class iterator {
   public:
    iterator(ArcIndex at, const F* f) : at_(at), f_(f) {}
    auto operator*() const { return (*f_)(at_); }
    iterator& operator++() {
      ++at_;
      return *this;
    }
    bool operator==(const iterator& other) const { return at_ == other.at_; }

   private:
    ArcIndex at_;
    const F* f_;
  };
  iterator begin() const { return {first_, &f_}; }
  iterator end() const { return {last_, &f_}; }

 private:
  ArcIndex first_, last_;
  F f_;
};

}  // namespace lodestar::requests
