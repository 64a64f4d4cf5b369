// Bidirectional search: the fastest exact method on a graph without preprocessing.
//
//   BidirectionalSearcher searcher(graph);            // one per thread, reused
//   const SearchResult found = searcher.run({s, t});  // look-ahead keys, strict alternation
//   if (found.reached()) use(searcher.path());
//
// One loop serves three methods. They differ in the terms aF(v) and aB(v) that the forward and the
// backward side add to g in their keys:
//
//   textbook     0 and 0, the side with the smaller key goes first
//   look-ahead   half the smallest weight leaving v, half the smallest weight entering v
//   potentials   (hF(v) - hB(v)) / 2 and its negative, hF and hB consistent (Ikeda et al. 1994)
//
// Each satisfies d(x,z) >= aF(x) + aB(z) for x ≠ z, and keys never fall along an arc. So, with U
// the best path seen: let x be the first node of an optimal path not settled forward and z the
// last not settled backward. If x lies before z, the path costs at least keyF(x) + keyB(z), hence
// at least topF + topB. Otherwise both sides have labelled a common node of it and U is its cost.
// The search may stop when topF + topB >= U; with a bound ε, when topF + topB >= U / (1 + ε).
// The queues round keys down (lazy_heap.h), so the sum remains a lower bound.
//
// Many arcs can be skipped. Let arc (u,x) of weight w be on an optimal path with x not settled
// backward: d(x,t) + aB(x) >= topB, and aB(x) <= w/2 because (u,x) itself enters x. The path then
// costs at least g(u) + w/2 + topB, so the arc is skipped once that reaches U. If x is settled
// backward, the same argument from its side covers the arc, or it was scanned there and U knows it.
// On arcs ordered by weight (graph.ordered(ArcOrder::kByWeight)) the scan ends at the first such
// arc.
//
// Termination. Each turn of a node scans at least one of its arcs, and a node gets another turn
// only after a cheaper path to it was found. Because keys are rounded, this can happen very often
// if weights differ by a factor of 2^30 or more. After a number of expansions that depends on n,
// the search therefore starts again as Dijkstra's; no run expands more than most_expansions(n)
// nodes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "lodestar/detail/contract.h"
#include "lodestar/detail/lazy_heap.h"
#include "lodestar/detail/run_number.h"
#include "lodestar/detail/stop.h"
#include "lodestar/graph.h"
#include "lodestar/heuristic.h"
#include "lodestar/search.h"
#include "lodestar/types.h"

namespace lodestar {

// Half the smallest weight leaving (forward) or entering (backward) each node, rounded down to
// float32, which keeps it valid. Searchers on the same graph can share one.
class LookAhead {
 public:
  explicit LookAhead(const Graph& graph);
  NodeId node_count() const { return static_cast<NodeId>(half_[0].size()); }
  const float* half(Direction direction) const {
    return direction == Direction::kForward || half_[1].empty() ? half_[0].data() : half_[1].data();
  }

 private:
  std::vector<float> half_[2];  // the second is empty for symmetric graphs
};

enum class BidirectionalKeys : std::uint8_t { kTextbook, kLookAhead };

struct BidirectionalOptions {
  BidirectionalKeys keys = BidirectionalKeys::kLookAhead;  // ignored by bidirectional A*
  double bound = 0;                                        // ε: cost <= (1 + ε) · distance
  std::uint64_t max_expansions = std::numeric_limits<std::uint64_t>::max();
};

class BidirectionalSearcher {
 public:
  // Throws Error if the look-ahead was made for another number of nodes.
  explicit BidirectionalSearcher(Graph graph, std::shared_ptr<const LookAhead> look_ahead = {});

  const Graph& graph() const { return graph_; }

  // The cost is at most (1 + bound) · distance, so it is optimal with bound 0. Throws Error if a
  // node is not in the graph, or if the bound is negative or not finite.
  SearchResult run(Query query, const BidirectionalOptions& options = {});
  SearchResult run(Query query, BidirectionalKeys keys, double bound = 0) {
    return run(query, {.keys = keys, .bound = bound});
  }

  // The same; calls observer.on_settle(node, g, parent, side) whenever a side settles a node.
  template <class Observer>
  SearchResult run(Query query, const BidirectionalOptions& options, Observer&& observer);

