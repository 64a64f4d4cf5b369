// Estimates memory and build time of each kind of index before it is built, and measures queries.
//
//   for (const IndexCost& cost : estimate_index_costs(graph).costs) …    // estimated from a sample
//   for (const IndexCost& cost : index_costs_of("roads.lsi").costs) …    // measured on an index
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lodestar/graph.h"
#include "lodestar/index.h"

namespace lodestar {

enum class IndexKind : std::uint8_t {
  kPotentials,        // potentials for all nodes (fit.h), without an index
  kCoreWithoutPaths,  // an index without paths
  kCore,
  kLabels,
};

struct IndexCost {
  IndexKind kind = IndexKind::kPotentials;
  std::optional<double> bytes_per_node;  // empty if unknown; see `why`
  std::optional<double> seconds;         // build time on one thread
  bool measured = false;                 // otherwise estimated
  std::string why;                       // why something is unknown
};

// Mean time of sample queries without paths.
struct QueryTimes {
  double index = 0;          // seconds
  double bidirectional = 0;  // seconds, searching the graph from both ends without an index
  bool index_is_faster() const { return index <= bidirectional; }
};

struct IndexCosts {
  NodeId piece = 0;  // nodes of the sample; 0: the whole graph
  std::vector<IndexCost> costs;
  std::optional<QueryTimes> times;  // of a core, on the sample
};

struct EstimateOptions {
  NodeId piece = 16384;  // nodes of the larger sample; the smaller one has a quarter of them
  double patience = 2;   // processor seconds for each index of a sample; beyond, costs are unknown
  double training = 3;   // training seconds of a core
  double potentials_time = 30;  // training seconds of potentials
  std::uint32_t potential_count = 16;
};

// Builds indexes of a connected sample and of a quarter of it, and extrapolates: every factor of
// four adds the same number of bytes per node and multiplies the seconds by the same factor. Bytes
// of labels per node are assumed constant. A graph that is not larger than the sample is measured
// itself.
IndexCosts estimate_index_costs(const Graph& graph, const EstimateOptions& options = {});

// Measures random queries with an index and without, in turns, for about this processor time.
QueryTimes measure_queries(const Index& index, double seconds = 0.1);

// The costs of an existing index. If it has no labels, theirs are estimated from a sample of nodes.
// A file is read without its graph; throws Error if the file is malformed.
IndexCosts index_costs_of(const Index& index, const EstimateOptions& options = {});
IndexCosts index_costs_of(const std::string& path, const EstimateOptions& options = {});

}  // namespace lodestar
