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
    return usual_ ? usual_sum(terms_.data(), count_, v) : sum(terms_.data(), count_, v);
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
  };
  static constexpr std::uint32_t kUsualBytes = 16 * sizeof(std::int32_t);
  static BothBounds sum(const Term* terms, std::uint32_t count, NodeId v);
  static BothBounds usual_sum(const Term* terms, std::uint32_t count, NodeId v);

  std::array<Term, PotentialFamily::kMostActive> terms_;
  std::uint32_t count_ = 0;
  bool usual_ = true;  // all terms have 16 values of 32 bits
};

}  // namespace lodestar
