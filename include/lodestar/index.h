// An index for one graph with fixed weights: contracts the graph to a small core, and answers
// queries in microseconds.
//
//   const Index index = Index::build(graph);                // seconds, once
//   index.save("roads.lsi");
//   IndexSearcher searcher(index);                          // one per thread, reused
//   const SearchResult found = searcher.run({s, t});        // microseconds, optimal
//   if (found.reached()) use(searcher.path());
//
// A query climbs from both ends to the core along shortcuts, and crosses the core by stored
// distances or by A* with trained potentials. With an empty core the index is a contraction
// hierarchy; with the whole graph as core it is A* with potentials. By default the size of the core
// is chosen from sample queries. Contraction gives up early on graphs that it does not shrink, as
// random and dense graphs; if potentials do not help either, queries search the graph from both
// ends. docs/design/INDEX.md has the method and the proofs.
//
// Costs are exact: they are counted in multiples of a power of two and equal those of every other
// search here. If sums of the weights depend on their order, the cost is added up along the path,
// and another path may be cheaper by rounding errors. Decimals are added exactly and rounded once,
// if a sum has at most 15 digits.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lodestar/cch.h"
#include "lodestar/fit.h"
#include "lodestar/graph.h"
#include "lodestar/potentials.h"
#include "lodestar/search.h"
#include "lodestar/types.h"

namespace lodestar {

namespace index {  // src/index
struct Access;
struct Data;
class Runner;
}  // namespace index

// The heuristic of the search across the core.
enum class CorePotentials : std::uint8_t {
  kLearned,
  kLandmarks,  // the best landmarks (core-ALT), as a baseline
  kNone,       // Dijkstra across the core
};

// How a query crosses the core.
enum class Crossing : std::uint8_t {
  kChosen,  // kStoredDistances if it is faster and takes at most 4 bytes per node of the graph, and
            // no query log is given; otherwise kSearch
  kSearch,  // A* with potentials
  kStoredDistances,  // core distances; kSearch for weights that are neither integers nor short
                     // decimals
};

// Default training time of the potentials of a core, in seconds, if the whole time is not limited.
inline constexpr double kDefaultIndexSeconds = 3;

struct IndexOptions {
  // Number of nodes of the core. Default: chosen from sample queries. 0: a contraction hierarchy.
  std::optional<NodeId> core = {};
  Crossing crossing = Crossing::kChosen;
  CorePotentials guide = CorePotentials::kLearned;
  std::uint32_t potential_count = 16;  // per node of the core
  // Time limit of build(), all of its work included. At the limit the core is as far contracted and
  // trained as there was time. Default: contraction takes the time it needs, and training the
  // default above. trained() and customized() limit only the training.
  std::optional<double> seconds = {};
  std::uint64_t rounds = 0;  // of training, without a time limit: the same index on every machine
  bool paths = true;         // false: costs only, with half the memory
  std::vector<Query> log = {};  // typical queries; empty: uniform pairs of the core
  // Adds hub labels: queries take a tenth of the time or less, and the index five times the memory.
  // By default the core then has a few hundred nodes and no potentials. Weights that need more than
  // 29 bits per distance take 12 bytes per item of a label instead of 8.
  bool labels = false;
  std::uint64_t seed = 1;
  std::uint32_t threads = 1;  // 0: all cores; the result does not depend on it
  // For customized(): customizes in milliseconds by an elimination tree (see flexible()). Queries
  // are slower than after a contraction if separators are large.
  bool quick = false;

  double training_seconds() const { return seconds.value_or(kDefaultIndexSeconds); }
};

// Progress of Index::build.
struct IndexProgress {
  NodeId remaining = 0;      // nodes not yet contracted; later the nodes of the core
  double expansions = 0;     // while training: mean in the core on the held-out queries
  std::uint64_t rounds = 0;  // of training
  const char* stage = "";    // "contracting", "choosing the core", "training", "labelling"
};

// How an index was built; stored in its file.
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
  std::size_t up_arcs = 0;  // of both directions if directed
  std::size_t core_arcs = 0;
  std::size_t path_words = 0;
  std::uint32_t potential_count = 0;
  bool symmetric = false;
  bool whole_numbers = true;  // stored in 32-bit units, otherwise as doubles
  bool exact_sums = true;     // equal to those of other searches, bit for bit
  bool rounded_sums = false;  // depend on their order; neither, if decimals are added exactly
  bool paths = true;
  bool labels = false;
  bool plain = false;                   // contraction does not help: queries search from both ends
  bool flexible = false;                // ready for quick customization
  bool quick = false;                   // quickly customized: queries use the elimination tree
  bool core_distances = false;          // the core is crossed by core distances, without potentials
  std::size_t path_bytes = 0;           // part of `bytes`
  std::size_t label_bytes = 0;          // part of `bytes`
  std::size_t core_distance_bytes = 0;  // part of `bytes`
  double unit = 1;
  std::size_t bytes = 0;
  std::uint64_t topology = 0;
  IndexOrigin origin;
};

