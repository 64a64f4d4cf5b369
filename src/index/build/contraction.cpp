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
constexpr std::size_t kChunk = 64;  // nodes a thread takes at a time
// Nodes with more pairs of neighbours are contracted late, without an exact cost.
constexpr std::size_t kTooManyPairs = 20'000;
// For nodes with at most this many pairs the cost is kept up to date.
constexpr std::size_t kFewPairs = 36;
// For others it is updated after this many rounds that contracted a neighbour, and before the node
// would be contracted.
constexpr std::uint8_t kMostStale = 2;

}  // namespace

template <class W>
Contraction<W>::Contraction(const Graph& graph, const Units& units,
                            const ContractionOptions& options)
    : units_(units),
      options_(options),
      order_(locality_order(graph)),
      place_(graph.node_count()),
      graph_(graph, units, order_),
      prices_(graph.node_count()),
      stale_(graph.node_count(), 0),
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
void Contraction<W>::in_parallel(std::size_t count, Body&& body) const {
  const std::size_t chunks = (count + kChunk - 1) / kChunk;
  parallel_for(chunks, options_.threads, [&](std::size_t chunk, std::size_t worker) {
    const std::size_t end = std::min(count, (chunk + 1) * kChunk);
    for (std::size_t i = chunk * kChunk; i < end; ++i) {
      body(i, *workers_[worker]);
      count_work(*workers_[worker]);
    }
  });
}

// Once per node, because threads would wait for each other if every witness search added to the
// sum. It exceeds the allowance in the same round with any number of threads.
template <class W>
void Contraction<W>::count_work(Worker& worker) const {
  const std::uint64_t work = std::exchange(worker.work, 0);
  if (work_.fetch_add(work, std::memory_order_relaxed) + work > allowed_) throw TooMuchWork();
}

template <class W>
void Contraction<W>::find_shortcuts(NodeId m, std::uint32_t limit, Worker& worker) const {
  const auto in = graph_.arcs(m, Direction::kBackward);
  const auto out = graph_.arcs(m, Direction::kForward);
  const auto pass = [&](NodeId v) { return turn_[v] >= turn_[m]; };
  // Rounded up: decimals are not exact.
  const W longest =
      static_cast<W>(units_.wide ? units_.longest : std::ceil(in_units(units_, units_.longest)));
  for (std::size_t i = 0; i < in.size(); ++i) {
    const NodeId u = in[i].head;
    // Each pair once, from the farther to the nearer neighbour, so that searches get shorter.
    const auto targets = symmetric() ? out.first(i) : out;
    if (targets.empty()) continue;
    bool any = false;
    worker.witness.begin(u, m);
    for (const GrowingArc<W>& arc : targets) {
      const W cost = in[i].weight + arc.weight;
      if (arc.head == u || cost > longest) continue;
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
  round.clear();
  for (const NodeId u : remaining_) {
    if (before_neighbours(u)) round.push_back(u);
  }
  // Each node is compared only with its neighbours, so no two of the result are adjacent.
  in_parallel(round.size(), [&](std::size_t i, Worker& worker) {
    if (stale_[round[i]] != 0) prices_[round[i]].quotient = quotient_of(round[i], worker);
  });
  std::erase_if(round, [&](NodeId u) {
    const bool was_stale = stale_[u] != 0;
    stale_[u] = 0;
    return was_stale && !before_neighbours(u);
  });
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
auto Contraction<W>::shortcuts_of(std::span<const NodeId> round)
    -> std::vector<std::vector<Shortcut>> {
  std::vector<std::vector<Shortcut>> found(round.size());
  const std::size_t before = contracted_.size();
  contracted_.reserve(before + round.size());
  for (const NodeId m : round) {
    turn_[m] = static_cast<std::uint32_t>(contracted_.size());
    contracted_.push_back(order_[m]);
  }
  try {
    in_parallel(round.size(), [&](std::size_t i, Worker& worker) {
      worker.shortcuts.clear();
      find_shortcuts(round[i], options_.settled, worker);
      found[i] = worker.shortcuts;
    });
  } catch (...) {
    for (const NodeId m : round) turn_[m] = kWaiting;
    contracted_.resize(before);
    throw;
  }
  return found;
}

template <class W>
void Contraction<W>::contract_round(std::span<const NodeId> round) {
  // Step 1. Find the shortcuts of each node.
  const std::vector<std::vector<Shortcut>> found = shortcuts_of(round);
  // Step 2. Store their arcs, remove the nodes and add the shortcuts.
  std::vector<NodeId> touched;
  for (std::size_t i = 0; i < round.size(); ++i) {
    const NodeId m = round[i];
    for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
      const int side = static_cast<int>(direction);
      const auto arcs = graph_.arcs(m, direction);
      up_rows_[side][m] = {up_[side].size(), static_cast<std::uint32_t>(arcs.size())};
      up_[side].insert(up_[side].end(), arcs.begin(), arcs.end());
      for (const GrowingArc<W>& arc : arcs) {
        touched.push_back(arc.head);
        prices_[arc.head].level = std::max(prices_[arc.head].level, prices_[m].level + 1);
      }
      if (symmetric()) break;
    }
    graph_.detach(m);
    for (const Shortcut& shortcut : found[i]) graph_.add(shortcut.tail, shortcut.arc);
  }
  drop_contracted();
  // Step 3. Update the costs of their neighbours.
  std::sort(touched.begin(), touched.end());
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  if (!priced_) return;
  in_parallel(touched.size(), [&](std::size_t i, Worker& worker) {
    const NodeId u = touched[i];
    stale_[u] = has_many_pairs(u) && stale_[u] < kMostStale
                    ? static_cast<std::uint8_t>(stale_[u] + 1)
                    : std::uint8_t{0};
    if (stale_[u] == 0) prices_[u].quotient = quotient_of(u, worker);
  });
}

template <class W>
void Contraction<W>::drop_contracted() {
  std::erase_if(remaining_, [&](NodeId u) { return turn_[u] != kWaiting; });
  if (remaining_.size() > compacted_at_ / 2) return;
  graph_.compact([&](NodeId u) { return turn_[u] == kWaiting; });
  compacted_at_ = remaining();
}

template <class W>
void Contraction<W>::run(NodeId core, const std::function<void()>& each_round) {
  if (!priced_) {
    in_parallel(remaining_.size(), [&](std::size_t i, Worker& worker) {
      prices_[remaining_[i]].quotient = quotient_of(remaining_[i], worker);
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
