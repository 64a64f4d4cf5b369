// FastMap (Cohen, Uras, Jahangiri, Arunasalam, Koenig, Kumar 2018): an embedding of the nodes of an
// undirected graph in which the L1 distance is a consistent heuristic.
//
//   const FastMap map(graph, 16, seed);
//   searcher.run(query, map.to(query.target));
//
// One coordinate after the other: a and b far apart, p(v) = (d(a,v) + d(a,b) - d(v,b)) / 2. It
// differs by at most w(u,v) between neighbours, and that difference is then taken off w(u,v), so
// that the sum over all coordinates stays below the weight as well. Nothing is learned.
#pragma once

#include <cstdint>
#include <vector>

#include "lodestar/graph.h"
#include "lodestar/heuristic.h"

namespace lodestar::eval {

class FastMap {
 public:
  // Throws Error when the graph is directed.
  FastMap(const Graph& graph, std::uint32_t dimensions, std::uint64_t seed);

  std::size_t bytes() const { return values_.size() * sizeof(std::int32_t); }

  class To {
   public:
    To(const FastMap* map, NodeId target) : map_(map), target_(map->row(target)) {}
    Cost operator()(NodeId v) const {
      const std::int32_t* row = map_->row(v);
      std::int64_t sum = 0;
      for (std::uint32_t i = 0; i < map_->dimensions_; ++i) {
        const std::int32_t apart = row[i] - target_[i];
        sum += apart < 0 ? -apart : apart;
      }
      return map_->unit_ * static_cast<Cost>(sum);
    }
    static constexpr Guarantee guarantee() { return Guarantee::kConsistent; }

   private:
    const FastMap* map_;
    const std::int32_t* target_;
  };
  To to(NodeId target) const { return To(this, target); }

 private:
  const std::int32_t* row(NodeId v) const { return values_.data() + std::size_t{v} * dimensions_; }

  std::uint32_t dimensions_;
  double unit_ = 1;
  std::vector<std::int32_t> values_;  // [n][dimensions], in units
};

}  // namespace lodestar::eval
