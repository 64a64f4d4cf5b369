// Table 1 of "Learning heuristics for A*" (Numeroso, Bacciu, Veličković 2022), as data.
//
//   if (const PublishedCell* cell = published_cell(Density::kDense, 96)) compare(cell->ratio());
//
// Its graphs are not public, so only effort relative to Dijkstra's on other graphs is comparable.
#pragma once

#include <optional>
#include <span>

#include "learn/evaluate/splits.h"
#include "lodestar/generate.h"
#include "lodestar/types.h"

namespace lodestar {

struct PublishedValue {
  double mean;
  double error;  // standard error over five trials, as printed
  double digit;  // one unit of the last printed digit
};

struct PublishedCell {
  Density density;
  NodeId nodes;
  PublishedValue constraints;  // in percent
  PublishedValue distance;     // in percent
  PublishedValue iterations;   // A*, the target included
  double speedup;
  double dijkstra;  // iterations

  // Iterations of A* as a share of Dijkstra's.
  double ratio() const { return iterations.mean / dijkstra; }
  double ratio_error() const { return iterations.error / dijkstra; }
};

// Sparse, dense, very dense; 32, 96, 192, 256 nodes each.
std::span<const PublishedCell> published_table();
// nullptr where the paper prints nothing.
const PublishedCell* published_cell(Density density, NodeId nodes);

// How much better than published, as a share, in the worse of iterations (relative to Dijkstra's)
// and relative distance (a share, not percent); below 0 when one of them is worse.
double margin(const PublishedCell& cell, double iteration_ratio, double relative_distance);
// The same for graphs of a split; nullopt where the paper prints nothing.
std::optional<double> published_margin(const Split& split, double iteration_ratio,
                                       double relative_distance);

}  // namespace lodestar
