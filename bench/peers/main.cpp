// peers: compares Lodestar's searches with Boost.Graph, LEMON and igraph. All take turns on the
// same graphs and queries in one process. Prints ratios of medians as a Markdown table.
//
//   build/bench/peers [--quick] [--dump DIR]
//
// --dump writes each graph and its queries as CSV, for other programs.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "bench/harness/program.h"
#include "bench/harness/queries.h"
#include "bench/harness/statistics.h"
#include "bench/harness/turns.h"
#include "lodestar/bidirectional.h"
#include "lodestar/detail/clock.h"
#include "lodestar/generate.h"
#include "lodestar/search.h"
#include "lodestar/version.h"
#include "peer.h"

namespace {

using namespace lodestar;

struct Case {
  const char* name;
  GraphSpec spec;
  int queries;
  int rounds;
};

struct Method {
  std::string name;
  std::function<SearchResult(Query)> run;
  double expansions = 0;
};

void run_case(const Case& c, const std::string& dump) {
  const Graph graph = generate(c.spec);
  auto start = Clock::now();
  const Graph sorted = graph.ordered(ArcOrder::kByWeight);
  const double sort_seconds = seconds_since(start);
  start = Clock::now();
  const auto look_ahead = std::make_shared<const LookAhead>(graph);
  const double look_seconds = seconds_since(start);

  Searcher searcher(graph);
  BidirectionalSearcher two_sided(graph, look_ahead), two_sided_sorted(sorted, look_ahead);
  std::vector<peers::PlainArc> arcs;
  for (NodeId u = 0; u < graph.node_count(); ++u) {
    for (const Arc arc : graph.arcs(u)) arcs.push_back({u, arc.head, arc.weight});
  }
  std::vector<std::unique_ptr<peers::Peer>> others;
  for (const auto make : {peers::make_boost, peers::make_lemon, peers::make_igraph}) {
    if (auto peer = make(graph.node_count(), arcs)) others.push_back(std::move(peer));
  }

  std::vector<Method> methods;
  methods.push_back({"Dijkstra", [&](Query q) { return searcher.run(q, Zero{}); }});
  methods.push_back({"bidirectional, textbook",
                     [&](Query q) { return two_sided.run(q, BidirectionalKeys::kTextbook); }});
  methods.push_back({"bidirectional, look-ahead", [&](Query q) { return two_sided.run(q); }});
  methods.push_back({"… on weight-sorted arcs", [&](Query q) { return two_sided_sorted.run(q); }});
  for (auto& peer : others) {
    methods.push_back({peer->name(), [&peer](Query q) {
                         SearchResult result;
                         result.cost = peer->distance(q.source, q.target);
                         return result;
                       }});
  }

  const std::vector<Query> queries =
      bench::any_pairs(graph, static_cast<std::size_t>(c.queries), Rng(c.spec.seed + 1));
  if (!dump.empty()) {
    std::ofstream edges(dump + "/" + c.name + ".csv"), lines(dump + "/" + c.name + ".queries.csv");
    edges.precision(17);
    for (const auto& arc : arcs) edges << arc.tail << ',' << arc.head << ',' << arc.weight << '\n';
    for (const Query& q : queries) lines << q.source << ',' << q.target << '\n';
  }

  for (const Query& q : queries) {  // warm up, and check every answer
    const double truth = methods[0].run(q).cost;
    for (Method& method : methods) {
      const SearchResult found = method.run(q);
      method.expansions += static_cast<double>(found.expansions) / c.queries;
      if (!(found.cost == truth || std::abs(found.cost - truth) <= 1e-12 * truth)) {
        std::fprintf(stderr, "%s: %s answers %.17g for %u -> %u, Dijkstra %.17g\n", c.name,
                     method.name.c_str(), found.cost, q.source, q.target, truth);
        std::exit(1);
      }
    }
  }
  const bench::Times times =
      bench::time_in_turns(methods.size(), {.turns = c.rounds, .warm_up = true, .rotate = true},
                           [&](std::size_t i, int) {
                             for (const Query& q : queries) methods[i].run(q);
                           });
  const auto per_query = [&](std::size_t i) { return bench::median(times[i]) / c.queries; };
  const double own = per_query(0);
  double boost = own;
  for (std::size_t i = 0; i < methods.size(); ++i) {
    if (methods[i].name == "Boost.Graph CSR") boost = per_query(i);
  }
  std::printf(
      "\n%s: %u nodes, %zu arcs, %d queries, %d rounds; look-ahead %.2f ms, sorting %.2f ms\n\n",
      c.name, graph.node_count(), graph.arc_count(), c.queries, c.rounds, 1e3 * look_seconds,
      1e3 * sort_seconds);
  std::printf("| method                    | expansions |  µs/query | × Dijkstra | Boost ÷ it |\n");
  std::printf("|:--------------------------|-----------:|----------:|-----------:|-----------:|\n");
  for (std::size_t i = 0; i < methods.size(); ++i) {
    const Method& method = methods[i];
    const double time = per_query(i);
    // Pad by hand: the ellipsis is three bytes wide.
    std::string name = method.name;
    const std::size_t wide = name.rfind("…", 0) == 0 ? 2 : 0;
    name.resize(std::max<std::size_t>(name.size(), 25 + wide), ' ');
    char expansions[32] = "";  // other libraries do not count them
    if (method.expansions > 0) std::snprintf(expansions, 32, "%.1f", method.expansions);
    std::printf("| %s | %10s | %9.2f | %10.3f | %10.2f |\n", name.c_str(), expansions, 1e6 * time,
                time / own, boost / time);
  }
  std::fflush(stdout);
}

int run_all(bool quick, const std::string& dump) {
  const auto er = [](NodeId n, Draw draw, Density density) {
    GraphSpec spec;
    spec.nodes = n;
    spec.draw = draw;
    spec.density = density;
    spec.seed = 1;
    return spec;
  };
  GraphSpec road;
  road.family = Family::kRoad;
  road.nodes = quick ? 16'384 : 262'144;
  road.seed = 1;
  const int rounds = quick ? 3 : 15;
  const Case cases[] = {
      {"er-256-very-dense-directed", er(256, Draw::kDirected, Density::kVeryDense),
       quick ? 100 : 1000, rounds},
      {"er-256-very-dense-undirected", er(256, Draw::kExact, Density::kVeryDense),
       quick ? 100 : 1000, rounds},
      {"er-16k-sparse-directed", er(quick ? 2048 : 16'384, Draw::kDirected, Density::kSparse),
       quick ? 20 : 100, rounds},
      {"road", road, quick ? 10 : 20, quick ? 3 : 7},
  };
  std::printf("lodestar %s (%s, %s)\n", kVersion, kCommit, kCompiler);
  for (const Case& c : cases) run_case(c, dump);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  bool quick = false;
  std::string dump;
  CLI::App app("Lodestar's searches beside Boost.Graph, LEMON and igraph", "peers");
  app.add_flag("--quick", quick, "Small graphs and few queries");
  app.add_option("--dump", dump, "Folder for graphs and queries as CSV");
  return bench::run_program(app, argc, argv, [&] { return run_all(quick, dump); });
}
