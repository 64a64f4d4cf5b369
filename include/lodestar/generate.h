// Generates graphs. The same specification and seed give the same graph on every machine.
//
//   GraphSpec spec;
//   spec.family = Family::kErdosRenyi;
//   spec.nodes = 256; spec.density = Density::kDense; spec.seed = 7;
//   const Graph graph = generate(spec);
//
// Erdős-Rényi graphs follow the paper, which does not say how undirected graphs are drawn. `draw`
// selects a method: kOr adds an edge if either of two draws succeeds (density 1-(1-p)²), kExact if
// one draw succeeds (density p), and kDirected draws each arc independently.
#pragma once

#include <cstdint>
#include <string>

#include "lodestar/graph.h"
#include "lodestar/metrics.h"
#include "lodestar/rng.h"

namespace lodestar {

enum class Family : std::uint8_t { kErdosRenyi, kGrid, kGeometric, kRoad, kCity };
enum class Draw : std::uint8_t { kOr, kExact, kDirected };
enum class Density : std::uint8_t { kSparse, kDense, kVeryDense, kGiven };

struct GraphSpec {
  Family family = Family::kErdosRenyi;
  NodeId nodes = 0;  // grid, road and city: approximate, since disconnected parts are removed
  std::uint64_t seed = 0;

  // Erdős-Rényi: p = ln n / n, 0.35, 0.5, or `p`.
  Draw draw = Draw::kOr;
  Density density = Density::kDense;
  double p = 0;  // for kGiven

  // Grid: share of blocked cells. Cells have eight neighbours and √2 diagonals, as in MovingAI
  // maps.
  double obstacles = 0.2;

  // Random geometric: mean degree.
  double degree = 8;
};

// The edge probability of spec.density. The natural logarithm is rounded to 2^-40, so that the last
// bit of libm cannot change a graph.
double edge_probability(const GraphSpec& spec);

// Throws Error if the specification is invalid (no nodes, p outside [0, 1], …).
Graph generate(const GraphSpec& spec);

// The same graph with its metrics. Road and city have `time` (the weight, in ms), `length` (in cm)
// and the classes motorway, primary and residential; city also link, bridge and toll. Other
// families have no metrics.
struct GeneratedGraph {
  Graph graph;
  Metrics metrics;
};
GeneratedGraph generate_with_metrics(const GraphSpec& spec);

// A uniform query with s ≠ t and t reachable from s. Throws Error after 10,000 failed draws.
class Searcher;
Query random_reachable_query(Searcher& searcher, Rng& rng);

// "sparse", "dense", "very-dense", "or", "exact", "directed", "er", "grid", "geometric", "road",
// "city".
std::string to_string(Family family);
std::string to_string(Draw draw);
std::string to_string(Density density);
Family parse_family(const std::string& text);
Draw parse_draw(const std::string& text);
// Accepts a name or a number in [0, 1], which sets spec.p and Density::kGiven.
void parse_density(const std::string& text, GraphSpec& spec);

}  // namespace lodestar
