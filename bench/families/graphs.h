// Families of graphs to measure models on.
//
//   Rng rng(seed);
//   const Graph graph = make_family("watts-strogatz", 256, rng);
#pragma once

#include <string>
#include <vector>

#include "lodestar/graph.h"
#include "lodestar/rng.h"

namespace families {

struct FamilyRow {
  const char* name;
  const char* words;  // for the table
  bool er = false;    // Erdős–Rényi graphs, as in the paper; only if asked for
};

const std::vector<FamilyRow>& all_families();

// About `nodes` nodes; throws lodestar::Error on another name. `road` pieces are balls cut out of a
// larger graph: of the file's, if one is given, otherwise of one made by the program's generator.
lodestar::Graph make_family(const std::string& name, lodestar::NodeId nodes, lodestar::Rng& rng,
                            const lodestar::Graph& road);

}  // namespace families
