// Lower bounds to the target and from the source of one request: a sum of knots, both directions
// at once, because a node's values are in one cache line.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "lodestar/potential_family.h"

namespace lodestar {

struct BothBounds {
  Cost to_target = 0;
  Cost from_source = 0;
};

// The largest rise from `row` to `target` and from `source` to `row` over `count` values, at least
// 0; if `both_ways`, the largest difference.
struct Rises {
  std::int32_t to_target;
  std::int32_t from_source;
};
Rises largest_rises(const std::int32_t* row, const std::int32_t* source, const std::int32_t* target,
                    std::uint32_t count, bool both_ways);
Rises largest_rises(const std::int16_t* row, const std::int16_t* source, const std::int16_t* target,
                    std::uint32_t count, bool both_ways);

class MixedBounds {
 public:
  // The family must outlive it.
  MixedBounds(const PotentialFamily& family, const PotentialFamily::Mix& mix, Query query);

  void prefetch(NodeId v) const {
    for (std::uint32_t i = 0; i < count_; ++i) {
      __builtin_prefetch(terms_[i].rows + std::size_t{v} * terms_[i].row_bytes);
    }
  }
  BothBounds operator()(NodeId v) const {
    BothBounds sum;
    for (std::uint32_t i = 0; i < count_; ++i) {
      const Term& term = terms_[i];
      const Rises rises = term.rises(v);
      sum.to_target += term.factor * term.in_units(rises.to_target);
      sum.from_source += term.factor * term.in_units(rises.from_source);
    }
    return sum;
  }
  Cost to_target(NodeId v) const { return (*this)(v).to_target; }

 private:
  struct Term {
    const std::byte* rows;
    const std::byte* source;  // its row
    const std::byte* target;
    std::uint32_t row_bytes;
    bool wide;
    bool both_ways;  // symmetric
    std::int32_t coarse;
    double factor;  // coefficient · unit, a little less: it must not be rounded up

    Rises rises(NodeId v) const {
      const std::byte* row = rows + std::size_t{v} * row_bytes;
      return wide ? rises_as<std::int32_t>(row) : rises_as<std::int16_t>(row);
    }
    template <class Value>
    Rises rises_as(const std::byte* row) const {
      return largest_rises(
          reinterpret_cast<const Value*>(row), reinterpret_cast<const Value*>(source),
          reinterpret_cast<const Value*>(target), row_bytes / sizeof(Value), both_ways);
    }
    // floor(a/q) - floor(b/q) = d means a - b >= q d - (q - 1); q is 1 with 32 bits.
    double in_units(std::int32_t steps) const {
      return steps > 0 ? static_cast<double>(std::int64_t{steps} * coarse - (coarse - 1)) : 0;
    }
  };

  std::array<Term, PotentialFamily::kMostActive> terms_;
  std::uint32_t count_ = 0;
};

}  // namespace lodestar
