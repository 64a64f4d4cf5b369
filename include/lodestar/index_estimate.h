// The ladder of memory against time (docs/guide/build-an-index.md), before anybody climbs it: what
// a table, a core and labels would take of a graph.
//
//   for (const IndexCost& rung : estimate_index_costs(graph).costs) …    // by a piece of it
//   for (const IndexCost& rung : index_costs_of("roads.lsi").costs) …    // of an index
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lodestar/graph.h"
#include "lodestar/index.h"

namespace lodestar {

enum class IndexKind : std::uint8_t {
  kPotentials,        // potentials of all nodes (fit.h)
  kCoreWithoutPaths,  // an index without paths
  kCore,
  kLabels,
};

struct IndexCost {
  IndexKind rung = IndexKind::kPotentials;
  std::optional<double> bytes_per_node;  // with what is not known `why`
  std::optional<double> seconds;         // of preparation on one thread
  bool measured = false;                 // otherwise a guess
  std::string why;
};

struct IndexCosts {
  NodeId piece = 0;  // nodes on which guesses were measured; 0: all of them
  std::vector<IndexCost> costs;
};

struct EstimateOptions {
  NodeId piece = 16384;  // nodes to measure on, and a quarter of them
  double patience = 2;   // processor seconds for each index of a piece: beyond it none is known
  double training = 3;   // seconds of a core that is searched
  double potentials_time = 30;  // … and of a table
  std::uint32_t potential_count = 16;
};

// Builds indexes of a connected piece and of a quarter of it, and goes on as they do from one to
// the other: bytes a node grow by as much with every factor of four, seconds by the same factor.
// Labels are made for a core of the share it would have of the whole graph, and their bytes do not
// grow. The graph itself, where it is no larger than the piece.
IndexCosts estimate_index_costs(const Graph& graph, const EstimateOptions& options = {});

// Of an index: its own parts, and if it has none the labels it would have, from those of a sample
// of its nodes. A file needs no graph; throws Error when it is not a sound index.
IndexCosts index_costs_of(const Index& index, const EstimateOptions& options = {});
IndexCosts index_costs_of(const std::string& path, const EstimateOptions& options = {});

}  // namespace lodestar
