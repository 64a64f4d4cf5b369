#include "graphs.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>

#include "lodestar/generate.h"

namespace families {
namespace {

using namespace lodestar;

// Undirected edges, each once, with weights U[0, 1).
class Edges {
 public:
  Edges(NodeId nodes, Rng& rng) : builder_(nodes), rng_(rng) {}

  bool add(NodeId u, NodeId v) {
    if (u == v || !seen_.insert(std::minmax(u, v)).second) return false;
    builder_.add_edge(u, v, rng_.uniform24());
    return true;
  }
  Graph build() { return builder_.build(); }

 private:
  GraphBuilder builder_;
  Rng& rng_;
  std::set<std::pair<NodeId, NodeId>> seen_;
};

// Every new node is joined to four others, chosen with probability proportional to their degree.
Graph barabasi_albert(NodeId n, Rng& rng) {
  constexpr NodeId kEdges = 4;
  Edges edges(n, rng);
  std::vector<NodeId> ends;  // each node as often as its degree
  for (NodeId v = 1; v < n; ++v) {
    const NodeId wanted = std::min(v, kEdges);
    for (NodeId added = 0; added < wanted;) {
      const NodeId u = ends.empty() ? 0 : ends[rng.below(static_cast<std::uint32_t>(ends.size()))];
      if (!edges.add(v, u)) continue;
      ends.insert(ends.end(), {u, v});
      ++added;
    }
  }
  return edges.build();
}

// A ring where each node is joined to the eight nearest, a tenth of the edges led elsewhere.
Graph watts_strogatz(NodeId n, Rng& rng) {
  Edges edges(n, rng);
  for (NodeId v = 0; v < n; ++v) {
    for (NodeId step = 1; step <= 4; ++step) {
      NodeId u = (v + step) % n;
      if (rng.chance(0.1)) u = rng.below(n);
      edges.add(v, u);
    }
  }
  return edges.build();
}

// Cliques of eight on a ring, with as many edges between cliques anywhere as there are cliques.
Graph caveman(NodeId n, Rng& rng) {
  constexpr NodeId kClique = 8;
  const NodeId cliques = n / kClique;
  Edges edges(cliques * kClique, rng);
  const auto member = [&](NodeId clique) { return clique * kClique + rng.below(kClique); };
  for (NodeId c = 0; c < cliques; ++c) {
    for (NodeId i = 0; i < kClique; ++i) {
      for (NodeId j = 0; j < i; ++j) edges.add(c * kClique + i, c * kClique + j);
    }
    edges.add(member(c), member((c + 1) % cliques));
    edges.add(member(c), member(rng.below(cliques)));
  }
  return edges.build();
}

// Every node joined to an earlier one, and a tenth as many edges between any two.
Graph tree_with_shortcuts(NodeId n, Rng& rng) {
  Edges edges(n, rng);
  for (NodeId v = 1; v < n; ++v) edges.add(v, rng.below(v));
  for (NodeId i = 0; i < n / 10; ++i) {
    edges.add(rng.below(n), rng.below(n));
  }
  return edges.build();
}

// The `nodes` nodes that a walk in rings from a random one meets first.
Graph cut_out(const Graph& whole, NodeId nodes, Rng& rng) {
  std::vector<NodeId> chosen = {rng.below(whole.node_count())};
  std::vector<NodeId> number(whole.node_count(), kNoNode);
  number[chosen[0]] = 0;
  for (std::size_t at = 0; at < chosen.size() && chosen.size() < nodes; ++at) {
    for (const Arc arc : whole.arcs(chosen[at])) {
      if (number[arc.head] != kNoNode || chosen.size() == nodes) continue;
      number[arc.head] = static_cast<NodeId>(chosen.size());
      chosen.push_back(arc.head);
    }
  }
  GraphBuilder builder(static_cast<NodeId>(chosen.size()));
  for (const NodeId v : chosen) {
    for (const Arc arc : whole.arcs(v)) {
      if (number[arc.head] != kNoNode) builder.add_arc(number[v], number[arc.head], arc.weight);
    }
  }
  return builder.build();
}

Graph generated(Family family, NodeId nodes, Rng& rng) {
  GraphSpec spec;
  spec.family = family;
  spec.nodes = nodes;
  spec.seed = rng.next();
  return generate(spec);
}

Graph random_graph(NodeId nodes, Density density, Draw draw, Rng& rng) {
  GraphSpec spec;
  spec.nodes = nodes;
  spec.density = density;
  spec.draw = draw;
  spec.seed = rng.next();
  return generate(spec);
}

}  // namespace

const std::vector<FamilyRow>& all_families() {
  static const std::vector<FamilyRow> rows = {
      {"grid", "grid with obstacles", false},
      {"geometric", "random geometric", false},
      {"barabasi-albert", "Barabási–Albert", false},
      {"watts-strogatz", "Watts–Strogatz", false},
      {"caveman", "caveman", false},
      {"tree", "tree with shortcuts", false},
      {"road", "piece of a road graph", false},
      {"sparse", "sparse random, undirected", true},
      {"sparse-directed", "sparse random, directed", true},
      {"dense", "dense random, undirected", true},
  };
  return rows;
}

Graph make_family(const std::string& name, NodeId nodes, Rng& rng, const Graph& road) {
  if (name == "grid") return generated(Family::kGrid, nodes, rng);
  if (name == "geometric") return generated(Family::kGeometric, nodes, rng);
  if (name == "barabasi-albert") return barabasi_albert(nodes, rng);
  if (name == "watts-strogatz") return watts_strogatz(nodes, rng);
  if (name == "caveman") return caveman(nodes, rng);
  if (name == "tree") return tree_with_shortcuts(nodes, rng);
  if (name == "road") return cut_out(road, nodes, rng);
  if (name == "sparse") return random_graph(nodes, Density::kSparse, Draw::kOr, rng);
  if (name == "sparse-directed") return random_graph(nodes, Density::kSparse, Draw::kDirected, rng);
  if (name == "dense") return random_graph(nodes, Density::kDense, Draw::kOr, rng);
  throw Error("unknown family '" + name + "'");
}

}  // namespace families
