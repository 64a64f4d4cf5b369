// The oracle: Bellman-Ford over a plain list of arcs. It shares no code with the searches.
#pragma once

#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include "lodestar/graph.h"
#include "lodestar/rng.h"

namespace lodestar::testing {

struct PlainArc {
  std::uint32_t tail;
  std::uint32_t head;
  double weight;
};

struct PlainGraph {
  std::string name;
  std::uint32_t nodes = 0;
  std::vector<PlainArc> arcs;

  Graph graph() const {
    GraphBuilder builder(nodes);
    for (const PlainArc& arc : arcs) builder.add_arc(arc.tail, arc.head, arc.weight);
    return builder.build();
  }
};

// The arcs as a CSV file has them, digits enough to make the same graph again.
inline std::string text_of(const PlainGraph& graph) {
  std::string text = graph.name + ", " + std::to_string(graph.nodes) + " nodes\nfrom,to,weight\n";
  for (const PlainArc& arc : graph.arcs) {
    char line[80];
    std::snprintf(line, sizeof line, "%u,%u,%.17g\n", arc.tail, arc.head, arc.weight);
    text += line;
  }
  return text;
}

inline std::vector<double> bellman_ford(const PlainGraph& graph, std::uint32_t source) {
  std::vector<double> distance(graph.nodes, std::numeric_limits<double>::infinity());
  distance[source] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (const PlainArc& arc : graph.arcs) {
      const double through = distance[arc.tail] + arc.weight;
      if (through < distance[arc.head]) {
        distance[arc.head] = through;
        changed = true;
      }
    }
  }
  return distance;
}

// A graph of whole-number weights, so that sums are exact, and of a nasty kind that `variant`
// picks: zero weights, all ties, huge ranges, parallel arcs and self-loops, islands, chains.
inline PlainGraph nasty_graph(std::uint64_t seed) {
  Rng rng(seed);
  const std::uint32_t variant = rng.below(10);
  constexpr const char* kNames[] = {"plain",   "zero weights", "ties",   "huge range", "parallel",
                                    "islands", "chain",        "single", "dense",      "trap"};
  PlainGraph plain;
  plain.name = std::string(kNames[variant]) + " seed " + std::to_string(seed);
  plain.nodes = variant == 7 ? 1 : 2 + rng.below(variant == 8 ? 24 : 40);
  const std::uint32_t n = plain.nodes;
  const bool undirected = rng.chance(0.5);
  const auto weight = [&]() -> double {
    switch (variant) {
      case 1:
        return rng.below(3) == 0 ? 1 + rng.below(3) : 0;
      case 2:
        return 1;
      case 3:
        return rng.chance(0.5) ? rng.below(4) : static_cast<double>(rng.next() >> 16);
      default:
        return rng.below(1000);
    }
  };
  const auto add = [&](std::uint32_t u, std::uint32_t v) {
    const double w = weight();
    plain.arcs.push_back({u, v, w});
    if (undirected) plain.arcs.push_back({v, u, w});
  };
  if (variant == 6) {
    for (std::uint32_t v = 0; v + 1 < n; ++v) add(v, v + 1);
  } else if (variant == 9) {
    // Long cheap detours beside short dear arcs: what tempts an inadmissible heuristic.
    for (std::uint32_t v = 0; v + 1 < n; ++v) plain.arcs.push_back({v, v + 1, 1});
    for (std::uint32_t v = 0; v + 3 < n; ++v) plain.arcs.push_back({v, v + 3, 4.0 + rng.below(3)});
  } else {
    const std::uint32_t arcs = variant == 8 ? n * n / 2 : n * (1 + rng.below(4));
    for (std::uint32_t i = 0; i < arcs; ++i) {
      std::uint32_t u = rng.below(n), v = rng.below(n);
      if (variant == 5) v = u / 8 * 8 + v % 8 < n ? u / 8 * 8 + v % 8 : u;  // islands of eight
      if (variant == 4 && rng.chance(0.2)) v = u;
      add(u, v);
      if (variant == 4 && rng.chance(0.5)) add(u, v);
    }
  }
  return plain;
}

}  // namespace lodestar::testing
