// `lodestar solve`: shortest paths on a graph file, with what is proven about each.
#include <fmt/core.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "against_dijkstra.h"
#include "answer.h"
#include "bench/harness/table.h"
#include "lodestar/atomic_file.h"
#include "lodestar/graph_io.h"
#include "lodestar/posthoc.h"
#include "lodestar/router.h"
#include "notes.h"
#include "numbers.h"
#include "place_answers.h"
#include "progress.h"
#include "reading.h"
#include "verbs.h"

namespace lodestar::cli {
namespace {

struct SolveOptions {
  std::string graph;
  std::string from;
  std::string to;
  std::string queries;
  std::string trace;
  bool to_all = false;
  bool from_all = false;
  RouterOptions router;
  ReadOptions read;
  bool once = false;
  bool skip_unknown = false;
  bool json = false;
  AnswerOptions answer;
  MapOptions map;
  unsigned threads = 1;
};

NodeId find_node(const GraphFile& file, const std::string& path, const std::string& name) {
  const NodeId v = file.names.find(name);
  if (v >= file.graph.node_count()) {
    const NodeId last = file.graph.node_count() - 1;
    throw Error("there is no node '" + name + "' in " + path +
                (file.graph.node_count() == 0
                     ? "; the graph is empty"
                     : "; its " + std::to_string(last + 1) + " nodes are called '" +
                           file.names.name(0) + "' to '" + file.names.name(last) + "'"));
  }
  return v;
}

// On stderr, so that stdout stays the same for any number of threads.
void print_summary(const std::vector<Answer>& answers, const Router& router, double seconds) {
  double expansions = 0, pushes = 0;
  std::size_t proven = 0, reached = 0;
  for (const Answer& answer : answers) {
    expansions += static_cast<double>(answer.found.expansions);
    pushes += static_cast<double>(answer.found.pushes);
    proven += answer.found.optimal();
    reached += answer.found.reached();
  }
  const double n = static_cast<double>(std::max<std::size_t>(1, answers.size()));
  fmt::print(stderr,
             "{} queries: {} with a path, {} proven optimal; {:.1f} expansions and {:.1f} pushes "
             "each; {} each, {} to prepare\n",
             answers.size(), reached, proven, expansions / n, pushes / n,
             format_seconds(seconds / n), format_seconds(router.preparation_seconds()));
}

// Fills in every answer's Dijkstra; returns the lines that sum up.
std::string compare(const Graph& graph, const std::vector<Query>& asked,
                    std::vector<Answer>& answers) {
  const auto dijkstra = run_dijkstra(graph, asked);
  std::vector<SearchResult> found;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    answers[i].dijkstra = dijkstra[i];
    found.push_back(answers[i].found);
  }
  return comparison_text(found, dijkstra);
}

int check_expected(const GraphFile& file, const QueryFile& queries,
                   const std::vector<Answer>& answers, bool json) {
  std::size_t checked = 0, wrong = 0;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const QueryLine& line = queries.lines[i];
    if (!line.expected) continue;
    ++checked;
    if (matches(answers[i].found.cost, *line.expected, queries.scenario)) continue;
    ++wrong;
    if (!json) {
      fmt::print("MISMATCH {} → {}: cost {}, expected {}\n", file.names.name(line.query.source),
                 file.names.name(line.query.target), text(answers[i].found.cost),
                 text(*line.expected));
    }
  }
  fmt::print(stderr, "checked {} expected costs: {} mismatches\n", checked, wrong);
  if (checked == 0) throw Error("--check found no expected costs in the query file");
  return wrong == 0 ? 0 : 1;
}

// One object per query; the first also has what holds for all of them.
void print_json(const GraphFile& file, const QueryFile& queries, const std::vector<Answer>& answers,
                const AnswerOptions& options, const std::vector<std::string>& notes) {
  const auto print = [&](nlohmann::ordered_json out, bool first) {
    if (first) add_notes(out, notes);
    if (first && !queries.skipped.empty()) out["skipped"] = queries.skipped;
    if (!out.empty()) fmt::print("{}\n", out.dump());
  };
  for (std::size_t i = 0; i < answers.size(); ++i) {
    print(to_json(file, queries.lines[i], answers[i], options, queries.scenario), i == 0);
  }
  if (answers.empty()) print(nlohmann::ordered_json::object(), true);
}

