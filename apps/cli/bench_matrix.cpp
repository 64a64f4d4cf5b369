// `lodestar bench matrix`: matrices of growing size, one-to-all and reach, each by every method
// that answers it.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "bench/competitors/routingkit_matrix.h"
#include "bench/harness/statistics.h"
#include "bench/harness/stopwatch.h"
#include "bench/harness/table.h"
#include "lodestar/index.h"
#include "lodestar/rng.h"
#include "lodestar/router.h"
#include "lodestar/version.h"
#include "progress.h"
#include "reading.h"
#include "verbs.h"

namespace lodestar::cli {
namespace {

struct BenchMatrix {
  std::string graph;
  std::vector<std::size_t> sizes = {10, 30, 100, 300, 1000, 3000, 10000};
  std::vector<std::string> methods;
  double seconds = 5;
  int passes = 3;
  std::uint64_t seed = 1;
  unsigned threads = 1;
  bool json = false;
  ReadOptions read;

  bool wants(std::string_view name) const {
    return methods.empty() || std::find(methods.begin(), methods.end(), name) != methods.end();
  }
};

// A way to compute a matrix; `pairs` asks for every cell by itself.
struct MatrixMethod {
  std::string name;
  std::optional<Router> router;  // none: RoutingKit
  bool pairs = false;
  unsigned threads = 1;
  double bytes = 0;  // of its index, per node
  std::shared_ptr<bench::PinnedMatrix> pinned = nullptr;
  bool integers = false;  // of 32 bits instead of float64, as RoutingKit's

  bool listed() const { return pairs || integers || threads > 1; }  // another one has its router
};

std::vector<NodeId> draw_nodes(Rng& rng, NodeId n, std::size_t count) {
  std::vector<NodeId> nodes(count);
  for (NodeId& v : nodes) v = rng.below(n);
  return nodes;
}

// Dijkstra is always there, for checks.
std::vector<MatrixMethod> matrix_methods(const BenchMatrix& bench, const Graph& graph,
                                         Progress& progress) {
  const unsigned threads = bench.threads;
  std::vector<MatrixMethod> subjects;
  double total = 0;
  bool whole = true;
  for (const Weight weight : graph.weights()) {
    total += weight;
    whole = whole && weight == std::floor(weight);
  }
  whole = whole && total < 0x1p32;  // a path uses half of it at most where roads lead both ways
  subjects.push_back({"rows of Dijkstra", Router(graph, {.algorithm = "dijkstra"})});
  const auto add = [&](const std::string& name, const IndexOptions& options) {
    if (!bench.wants(name)) return;
    progress.update(0, "building: " + name);
    RouterOptions with;
    with.index = std::make_shared<const Index>(Index::build(graph, options));
    const Router router(graph, with);
    const double bytes = static_cast<double>(with.index->facts().bytes) / graph.node_count();
    subjects.push_back({name + ", pair by pair", router, true, 1, bytes});
    subjects.push_back({name, router, false, 1, bytes});
    if (options.labels && whole) {
      subjects.push_back({name + ", 32-bit cells", router, false, 1, bytes, nullptr, true});
    }
    if (threads > 1) {
      subjects.push_back(
          {fmt::format("{}, {} threads", name, threads), router, false, threads, bytes});
    }
  };
  IndexOptions options;
  options.rounds = 8;
  options.paths = false;
  add("core", options);
  options.core = 0;
  add("contraction hierarchy", options);
  options.core.reset();
  options.labels = true;
  try {
    add("labels", options);
  } catch (const Error&) {  // weights that labels do not support
  }
  if (!bench.wants("RoutingKit")) return subjects;
  progress.update(0, "building: RoutingKit");
  if (std::shared_ptr<bench::PinnedMatrix> pinned = bench::routingkit_matrix(graph)) {
    const double bytes = static_cast<double>(pinned->bytes) / graph.node_count();
    subjects.push_back({"RoutingKit, pinned", std::nullopt, false, 1, bytes, std::move(pinned)});
  }
  return subjects;
}

class MatrixBench {
 public:
  MatrixBench(const BenchMatrix& options, const Graph& graph, Progress& progress)
      : options_(options),
        graph_(graph),
        progress_(progress),
        subjects_(matrix_methods(options, graph, progress)),
        slowest_(subjects_.size(), 0) {
    if (!options.wants("Dijkstra")) slowest_[0] = kInfinity;
  }

