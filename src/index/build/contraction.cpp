#include "index/build/contraction.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "graph/locality.h"
#include "lodestar/detail/parallel.h"
#include "lodestar/detail/stop.h"
#include "lodestar/rng.h"

namespace lodestar::index {
namespace {

constexpr std::uint32_t kWaiting = std::numeric_limits<std::uint32_t>::max();
// Nodes a thread takes at a time: fewer if there are few in all, more if each takes little time.
constexpr std::size_t kMostChunks = 16, kChunk = 64, kLargeChunk = 2048;
// Nodes with more pairs of neighbours are contracted late, without an exact cost.
constexpr std::size_t kTooManyPairs = 20'000;
// For nodes with at most this many pairs the cost is kept up to date.
constexpr std::size_t kFewPairs = 36;
// For others it is updated after this many rounds that contracted a neighbour, and before the node
// would be contracted.
constexpr std::uint8_t kMostStale = 2;
// A graph is not promising if the cheapest nodes of a sample, one in kCheapest, add this many times
// the arcs that they remove. The nodes of roads, grids and geometric graphs add half as many.
constexpr std::size_t kSample = 256, kFirstSample = 32, kCheapest = 4;
constexpr double kGrowth = 1.25;
// A node's cost is estimated at first and whenever neighbours were contracted, and then it is
// contracted: at least this many times the work of a sample, on grids 30 times.
constexpr double kWorkTimes = 3;

}  // namespace

template <class W>
Contraction<W>::Contraction(const Graph& graph, const Units& units,
                            const ContractionOptions& options)
    : units_(units),
      longest_(static_cast<W>(units.wide && units.parts == 1
                                  ? units.longest
                                  : std::ceil(in_units(units, units.longest)))),
      options_(options),
      order_(locality_order(graph)),
      place_(graph.node_count()),
      graph_(graph, units, order_, thread_count(options.threads)),
      prices_(graph.node_count()),
      stale_(graph.node_count(), 0),
      marked_(graph.node_count(), 0),
      turn_(graph.node_count(), kWaiting),
      remaining_(graph.node_count()),
      compacted_at_(graph.node_count()) {
  options_.threads = thread_count(options_.threads);
  for (NodeId i = 0; i < order_.size(); ++i) {
    place_[order_[i]] = i;
    remaining_[i] = i;
  }
  for (std::uint32_t i = 0; i < options_.threads; ++i) {
    workers_.push_back(std::make_unique<Worker>(graph.node_count()));
  }
  for (int side = 0; side < (symmetric() ? 1 : 2); ++side) up_rows_[side].resize(order_.size());
}

template <class W>
template <class Body>
void Contraction<W>::in_parallel(std::size_t count, std::size_t chunk, Body&& body) const {
  const std::size_t most = std::max<std::size_t>(1, count / (kMostChunks * options_.threads));
  const std::size_t size = std::min(chunk, most);
  parallel_for((count + size - 1) / size, options_.threads,
               [&](std::size_t at, std::size_t worker) {
                 const std::size_t end = std::min(count, (at + 1) * size);
                 for (std::size_t i = at * size; i < end; ++i) body(i, worker);
                 count_work(*workers_[worker]);
               });
}

// Once per chunk, because threads would wait for each other if every witness search added to the
// sum. It exceeds the allowance in the same round with any number of threads.
template <class W>
void Contraction<W>::count_work(Worker& worker) const {
  if (worker.work == 0) return;
  const std::uint64_t work = std::exchange(worker.work, 0);
  if (work_.fetch_add(work, std::memory_order_relaxed) + work > allowed_) throw TooMuchWork();
}

// Those of the nodes for which keep(u) is true, in their order. Each chunk puts them at its own
// place.
template <class W>
template <class Keep>
void Contraction<W>::select(std::span<const NodeId> nodes, Keep&& keep, std::vector<NodeId>& kept) {
  const std::size_t chunks = (nodes.size() + kLargeChunk - 1) / kLargeChunk;
  selected_.resize(order_.size());
  std::vector<std::size_t> counts(chunks);
  in_parallel(chunks, 1, [&](std::size_t chunk, std::size_t) {
    const std::size_t begin = chunk * kLargeChunk;
    const std::size_t end = std::min(nodes.size(), begin + kLargeChunk);
    NodeId* free = selected_.data() + begin;
    for (std::size_t i = begin; i < end; ++i) {
      *free = nodes[i];
      free += keep(nodes[i]) ? 1 : 0;
    }
    counts[chunk] = static_cast<std::size_t>(free - selected_.data()) - begin;
  });
  kept.clear();
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
    const NodeId* const begin = selected_.data() + chunk * kLargeChunk;
    kept.insert(kept.end(), begin, begin + counts[chunk]);
  }
}

