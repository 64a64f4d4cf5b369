// `lodestar solve`: shortest paths on a graph file, and whether each is optimal.
#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "answer.h"
#include "bench/harness/table.h"
#include "lodestar/atomic_file.h"
#include "lodestar/graph_io.h"
#include "lodestar/itinerary.h"
#include "lodestar/posthoc.h"
#include "lodestar/router.h"
#include "model_options.h"
#include "place_answers.h"
#include "progress.h"
#include "reading.h"
#include "request_answers.h"
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
  double limit = kInfinity;  // of distances
  RouterOptions router;
  ReadOptions read;
  bool once = false;
  bool skip_unknown = false;
  bool json = false;
  AnswerOptions answer;
  MapOptions map;
  RequestOptions request;
  unsigned threads = 1;
};

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
  return print_check(checked, wrong);
}

// One object per query; the first also holds the notes and the skipped queries.
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
  RouterOptions how;
  how.algorithm = options.router.index_file.empty() ? "dijkstra" : "core";
  how.index_file = options.router.index_file;
  const Router router(file.graph, how);
  const double divisor = cost_divisor(file);
  Distances found =
      router.distances(root, {.direction = from ? Direction::kForward : Direction::kBackward,
                              .parents = options.answer.paths,
                              .limit = options.limit * divisor});
  for (Cost& cost : found.costs) cost /= divisor;
  const auto parent = [&](NodeId v) {
    return found.parents[v] == kNoNode ? std::string("-") : file.names.name(found.parents[v]);
  };
  if (!options.json) fmt::print("node\tcost{}\n", options.answer.paths ? "\tparent" : "");
  for (NodeId v = 0; v < file.graph.node_count(); ++v) {
    if (options.limit < kInfinity && found.costs[v] == kInfinity) continue;
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

// One line for each row of algorithms.h.
std::string algorithms_text() {
  std::string text = "Algorithms:\n";
  for (const AlgorithmRow& row : algorithms()) {
    text += fmt::format("  {:<24}{}\n", row.name, row.summary);
  }
  return text;
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
  const Preferences preferences = read_preferences(options.request);
  if (options.request.wanted()) prepare_for_requests(options.router, options.request, file);
  const Router router(file.graph, options.router);
  if (!router.note().empty()) {
    fmt::print(stderr, "note: {}\n", router.note());
    notes.push_back(router.note());
  }
  by_place.notes = notes;
  std::vector<Query> asked;
  for (const QueryLine& line : queries.lines) asked.push_back(line.query);
  if (options.request.wanted()) {
    const RequestJob job{preferences,
                         std::max<std::size_t>(1, options.request.alternatives),
                         options.answer.paths,
                         options.json,
                         single,
                         options.threads,
                         options.map,
                         notes};
    if (places) {
      return solve_requests(
          file, router,
          place_queries(options.from, options.to, options.queries, file.graph.coordinate_kind()),
          job);
    }
    if (!options.trace.empty()) {
      replace_file(options.trace, posthoc_trace(router.trace(asked[0], preferences), asked[0],
                                                file.graph.points()));
    }
    const int code = solve_requests(file, router, asked, job);
    return queries.skipped.empty() ? code : 1;
  }
  if (places) return solve_places(file, router, by_place);

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
  const double divisor = cost_divisor(file);
  for (Answer& answer : answers) use_units(answer.found, divisor);
  if (options.json) {
    print_json(file, queries, answers, options.answer, notes);
  } else if (single) {
    print_one(file, queries.lines[0], answers[0], options.answer);
  } else {
    print_batch(file, queries, answers, options.answer);
  }
  if (options.map.wanted()) map_paths(file, answers, options.map);
  if (!options.trace.empty()) {
    replace_file(options.trace,
                 posthoc_trace(router.trace(asked[0]), asked[0], file.graph.points()));
  }
  if (!single && !is_quiet()) print_summary(answers, router, seconds);
  fmt::print(stderr, "{}", comparison);
  if (options.answer.check) return check_expected(file, queries, answers, options.json);
  if (!queries.skipped.empty()) return 1;
  return single && !answers[0].found.reached() ? 1 : 0;
}

}  // namespace