  // Bidirectional A*. `to_target(v)` must be consistent, and `from_source(v)` consistent on
  // backward arcs: it must not exceed the cost from the source to v. Throws Error if a heuristic is
  // not declared consistent, was made for another number of nodes, or returns a value that is not
  // finite.
  template <Heuristic ToTarget, Heuristic FromSource, class Observer = NoObserver>
  SearchResult run(Query query, ToTarget&& to_target, FromSource&& from_source,
                   const BidirectionalOptions& options = {}, Observer&& observer = {});

  // Textbook search with other arcs or weights than the graph's (Searcher::run_on): rows[0] are the
  // forward, rows[1] the backward ones. Infinite weights close arcs.
  template <class Rows, class Observer = NoObserver>
  SearchResult run_on(const Rows (&rows)[2], Query query, Observer&& observer = {});

  // The path of the last run, from source to target; empty if no path was found.
  std::vector<NodeId> path() const;

 private:
  struct Side {
    Cost g;
    NodeId parent;
    std::uint32_t run = 0;
  };
  struct Label {  // 32 bytes: both sides of a node share a cache line
    Side side[2];
  };
  struct Estimate {
    Cost to_target;
    Cost from_source;
    std::uint32_t run = 0;
  };

  // A node with at most this many arcs left is scanned to its end, since queueing it again costs
  // more.
  static constexpr ArcIndex kWorthWaiting = 32;

  struct ZeroKeys;
  struct LookAheadKeys;
  template <class ToTarget, class FromSource>
  struct PotentialKeys;

  template <class Keys, class Observer>
  SearchResult run_keys(Query query, Keys keys, const BidirectionalOptions& options,
                        Observer& observer);
  template <ArcOrder kOrder, class Rows, class Keys, class Observer>
  SearchResult search(const Rows (&rows)[2], Query query, Keys& keys, double bound,
                      std::uint64_t max_expansions, Observer& observer);
  const LookAhead& look_ahead();                                     // made when first used
  void begin_run(Query query, const BidirectionalOptions& options);  // throws Error
  void collect_path(std::vector<NodeId>& nodes) const;
  void walk_path(SearchResult& result);
  SearchResult start_again(Query query, const SearchResult& before, std::uint64_t max_expansions);

  Graph graph_;
  std::shared_ptr<const LookAhead> look_ahead_;
  std::vector<Label> labels_;
  std::vector<Estimate> estimates_;    // for potentials only, allocated when first used
  std::vector<ArcIndex> next_arc_[2];  // for weight-sorted arcs only
  LazyHeap queue_[2];
  detail::RunNumber run_;
  NodeId meeting_ = kNoNode;
  std::vector<NodeId> path_;           // scratch memory to add up its cost
  std::optional<Searcher> one_sided_;  // made when start_again is first called
  bool path_is_one_sided_ = false;
};

// ahead(d, v) is the term added to the key; remaining(d, v) is a lower bound on the remaining cost.
// An arc may be skipped when g + kScanFactor · w + top >= U.
struct BidirectionalSearcher::ZeroKeys {
  static constexpr double kScanFactor = 1;
  static constexpr bool kInSteps = false;
  static constexpr bool kAlternate = false;
  void touch(NodeId) {}
  Cost ahead(int, NodeId) const { return 0; }
  Cost remaining(int, NodeId) const { return 0; }
};

struct BidirectionalSearcher::LookAheadKeys {
  static constexpr double kScanFactor = 0.5;
  static constexpr bool kInSteps = true;
  static constexpr bool kAlternate = true;
  const float* half[2];
  void touch(NodeId) {}
  Cost ahead(int d, NodeId v) const { return half[d][v]; }
  Cost remaining(int, NodeId) const { return 0; }
};

template <class ToTarget, class FromSource>
struct BidirectionalSearcher::PotentialKeys {
  static constexpr double kScanFactor = 0;  // keys may be less than g, so no arc is skipped
  static constexpr bool kInSteps = false;
  static constexpr bool kAlternate = true;
  Estimate* estimates;
  std::uint32_t run;
  ToTarget& to_target;
  FromSource& from_source;

