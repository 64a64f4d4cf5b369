#include "index/core_distances.h"

#include <algorithm>
#include <cmath>

#include "base/min_heap.h"
#include "lodestar/detail/stop.h"

namespace lodestar::index {

NodeId largest_distances_core(NodeId nodes) {
  return static_cast<NodeId>(std::sqrt(static_cast<double>(nodes)));
}

namespace {

// A search from every target against the arcs. If sums are rounded, D[u][t] is then the rounded sum
// of the weight of some arc u → v and D[v][t], which CoreWalk relies on.
template <class W>
void fill_core_distances(Data& data) {
  struct Into {
    NodeId tail;
    W weight;
    std::uint8_t place;  // of the arc in the row of its tail
  };
  struct Owned {
    std::vector<W> between;
    std::vector<std::uint8_t> next;
  };
  const std::size_t core = data.core;
  std::vector<std::vector<Into>> into(core);
  bool short_rows = true;
  for (NodeId u = 0; u < core; ++u) {
    const auto row = data.row_of<W>(u, 0);
    short_rows &= row.size() <= kNoNext;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const UpArc<W> arc = row[i];
      into[arc.head].push_back({u, arc.weight, static_cast<std::uint8_t>(i)});
    }
  }
  const auto owned = std::make_shared<Owned>();
  owned->between.assign(core * core, kUnreached<W>);
  owned->next.assign(core * core, kNoNext);
  MinHeap<W> queue;
  for (NodeId t = 0; t < core; ++t) {
    W* row = owned->between.data() + t * core;
    std::uint8_t* next = owned->next.data() + t * core;
    row[t] = 0;
    queue.push(0, t);
    check_stop();
    while (!queue.empty()) {
      const auto top = queue.pop();
      if (top.key() != row[top.tag()]) continue;
      for (const Into& arc : into[top.tag()]) {
        const W reached = top.key() + arc.weight;
        if (reached >= row[arc.tail]) continue;
        row[arc.tail] = reached;
        next[arc.tail] = arc.place;
        queue.push(reached, arc.tail);
      }
    }
  }
  if (!data.paths || !short_rows) owned->next = {};
  data.between = std::as_bytes(std::span(owned->between));
  data.next = owned->next;
  data.between_keeper = owned;
  add_core_pieces(data);
}

}  // namespace

void add_core_distances(Data& data) {
  data.wide ? fill_core_distances<double>(data) : fill_core_distances<std::uint32_t>(data);
}

template <class W>
void CoreWalk<W>::append(NodeId from, NodeId to, PathSteps& steps) {
  if (data_.next.empty()) {
    search(from, to, steps.core);
    return;
  }
  const std::size_t core = data_.core;
  const std::uint8_t* const next = data_.next.data() + to * core;
  const std::uint32_t* const first = data_.first[0].data();
  const CorePiece* const pieces = data_.core_pieces.data();
  if (steps.crossing.size() < core) steps.crossing.resize(core);
  PathPiece* piece = steps.crossing.data();
  // A damaged file may lead in circles or to an end: there is no path.
  const PathPiece* const end = piece + core;
  std::size_t ids = 0;
  for (NodeId at = from; at != to && next[at] != kNoNext && piece != end; ++piece) {
    const CorePiece& arc = pieces[first[at] + next[at]];
    *piece = arc.piece;
    __builtin_prefetch(arc.piece.from);
    ids += arc.piece.count;
    at = arc.head;
  }
  steps.crossed = static_cast<std::size_t>(piece - steps.crossing.data());
  steps.crossed_ids = ids;
}

template <class W>
void CoreWalk<W>::search(NodeId from, NodeId to, std::vector<PathStep>& steps) {
  run_.next([&] { std::fill(seen_.begin(), seen_.end(), 0); });
  const W* left = data_.between_of<W>() + std::size_t{to} * data_.core;
  const std::size_t first = steps.size();
  seen_[from] = run_;
  for (NodeId at = from; at != to;) {
    const auto row = data_.row_of<W>(at, 0);
    const W rest = left[at];
    std::size_t next = 0;
    while (next < row.size() &&
           (seen_[row[next].head] == run_ || left[row[next].head] + row[next].weight != rest)) {
      ++next;
    }
    if (next < row.size()) {
      const NodeId head = row[next].head;
      steps.push_back({at, head, data_.first[0][at] + static_cast<std::uint32_t>(next)});
      at = head;
      seen_[at] = run_;
      continue;
    }
    if (steps.size() == first) return;  // a damaged file: there is no path
    at = steps.back().from;
    steps.pop_back();
  }
}

template class CoreWalk<std::uint32_t>;
template class CoreWalk<double>;

}  // namespace lodestar::index
