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
#include <vector>

#include "base/huge_pages.h"
#include "base/min_heap.h"
#include "lodestar/detail/lazy_heap.h"
#include "lodestar/detail/stop.h"
#include "lodestar/graph.h"
#include "lodestar/search.h"
#include "potentials/mixed_bounds.h"

namespace lodestar::requests {

// Entries of nodes that were queued again stay in both queues and are skipped.
//
// The least entry of the last expansions waits outside the heap: a search that follows a good
// bound takes most nodes right after they were queued.
class UnitQueue {
 public:
  explicit UnitQueue(NodeId nodes) : bits_(std::bit_width(nodes)), heap_(nodes) {}

  void begin(double unit) {
    heap_.clear();
    waiting_ = kNone;
    step_ = unit / 8;
    per_step_ = 8 / unit;
    too_large_ = std::ldexp(1.0, 63 - bits_);
  }
  bool empty() const { return least_entry() == kNone; }
  std::size_t size() const { return heap_.size(); }
  NodeId top() const { return heap_.node(least_entry()); }
  Cost least() const { return static_cast<double>(least_entry() >> bits_) * step_; }
  void pop() {
    if (waiting_ <= heap_.top()) {
      waiting_ = kNone;
    } else {
      heap_.pop();
    }
  }
  // Must be called before up to `more` pushes.
  void reserve(std::size_t more) {
    if (room_ < more) {
      room_ = more + 1000;
      heap_.reserve(room_);
    }
    room_ -= more;
  }
  // False if the key is too large to be queued.
  bool push(Cost g, Cost h, NodeId v) {
    const double a = g * per_step_, b = h * per_step_;
    if (!(a + b < too_large_)) [[unlikely]]
      return false;
    const auto key = static_cast<std::uint64_t>(static_cast<std::int64_t>(a)) +
                     static_cast<std::uint64_t>(static_cast<std::int64_t>(b));
    const Entry entry = key << bits_ | v;
    const Entry both = entry ^ waiting_;
    waiting_ = smaller(entry, waiting_);
    const Entry larger = both ^ waiting_;
    if (larger != kNone) heap_.push(larger);
    return true;
  }

 private:
  using Entry = LazyHeap::Entry;
  static constexpr Entry kNone = ~Entry{0};  // as at the end of a heap
  // Without a branch, which could not be predicted.
  static Entry smaller(Entry a, Entry b) { return a ^ ((a ^ b) & (0 - std::uint64_t{b < a})); }
  Entry least_entry() const { return smaller(waiting_, heap_.top()); }

  int bits_;
  LazyHeap heap_;
  Entry waiting_ = kNone;
  std::size_t room_ = 0;
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

  // `rows[d]` are the forward and the backward rows with the weights of the request. If
  // `from_source`, the backward side settles only one node in nine, until an eighth of the nodes is
  // settled: bounds that are so far from the costs do not replace the other side. `unit` divides
  // all weights, or is 0.
  template <class Rows, class Bounds, class Observer = NoObserver>
  SearchResult run(Query query, const Rows (&rows)[2], const Bounds& bounds, double unit,
                   bool from_source = false, Observer&& observer = {});

  // The path of the last run, from source to target, and its arcs; empty if there is no path.
  std::vector<NodeId> path() const;
  // In the forward rows; entry i of `forward_arc` is the one at place i of the backward rows.
  std::vector<ArcIndex> arcs(const ArcIndex* forward_arc) const;

 private:
  using Slot = std::uint32_t;
  static constexpr Slot kNoSlot = kNoNode;
  struct alignas(64) Label {
    Cost g[2];
    Cost h[2];
    Slot parent[2];
    ArcIndex arc[2];  // its place in the row of the parent
    NodeId node;
    bool settled;
  };

  // False if a key was too large for the queue.
  template <class Queue, class Rows, class Bounds, class Observer>
  bool search(Queue (&queues)[2], Query query, const Rows (&rows)[2], const Bounds& bounds,
              bool from_source, Observer& observer, SearchResult& result);

