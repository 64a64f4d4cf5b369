// Data sets: a split is a name and the parameters to draw it again.
//
//   for (const Split& split : paper_splits()) {
//     for (std::uint32_t i = 0; i < split.count; ++i) use(draw_instance(split, i));
//   }
//
// Instance i of a split depends on the split's seed and on i alone: half a split is the first half
// of the whole. Erdős-Rényi graphs, weights U[0, 1), or another family of generate.h with its own
// weights; s ≠ t uniform, t reachable from s.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lodestar/generate.h"
#include "lodestar/graph.h"

namespace lodestar {

struct Split {
  std::string name;
  std::uint32_t count = 0;
  NodeId nodes = 0;
  Density density = Density::kDense;
  double p = 0;  // for Density::kGiven; obstacles of a grid, degree of a geometric graph, of a
                 // chain the mean number of further edges per node
  Draw draw = Draw::kOr;
  std::uint64_t seed = 0;
  Family family = Family::kErdosRenyi;  // others do not use density and draw
  bool chain = false;                   // a chain instead: paths with many arcs on few nodes
  bool clrs = false;                    // edges and weights as the CLRS benchmark draws them
};

struct Instance {
  Graph graph;
  Query query;
};

Instance draw_instance(const Split& split, std::uint32_t index);

// "NAME:COUNT:NODES:DENSITY:DRAW:SEED", as in "train-dense-16:1000:16:dense:or:1". DRAW may be a
// family: "maze:100:64:0.4:grid:7" (40 % obstacles), "near:100:64:8:geometric:7" (mean degree 8),
// "streets:100:64:0:road:7", "long:100:64:0.5:chain:7" (node v is joined to v-1 and, with
// probability 1/2, to one of v-2, v-3, v-4; weights U[0, 1); for "3" to three of v-2 … v-8),
// "train:1000:16:dense:clrs:1" (drawn as in CLRS: edges with probability p², weights √(uu′ +
// 10⁻³)).
std::string to_string(const Split& split);
Split parse_split(const std::string& text);  // throws Error

// The paper's splits: train (1000) and validation (128), dense, 16 nodes.
Split paper_train_split();
Split paper_validation_split();
// Its test sets: 9 sizes × 3 densities × 128 graphs, for the given draw.
std::vector<Split> paper_test_splits(Draw draw = Draw::kOr);

}  // namespace lodestar
