// A learned core: the graph contracted from below, potentials learned on what remains.
//
//   const Index index = Index::build(graph);                // seconds, once
//   IndexSearcher searcher(index);                          // one per thread, reused
//   const SearchResult found = searcher.run({s, t});        // microseconds, proven optimal
//   if (found.reached()) use(searcher.path());
//
// A query climbs from both ends to the core along arcs up, and crosses it by A*. With an empty core
// it is a contraction hierarchy; with the whole graph as its core it is a potential table. Index
// chooses a size between. docs/INDEX.md has the method, the proofs, and who wins where.
//
// Exact: costs are counted in whole numbers of a power of two, and are the sums that any other
// search here returns. Where weights are such that sums depend on their order, the cost of the path
// found is added up along it as any other search does; another path may then be cheaper by
// roundings.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lodestar/fit.h"
#include "lodestar/graph.h"
#include "lodestar/potentials.h"
#include "lodestar/search.h"
#include "lodestar/types.h"

namespace lodestar {

namespace index {
struct Data;
class Runner;
}  // namespace index

// What guides the search across the core.
enum class CorePotentials : std::uint8_t {
  kLearned,
  kLandmarks,  // farthest landmarks: core-ALT, to compare with
  kNone,       // Dijkstra across the core
};

struct IndexOptions {
  // Nodes of the core. Not given: chosen by sample queries as contraction goes on. 0: a contraction
  // hierarchy.
  std::optional<NodeId> core;
  CorePotentials guide = CorePotentials::kLearned;
  std::uint32_t potentials = 16;  // per node of the core
  double seconds = 2;             // of training, when rounds are 0
  std::uint64_t rounds = 0;       // of training: the same index on every machine
  bool paths = true;              // false: costs only, half the memory
  std::uint64_t seed = 1;
  std::uint32_t threads = 1;  // the result does not depend on them
};

// What building is at, for people. Called now and then.
struct IndexProgress {
  NodeId remaining = 0;      // nodes not yet contracted, or of the core once it is chosen
  double expansions = 0;     // while training: of the core, per query held back
  std::uint64_t rounds = 0;  // of training
  const char* stage = "";    // "contracting", "choosing the core", "training"
};

// How an index came to be; kept in its file.
struct IndexOrigin {
  std::string version;
  std::string commit;
  std::uint64_t seed = 0;
  std::uint64_t rounds = 0;
  double contraction_seconds = 0;
  double training_seconds = 0;
};

struct IndexFacts {
  NodeId nodes = 0;
  NodeId core = 0;
  std::size_t up_arcs = 0;  // both directions, if directed
  std::size_t core_arcs = 0;
  std::size_t path_words = 0;
  std::uint32_t potentials = 0;
  bool symmetric = false;
  bool whole_numbers = true;  // 32-bit units inside, otherwise doubles
  bool exact_sums = true;
  bool paths = true;
  double unit = 1;
  std::size_t bytes = 0;
  std::uint64_t topology = 0;
  IndexOrigin origin;
};

// Immutable and cheap to copy; threads share it.
class Index {
 public:
  // `stop` ends contraction or training early (Ctrl-C): the index is right all the same. `report`
  // is called now and then.
  static Index build(const Graph& graph, const IndexOptions& options = {},
                     const std::function<bool()>& stop = {},
                     const std::function<void(const IndexProgress&)>& report = {});

  IndexFacts facts() const;
  const Graph& graph() const;

  // The core as a graph, and the potentials on it: to go on with training (fit.h). The table is
  // absent when nothing guides the search.
  Graph core_graph() const;
  std::optional<PotentialTable> table() const;
  // The same index with another table, made for core_graph() and feasible on it.
  Index with_table(const PotentialTable& table, const IndexOrigin& origin) const;

  const index::Data& data() const { return *data_; }  // src/index/data.h
  explicit Index(std::shared_ptr<const index::Data> data) : data_(std::move(data)) {}

 private:
  std::shared_ptr<const index::Data> data_;
};

// What a query did, apart for climbing and crossing.
struct IndexEffort {
  std::uint64_t climbed = 0;       // nodes settled below the core
  std::uint64_t climbed_arcs = 0;  // arcs looked at there
  std::uint64_t expanded = 0;      // nodes of the core expanded
  std::uint64_t expanded_arcs = 0;
};

class IndexSearcher {
 public:
  explicit IndexSearcher(Index index);
  ~IndexSearcher();
  IndexSearcher(IndexSearcher&&) noexcept;
  IndexSearcher& operator=(IndexSearcher&&) noexcept;

  // Nothing is allocated once the searcher has warmed up. expansions = climbed + expanded.
  SearchResult run(Query query);

  // Of the last run: the nodes of the path in order; empty when there is none. Throws Error when
  // the index was built without paths.
  std::vector<NodeId> path() const;
  void path(std::vector<NodeId>& nodes) const;  // into memory of the caller
  const IndexEffort& effort() const;

  const Index& index() const { return index_; }

 private:
  Index index_;
  std::unique_ptr<index::Runner> runner_;
};

}  // namespace lodestar