template <class W>
void Contraction<W>::find_shortcuts(NodeId m, std::uint32_t limit, Worker& worker) const {
  const auto in = graph_.arcs(m, Direction::kBackward);
  const auto out = graph_.arcs(m, Direction::kForward);
  const auto pass = [&](NodeId v) { return turn_[v] >= turn_[m]; };
  for (std::size_t i = 0; i < in.size(); ++i) {
    const NodeId u = in[i].head;
    // Each pair once, from the farther to the nearer neighbour, so that searches get shorter.
    const auto targets = symmetric() ? out.first(i) : out;
    if (targets.empty()) continue;
    bool any = false;
    worker.witness.begin(u, m);
    for (const GrowingArc<W>& arc : targets) {
      const W cost = in[i].weight + arc.weight;
      if (arc.head == u || cost > longest_) continue;
      worker.witness.want(arc.head, cost,
                          graph_.arcs(arc.head, Direction::kBackward).front().weight);
      any = true;
    }
    if (!any) continue;
    check_stop();
    worker.witness.run(graph_, limit, pass);
    worker.work += worker.witness.work();
    if (work_.load(std::memory_order_relaxed) + worker.work > allowed_) throw TooMuchWork();
    for (const GrowingArc<W>& arc : targets) {
      if (arc.head == u || !worker.witness.needed(arc.head)) continue;
      worker.shortcuts.push_back(
          {u, {arc.head, static_cast<W>(in[i].weight + arc.weight), m, in[i].hops + arc.hops}});
    }
  }
}

template <class W>
std::uint32_t Contraction<W>::quotient_of(NodeId m, Worker& worker) const {
  const auto in = graph_.arcs(m, Direction::kBackward);
  const auto out = graph_.arcs(m, Direction::kForward);
  if (in.size() * out.size() > kTooManyPairs) return kWaiting;
  std::uint64_t removed = 0, removed_hops = 0, added = 0, added_hops = 0;
  for (const auto arcs : {in, out}) {
    for (const GrowingArc<W>& arc : arcs) {
      ++removed;
      removed_hops += arc.hops;
    }
    if (symmetric()) break;
  }
  worker.shortcuts.clear();
  find_shortcuts(m, options_.guess_settled, worker);
  for (const Shortcut& shortcut : worker.shortcuts) {
    ++added;
    added_hops += shortcut.arc.hops;
  }
  const std::uint64_t quotient =
      removed == 0 ? 0 : 2000 * added / removed + 4000 * added_hops / removed_hops;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(quotient, kWaiting - 1));
}

template <class W>
bool Contraction<W>::is_promising() {
  struct Node {
    std::size_t removed = 0, added = 0;
    std::uint64_t work = 0;
  };
  if (remaining_.empty()) return true;
  std::vector<Node> sample(kSample);
  const auto look_at = [&](std::size_t begin, std::size_t end) {
    in_parallel(end - begin, 1, [&](std::size_t i, std::size_t at) {
      const NodeId m = remaining_[mix64(begin + i) % remaining_.size()];
      const std::size_t in = graph_.arcs(m, Direction::kBackward).size();
      const std::size_t out = graph_.arcs(m, Direction::kForward).size();
      Node& node = sample[begin + i];
      node.removed = symmetric() ? in : in + out;
      node.added = in * out;
      if (node.added > kTooManyPairs) return;  // not tried: such nodes are contracted last
      Worker& worker = *workers_[at];
      const std::uint64_t before = worker.work;
      worker.shortcuts.clear();
      find_shortcuts(m, options_.settled, worker);
      node.added = worker.shortcuts.size();
      node.work = worker.work - before;
    });
  };
  const auto exceeds = [&](std::size_t seen) {
    std::sort(sample.begin(), sample.begin() + static_cast<std::ptrdiff_t>(seen),
              [](const Node& a, const Node& b) { return a.work < b.work; });
    double sum = 0;
    for (std::size_t i = 0; i < seen / 2; ++i) sum += static_cast<double>(sample[i].work);
    return kWorkTimes * sum * static_cast<double>(remaining()) >
           static_cast<double>(seen / 2) * static_cast<double>(allowed_);
  };
  const std::uint64_t work = work_;
  look_at(0, kFirstSample);
  if (exceeds(kFirstSample)) return false;
  look_at(kFirstSample, kSample);
  if (exceeds(kSample)) return false;
  work_ = work;
  const auto added_per_removed = [](const Node& node) {
    return static_cast<double>(node.added) / std::max(1.0, static_cast<double>(node.removed));
  };
  std::sort(sample.begin(), sample.end(), [&](const Node& a, const Node& b) {
    return added_per_removed(a) < added_per_removed(b);
  });
  std::size_t removed = 0, added = 0;
  for (std::size_t i = 0; i < kSample / kCheapest; ++i) {
    removed += sample[i].removed;
    added += sample[i].added;
  }
  return static_cast<double>(added) <= kGrowth * static_cast<double>(removed);
}

