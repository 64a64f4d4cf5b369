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
// a node that is cheaper by less than u.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "base/huge_pages.h"
#include "base/min_heap.h"
#include "lodestar/detail/run_number.h"
#include "lodestar/detail/stop.h"
#include "lodestar/graph.h"
#include "lodestar/search.h"
#include "potentials/mixed_bounds.h"

namespace lodestar::requests {

class MeetingSearcher {
 public:
  explicit MeetingSearcher(NodeId nodes);

  // `rows[d]` are the forward and the backward rows with the weights of the request. The search
  // stops early after max_expansions. If `from_source`, the backward side settles only one node in
  // nine.
  template <class Rows, class Bounds, class Observer = NoObserver>
  SearchResult run(Query query, const Rows (&rows)[2], const Bounds& bounds,
                   bool from_source = false,
                   std::uint64_t max_expansions = std::numeric_limits<std::uint64_t>::max(),
                   Observer&& observer = {});

  // The path of the last run, from source to target, and its arcs; empty if there is no path.
  std::vector<NodeId> path() const;
  std::vector<ArcIndex> arcs() const;  // in the forward rows

 private:
  struct alignas(64) Label {
    Cost g[2];
    Cost h[2];
    NodeId parent[2];
    ArcIndex arc[2];        // that leads to the node from its parent, in the forward rows
    std::uint32_t run = 0;  // the query it belongs to
    bool settled = false;
  };

  void begin_run();

  std::vector<Label, LargeAllocator<Label>> labels_;
  MinHeap<Cost> queue_[2];  // entries of nodes that were queued again stay and are skipped
  detail::RunNumber run_;
  NodeId meeting_ = kNoNode;
};

template <class Rows, class Bounds, class Observer>
SearchResult MeetingSearcher::run(Query query, const Rows (&rows)[2], const Bounds& bounds,
                                  bool from_source, std::uint64_t max_expansions,
                                  Observer&& observer) {
  begin_run();
  SearchResult result;
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
  const auto push = [&](int d, NodeId v, const Label& label) {
    ++result.pushes;
    queue_[d].push(label.g[d] + label.h[d], v);
  };
  Cost best = kInfinity;  // L
  const NodeId ends[2] = {query.source, query.target};
  Cost least[2];  // F
  for (int d = 0; d < 2; ++d) {
    Label& label = touch(ends[d]);
    label.g[d] = 0;
    least[d] = label.h[d];
    push(d, ends[d], label);
  }
  if (query.source == query.target) {
    best = 0;
    meeting_ = query.source;
  }
  result.lower_bound = std::max({least[0], least[1], 0.0});

  std::uint32_t turn = 0;
  std::uint64_t limit = std::min(max_expansions, detail::kStopEvery);
  while (true) {
    // Nodes that the other side has settled in the meantime leave the queue unseen.
    for (int d = 0; d < 2; ++d) {
      while (!queue_[d].empty() && labels[queue_[d].top().tag()].settled) queue_[d].pop();
    }
    if (queue_[0].empty() || queue_[1].empty()) break;
    least[0] = std::max(least[0], queue_[0].top().key());
    least[1] = std::max(least[1], queue_[1].top().key());
    if (least[0] >= best || least[1] >= best) break;
    if (result.expansions >= limit) [[unlikely]] {
      if (result.expansions >= max_expansions) {
        result.capped = true;
        break;
      }
      check_stop();
      limit = std::min(max_expansions, result.expansions + detail::kStopEvery);
    }
    const int d =
        from_source ? (++turn % 9 == 0 ? 1 : 0) : (queue_[0].size() <= queue_[1].size() ? 0 : 1);
    const NodeId u = queue_[d].pop().tag();
    Label& from = labels[u];
    from.settled = true;
    const Cost g = from.g[d];
    const Cost far = least[1 - d];
    if (g + from.h[d] >= best || g + far - from.h[1 - d] >= best) continue;
    ++result.expansions;
    detail::notify_settle(observer, u, g, from.parent[d], static_cast<Direction>(d));

    // A search waits for memory more than for anything else. The node on top of the queue is
    // probably the next of this side: where its arcs are is asked for now, the arcs below.
    const NodeId next = queue_[d].empty() ? u : queue_[d].top().tag();
    rows[d].prefetch_first(next);
    const ArcIndex begin = rows[d].begin(u), end = rows[d].begin(u + 1);
    for (ArcIndex at = begin; at != end; ++at) {
      const NodeId v = rows[d].head(at);
      __builtin_prefetch(&labels[v]);
      bounds.prefetch(v);
      rows[d].prefetch_head(v);
    }
    rows[d].prefetch_arcs(next);
    for (ArcIndex at = begin; at != end; ++at) {
      const NodeId v = rows[d].head(at);
      const Cost cost = g + rows[d].weight(u, at);
      if (cost >= best) continue;
      Label& label = touch(v);
      if (label.settled || cost >= label.g[d]) continue;
      label.g[d] = cost;
      label.parent[d] = u;
      label.arc[d] = rows[d].arc(at);
      if (cost + label.g[1 - d] < best) {
        best = cost + label.g[1 - d];
        meeting_ = v;
      }
      if (cost + label.h[d] >= best || cost + far - label.h[1 - d] >= best) continue;
      push(d, v, label);
    }
  }
  result.cost = best;
  if (!result.capped) result.lower_bound = best;
  return result;
}

}  // namespace lodestar::requests