  void measure(std::size_t size) {
    Rng rng = Rng(options_.seed).fork(size);
    const double cells = static_cast<double>(size) * static_cast<double>(size);
    std::vector<std::vector<double>> times(subjects_.size());
    std::vector<double> spent(subjects_.size(), 0);
    std::vector<Cost> costs(size * size), first(size * size);
    // Small matrices are repeated more often, on fresh nodes each time.
    const int turns = std::max(options_.passes, static_cast<int>(std::min(100.0, 1e6 / cells)));
    for (int turn = 0; turn < turns; ++turn) {
      const auto sources = draw_nodes(rng, graph_.node_count(), size);
      const auto targets = draw_nodes(rng, graph_.node_count(), size);
      bool compared = false;
      for (std::size_t k = 0; k < subjects_.size(); ++k) {
        // Every method is sometimes the first, which finds cold caches.
        const std::size_t m = (k + static_cast<std::size_t>(turn)) % subjects_.size();
        // A method that would take too long, by its time per cell so far, is left out.
        if (slowest_[m] * cells > options_.seconds || spent[m] > 2 * options_.seconds) continue;
        progress_.update(0, fmt::format("{} × {}: {}", size, size, subjects_[m].name));
        times[m].push_back(run(subjects_[m], sources, targets, compared ? costs : first));
        spent[m] += times[m].back();
        if (compared) {
          compare(first, costs);
        } else {
          check(sources, targets, first);
        }
        compared = true;
      }
    }
    Line line{size, {}};
    for (std::size_t m = 0; m < subjects_.size(); ++m) {
      line.cell.push_back(times[m].empty() ? 0 : bench::median(times[m]) / cells);
      if (!times[m].empty()) slowest_[m] = line.cell.back();
    }
    lines_.push_back(std::move(line));
  }

  int print() const {
    std::vector<std::string> head = {"ns per cell"};
    for (const Line& line : lines_) head.push_back(fmt::format("{0} × {0}", line.size));
    Table table(head);
    nlohmann::ordered_json out;
    for (std::size_t m = 0; m < subjects_.size(); ++m) {
      std::vector<std::string> row = {subjects_[m].name};
      nlohmann::ordered_json numbers;
      for (const Line& line : lines_) {
        const double ns = 1e9 * line.cell[m];
        row.push_back(ns == 0 ? "–" : fmt::format("{:.{}f}", ns, ns < 100 ? 1 : 0));
        if (ns != 0) numbers[std::to_string(line.size)] = ns;
      }
      table.add(row);
      out["methods"].push_back({{"name", subjects_[m].name},
                                {"bytes_per_node", subjects_[m].bytes},
                                {"ns_per_cell", numbers}});
    }
    // The crossover from one method to the next.
    std::vector<std::string> row = {"fastest"};
    for (const Line& line : lines_) {
      std::size_t best = 0;
      for (std::size_t m = 1; m < subjects_.size(); ++m) {
        if (line.cell[m] == 0) continue;
        if (line.cell[best] == 0 || line.cell[m] < line.cell[best]) best = m;
      }
      row.push_back(subjects_[best].name);
      out["fastest"][std::to_string(line.size)] = subjects_[best].name;
    }
    table.add(row);
    out["checked"] = checked_;
    out["compared"] = compared_;
    out["wrong"] = wrong_;
    out["commit"] = kCommit;
    if (options_.json) {
      fmt::print("{}\n", out.dump());
    } else {
      fmt::print(
          "{}: {} nodes; {} cells checked against Dijkstra, {} compared between methods, {} "
          "wrong\n\n{}",
          options_.graph, graph_.node_count(), checked_, compared_, wrong_, table.text());
    }
    return wrong_ == 0 ? 0 : 1;
  }

  // One-to-all, sixteen at a time, and the nodes within a limit.
  void print_one_to_all() const {
    Rng rng = Rng(options_.seed).fork(99);
    const NodeId n = graph_.node_count();
    std::vector<NodeId> all(n);
    for (NodeId v = 0; v < n; ++v) all[v] = v;
    std::vector<Cost> costs(std::size_t{16} * n);
    Table table({"one-to-all", "ms per source", "16 at a time, ms per source", "500 nodes, ms"});
    for (const MatrixMethod& subject : subjects_) {
      if (!subject.router || subject.listed()) continue;
      const Router& router = *subject.router;
      std::vector<double> one, many, reach;
      for (int turn = 0; turn < std::max(options_.passes, 5); ++turn) {
        const NodeId root = rng.below(n);
        const auto roots = draw_nodes(rng, n, 16);
        Distances found;
        const auto seconds = [&](const auto& work) {
          const bench::Stopwatch watch;
          work();
          return watch.seconds();
        };
        one.push_back(seconds([&] { found = router.distances(root); }));
        many.push_back(seconds([&] { router.matrix(roots, all, std::span<Cost>(costs)); }));
        std::sort(found.costs.begin(), found.costs.end());
        const Cost limit = found.costs[std::min<std::size_t>(n - 1, 499)];
        reach.push_back(seconds([&] { router.within(std::span(&root, 1), limit); }));
      }
      table.add({subject.name, fmt::format("{:.2f}", 1e3 * bench::median(one)),
                 fmt::format("{:.3f}", 1e3 * bench::median(many) / 16),
                 fmt::format("{:.3f}", 1e3 * bench::median(reach))});
    }
    fmt::print("\n{}", table.text());
  }

