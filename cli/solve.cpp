// `lodestar solve`: shortest paths on a graph file, with what is proven about each.
#include <fmt/core.h>

#include <atomic>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "against_dijkstra.h"
#include "answer.h"
#include "lodestar/graph_io.h"
#include "parallel.h"
#include "progress.h"
#include "reading.h"
#include "solver.h"
#include "table.h"
#include "verbs.h"

namespace lodestar::cli {
namespace {

struct SolveOptions {
  std::string graph;
  std::string from;
  std::string to;
  std::string queries;
  SolverOptions solver;
  ReadOptions read;
  bool once = false;
  bool json = false;
  AnswerOptions answer;
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
void print_summary(const std::vector<Answer>& answers, const SolverPlan& plan, double seconds) {
  double expansions = 0, pushes = 0;
  std::size_t proven = 0, reached = 0;
  for (const Answer& answer : answers) {
    expansions += static_cast<double>(answer.found.expansions);
    pushes += static_cast<double>(answer.found.pushes);
    proven += answer.found.proven_optimal();
    reached += answer.found.reached();
  }
  const double n = static_cast<double>(std::max<std::size_t>(1, answers.size()));
  fmt::print(stderr,
             "{} queries: {} with a path, {} proven optimal; {:.1f} expansions and {:.1f} pushes "
             "each; {} each, {} to prepare\n",
             answers.size(), reached, proven, expansions / n, pushes / n,
             format_seconds(seconds / n), format_seconds(plan.preparation_seconds()));
}

// Fills in every answer's Dijkstra; returns the lines that sum up.
std::string compare(const Graph& graph, const QueryFile& queries, std::vector<Answer>& answers) {
  std::vector<Query> asked;
  for (const QueryLine& line : queries.lines) asked.push_back(line.query);
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

int run_solve(SolveOptions& options) {
  const GraphFile file = read_graph(options.graph, options.read);
  QueryFile queries;
  const bool single = options.queries.empty();
  if (single) {
    if (options.from.empty() || options.to.empty()) {
      throw Error("give --from and --to, or --queries FILE");
    }
    queries.lines.push_back(
        {{find_node(file, options.graph, options.from), find_node(file, options.graph, options.to)},
         {}});
  } else {
    if (!options.from.empty() || !options.to.empty()) {
      throw Error("give either --from and --to or --queries, not both");
    }
    queries = read_queries(options.queries, file);
  }
  if (options.once) options.solver.reopen = Reopen::kNever;
  options.solver.times = options.answer.times = options.answer.times || options.answer.compare;
  const SolverPlan plan(file.graph, options.solver);
  if (!plan.table_note().empty()) fmt::print(stderr, "note: {}\n", plan.table_note());

  std::vector<Answer> answers(queries.lines.size());
  Progress progress("solving");
  std::atomic<std::size_t> done{0};
  const auto main_thread = std::this_thread::get_id();
  const auto start = std::chrono::steady_clock::now();
  parallel_for(
      answers.size(), options.threads, [&] { return Solver(plan); },
      [&](Solver& solver, std::size_t i) {
        answers[i].found = solver.solve(queries.lines[i].query);
        if (options.answer.paths) answers[i].path = solver.path();
        const std::size_t count = ++done;
        if (std::this_thread::get_id() == main_thread) {
          progress.update(static_cast<double>(count) / static_cast<double>(answers.size()));
        }
      });
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  const std::string comparison =
      options.answer.compare ? compare(file.graph, queries, answers) : std::string();
  if (options.json) {
    for (std::size_t i = 0; i < answers.size(); ++i) {
      fmt::print(
          "{}\n",
          to_json(file, queries.lines[i], answers[i], options.answer, queries.scenario).dump());
    }
  } else if (single) {
    print_one(file, queries.lines[0], answers[0], options.answer);
  } else {
    print_batch(file, queries, answers, options.answer);
  }
  if (!single) print_summary(answers, plan, seconds);
  fmt::print(stderr, "{}", comparison);
  if (options.answer.check) return check_expected(file, queries, answers, options.json);
  return single && !answers[0].found.reached() ? 1 : 0;
}

}  // namespace

void add_solve(CLI::App& program, int* status) {
  auto options = std::make_shared<SolveOptions>();
  CLI::App* verb =
      program.add_subcommand("solve", "Find shortest paths, and prove what can be proven of them");
  verb->add_option("graph", options->graph, "Graph file, any format")->required();
  verb->add_option("--from", options->from, "Source, as the file calls it");
  verb->add_option("--to", options->to, "Target, as the file calls it");
  verb->add_option("--queries", options->queries,
                   "TSV file (source, target, optional expected cost) or MovingAI .scen");
  verb->add_option("--algorithm", options->solver.algorithm, algorithm_names())
      ->capture_default_str();
  verb->add_option("--heuristic", options->solver.heuristic,
                   "zero, geometric (needs coordinates), learned, constant, random")
      ->capture_default_str();
  verb->add_option("--potentials", options->solver.potentials,
                   "Table learned by `lodestar fit` for this graph; its weights may have changed");
  verb->add_option("--model", options->solver.model,
                   "Model of the learned heuristic: deep, paper, swift, or a file")
      ->capture_default_str();
  verb->add_option("--steps", options->solver.steps, "Steps of the model, if not its own");
  verb->add_option("--scale", options->solver.scale, "Scale of the model's y, if not its own");
  verb->add_flag("--exact", options->solver.exact,
                 "Make the learned heuristic consistent: the answer is the optimum");
  verb->add_option("--bound", options->solver.bound,
                   "Accept paths up to this share above the optimum: 0.05 is 5 %")
      ->capture_default_str();
  verb->add_option("--h-weight", options->solver.weight, "Weight of h in weighted A*")
      ->capture_default_str();
  verb->add_option("--constant", options->solver.constant, "Value of the constant heuristic")
      ->capture_default_str();
  verb->add_option("--seed", options->solver.seed, "Seed of the random heuristic")
      ->capture_default_str();
  verb->add_flag("--no-reopen", options->once, "Expand each node once at most");
  verb->add_option("--max-expansions", options->solver.max_expansions,
                   "Stop a query after this many expansions");
  verb->add_flag("--paths", options->answer.paths, "Print the nodes of each path");
  verb->add_flag("--times", options->answer.times,
                 "Report heuristic, closure and search time apart");
  verb->add_flag("--compare", options->answer.compare,
                 "Run Dijkstra too: what the heuristic saved, and when it pays");
  verb->add_flag("--json", options->json, "One JSON object per query");
  verb->add_flag("--check", options->answer.check,
                 "Compare with the expected costs of the query file");
  verb->add_option("--threads", options->threads, "Queries answered side by side")
      ->capture_default_str()
      ->check(CLI::Range(1u, 1024u));
  add_reading_options(*verb, options->read);
  verb->footer(
      "Examples:\n"
      "  lodestar solve roads.gr --from 1 --to 4711 --paths\n"
      "  lodestar solve arena.map --queries arena.map.scen --heuristic geometric --check\n"
      "  lodestar solve roads.lsg --potentials roads.lsp --queries today.tsv --threads 2\n"
      "  lodestar solve g.gr --from 1 --to 9 --heuristic learned --exact --compare\n"
      "  lodestar solve g.gr --from 1 --to 9 --heuristic learned --bound 0.05\n"
      "Exit code: 0 answered, 1 no path or a mismatch, 2 bad input.");
  verb->callback([options, status] { *status = run_solve(*options); });
}

}  // namespace lodestar::cli
