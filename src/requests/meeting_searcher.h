// Bidirectional A* in which the two sides share the work: NBA* (Pijls and Post 2009).
//
//   MeetingSearcher searcher(graph);                   // one per thread, reused
//   const SearchResult found = searcher.run({s, t}, rows, bounds);
//   if (found.reached()) use(searcher.arcs());
//
// Each side d has its own queue, ordered by g_d(v) + h_d(v), where h_0 bounds the cost to the
// target and h_1 the cost from the source, both consistent. A node is settled once, by the side
// that comes first, and the other side never enters it. Let L be the cost of the best path seen
// and F_d the smallest key of side d. A node u that side d takes from its queue is not expanded if
//
//   g_d(u) + h_d(u) >= L                  every path through u costs at least this, or
//   g_d(u) + F_e - h_e(u) >= L            (e is the other side) because u is not settled by side e,
//                                         whose keys are at least F_e: d(u, end of e's side) +
//                                         h_e(u) >= F_e.
//
// When the smallest key of a side reaches L, every node it could still settle fails the first test,
// and L is the distance (proof: Pijls and Post, "Yet another bidirectional algorithm for finding
// the shortest path", 2009; docs/design/CERTIFICATES.md).
//
// Rounding. If all weights are multiples of a unit u and sums are exact, bounds that violate
// consistency by less than u still settle every node with its exact cost: a wrong order would need
// a node that is cheaper by less than u. Keys may therefore be rounded down to multiples of u / 8:
// they are whole numbers, and an entry of a queue is one 64-bit number (UnitQueue). Where weights
// are not multiples of a unit, or sums too large, keys are kept as they are (ExactQueue).
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "base/huge_pages.h"
#include "base/min_heap.h"
#include "lodestar/detail/lazy_heap.h"
#include "lodestar/detail/run_number.h"
#include "lodestar/detail/stop.h"
#include "lodestar/graph.h"
#include "lodestar/search.h"
#include "potentials/mixed_bounds.h"

namespace lodestar::requests {

// Entries of nodes that were queued again stay in both queues and are skipped.
class UnitQueue {
 public:
  explicit UnitQueue(NodeId nodes) : bits_(std::bit_width(nodes)), heap_(nodes) {}

  void begin(double unit) {
    heap_.clear();
    step_ = unit / 8;
    per_step_ = 8 / unit;
    too_large_ = std::ldexp(1.0, 63 - bits_);
  }
  bool empty() const { return heap_.empty(); }
  std::size_t size() const { return heap_.size(); }
  NodeId top() const { return heap_.node(heap_.top()); }
  Cost least() const { return static_cast<double>(heap_.top() >> bits_) * step_; }
  void pop() { heap_.pop(); }
  void reserve(std::size_t more) { heap_.reserve(more); }
  // False if the key is too large to be queued.
  bool push(Cost g, Cost h, NodeId v) {
    const double a = g * per_step_, b = h * per_step_;
    if (!(a + b < too_large_)) [[unlikely]]
      return false;
    const auto key = static_cast<std::uint64_t>(static_cast<std::int64_t>(a)) +
                     static_cast<std::uint64_t>(static_cast<std::int64_t>(b));
    heap_.push(key << bits_ | v);
    return true;
  }

 private:
  int bits_;
  LazyHeap heap_;
  double step_ = 1, per_step_ = 1, too_large_ = 1;
};

class ExactQueue {
 public:
  void begin() { heap_.clear(); }
  bool empty() const { return heap_.empty(); }
  std::size_t size() const { return heap_.size(); }
  NodeId top() const { return heap_.top().tag(); }
  Cost least() const { return heap_.top().key(); }
  void pop() { heap_.pop(); }
  void reserve(std::size_t) {}
  bool push(Cost g, Cost h, NodeId v) {
    heap_.push(g + h, v);
    return true;
  }

 private:
  MinHeap<Cost> heap_;
};

class MeetingSearcher {
 public:
  explicit MeetingSearcher(NodeId nodes);

  // `rows[d]` are the forward and the backward rows with the weights of the request. The search
  // stops early after max_expansions. If `from_source`, the backward side settles only one node in
  // nine, until an eighth of the nodes is settled: bounds that are so far from the costs do not
  // replace the other side. `unit` divides all weights, or is 0.
  template <class Rows, class Bounds, class Observer = NoObserver>
  SearchResult run(Query query, const Rows (&rows)[2], const Bounds& bounds, double unit,
                   bool from_source = false,
                   std::uint64_t max_expansions = std::numeric_limits<std::uint64_t>::max(),
                   Observer&& observer = {});

  // The path of the last run, from source to target, and its arcs; empty if there is no path.
  std::vector<NodeId> path() const;
  // In the forward rows; entry i of `forward_arc` is the one at place i of the backward rows.
  std::vector<ArcIndex> arcs(const ArcIndex* forward_arc) const;

 private:
  struct alignas(64) Label {
    Cost g[2];
    Cost h[2];
    NodeId parent[2];
    ArcIndex arc[2];        // its place in the row of the parent
    std::uint32_t run = 0;  // the query it belongs to
    bool settled = false;
  };

  void begin_run();
  // False if a key was too large for the queue.
  template <class Queue, class Rows, class Bounds, class Observer>
  bool search(Queue (&queues)[2], Query query, const Rows (&rows)[2], const Bounds& bounds,
              bool from_source, std::uint64_t max_expansions, Observer& observer,
              SearchResult& result);