 private:
  struct Line {
    std::size_t size;
    std::vector<double> cell;  // seconds, by method; 0: left out
  };

  // Seconds: processor time, or the time that passes if several threads are compared.
  double run(const MatrixMethod& subject, const std::vector<NodeId>& sources,
             const std::vector<NodeId>& targets, std::vector<Cost>& costs) {
    const bool whole = subject.pinned || subject.integers;
    if (whole) whole_.resize(costs.size());
    const bench::Stopwatch watch;
    if (subject.pinned) {
      subject.pinned->run(sources, targets, whole_);
    } else if (subject.pairs) {
      Router::Lease lease = subject.router->lease();
      for (std::size_t i = 0; i < sources.size(); ++i) {
        for (std::size_t k = 0; k < targets.size(); ++k) {
          costs[i * targets.size() + k] = lease.run({sources[i], targets[k]}).cost;
        }
      }
    } else if (subject.integers) {
      subject.router->matrix(sources, targets, std::span<std::uint32_t>(whole_));
    } else {
      subject.router->matrix(sources, targets, std::span<Cost>(costs),
                             {.threads = subject.threads});
    }
    const double seconds = options_.threads == 1 ? watch.seconds() : watch.wall_seconds();
    for (std::size_t i = 0; whole && i < costs.size(); ++i) {
      costs[i] = whole_[i] < bench::PinnedMatrix::kNoPath ? whole_[i] : kInfinity;
    }
    return seconds;
  }

  static bool equal(Cost cost, Cost right) {
    return cost == right || std::abs(cost - right) <= 1e-12 * right;
  }

  // All cells of two methods.
  void compare(const std::vector<Cost>& one, const std::vector<Cost>& other) {
    for (std::size_t i = 0; i < one.size(); ++i) wrong_ += !equal(one[i], other[i]);
    compared_ += one.size();
  }

  // Two rows against Dijkstra.
  void check(const std::vector<NodeId>& sources, const std::vector<NodeId>& targets,
             const std::vector<Cost>& costs) {
    if (checked_ > 0 && sources.size() < 1000 && ++checks_ % 8 != 0) return;
    for (const std::size_t row : {std::size_t{0}, sources.size() - 1}) {
      const std::vector<Cost> truth = subjects_[0].router->distances(sources[row]).costs;
      for (std::size_t k = 0; k < targets.size(); ++k) {
        wrong_ += !equal(costs[row * targets.size() + k], truth[targets[k]]);
        ++checked_;
      }
    }
  }

  const BenchMatrix& options_;
  const Graph& graph_;
  Progress& progress_;
  std::vector<MatrixMethod> subjects_;
  std::vector<double> slowest_;  // seconds per cell at the last size
  std::vector<Line> lines_;
  std::vector<std::uint32_t> whole_;
  std::size_t checked_ = 0, compared_ = 0, wrong_ = 0, checks_ = 0;
};

int run_bench_matrix(const BenchMatrix& options) {
  const GraphFile file = read_graph_with_notes(options.graph, options.read);
  if (file.graph.node_count() == 0) throw Error(options.graph + ": the graph has no nodes");
  Progress progress("bench matrix");
  MatrixBench bench(options, file.graph, progress);
  for (const std::size_t size : options.sizes) {
    if (size > 0) bench.measure(size);
  }
  const int status = bench.print();
  if (!options.json) bench.print_one_to_all();
  return status;
}

}  // namespace

void add_bench_matrix(Verb& parent) {
  auto [verb, options] = parent.verb<BenchMatrix>(
      "matrix", "Compare how fast methods compute matrices", run_bench_matrix);
  verb.option("graph", options.graph, "Graph file, any format").required();
  verb.option("--sizes", options.sizes, "Rows and columns of the matrices, separated by commas")
      .comma_separated();
  verb.option("--methods", options.methods, "Only these, separated by commas")
      .comma_separated()
      .default_text("all")
      .check(CLI::IsMember({"Dijkstra", "core", "contraction hierarchy", "labels", "RoutingKit"}));
  verb.option("--seconds", options.seconds,
              "Leave a method out when one of its matrices is expected to take longer");
  verb.option("--passes", options.passes, "Passes on fresh nodes; times are their medians")
      .check(CLI::Range(1, 1000));
  verb.option("--seed", options.seed, "Seed of the random nodes");
  verb.threads(options.threads);
  verb.flag("--json", options.json, "Print the comparison as one JSON object");
  add_reading_options(verb, options.read);
  verb.footer(
      R"(Methods take turns on the same fresh random nodes. All cells are compared between methods, and two
rows of matrices are checked against Dijkstra. Memory for the matrix is allocated before. With several
threads, matrices are computed with one and with all of them. RoutingKit takes part if the program was
built with -DLODESTAR_ROUTINGKIT=FOLDER.

Example:
  lodestar generate road -n 262144 -o roads.lsg
  lodestar bench matrix roads.lsg --sizes 10,100,1000)");
}

}  // namespace lodestar::cli