void add_solve(Verb& program) {
  auto [verb, options] = program.verb<SolveOptions>(
      "solve", "Find shortest paths and report whether they are optimal", run_solve, kQueryVerbs);
  RouterOptions& router = options.router;
  verb.option("graph", options.graph, "Graph file, any format").required();
  verb.option("--from", options.from, "Source: the name of a node, or a place as lon,lat")
      .needs("--to", "--to-all")
      .excludes("--queries");
  verb.option("--to", options.to, "Target: the name of a node, or a place as lon,lat")
      .needs("--from", "--from-all");
  const auto all = [](Option option, const char* own, const char* other) {
    option.excludes(own, other, "--queries", "--algorithm", "--heuristic", "--potentials",
                    "--bound", "--max-expansions", "--times", "--compare", "--threads");
  };
  all(verb.flag("--to-all", options.to_all, "Distances from --from to every node").needs("--from"),
      "--to", "--from-all");
  all(verb.flag("--from-all", options.from_all, "Distances from every node to --to").needs("--to"),
      "--from", "--to-all");
  verb.option("--limit", options.limit, "Print only nodes within this distance")
      .check(zero_or_more())
      .default_text("all nodes")
      .needs("--to-all", "--from-all");
  verb.option("--queries", options.queries,
              "Query file: source, target and optionally the expected cost per line, separated by "
              "tabs, or a MovingAI .scen");
  verb.flag("--skip-unknown", options.skip_unknown,
            "Report queries with unknown nodes and answer the others")
      .needs("--queries");
  verb.option("--index", router.index_file,
              "Index built by `lodestar index` (.lsi); customized if the weights have changed");
  verb.option("--potentials", router.potentials_file,
              "Potentials made by `lodestar fit` (.lsp); the weights may have changed since");
  verb.option("--algorithm", router.algorithm, "auto, " + algorithm_names());
  verb.option("--heuristic", router.heuristic,
              "zero, geometric (requires coordinates), learned, constant or random");
  verb.option("--model", router.model, kModelHelp).needs("--heuristic=learned");
  for (Option& option : add_model_options(verb, router.steps, router.scale, router.exact)) {
    option.needs("--heuristic=learned");
  }
  verb.option("--bound", router.bound,
              "Accept paths up to this share above the optimum; 0.05 is 5 %")
      .excludes("--exact");
  verb.option("--h-weight", router.weight, "Weight of the heuristic in weighted A*")
      .needs("--algorithm=weighted");
  verb.option("--constant", router.constant, "Value of the constant heuristic")
      .needs("--heuristic=constant");
  verb.option("--seed", router.seed, "Seed of the random heuristic").needs("--heuristic=random");
  verb.flag("--no-reopen", options.once, "Expand each node at most once")
      .needs("--algorithm=astar", "--algorithm=weighted", "--algorithm=greedy", "--heuristic",
             "--potentials")
      .excludes("--bound", "--exact", "--algorithm=focal", "--algorithm=bidirectional-astar");
  verb.option("--max-expansions", router.max_expansions, "Stop a query after this many expansions")
      .default_text("no limit");
  add_request_options(verb, options.request);
  verb.flag("--paths", options.answer.paths, "Print the nodes of each path");
  verb.flag("--times", options.answer.times,
            "Report the time of heuristic, closure and search separately");
  verb.flag("--compare", options.answer.compare,
            "Run Dijkstra too, and report what the heuristic saves");
  verb.flag("--json", options.json, "Print one JSON object per query");
  verb.flag("--check", options.answer.check, "Compare with the expected costs of the query file")
      .needs("--queries");
  verb.option("--geojson", options.map.geojson, "Write the routes to this GeoJSON file");
  verb.option("--gpx", options.map.gpx, "Write the routes to this file as GPX tracks");
  verb.option("--polyline", options.map.polyline,
              "Print each route as an encoded polyline with 5 or 6 digits")
      .check(CLI::IsMember({5, 6}))
      .default_text("");
  verb.option("--trace", options.trace,
              "Write every node that the search settled, for Posthoc (.trace.json)")
      .excludes("--queries", "--to-all", "--from-all");
  verb.option("--snap", options.map.snap, "Metres from a place to the nearest road, at most")
      .check(above_zero())
      .default_text("1000");
  verb.threads(options.threads);
  add_reading_options(verb, options.read);
  verb.footer(algorithms_text() + R"(
Examples:
  lodestar solve roads.gr --from 1 --to 4711 --paths
  lodestar solve roads.lsg --index roads.lsi --from 17 --to 4711
  lodestar solve roads.lsg --potentials roads.lsp --queries today.tsv --threads 2
  lodestar solve arena.map --queries arena.map.scen --heuristic geometric --check
  lodestar solve g.gr --from 1 --to 9 --heuristic learned --exact --compare
  lodestar solve g.gr --from 1 --to 9 --heuristic learned --bound 0.05
  lodestar solve roads.gr --from 1 --to-all > distances.tsv
  lodestar solve town.lsg --from 1.521,42.507 --to 1.536,42.509 --geojson route.geojson
  lodestar solve town.lsg --potentials town.lsp --from 17 --to 4711 --avoid toll --avoid ferry=2
  lodestar solve town.lsg --potentials town.lsp --from 17 --to 4711 --blend time=1,length=0.02
  lodestar solve town.lsg --from 17 --to 4711 --alternatives 3 --geojson routes.geojson
Preferences (--blend, --avoid, --vehicle, --depart, --alternatives, --preferences) are exact. They are
not combined with --index, --algorithm, --heuristic, --bound, --max-expansions, --times, --compare,
--check, --to-all or --from-all.
Exit code: 0 answered; 1 no path, a mismatch or a skipped query; 2 bad input.)");
}

}  // namespace lodestar::cli