  // Labels are in the order in which a query reaches nodes, so that they stay in the cache. Node v
  // has one if slot_of_[v] is among those in use and the label there is its own: nothing is
  // cleared.
  LargeVector<Label> labels_;  // [n]
  std::vector<Slot> slot_of_;  // [n]
  UnitQueue unit_queues_[2];
  ExactQueue exact_queues_[2];
  Slot meeting_ = kNoSlot;
};

template <class Rows, class Bounds, class Observer>
SearchResult MeetingSearcher::run(Query query, const Rows (&rows)[2], const Bounds& bounds,
                                  double unit, bool from_source, Observer&& observer) {
  SearchResult result;
  if (unit > 0) {
    for (UnitQueue& queue : unit_queues_) queue.begin(unit);
    if (search(unit_queues_, query, rows, bounds, from_source, observer, result)) {
      return result;
    }
  }
  for (ExactQueue& queue : exact_queues_) queue.begin();
  search(exact_queues_, query, rows, bounds, from_source, observer, result);
  return result;
}

template <class Queue, class Rows, class Bounds, class Observer>
bool MeetingSearcher::search(Queue (&queues)[2], Query query, const Rows (&rows)[2],
                             const Bounds& bounds, bool from_source, Observer& observer,
                             SearchResult& result) {
  Label* const labels = labels_.data();
  Slot* const slot_of = slot_of_.data();
  Slot used = 0;
  meeting_ = kNoSlot;
  // Queues put smaller numbers first among equal keys: the node that was reached last.
  const auto number = [count = static_cast<Slot>(labels_.size())](Slot at) { return count - at; };
  const auto begin_label = [&](NodeId v) {
    const BothBounds h = bounds(v);
    ++result.evaluations;
    labels[used] = {
        {kInfinity, kInfinity}, {h.to_target, h.from_source}, {kNoSlot, kNoSlot}, {0, 0}, v, false};
    return slot_of[v] = used++;
  };
  Cost best = kInfinity;  // L
  const NodeId ends[2] = {query.source, query.target};
  Cost least[2];  // F
  for (int d = 0; d < 2; ++d) {
    const Slot at = d == 1 && ends[0] == ends[1] ? 0 : begin_label(ends[d]);
    labels[at].g[d] = 0;
    least[d] = labels[at].h[d];
    ++result.pushes;
    queues[d].reserve(1);
    if (!queues[d].push(0, least[d], number(at))) return false;
  }
  if (query.source == query.target) {
    best = 0;
    meeting_ = 0;
  }

  std::uint32_t turn = 0;
  const std::uint64_t patience = from_source ? labels_.size() / 8 : 0;
  std::uint64_t limit = detail::kStopEvery;
  while (true) {
    const int d = result.expansions < patience ? (++turn % 9 == 0 ? 1 : 0)
                                               : (queues[0].size() <= queues[1].size() ? 0 : 1);
    Queue& queue = queues[d];
    const Rows& row = rows[d];
    if (queue.empty()) break;
    const Slot slot = number(queue.top());
    Label& from = labels[slot];
    if (from.settled) {  // by the other side, or it was queued twice
      queue.pop();
      continue;
    }
    least[d] = std::max(least[d], queue.least());
    if (least[d] >= best) break;
    if (result.expansions >= limit) [[unlikely]] {
      check_stop();
      limit = result.expansions + detail::kStopEvery;
    }
    queue.pop();
    from.settled = true;
    const Cost g = from.g[d];
    const Cost far = least[1 - d];
    if (g + from.h[d] >= best || g + far - from.h[1 - d] >= best) continue;
    ++result.expansions;
    const NodeId u = from.node;
    const Slot parent = from.parent[d];
    detail::notify_settle(observer, u, g, parent == kNoSlot ? kNoNode : labels[parent].node,
                          static_cast<Direction>(d));

    const ArcIndex begin = row.begin(u), end = row.begin(u + 1);
    const auto weights = row.weights_of(u);
    queue.reserve(end - begin);
    for (ArcIndex at = begin; at != end; ++at) {
      const NodeId v = row.head(at);
      const Cost cost = g + weights(at);
      if (cost >= best) continue;
      Slot to = slot_of[v];
      if (to >= used || labels[to].node != v) {
        to = begin_label(v);
      } else if (labels[to].settled || cost >= labels[to].g[d]) {
        continue;
      }
      Label& label = labels[to];
      label.g[d] = cost;
      label.parent[d] = slot;
      label.arc[d] = at;
      if (cost + label.g[1 - d] < best) {
        best = cost + label.g[1 - d];
        meeting_ = to;
      }
      if (cost + label.h[d] >= best || cost + far - label.h[1 - d] >= best) continue;
      ++result.pushes;
      if (!queue.push(cost, label.h[d], number(to))) return false;
      row.prefetch_arcs(v);
    }
    // A search waits for memory: what the next node of this side needs is asked for while the other
    // side takes its turn.
    if (queue.empty()) continue;
    const NodeId next = labels[number(queue.top())].node;
    const ArcIndex last = row.begin(next + 1);
    for (ArcIndex at = row.begin(next); at != last; ++at) {
      const NodeId v = row.head(at);
      __builtin_prefetch(&slot_of[v]);
      bounds.prefetch(v);
      row.prefetch(v);
    }
  }
  result.cost = result.lower_bound = best;
  return true;
}

}  // namespace lodestar::requests
