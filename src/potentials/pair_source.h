// Draws training pairs: queries of the distribution, and nodes that searches of such queries settle
// with the current potentials.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "lodestar/detail/stop.h"
#include "lodestar/fit.h"
#include "lodestar/rng.h"
#include "lodestar/search.h"

namespace lodestar {

// Draws queries of the distribution that potentials are trained for.
class QuerySampler {
 public:
  QuerySampler(const Graph& graph, QueryKind kind, std::span<const Query> log);

  // source ≠ target; on a directed graph the target may be unreachable. `searcher` is used to
  // measure ranks.
  Query draw(Rng& rng, Searcher& searcher) const;

 private:
  QueryKind kind_;
  std::vector<Query> log_;
  std::vector<NodeId> part_;  // the nodes of the largest component
};

// A ring buffer that keeps the latest pairs.
class PairRing {
 public:
  explicit PairRing(std::size_t capacity) : capacity_(capacity) {}
  void add(Query pair);
  std::span<const Query> pairs() const { return pairs_; }
  std::size_t capacity() const { return capacity_; }

 private:
  std::size_t capacity_;
  std::size_t at_ = 0;
  std::vector<Query> pairs_;
};

class PairSource {
 public:
  PairSource(const Graph& graph, const FitOptions& options, const TimeLimit& limit = {});

  // Searches sample queries and takes pairs (v, t) from the nodes they settle, except those on the
  // path, which every search settles. The result does not depend on the number of threads. At the
  // limit only the searches that have ended count.
  void harvest(const Potentials& potentials, std::uint64_t round, const TimeLimit& limit = {});

  // Adds pairs of other searches.
  void add(std::span<const Query> pairs) {
    for (const Query& pair : pairs) searched_.add(pair);
  }

  // Mean expansions of the held-out queries.
  double search_held_back(const Potentials& potentials);
  // The same; at the limit keeps only those queries that were searched, at least one, for good.
  double search_held_back(const Potentials& potentials, const TimeLimit& limit);

  std::span<const Query> plain() const { return plain_.pairs(); }
  std::span<const Query> searched() const { return searched_.pairs(); }

 private:
  double mean_of_held_back();

  std::uint32_t threads_;
  std::uint32_t queries_;
  QuerySampler sampler_;
  Rng rng_;
  PairRing plain_;
  PairRing searched_;
  std::vector<Query> held_back_;
  std::vector<std::uint64_t> held_back_expansions_, held_back_path_;
  double expansions_ = 1;                             // mean per held-out query at the last search
  double spare_ = 0;                                  // of these, mean expansions off the path
  std::vector<std::unique_ptr<Searcher>> searchers_;  // one per thread
};

}  // namespace lodestar
