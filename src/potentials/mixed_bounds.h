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
    BothBounds sum;
    for (std::uint32_t i = 0; i < count_; ++i) terms_[i].add(v, sum);
    return sum;
  }
  Cost to_target(NodeId v) const {
    Cost sum = 0;
    for (std::uint32_t i = 0; i < count_; ++i) sum += terms_[i].to_target(v);
    return sum;
  }

 private:
  typedef std::int32_t Lanes32 __attribute__((vector_size(16)));
  typedef std::int16_t Lanes16 __attribute__((vector_size(16)));

  struct Term {
    const std::byte* rows;
    const std::byte* source;  // its row
    const std::byte* target;
    std::uint32_t row_bytes;
    bool wide;
    bool both_ways;  // symmetric
    std::int32_t coarse;
    double factor;  // coefficient · unit, a little less: it must not be rounded up

    void add(NodeId v, BothBounds& sum) const {
      const std::byte* row = rows + std::size_t{v} * row_bytes;
      std::int32_t to = 0, from = 0;
      if (wide) {
        widest<Lanes32>(row, to, from);
      } else {
        widest<Lanes16>(row, to, from);
        sum.to_target += factor * in_units(to);
        sum.from_source += factor * in_units(from);
        return;
      }
      sum.to_target += factor * to;
      sum.from_source += factor * from;
    }

    Cost to_target(NodeId v) const {
      const std::byte* row = rows + std::size_t{v} * row_bytes;
      return factor * (wide ? widest_to<Lanes32>(row) : in_units(widest_to<Lanes16>(row)));
    }

    // floor(a/q) - floor(b/q) = d means a - b >= q d - (q - 1).
    double in_units(std::int32_t steps) const {
      return steps > 0 ? static_cast<double>(std::int64_t{steps} * coarse - (coarse - 1)) : 0;
    }

    template <class Lanes>
    std::int32_t widest_to(const std::byte* row) const {
      const Lanes* r = reinterpret_cast<const Lanes*>(row);
      const Lanes* t = reinterpret_cast<const Lanes*>(target);
      const std::uint32_t blocks = row_bytes / sizeof(Lanes);
      Lanes most{}, least{};
      for (std::uint32_t k = 0; k < blocks; ++k) {
        const Lanes up = t[k] - r[k];
        most = most > up ? most : up;
        least = least < up ? least : up;
      }
      if (both_ways) most = most > -least ? most : -least;
      std::int32_t to = 0;
      for (std::size_t lane = 0; lane < sizeof(Lanes) / sizeof(Lanes{}[0]); ++lane) {
        to = most[lane] > to ? most[lane] : to;
      }
      return to;
    }

    template <class Lanes>
    void widest(const std::byte* row, std::int32_t& to, std::int32_t& from) const {
      constexpr int kLanes = static_cast<int>(sizeof(Lanes) / sizeof(Lanes{}[0]));
      const Lanes* r = reinterpret_cast<const Lanes*>(row);
      const Lanes* s = reinterpret_cast<const Lanes*>(source);
      const Lanes* t = reinterpret_cast<const Lanes*>(target);
      const std::uint32_t blocks = row_bytes / sizeof(Lanes);
      Lanes most_to{}, most_from{};
      for (std::uint32_t k = 0; k < blocks; ++k) {
        Lanes up = t[k] - r[k], down = r[k] - s[k];
        if (both_ways) {
          up = up > -up ? up : -up;
          down = down > -down ? down : -down;
        }
        most_to = most_to > up ? most_to : up;
        most_from = most_from > down ? most_from : down;
      }
      for (int lane = 0; lane < kLanes; ++lane) {
        to = most_to[lane] > to ? most_to[lane] : to;
        from = most_from[lane] > from ? most_from[lane] : from;
      }
    }
  };

  std::array<Term, PotentialFamily::kMostActive> terms_;
  std::uint32_t count_ = 0;
};

}  // namespace lodestar