// Every node and its distance from --from, or to --to; with --paths the next node on the way there.
int print_distances(const GraphFile& file, const SolveOptions& options) {
  const bool from = options.to_all;
  const NodeId root = find_node(file, options.graph, from ? options.from : options.to);
  const Router router(file.graph, {.algorithm = "dijkstra"});
  const Distances found =
      router.distances(root, {.direction = from ? Direction::kForward : Direction::kBackward,
                              .parents = options.answer.paths});
  const auto parent = [&](NodeId v) {
    return found.parents[v] == kNoNode ? std::string("-") : file.names.name(found.parents[v]);
  };
  if (!options.json) fmt::print("node\tcost{}\n", options.answer.paths ? "\tparent" : "");
  for (NodeId v = 0; v < file.graph.node_count(); ++v) {
    if (options.json) {
      nlohmann::ordered_json out;
      out["node"] = file.names.name(v);
      out["cost"] = number(found.costs[v]);
      if (options.answer.paths) out["parent"] = parent(v);
      fmt::print("{}\n", out.dump());
      continue;
    }
    fmt::print("{}\t{}", file.names.name(v), text(found.costs[v]));
    if (options.answer.paths) fmt::print("\t{}", parent(v));
    fmt::print("\n");
  }
  return 0;
}

// One line for each row of the potentials.
std::string algorithms_text() {
  std::string text = "Algorithms:\n";
  for (const AlgorithmRow& row : algorithms()) {
    text += fmt::format("  {:<24}{}\n", row.name, row.summary);
  }
  return text;
}

// The search again, watched.
void write_trace(const GraphFile& file, const Router& router, Query query,
                 const std::string& path) {
  replace_file(path, posthoc_trace(router.trace(query), query, file.graph.points()));
}

int run_solve(SolveOptions& options) {
  if (options.graph == "-" && options.queries == "-") {
    throw Error("standard input holds the graph or the queries, not both");
  }
  const GraphFile file = read_graph_with_notes(options.graph, options.read);
  if (options.to_all || options.from_all) return print_distances(file, options);
  std::vector<std::string> notes = file.notes;
  const bool single = options.queries.empty();
  if (single && (options.from.empty() || options.to.empty())) {
    throw Error("give --from and --to, or --queries FILE");
  }
  if (!single && (!options.from.empty() || !options.to.empty())) {
    throw Error("give either --from and --to or --queries, not both");
  }
  PlaceRequest by_place{options.from, options.to,   options.queries, options.answer,
                        options.map,  options.json, options.threads, {}};
  const bool places = asks_by_place(file, by_place);
  QueryFile queries;
  if (places) {
    if (options.answer.compare || options.skip_unknown || !options.trace.empty()) {
      throw Error(
          "--compare, --skip-unknown and --trace are for queries between nodes, not places");
    }
  } else if (single) {
    queries.lines.push_back(
        {{find_node(file, options.graph, options.from), find_node(file, options.graph, options.to)},
         {}});
  } else {
    queries = read_queries(options.queries, file,
                           options.skip_unknown ? UnknownNodes::kSkip : UnknownNodes::kRefuse);
    for (const std::string& line : queries.skipped) fmt::print(stderr, "skipped: {}\n", line);
  }
  if (options.once) options.router.reopen = Reopen::kNever;
  options.router.times = options.answer.times = options.answer.times || options.answer.compare;
  const Router router(file.graph, options.router);
  if (!router.note().empty()) {
    fmt::print(stderr, "note: {}\n", router.note());
    notes.push_back(router.note());
  }
  by_place.notes = notes;
  if (places) return solve_places(file, router, by_place);

  std::vector<Query> asked;
  for (const QueryLine& line : queries.lines) asked.push_back(line.query);
  Progress progress("solving");
  const BatchOptions batch{
      options.threads, [&](std::size_t done) {
        progress.update(static_cast<double>(done) / static_cast<double>(asked.size()));
      }};
  const auto start = std::chrono::steady_clock::now();
  std::vector<Answer> answers(asked.size());
  if (options.answer.paths || options.map.wanted()) {
    std::vector<Route> routes = router.paths(asked, batch);
    for (std::size_t i = 0; i < asked.size(); ++i) {
      answers[i].found = routes[i].result;
      answers[i].path = std::move(routes[i].nodes);
    }
  } else {
    const std::vector<SearchResult> found = router.results(asked, batch);
    for (std::size_t i = 0; i < asked.size(); ++i) answers[i].found = found[i];
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  const std::string comparison =
      options.answer.compare ? compare(file.graph, asked, answers) : std::string();
  if (options.json) {
    print_json(file, queries, answers, options.answer, notes);
  } else if (single) {
    print_one(file, queries.lines[0], answers[0], options.answer);
  } else {
    print_batch(file, queries, answers, options.answer);
  }
  if (options.map.wanted()) map_paths(file, answers, options.map);
  if (!options.trace.empty()) write_trace(file, router, asked[0], options.trace);
  if (!single && !is_quiet()) print_summary(answers, router, seconds);
  fmt::print(stderr, "{}", comparison);
  if (options.answer.check) return check_expected(file, queries, answers, options.json);
  if (!queries.skipped.empty()) return 1;
  return single && !answers[0].found.reached() ? 1 : 0;
}

}  // namespace

