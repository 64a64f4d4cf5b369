// A learned core: the graph contracted from below, potentials learned on what remains.
//
//   const Index index = Index::build(graph);                // seconds, once
//   index.save("roads.lsi");
//   IndexSearcher searcher(index);                          // one per thread, reused
//   const SearchResult found = searcher.run({s, t});        // microseconds, proven optimal
//   if (found.reached()) use(searcher.path());
//
// A query climbs from both ends to the core along arcs up, and crosses it by A*. With an empty core
// it is a contraction hierarchy; with the whole graph as its core it is A* with potentials. Index
// chooses a size between. docs/design/INDEX.md has the method, the proofs, and who wins
// where.
//
// Exact: costs are counted in whole numbers of a power of two, and are the sums that any other
// search here returns. Where weights are such that sums depend on their order, the cost of the path
// found is added up along it as any other search does; another path may then be cheaper by
// roundings. Weights with few decimal places are added as decimals and rounded once.
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

// What guides the search across the core.
enum class CorePotentials : std::uint8_t {
  kLearned,
  kLandmarks,  // the best landmarks: core-ALT, to compare with
  kNone,       // Dijkstra across the core
};

// How a query gets from one node of the core to another.
enum class Crossing : std::uint8_t {
  kChosen,  // by stored core distances where that takes less work and at most 4 bytes a node of the
            // graph, and there is no log to train potentials for
  kSearch,  // A* with potentials
  kStoredDistances,  // only for whole numbers and short decimals; other weights are searched
};

// Default training time of the potentials of a core, in seconds.
inline constexpr double kDefaultIndexSeconds = 3;

struct IndexOptions {
  // Nodes of the core. Not given: chosen by sample queries as contraction goes on. 0: a contraction
  // hierarchy.
  std::optional<NodeId> core = {};
  Crossing crossing = Crossing::kChosen;
  CorePotentials guide = CorePotentials::kLearned;
  std::uint32_t potential_count = 16;     // per node of the core
  double seconds = kDefaultIndexSeconds;  // of training, if rounds is 0
  std::uint64_t rounds = 0;               // of training: the same index on every machine
  bool paths = true;                      // false: costs only, half the memory
  std::vector<Query> log = {};  // queries like those to come; none: pairs of the core alike
  // Labels in place of a search: a tenth of the time and less, five times the memory. The core, if
  // not given, is then a few hundred nodes, without potentials. Weights must be whole numbers, or
  // decimals of few places.
  bool labels = false;
  std::uint64_t seed = 1;
  std::uint32_t threads = 1;  // 0: all cores; the result does not depend on them
  // customized(): exact again in milliseconds, by an elimination tree (flexible()). Queries take
  // longer than after contraction where separators are large.
  bool quick = false;
};

// What building is at, for people. Called now and then.
struct IndexProgress {
  NodeId remaining = 0;      // nodes not yet contracted, or of the core once it is chosen
  double expansions = 0;     // while training: of the core, per query held back
  std::uint64_t rounds = 0;  // of training
  const char* stage = "";    // "contracting", "choosing the core", "training", "labelling"
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
  std::uint32_t potential_count = 0;
  bool symmetric = false;
  bool whole_numbers = true;  // 32-bit units inside, otherwise doubles
  bool exact_sums = true;
  bool paths = true;
  bool labels = false;
  bool flexible = false;        // weights may change quickly
  bool quick = false;           // they have: an elimination tree answers
  bool core_distances = false;  // the core is crossed by stored distances, without potentials
  std::size_t path_bytes = 0;   // of `bytes`
  std::size_t label_bytes = 0;  // … as well
  std::size_t core_distance_bytes = 0;  // … as well: distances of the core
  double unit = 1;
  std::size_t bytes = 0;
  std::uint64_t topology = 0;
  IndexOrigin origin;
};

struct IndexOpening;

// Immutable and cheap to copy; threads share it.
class Index {
 public:
  // `stop` ends training early (Ctrl-C): the index is right all the same. Before there is an index
  // to train, it ends by the exception Stopped (detail/stop.h). It is called on the caller's
  // thread every few milliseconds, and so is `report`, less often.
  static Index build(const Graph& graph, const IndexOptions& options = {},
                     const std::function<bool()>& stop = {},
                     const std::function<void(const IndexProgress&)>& report = {});

  // One file (.lsi), written beside and renamed. open() reads it, checks it and refuses a graph
  // with other arcs or other weights than it was made for; throws Error on anything malformed.
  // With `map` the file is used where it lies, as ReadOptions::map says.
  void save(const std::string& path) const;
  static Index open(const std::string& path, const Graph& graph, bool map = false);
  // The same, but weights may differ: the index is then customised.
  static IndexOpening open_or_customize(const std::string& path, const Graph& graph,
                                        bool map = false);
  // What a file holds, without its graph. Searching needs open().
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

  // The index for the same arcs with other weights: contracted anew in the order it has, which
  // takes about half the time of a new one; potentials mended where weights fell, then trained for
  // options.seconds or options.rounds. Throws Error when the arcs differ.
  Index customized(const Graph& graph, const IndexOptions& options = {.seconds = 0.3}) const;
  bool fits(const Graph& graph) const;  // made for these arcs and weights

  // The same index, ready for weights that change: customized() with options.quick then takes
  // milliseconds, and microseconds for few arcs. Finds an order of elimination that no weight
  // changes, which takes seconds; kept in memory (facts().bytes), not in the file. Throws
  // TooManyShortcuts where the graph has no small separators.
  Index flexible() const;

  // Arcs of the core and up whose potentials are too steep, or whose path does not add up to them:
  // 0 for a sound index.
  std::size_t verify() const;

 private:
  friend struct index::Access;
  explicit Index(std::shared_ptr<const index::Data> data) : data_(std::move(data)) {}

  std::shared_ptr<const index::Data> data_;
};

struct IndexOpening {
  Index index;
  std::string note;  // what had to be done; empty when it fitted as it was
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
  // The same, and every node it settled, in order.
  SearchResult run(Query query, std::vector<IndexStep>& steps);

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