  LargeVector<Label> labels_;
  UnitQueue unit_queues_[2];
  ExactQueue exact_queues_[2];
  detail::RunNumber run_;
  NodeId meeting_ = kNoNode;
};

template <class Rows, class Bounds, class Observer>
SearchResult MeetingSearcher::run(Query query, const Rows (&rows)[2], const Bounds& bounds,
                                  double unit, bool from_source, std::uint64_t max_expansions,
                                  Observer&& observer) {
  SearchResult result;
  if (unit > 0) {
    begin_run();
    for (UnitQueue& queue : unit_queues_) queue.begin(unit);
    if (search(unit_queues_, query, rows, bounds, from_source, max_expansions, observer, result)) {
      return result;
    }
  }
  begin_run();
  for (ExactQueue& queue : exact_queues_) queue.begin();
  search(exact_queues_, query, rows, bounds, from_source, max_expansions, observer, result);
  return result;
}

template <class Queue, class Rows, class Bounds, class Observer>
bool MeetingSearcher::search(Queue (&queues)[2], Query query, const Rows (&rows)[2],
                             const Bounds& bounds, bool from_source, std::uint64_t max_expansions,
                             Observer& observer, SearchResult& result) {
  Label* const labels = labels_.data();
  const std::uint32_t run = run_;
  const auto touch = [&](NodeId v) -> Label& {
    Label& label = labels[v];
    if (label.run != run) {
      const BothBounds h = bounds(v);
      ++result.evaluations;
      label = {{kInfinity, kInfinity},
               {h.to_target, h.from_source},
               {kNoNode, kNoNode},
               {0, 0},
               run,
               false};
    }
    return label;
  };
  Cost best = kInfinity;  // L
  const NodeId ends[2] = {query.source, query.target};
  Cost least[2];  // F
  for (int d = 0; d < 2; ++d) {
    Label& label = touch(ends[d]);
    label.g[d] = 0;
    least[d] = label.h[d];
    ++result.pushes;
    if (!queues[d].push(0, label.h[d], ends[d])) return false;
  }
  if (query.source == query.target) {
    best = 0;
    meeting_ = query.source;
  }
  result.lower_bound = std::max({least[0], least[1], 0.0});

  std::uint32_t turn = 0;
  const std::uint64_t patience = from_source ? labels_.size() / 8 : 0;
  std::uint64_t limit = std::min(max_expansions, detail::kStopEvery);
  while (true) {
    // Nodes that the other side has settled in the meantime leave the queue unseen.
    for (int d = 0; d < 2; ++d) {
      while (!queues[d].empty() && labels[queues[d].top()].settled) queues[d].pop();
    }
    if (queues[0].empty() || queues[1].empty()) break;
    least[0] = std::max(least[0], queues[0].least());
    least[1] = std::max(least[1], queues[1].least());
    if (least[0] >= best || least[1] >= best) break;
    if (result.expansions >= limit) [[unlikely]] {
      if (result.expansions >= max_expansions) {
        result.capped = true;
        break;
      }
      check_stop();
      limit = std::min(max_expansions, result.expansions + detail::kStopEvery);
    }
    const int d = result.expansions < patience ? (++turn % 9 == 0 ? 1 : 0)
                                               : (queues[0].size() <= queues[1].size() ? 0 : 1);
    Queue& queue = queues[d];
    const NodeId u = queue.top();
    queue.pop();
    Label& from = labels[u];
    from.settled = true;
    const Cost g = from.g[d];
    const Cost far = least[1 - d];
    if (g + from.h[d] >= best || g + far - from.h[1 - d] >= best) continue;
    ++result.expansions;
    detail::notify_settle(observer, u, g, from.parent[d], static_cast<Direction>(d));

    // A search waits for memory more than for anything else: what the arcs of u need is asked for
    // at once, and what those of the node need that is probably the next of this side.
    const ArcIndex begin = rows[d].begin(u), end = rows[d].begin(u + 1);
    for (ArcIndex at = begin; at != end; ++at) {
      const NodeId v = rows[d].head(at);
      __builtin_prefetch(&labels[v]);
      bounds.prefetch(v);
      rows[d].prefetch(v);
    }
    if (!queue.empty()) {
      const NodeId next = queue.top();
      const ArcIndex last = rows[d].begin(next + 1);
      for (ArcIndex at = rows[d].begin(next); at != last; ++at) {
        const NodeId v = rows[d].head(at);
        __builtin_prefetch(&labels[v]);
        bounds.prefetch(v);
        rows[d].prefetch(v);
      }
    }
    const bool ruled = rows[d].ruled(u);
    queue.reserve(end - begin);
    for (ArcIndex at = begin; at != end; ++at) {
      const NodeId v = rows[d].head(at);
      const Cost cost = g + (ruled ? rows[d].weight(u, at) : rows[d].plain_weight(at));
      if (cost >= best) continue;
      Label& label = touch(v);
      if (label.settled || cost >= label.g[d]) continue;
      label.g[d] = cost;
      label.parent[d] = u;
      label.arc[d] = at;
      if (cost + label.g[1 - d] < best) {
        best = cost + label.g[1 - d];
        meeting_ = v;
      }
      if (cost + label.h[d] >= best || cost + far - label.h[1 - d] >= best) continue;
      ++result.pushes;
      if (!queue.push(cost, label.h[d], v)) return false;
      rows[d].prefetch_arcs(v);
    }
  }
  result.cost = best;
  if (!result.capped) result.lower_bound = best;
  return true;
}

}  // namespace lodestar::requests
