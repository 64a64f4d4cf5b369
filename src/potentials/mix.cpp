#include <algorithm>
#include <bit>

#include "lodestar/rng.h"
#include "lodestar/search.h"
#include "lodestar/version.h"
#include "potentials/columns.h"
#include "potentials/fit_start.h"
#include "potentials/sweep.h"

namespace lodestar {
namespace {

using Column = Cutter::Column;

constexpr std::size_t kMostSettled = 40'000;  // what is chosen by
constexpr std::uint32_t kSweeps = 8;

// A node off the path that was settled; a bound above `needed` would have avoided that.
struct Vain {
  NodeId node;
  NodeId target;
  double needed;  // in units
};

std::vector<Vain> settled_in_vain(const Graph& graph, const Potentials& potentials,
                                  std::span<const Query> queries, std::uint64_t seed) {
  struct Settled {
    std::vector<std::pair<NodeId, Cost>> nodes;
    void on_settle(NodeId v, Cost g, NodeId) { nodes.emplace_back(v, g); }
  };
  Searcher searcher(graph);
  std::vector<Vain> found;
  for (const Query& query : queries) {
    Settled settled;
    const SearchResult result = searcher.run(query, potentials.to(query.target), {}, settled);
    if (!result.reached()) continue;
    std::vector<NodeId> path = searcher.path();
    std::sort(path.begin(), path.end());
    for (const auto& [v, g] : settled.nodes) {
      if (std::binary_search(path.begin(), path.end(), v)) continue;
      found.push_back({v, query.target, (result.cost - g) / potentials.unit()});
    }
  }
  if (found.size() > kMostSettled) {  // each query with its share
    Rng rng(seed);
    for (std::size_t i = 0; i < kMostSettled; ++i) {
      const auto rest = static_cast<std::uint32_t>(found.size() - i);
      std::swap(found[i], found[i + rng.below(rest)]);
    }
    found.resize(kMostSettled);
  }
  return found;
}

class Pool {
 public:
  Pool(std::vector<Column> columns, std::size_t group, bool symmetric)
      : columns_(std::move(columns)), group_(group), symmetric_(symmetric) {}

  std::vector<Column> choose(std::span<const Vain> vain, std::uint32_t count) const {
    const std::size_t words = vain.size() / 64 + 1;
    std::vector<std::vector<std::uint64_t>> spared;  // by group of columns
    for (std::size_t at = 0; at + group_ <= columns_.size(); at += group_) {
      auto& bits = spared.emplace_back(words, 0);
      for (std::size_t i = 0; i < vain.size(); ++i) {
        if (bound(at, vain[i]) > vain[i].needed) bits[i / 64] |= std::uint64_t{1} << i % 64;
      }
    }
    std::vector<std::uint64_t> open(words, ~std::uint64_t{0});
    std::vector<Column> chosen;
    while (chosen.size() < count) {
      std::size_t best = 0;
      int most = -1;
      for (std::size_t g = 0; g < spared.size(); ++g) {
        if (spared[g].empty()) continue;  // taken
        int gain = 0;
        for (std::size_t w = 0; w < words; ++w) gain += std::popcount(open[w] & spared[g][w]);
        if (gain > most) {
          most = gain;
          best = g;
        }
      }
      for (std::size_t w = 0; w < words; ++w) open[w] &= ~spared[best][w];
      spared[best].clear();
      for (std::size_t i = 0; i < group_ && chosen.size() < count; ++i) {
        chosen.push_back(columns_[best * group_ + i]);
      }
    }
    return chosen;
  }

 private:
  std::int32_t bound(std::size_t at, const Vain& vain) const {
    std::int32_t most = 0;
    for (std::size_t i = at; i < at + group_; ++i) {
      const std::int32_t rise = columns_[i][vain.target] - columns_[i][vain.node];
      most = std::max(most, symmetric_ ? std::abs(rise) : rise);
    }
    return most;
  }

  std::vector<Column> columns_;
  std::size_t group_;  // columns that are taken together
  bool symmetric_;
};

}  // namespace

Potentials mixed_potentials(const Graph& graph, std::span<const Query> queries,
                            std::uint32_t potentials, std::uint64_t seed) {
  LandmarkOptions landmarks;
  landmarks.potential_count = 2 * potentials;
  landmarks.seed = seed;
  landmarks.method = LandmarkMethod::kFarthest;
  PotentialColumns pool = landmark_columns(graph, landmarks);
  const Potentials few(graph, std::span(pool.columns).first(potentials), pool.unit);
  const std::vector<Vain> vain = settled_in_vain(graph, few, queries, seed);
  landmarks.method = LandmarkMethod::kAvoid;
  for (Column& column : landmark_columns(graph, landmarks).columns) {
    pool.columns.push_back(std::move(column));
  }

  const IntegerGraph whole(graph, pool.unit);
  const std::vector<NodeId> part = largest_part_nodes(graph);
  Cutter cutter(whole, part);
  std::vector<SweepKeys> sweeps = coordinate_sweeps(graph, kSweeps / 2);
  const auto rest = static_cast<std::uint32_t>(kSweeps - sweeps.size());
  for (SweepKeys& keys : distance_sweeps(whole, part, rest, seed)) {
    sweeps.push_back(std::move(keys));
  }
  const std::size_t cuts = std::max<std::size_t>(4 * potentials / cutter.per_cut() / kSweeps, 1);
  for (const SweepKeys& keys : sweeps) {
    for (std::size_t i = 0; i < cuts; ++i) {
      cutter.cut(keys, static_cast<double>(i + 1) / static_cast<double>(cuts + 1), pool.columns);
    }
  }
  const std::vector<Column> chosen =
      Pool(std::move(pool.columns), cutter.per_cut(), whole.symmetric()).choose(vain, potentials);
  Potentials mixed(graph, chosen, pool.unit);
  mixed.origin() = {"mix", kVersion, kCommit, seed, 0, 0};
  return mixed;
}

}  // namespace lodestar