  void touch(NodeId v) {
    if (estimates[v].run == run) return;
    estimates[v] = {static_cast<Cost>(to_target(v)), static_cast<Cost>(from_source(v)), run};
    detail::check_both(estimates[v].to_target, estimates[v].from_source, v);
  }
  Cost ahead(int d, NodeId v) const {
    const Cost half = 0.5 * (estimates[v].to_target - estimates[v].from_source);
    return d == 0 ? half : -half;
  }
  Cost remaining(int d, NodeId v) const {
    return d == 0 ? estimates[v].to_target : estimates[v].from_source;
  }
};

template <class Observer>
SearchResult BidirectionalSearcher::run(Query query, const BidirectionalOptions& options,
                                        Observer&& observer) {
  begin_run(query, options);
  if (options.keys == BidirectionalKeys::kTextbook) {
    return run_keys(query, ZeroKeys{}, options, observer);
  }
  const LookAhead& ahead = look_ahead();
  return run_keys(
      query, LookAheadKeys{{ahead.half(Direction::kForward), ahead.half(Direction::kBackward)}},
      options, observer);
}

template <Heuristic ToTarget, Heuristic FromSource, class Observer>
SearchResult BidirectionalSearcher::run(Query query, ToTarget&& to_target, FromSource&& from_source,
                                        const BidirectionalOptions& options, Observer&& observer) {
  if (guarantee_of(to_target) != Guarantee::kConsistent ||
      guarantee_of(from_source) != Guarantee::kConsistent) {
    throw Error("bidirectional A* needs consistent heuristics on both sides; use A* instead");
  }
  detail::check_fit(to_target, graph_.node_count());
  detail::check_fit(from_source, graph_.node_count());
  estimates_.resize(graph_.node_count());
  begin_run(query, options);
  return run_keys(
      query,
      PotentialKeys<std::remove_reference_t<ToTarget>, std::remove_reference_t<FromSource>>{
          estimates_.data(), run_, to_target, from_source},
      options, observer);
}

template <class Rows, class Observer>
SearchResult BidirectionalSearcher::run_on(const Rows (&rows)[2], Query query,
                                           Observer&& observer) {
  begin_run(query, {});
  ZeroKeys keys;
  const std::uint64_t patience = (detail::kPatience + 1) * graph_.node_count();
  SearchResult result = search<ArcOrder::kByHead>(rows, query, keys, 0, patience, observer);
  if (!result.capped) return result;
  if (!one_sided_) one_sided_.emplace(graph_);
  path_is_one_sided_ = true;
  const SearchResult again = one_sided_->run_on(rows[0], query, Zero{});
  result.cost = result.lower_bound = again.cost;
  result.expansions += again.expansions;
  result.capped = false;
  return result;
}

template <class Keys, class Observer>
SearchResult BidirectionalSearcher::run_keys(Query query, Keys keys,
                                             const BidirectionalOptions& options,
                                             Observer& observer) {
  const std::uint64_t patience = (detail::kPatience + 1) * graph_.node_count();
  const std::uint64_t most = std::min(options.max_expansions, patience);
  SearchResult result = graph_.visit(Direction::kForward, [&]<class W>(Adjacency<W> forward) {
    const Adjacency<W> both[2] = {forward, graph_.adjacency<W>(Direction::kBackward)};
    return graph_.arc_order() == ArcOrder::kByWeight
               ? search<ArcOrder::kByWeight>(both, query, keys, options.bound, most, observer)
               : search<ArcOrder::kByHead>(both, query, keys, options.bound, most, observer);
  });
  if (options.bound > 0 || result.capped) walk_path(result);
  if (!result.capped || options.max_expansions <= patience) return result;
  return start_again(query, result, options.max_expansions);
}

template <ArcOrder kOrder, class Rows, class Keys, class Observer>
SearchResult BidirectionalSearcher::search(const Rows (&rows)[2], Query query, Keys& keys,
                                           double bound, std::uint64_t max_expansions,
                                           Observer& observer) {
  constexpr bool kSorted = kOrder == ArcOrder::kByWeight;
  constexpr bool kInSteps = kSorted && Keys::kInSteps;
  SearchResult result;
  // Local copies stay in registers; the compiler must assume that the loop changes the members.
  Label* const labels = labels_.data();
  const std::uint32_t run = run_;
  const double slack = 1 / (1 + bound);
  Cost best = kInfinity;   // U
  Cost limit = kInfinity;  // U / (1 + bound): paths that are not cheaper are skipped
  Cost top[2];             // smallest key of each side; never falls, except by rounding

  const NodeId ends[2] = {query.source, query.target};
  for (int d = 0; d < 2; ++d) {
    labels[ends[d]].side[d] = {0, kNoNode, run};
    keys.touch(ends[d]);
    top[d] = keys.ahead(d, ends[d]);
    queue_[d].push(queue_[d].pack(top[d], ends[d]));
    if (kInSteps) next_arc_[d][ends[d]] = rows[d].begin(ends[d]);
    ++result.pushes;
  }
  if (query.source == query.target) {
    best = limit = 0;
    meeting_ = query.source;
  }

  int d = 1;
  // Expansions after which something has to be done first.
  std::uint64_t pause = std::min(max_expansions, detail::kStopEvery);
  while (!queue_[0].empty() && !queue_[1].empty() && top[0] + top[1] < limit) {
    if (result.expansions >= pause) [[unlikely]] {
      if (result.expansions >= max_expansions) {
        result.capped = true;
        break;
      }
      check_stop();
      pause = std::min(max_expansions, result.expansions + detail::kStopEvery);
    }
    // Step 1. Choose a side and settle its nearest node, or go on with it.
    d = Keys::kAlternate ? 1 - d : (top[0] <= top[1] ? 0 : 1);
    LazyHeap& queue = queue_[d];
    const LazyHeap::Entry entry = queue.pop();
    const NodeId u = queue.node(entry);
    const Cost g = labels[u].side[d].g;
    const ArcIndex first = rows[d].begin(u);
    const ArcIndex end = rows[d].begin(u + 1);
    const ArcIndex begin = kInSteps ? next_arc_[d][u] : first;
    ArcIndex at = begin;
    const Cost key = at == first ? g + keys.ahead(d, u)
                                 : g + Keys::kScanFactor * static_cast<Cost>(rows[d].weight(u, at));
    if (entry != queue.pack(key, u)) {
      // A better way to u was found since.
      top[d] = queue.least();
      d = 1 - d;
      continue;
    }
    if (at == first) {
      ++result.expansions;
      detail::notify_settle(observer, u, g, labels[u].side[d].parent, static_cast<Direction>(d));
    }
    const Cost far = top[1 - d];
    queue.reserve(end - at + 1);

    for (; at != end; ++at) {
      const Cost weight = static_cast<Cost>(rows[d].weight(u, at));
      if (Keys::kScanFactor > 0) {
        const Cost waits_at = g + Keys::kScanFactor * weight;
        if (waits_at + far >= limit) {
          if (kSorted) break;
          continue;
        }
        // Not at the first arc of a turn, so that every turn makes progress. And only if the
        // rounded key is behind the top, because otherwise nodes of equal keys would alternate.
        if (kInSteps && at != begin && end - at > kWorthWaiting && queue.behind_top(waits_at)) {
          next_arc_[d][u] = at;
          queue.push(queue.pack(waits_at, u));
          break;
        }
      }
      const NodeId v = rows[d].head(at);
      const Cost cost = g + weight;
      Label& label = labels[v];
      Side& side = label.side[d];
      if (side.run == run && cost >= side.g) continue;
      keys.touch(v);
      if (cost + keys.remaining(d, v) >= limit) continue;

      // Step 2. Label v, even if it will not be queued: the other side must be able to meet it.
      side = {cost, u, run};
      const Side& other = label.side[1 - d];
      if (other.run == run && cost + other.g < best) {
        best = cost + other.g;
        // Above 0 as long as best is: a way that costs nothing may still be found.
        limit = best > 0 ? std::max(best * slack, std::numeric_limits<Cost>::denorm_min()) : 0;
        meeting_ = v;
      }

      // Step 3. Queue it, unless the search will have stopped before its turn.
      const Cost its_key = cost + keys.ahead(d, v);
      if (its_key + far >= limit) continue;
      ++result.pushes;
      if (kInSteps) next_arc_[d][v] = rows[d].begin(v);
      queue.push(queue.pack(its_key, v));
    }
    top[d] = queue.least();
  }
  result.cost = best;
  // Cut short, what is known is that nothing is cheaper than the two least keys.
  result.lower_bound = result.capped ? std::min(limit, std::max(0.0, top[0] + top[1])) : limit;
  return result;
}

}  // namespace lodestar