template <class W>
std::uint64_t Contraction<W>::cost_of(NodeId u) const {
  return prices_[u].quotient + std::uint64_t{1000} * prices_[u].level;
}

// Ties are broken by a hash, so the result is reproducible.
template <class W>
bool Contraction<W>::before(NodeId u, NodeId v) const {
  const std::uint64_t a = cost_of(u), b = cost_of(v);
  return a != b ? a < b : mix64(u) < mix64(v);
}

template <class W>
bool Contraction<W>::before_neighbours(NodeId u) const {
  for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
    for (const GrowingArc<W>& arc : graph_.arcs(u, direction)) {
      if (before(arc.head, u)) return false;
    }
    if (symmetric()) break;
  }
  return true;
}

template <class W>
bool Contraction<W>::has_many_pairs(NodeId u) const {
  return graph_.arcs(u, Direction::kForward).size() * graph_.arcs(u, Direction::kBackward).size() >
         kFewPairs;
}

// Empty if the candidates became more expensive after an update.
template <class W>
void Contraction<W>::choose_round(NodeId most, std::vector<NodeId>& round) {
  std::vector<NodeId> candidates;
  select(
      remaining_, [&](NodeId u) { return before_neighbours(u); }, candidates);
  // Each node is compared only with its neighbours, so no two of the result are adjacent.
  in_parallel(candidates.size(), kChunk, [&](std::size_t i, std::size_t worker) {
    const NodeId u = candidates[i];
    if (stale_[u] != 0) prices_[u].quotient = quotient_of(u, *workers_[worker]);
  });
  select(
      candidates, [&](NodeId u) { return stale_[u] == 0 || before_neighbours(u); }, round);
  for (const NodeId u : candidates) stale_[u] = 0;
  if (round.size() > most) {
    std::nth_element(round.begin(), round.begin() + most, round.end(),
                     [&](NodeId u, NodeId v) { return before(u, v); });
    round.resize(most);
    std::sort(round.begin(), round.end());
  }
}

// Gives the nodes of a round their turns and finds their shortcuts in the unchanged graph. After an
// exception none of them counts as contracted.
template <class W>
void Contraction<W>::find_shortcuts(std::span<const NodeId> round) {
  const std::size_t before = contracted_.size();
  contracted_.reserve(before + round.size());
  for (const NodeId m : round) {
    turn_[m] = static_cast<std::uint32_t>(contracted_.size());
    contracted_.push_back(order_[m]);
  }
  found_.resize(round.size());
  for (auto& worker : workers_) worker->shortcuts.clear();
  try {
    in_parallel(round.size(), kChunk, [&](std::size_t i, std::size_t at) {
      std::vector<Shortcut>& shortcuts = workers_[at]->shortcuts;
      const std::size_t begin = shortcuts.size();
      find_shortcuts(round[i], options_.settled, *workers_[at]);
      found_[i] = {begin, static_cast<std::uint32_t>(shortcuts.size() - begin),
                   static_cast<std::uint32_t>(at)};
    });
  } catch (...) {
    for (const NodeId m : round) turn_[m] = kWaiting;
    contracted_.resize(before);
    throw;
  }
}

// Stores the arcs of the round's nodes, removes the nodes and adds their shortcuts, as far as rows
// of this part are concerned. Each row sees the nodes in their order.
template <class W>
void Contraction<W>::replace(std::span<const NodeId> round, std::size_t part) {
  for (std::size_t i = 0; i < round.size(); ++i) {
    const NodeId m = round[i];
    for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
      const int side = static_cast<int>(direction);
      const auto arcs = graph_.arcs(m, direction);
      if (graph_.is_in(part, m)) {
        std::copy(arcs.begin(), arcs.end(), up_[side].data() + up_rows_[side][m].begin);
      }
      for (const GrowingArc<W>& arc : arcs) {
        if (!graph_.is_in(part, arc.head)) continue;
        prices_[arc.head].level = std::max(prices_[arc.head].level, prices_[m].level + 1);
        marked_[arc.head] = 1;
      }
      if (symmetric()) break;
    }
    graph_.detach(part, m);
    const Shortcut* const first = workers_[found_[i].worker]->shortcuts.data() + found_[i].begin;
    for (const Shortcut& shortcut : std::span(first, found_[i].size)) {
      graph_.add(part, shortcut.tail, shortcut.arc);
    }
  }
}

