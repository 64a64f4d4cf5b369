// Chooses the arcs of a change.
#include <algorithm>
#include <cmath>

#include "bench/harness/traffic.h"
#include "lodestar/rng.h"
#include "lodestar/search.h"

namespace lodestar::bench {
namespace {

constexpr const char* kNames[] = {"random", "clustered", "rush-hour"};

// Both arcs of an edge have the same hash.
std::uint64_t edge(NodeId u, NodeId v) {
  return std::uint64_t{std::min(u, v)} << 32 | std::max(u, v);
}

// The arcs with the lowest hashes, sorted.
std::vector<std::uint64_t> random_edges(std::vector<std::uint64_t> edges, std::size_t wanted,
                                        std::uint64_t seed) {
  const auto before = [&](std::uint64_t a, std::uint64_t b) {
    return mix64(a ^ mix64(seed)) < mix64(b ^ mix64(seed));
  };
  std::nth_element(edges.begin(), edges.begin() + static_cast<std::ptrdiff_t>(wanted), edges.end(),
                   before);
  edges.resize(wanted);
  return edges;
}

// Balls of hops around random nodes, each a tenth of what is wanted.
std::vector<std::uint64_t> clustered_edges(const Graph& graph, std::size_t wanted, Rng rng) {
  constexpr std::size_t kBalls = 10;
  std::vector<std::uint64_t> chosen;
  std::vector<NodeId> ball(graph.node_count(), kNoNode), queue;
  for (NodeId number = 0; chosen.size() < wanted; ++number) {
    const std::size_t end = std::min(wanted, chosen.size() + wanted / kBalls + 1);
    queue.assign(1, rng.below(graph.node_count()));
    ball[queue[0]] = number;
    for (std::size_t i = 0; i < queue.size() && chosen.size() < end; ++i) {
      for (const Arc arc : graph.arcs(queue[i])) {
        if (arc.head != queue[i]) chosen.push_back(edge(queue[i], arc.head));
        if (ball[arc.head] == number) continue;
        ball[arc.head] = number;
        queue.push_back(arc.head);
      }
    }
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  }
  return chosen;
}

// Those that most shortest paths from some nodes to all others use.
std::vector<std::uint64_t> busiest_edges(const Graph& graph, std::size_t wanted, Rng rng) {
  constexpr int kTrees = 30;
  struct Order {
    std::vector<NodeId> nodes;
    void on_settle(NodeId v, Cost, NodeId) { nodes.push_back(v); }
  };
  Searcher searcher(graph);
  std::vector<std::pair<std::uint64_t, double>> use;
  std::vector<double> below(graph.node_count());
  for (int tree = 0; tree < kTrees; ++tree) {
    Order order;
    searcher.run_all(rng.below(graph.node_count()), order);
    std::fill(below.begin(), below.end(), 1);
    for (std::size_t i = order.nodes.size(); i-- > 1;) {
      const NodeId v = order.nodes[i], parent = searcher.parent(v);
      below[parent] += below[v];
      use.emplace_back(edge(parent, v), below[v]);
    }
  }
  std::sort(use.begin(), use.end());
  std::vector<std::pair<double, std::uint64_t>> total;
  for (const auto& [which, count] : use) {
    if (total.empty() || total.back().second != which) total.emplace_back(0, which);
    total.back().first -= count;  // the busiest sort first
  }
  std::sort(total.begin(), total.end());
  std::vector<std::uint64_t> chosen;
  for (std::size_t i = 0; i < std::min(wanted, total.size()); ++i) {
    chosen.push_back(total[i].second);
  }
  return chosen;
}

}  // namespace

std::string to_string(TrafficKind kind) {
  return kNames[static_cast<int>(kind)];
}

TrafficKind parse_traffic_kind(const std::string& text) {
  for (const auto kind : {TrafficKind::kRandom, TrafficKind::kClustered, TrafficKind::kRushHour}) {
    if (text == to_string(kind)) return kind;
  }
  throw Error("unknown kind of traffic '" + text + "'; choose random, clustered or rush-hour");
}

Graph with_traffic(const Graph& graph, const Traffic& traffic) {
  if (!(traffic.share >= 0 && traffic.share <= 1) || !(traffic.factor >= 0)) {
    throw Error("traffic changes a share between 0 and 1 of the arcs by a factor of at least 0");
  }
  std::vector<std::uint64_t> edges;
  for (NodeId u = 0; u < graph.node_count(); ++u) {
    for (const Arc arc : graph.arcs(u)) {
      if (arc.head != u) edges.push_back(edge(u, arc.head));
    }
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  const auto wanted =
      static_cast<std::size_t>(std::lround(traffic.share * static_cast<double>(edges.size())));
  std::vector<std::uint64_t> chosen;
  if (wanted == edges.size() || traffic.kind == TrafficKind::kRandom) {
    chosen = random_edges(std::move(edges), wanted, traffic.seed);
  } else if (traffic.kind == TrafficKind::kClustered) {
    chosen = clustered_edges(graph, wanted, Rng(mix64(traffic.seed)));
  } else {
    chosen = busiest_edges(graph, wanted, Rng(mix64(traffic.seed)));
  }
  std::sort(chosen.begin(), chosen.end());
  GraphBuilder builder(graph.node_count());
  builder.reserve(graph.arc_count());
  for (NodeId u = 0; u < graph.node_count(); ++u) {
    for (const Arc arc : graph.arcs(u)) {
      const bool hit = std::binary_search(chosen.begin(), chosen.end(), edge(u, arc.head));
      builder.add_arc(u, arc.head, hit ? arc.weight * traffic.factor : arc.weight);
    }
  }
  if (graph.has_coordinates()) {
    builder.set_points(graph.coordinate_kind(), {graph.points().begin(), graph.points().end()});
  }
  return builder.build(graph.arc_order());
}

}  // namespace lodestar::bench
