// Graphs made from a specification: the same seed gives the same graph everywhere.
//
//   GraphSpec spec;
//   spec.family = Family::kErdosRenyi;
//   spec.nodes = 256; spec.density = Density::kDense; spec.seed = 7;
//   const Graph graph = generate(spec);
//
// Erdős-Rényi as the paper uses it. It does not say how an undirected graph is drawn; `draw`
// names the ways: kOr joins u and v when either of two draws says so (density 1-(1-p)²), kExact
// when one draw does (density p), kDirected draws each arc by itself.
#pragma once

#include <cstdint>
#include <string>

#include "lodestar/graph.h"
#include "lodestar/rng.h"

namespace lodestar {

enum class Family : std::uint8_t { kErdosRenyi, kGrid, kGeometric, kRoad, kCity };
enum class Draw : std::uint8_t { kOr, kExact, kDirected };
enum class Density : std::uint8_t { kSparse, kDense, kVeryDense, kGiven };

struct GraphSpec {
  Family family = Family::kErdosRenyi;
  NodeId nodes = 0;  // grid, road and city: about this many; what is cut off is left out
  std::uint64_t seed = 0;

  // Erdős-Rényi. p = ln n / n, 0.35, 0.5, or as given.
  Draw draw = Draw::kOr;
  Density density = Density::kDense;
  double p = 0;  // for kGiven

  // Grid: the share of blocked cells. Moves as in MovingAI maps: eight neighbours, √2 diagonals.
  double obstacles = 0.2;

  // Random geometric: mean degree.
  double degree = 8;
};

// The probability the paper's name stands for. log is natural; its value at the sizes used is
// rounded to 2^-40, so that libm's last bit cannot change a graph.
double edge_probability(const GraphSpec& spec);

// Throws Error when the specification makes no sense (no nodes, p outside [0, 1], …).
Graph generate(const GraphSpec& spec);

// s ≠ t, uniform, t reachable from s; throws Error if no such pair is found in 10,000 tries.
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