void add_solve(CLI::App& program, int* status) {
  auto options = std::make_shared<SolveOptions>();
  CLI::App* verb =
      program.add_subcommand("solve", "Find shortest paths, and prove what can be proven of them");
  verb->add_option("graph", options->graph, "Graph file, any format")->required();
  verb->add_option("--from", options->from, "Source, as the file calls it; or a place, lon,lat");
  verb->add_option("--to", options->to, "Target, as the file calls it; or a place, lon,lat");
  verb->add_flag("--to-all", options->to_all, "Distances from --from to every node, by Dijkstra");
  verb->add_flag("--from-all", options->from_all, "Distances from every node to --to");
  verb->add_option("--queries", options->queries,
                   "TSV file (source, target, optional expected cost; nodes or places) or MovingAI "
                   ".scen");
  verb->add_flag("--skip-unknown", options->skip_unknown,
                 "Report queries whose nodes the graph has not, and answer the others");
  verb->add_option("--algorithm", options->router.algorithm, "auto, " + algorithm_names())
      ->capture_default_str();
  verb->add_option("--heuristic", options->router.heuristic,
                   "zero, geometric (needs coordinates), learned, constant, random")
      ->capture_default_str();
  verb->add_option("--index", options->router.index_file,
                   "Index made by `lodestar fit` (.lsi); customised when weights have changed");
  verb->add_option("--potentials", options->router.potentials_file,
                   "Table learned by `lodestar fit` for this graph; its weights may have changed");
  verb->add_option("--model", options->router.model,
                   "Model of the learned heuristic: deep, paper, swift, or a file")
      ->capture_default_str();
  verb->add_option("--steps", options->router.steps, "Steps of the model, if not its own");
  verb->add_option("--scale", options->router.scale, "Scale of the model's y, if not its own")
      ->check(finite());
  verb->add_flag("--exact", options->router.exact,
                 "Make the learned heuristic consistent: the answer is the optimum");
  verb->add_option("--bound", options->router.bound,
                   "Accept paths up to this share above the optimum: 0.05 is 5 %")
      ->capture_default_str();
  verb->add_option("--h-weight", options->router.weight, "Weight of h in weighted A*")
      ->capture_default_str();
  verb->add_option("--constant", options->router.constant, "Value of the constant heuristic")
      ->check(finite())
      ->capture_default_str();
  verb->add_option("--seed", options->router.seed, "Seed of the random heuristic")
      ->capture_default_str();
  verb->add_flag("--no-reopen", options->once, "Expand each node once at most");
  verb->add_option("--max-expansions", options->router.max_expansions,
                   "Stop a query after this many expansions");
  verb->add_flag("--paths", options->answer.paths, "Print the nodes of each path");
  verb->add_flag("--times", options->answer.times,
                 "Report heuristic, closure and search time apart");
  verb->add_flag("--compare", options->answer.compare,
                 "Run Dijkstra too: what the heuristic saved, and when it pays");
  verb->add_flag("--json", options->json, "One JSON object per query");
  verb->add_flag("--check", options->answer.check,
                 "Compare with the expected costs of the query file");
  verb->add_option("--geojson", options->map.geojson, "Write the routes' lines for maps");
  verb->add_option("--gpx", options->map.gpx, "Write the routes as GPX tracks");
  verb->add_option("--polyline", options->map.polyline,
                   "Print each route's line encoded, with 5 or 6 digits")
      ->check(CLI::IsMember({5, 6}));
  verb->add_option("--trace", options->trace,
                   "Write every node the search settled, for Posthoc (.trace.json)");
  verb->add_option("--snap", options->map.snap,
                   "How far the nearest road may be from a place: metres, 1000 if not given")
      ->check(CLI::PositiveNumber)
      ->check(finite());
  verb->add_option("--threads", options->threads, "Queries answered side by side")
      ->capture_default_str()
      ->check(CLI::Range(1u, 1024u));
  add_reading_options(*verb, options->read);
  verb->footer(algorithms_text());
  verb->callback([options, status] { *status = run_solve(*options); });
}

}  // namespace lodestar::cli
