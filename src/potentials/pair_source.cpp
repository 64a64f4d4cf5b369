#include "potentials/pair_source.h"

#include <algorithm>

#include "lodestar/detail/parallel.h"

namespace lodestar {
namespace {

// Separate streams of random numbers for independent parts.
enum Stream : std::uint64_t { kPlain = 1, kHeldBack = 2, kHarvest = 3 };

constexpr std::size_t kPlainShare = 10;    // one pair in ten is an unchanged query
constexpr std::size_t kFreshShare = 8;     // a round renews about an eighth of the pairs
constexpr std::uint32_t kOftenest = 3;     // takes at most one settled node in three …
constexpr std::uint32_t kSeldomest = 100;  // … and at least one in a hundred: many targets count

struct Settled {
  std::vector<NodeId> nodes;
  void on_settle(NodeId v, Cost, NodeId) { nodes.push_back(v); }
};

}  // namespace

void PairRing::add(Query pair) {
  if (pairs_.size() < capacity_) {
    pairs_.push_back(pair);
    return;
  }
  pairs_[at_] = pair;
  at_ = (at_ + 1) % capacity_;
}

PairSource::PairSource(const Graph& graph, const FitOptions& options, const TimeLimit& limit)
    : threads_(thread_count(options.threads)),
      queries_(options.queries),
      sampler_(graph, options.kind, options.log),
      rng_(options.seed),
      plain_(options.pairs / kPlainShare),
      searched_(options.pairs - options.pairs / kPlainShare) {
  for (std::uint32_t i = 0; i < threads_; ++i) {
    searchers_.push_back(std::make_unique<Searcher>(graph));
  }
  Rng held = rng_.fork(kHeldBack), plain = rng_.fork(kPlain);
  held_back_.push_back(sampler_.draw(held, *searchers_[0]));
  while (held_back_.size() < options.held_back && !limit.over()) {
    held_back_.push_back(sampler_.draw(held, *searchers_[0]));
  }
  // Each rank costs a search, so use a few only.
  const std::size_t wanted = options.kind == QueryKind::kRank
                                 ? std::min<std::size_t>(1000, plain_.capacity())
                                 : plain_.capacity();
  for (std::size_t i = 0; i < wanted; ++i) {
    check_stop(i);
    if (i % 16 == 0 && i > 0 && limit.over()) break;
    plain_.add(sampler_.draw(plain, *searchers_[0]));
  }
}

void PairSource::harvest(const Potentials& potentials, std::uint64_t round,
                         const TimeLimit& limit) {
  const bool filling = searched_.pairs().size() < searched_.capacity();
  const std::size_t wanted = searched_.capacity() / (filling ? 2 : kFreshShare);
  // The first searches are long; run fewer of them, so that short training is not spent on them.
  const double affordable = std::max(1e6, 4.0 * searchers_[0]->graph().node_count()) / expansions_;
  const auto queries = static_cast<std::uint32_t>(
      std::clamp(affordable, std::min(100.0, 1.0 * queries_), 1.0 * queries_));
  const double one_in = queries * std::max(spare_, 1.0) / static_cast<double>(wanted);
  const auto nth =
      static_cast<std::uint32_t>(std::clamp(one_in, double{kOftenest}, double{kSeldomest}));
  const Rng base = rng_.fork(mix64(kHarvest) + round);
  std::vector<std::vector<Query>> found(queries);
  const auto search = [&](std::size_t i, std::size_t worker) {
    Rng rng = base.fork(i);
    Searcher& searcher = *searchers_[worker];
    const Query query = sampler_.draw(rng, searcher);
    Settled settled;
    if (!searcher.run(query, potentials.to(query.target), {}, settled).reached()) return;
    std::vector<NodeId> path = searcher.path();
    std::sort(path.begin(), path.end());
    for (const NodeId v : settled.nodes) {
      if (rng.below(nth) != 0 || std::binary_search(path.begin(), path.end(), v)) continue;
      found[i].push_back({v, query.target});
    }
  };
  try {
    const StopScope scope(limit.stop());
    parallel_for(found.size(), threads_, search);
  } catch (const Stopped&) {
    if (StopScope::pressed()) throw;
  }
  for (const auto& pairs : found) {
    for (const Query& pair : pairs) searched_.add(pair);
  }
}

double PairSource::search_held_back(const Potentials& potentials) {
  std::vector<std::uint64_t>& expansions = held_back_expansions_;
  std::vector<std::uint64_t>& on_path = held_back_path_;
  expansions.assign(held_back_.size(), 0);
  on_path.assign(held_back_.size(), 0);
  parallel_for(held_back_.size(), threads_, [&](std::size_t i, std::size_t worker) {
    Searcher& searcher = *searchers_[worker];
    expansions[i] = searcher.run(held_back_[i], potentials.to(held_back_[i].target)).expansions;
    on_path[i] = searcher.path().size();
  });
  return mean_of_held_back();
}

double PairSource::search_held_back(const Potentials& potentials, const TimeLimit& limit) {
  try {
    const StopScope scope(limit.stop());
    return search_held_back(potentials);
  } catch (const Stopped&) {
    if (StopScope::pressed()) throw;
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < held_back_.size(); ++i) {
    if (held_back_expansions_[i] == 0) continue;
    held_back_[kept] = held_back_[i];
    held_back_expansions_[kept] = held_back_expansions_[i];
    held_back_path_[kept++] = held_back_path_[i];
  }
  if (kept == 0) {  // not even one: it counts as a search of the whole graph
    held_back_expansions_[0] = searchers_[0]->graph().node_count();
    kept = 1;
  }
  held_back_.resize(kept);
  held_back_expansions_.resize(kept);
  held_back_path_.resize(kept);
  return mean_of_held_back();
}

double PairSource::mean_of_held_back() {
  const std::vector<std::uint64_t>& expansions = held_back_expansions_;
  double sum = 0, path = 0;
  for (std::size_t i = 0; i < expansions.size(); ++i) {
    sum += static_cast<double>(expansions[i]);
    path += static_cast<double>(held_back_path_[i]);
  }
  spare_ = (sum - path) / static_cast<double>(expansions.size());
  expansions_ = sum / static_cast<double>(expansions.size());
  return expansions_;
}

}  // namespace lodestar