template <class W>
void Contraction<W>::contract_round(std::span<const NodeId> round) {
  // Step 1. Find the shortcuts of each node.
  find_shortcuts(round);
  // Step 2. Replace the nodes by their shortcuts.
  {
    const StopScope::Hold whole;
    for (int side = 0; side < (symmetric() ? 1 : 2); ++side) {
      std::uint64_t end = up_[side].size();
      for (const NodeId m : round) {
        const std::size_t size = graph_.arcs(m, static_cast<Direction>(side)).size();
        up_rows_[side][m] = {end, static_cast<std::uint32_t>(size)};
        end += size;
      }
      up_[side].resize(end);
    }
    parallel_for(graph_.parts(), options_.threads,
                 [&](std::size_t part, std::size_t) { replace(round, part); });
    drop_contracted();
  }
  // Step 3. Update the costs of their neighbours.
  std::vector<NodeId> touched;
  select(
      remaining_, [&](NodeId u) { return std::exchange(marked_[u], std::uint8_t{0}) != 0; },
      touched);
  if (!priced_) return;
  in_parallel(touched.size(), kChunk, [&](std::size_t i, std::size_t worker) {
    const NodeId u = touched[i];
    stale_[u] = has_many_pairs(u) && stale_[u] < kMostStale
                    ? static_cast<std::uint8_t>(stale_[u] + 1)
                    : std::uint8_t{0};
    if (stale_[u] == 0) prices_[u].quotient = quotient_of(u, *workers_[worker]);
  });
}

template <class W>
void Contraction<W>::drop_contracted() {
  std::vector<NodeId> left;
  select(
      remaining_, [&](NodeId u) { return turn_[u] == kWaiting; }, left);
  remaining_.swap(left);
  if (remaining_.size() > compacted_at_ / 2) return;
  parallel_for(graph_.parts(), options_.threads, [&](std::size_t part, std::size_t) {
    graph_.compact(part, [&](NodeId u) { return turn_[u] == kWaiting; });
  });
  compacted_at_ = remaining();
}

template <class W>
void Contraction<W>::run(NodeId core, const std::function<void()>& each_round) {
  if (!priced_) {
    in_parallel(remaining_.size(), kChunk, [&](std::size_t i, std::size_t worker) {
      prices_[remaining_[i]].quotient = quotient_of(remaining_[i], *workers_[worker]);
    });
    priced_ = true;
  }
  std::vector<NodeId> round;
  while (remaining() > core) {
    if (each_round) each_round();
    choose_round(remaining() - core, round);
    contract_round(round);
  }
}

template <class W>
void Contraction<W>::contract(std::span<const NodeId> nodes) {
  std::vector<NodeId> left, later, round;
  for (const NodeId v : nodes) left.push_back(place_[v]);
  std::vector<bool> taken(order_.size(), false);
  while (!left.empty()) {
    round.clear();
    later.clear();
    for (const NodeId u : left) {
      bool alone = true;
      for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
        for (const GrowingArc<W>& arc : graph_.arcs(u, direction)) alone &= !taken[arc.head];
        if (symmetric()) break;
      }
      (alone ? round : later).push_back(u);
      if (alone) taken[u] = true;
    }
    contract_round(round);
    for (const NodeId u : round) taken[u] = false;
    left.swap(later);
  }
}

template <class W>
std::vector<NodeId> Contraction<W>::remaining_nodes() const {
  std::vector<NodeId> nodes;
  nodes.reserve(remaining_.size());
  for (const NodeId u : remaining_) nodes.push_back(order_[u]);
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

template <class W>
std::size_t Contraction<W>::remaining_arcs() const {
  std::size_t arcs = 0;
  for (const NodeId u : remaining_) arcs += graph_.arcs(u, Direction::kForward).size();
  return arcs;
}

template <class W>
std::vector<GrowingArc<W>> Contraction<W>::arcs(NodeId node, Direction direction) const {
  const NodeId u = place_[node];
  const int side = symmetric() ? 0 : static_cast<int>(direction);
  std::vector<GrowingArc<W>> result;
  if (turn_[u] == kWaiting) {
    const auto row = graph_.arcs(u, direction);
    result.assign(row.begin(), row.end());
  } else {
    const auto begin = up_[side].begin() + static_cast<std::ptrdiff_t>(up_rows_[side][u].begin);
    result.assign(begin, begin + up_rows_[side][u].size);
  }
  for (GrowingArc<W>& arc : result) {
    arc.head = order_[arc.head];
    if (arc.middle != kNoNode) arc.middle = order_[arc.middle];
  }
  return result;
}

template class Contraction<std::uint32_t>;
template class Contraction<double>;

}  // namespace lodestar::index