struct IndexOpening;

// Immutable, thread-safe and cheap to copy.
class Index {
 public:
  // If `stop` returns true during training, training ends early and the index is still correct.
  // Before that, build() throws Stopped (detail/stop.h). `stop` is called on the caller's thread
  // every few milliseconds, `report` less often.
  static Index build(const Graph& graph, const IndexOptions& options = {},
                     const std::function<bool()>& stop = {},
                     const std::function<void(const IndexProgress&)>& report = {});

  // save() writes one file (.lsi) atomically. open() reads and checks it; it throws Error if the
  // file is malformed or was built for other arcs or weights. With `map` the file is memory-mapped,
  // as described at ReadOptions::map.
  void save(const std::string& path) const;
  static Index open(const std::string& path, const Graph& graph, bool map = false);
  // Like open(), but customizes the index if the weights differ.
  static IndexOpening open_or_customize(const std::string& path, const Graph& graph,
                                        bool map = false);
  // The facts of an index file; does not need the graph.
  static IndexFacts read_facts(const std::string& path);

  IndexFacts facts() const;
  const Graph& graph() const;

  // Trains the potentials of the core for options.rounds or options.seconds and returns the index
  // with the best ones. Returns the same index if it has no use for potentials: the core is too
  // small, or labels or core distances replace them.
  Index trained(const IndexOptions& options, const FitHooks& hooks = {}) const;
  // The same step by step. fitter() continues from the potentials of the index if it has any; null
  // if the index has no use for potentials.
  std::unique_ptr<Fitter> fitter(const IndexOptions& options) const;
  Index trained_by(const Fitter& fitter) const;  // the index with the fitter's best potentials

  // Customizes the index for other weights of the same arcs: contracts the graph again in the same
  // order, which takes about half the time of a new index. Repairs potentials where weights fell
  // and trains them for options.seconds or options.rounds. Throws Error if the arcs differ.
  Index customized(const Graph& graph, const IndexOptions& options = {.seconds = 0.3}) const;
  bool fits(const Graph& graph) const;  // whether it was built for these arcs and weights

  // Prepares the index for changing weights: customized() with options.quick then takes
  // milliseconds, or microseconds if few arcs changed. Computes an elimination order that does not
  // depend on weights, which takes seconds. It stays in memory (facts().bytes) and is not saved.
  // Throws TooManyShortcuts if the graph has no small separators.
  Index flexible() const;

  // Checks the index: the number of arcs that violate a potential or whose path has another cost. 0
  // for a correct index.
  std::size_t verify() const;

 private:
  friend struct index::Access;
  explicit Index(std::shared_ptr<const index::Data> data) : data_(std::move(data)) {}

  std::shared_ptr<const index::Data> data_;
};

struct IndexOpening {
  Index index;
  std::string note;  // says that the index was customized; empty if it fitted
};

// The work of a query, separately for climbing and crossing.
struct IndexEffort {
  std::uint64_t climbed = 0;       // nodes settled below the core
  std::uint64_t climbed_arcs = 0;  // arcs scanned there
  std::uint64_t expanded = 0;      // nodes of the core expanded
  std::uint64_t expanded_arcs = 0;
};

class IndexSearcher {
 public:
  explicit IndexSearcher(Index index);
  ~IndexSearcher();
  IndexSearcher(IndexSearcher&&) noexcept;
  IndexSearcher& operator=(IndexSearcher&&) noexcept;

  // Does not allocate after the first queries. expansions = climbed + expanded.
  SearchResult run(Query query);
  // The same; also returns every settled node, in order.
  SearchResult run(Query query, std::vector<IndexStep>& steps);

  // The path of the last run, from source to target; empty if no path was found. Throws Error if
  // the index was built without paths.
  std::vector<NodeId> path() const;
  void path(std::vector<NodeId>& nodes) const;  // the same, without allocating
  const IndexEffort& effort() const;

  const Index& index() const { return index_; }

 private:
  Index index_;
  std::unique_ptr<index::Runner> runner_;
};

}  // namespace lodestar
