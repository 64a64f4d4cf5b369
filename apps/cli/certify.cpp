// `lodestar certify`: checks whether a heuristic is consistent and admissible, and shows where not.
#include <fmt/core.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "bench/harness/table.h"
#include "certify_subject.h"
#include "lodestar/certificate.h"
#include "lodestar/generate.h"
#include "lodestar/graph_formats.h"
#include "lodestar/graph_io.h"
#include "lodestar/index.h"
#include "model_options.h"
#include "progress.h"
#include "reading.h"
#include "verbs.h"

namespace lodestar::cli {
namespace {

struct CertifyOptions {
  std::string index;
  std::string path;
  SubjectOptions subject;
  ReadOptions read;
  std::string queries;
  unsigned samples = 20;
  double tolerance = 1e-12;
  bool json = false;
};

struct Verdict {
  std::string graph;
  NodeNames names;
  std::vector<std::string> notes;
  std::uint64_t queries = 0;
  ConstraintCheck constraints;
  Query worst_query;  // of which the worst violation is
  std::uint64_t estimates = 0;
  std::uint64_t overestimates = 0;
  std::optional<Overestimate> counterexample;

  bool consistent() const { return constraints.consistent(); }
  bool admissible() const { return overestimates == 0; }
  std::string query() const {
    return names.name(worst_query.source) + " → " + names.name(worst_query.target);
  }
};

std::vector<Query> sample_queries(const CertifyOptions& options, const GraphFile& file) {
  std::vector<Query> queries;
  if (!options.queries.empty()) {
    for (const QueryLine& line : read_queries(options.queries, file).lines) {
      queries.push_back(line.query);
    }
    return queries;
  }
  const NodeId n = file.graph.node_count();
  if (n == 0) throw Error("the graph is empty; there is nothing to check");
  Rng rng(options.subject.seed);
  Searcher searcher(file.graph);
  for (unsigned i = 0; i < options.samples; ++i) {
    queries.push_back(file.graph.arc_count() == 0 ? Query{rng.below(n), rng.below(n)}
                                                  : random_reachable_query(searcher, rng));
  }
  return queries;
}

Verdict examine(const CertifyOptions& options, const std::string& path, Progress& progress) {
  GraphFile file = read_graph_with_notes(path, options.read);
  const auto subject = make_subject(options.subject, file);
  const std::vector<Query> queries = sample_queries(options, file);
  Verdict verdict;
  verdict.graph = path;
  verdict.queries = queries.size();
  AdmissibilityChecker checker(file.graph, options.tolerance);
  Sample sample;
  sample.y.resize(file.graph.node_count());
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const Query query = queries[i];
    subject->evaluate(query, sample);
    if (i == 0 || subject->depends_on_query()) {
      ConstraintCheck check = check_potential(file.graph, sample.y, options.tolerance);
      check.target_ok = sample.at_target - sample.y[query.target] <= options.tolerance;
      if (check.worst.excess > verdict.constraints.worst.excess) verdict.worst_query = query;
      verdict.constraints.merge(check);
    }
    checker.check(query.target, [&](NodeId v) { return sample.at_target - sample.y[v]; });
    progress.update(static_cast<double>(i + 1) / static_cast<double>(queries.size()), path);
  }
  verdict.estimates = checker.checked();
  verdict.overestimates = checker.overestimates();
  if (!checker.admissible()) verdict.counterexample = checker.worst();
  verdict.names = std::move(file.names);
  verdict.notes = std::move(file.notes);
  return verdict;
}

// Never rounds up to 100 %.
std::string percent(double share) {
  const double shown = share < 1 ? std::min(share * 100, 99.9999) : 100;
  return fmt::format("{:.4f} %", shown);
}

nlohmann::ordered_json to_json(const CertifyOptions& options, const Verdict& verdict) {
  const auto& check = verdict.constraints;
  const NodeNames& names = verdict.names;
  nlohmann::ordered_json out;
  out["graph"] = verdict.graph;
  out["subject"] = options.subject.name();
  add_notes(out, verdict.notes);
  out["queries"] = verdict.queries;
  out["arcs_checked"] = check.arcs;
  out["satisfied"] = check.satisfied;
  out["share"] = check.share();
  out["share_with_self_loops"] = check.share_with_self_loops();
  out["consistent"] = verdict.consistent();
  if (check.worst.tail != kNoNode) {
    out["worst_violation"] = {{"tail", names.name(check.worst.tail)},
                              {"head", names.name(check.worst.head)},
                              {"weight", check.worst.weight},
                              {"excess", check.worst.excess},
                              {"source", names.name(verdict.worst_query.source)},
                              {"target", names.name(verdict.worst_query.target)}};
  }
  out["estimates_checked"] = verdict.estimates;
  out["overestimates"] = verdict.overestimates;
  out["admissible_on_samples"] = verdict.admissible();
  if (const auto& worst = verdict.counterexample) {
    out["counterexample"] = {{"node", names.name(worst->node)},
                             {"target", names.name(worst->target)},
                             {"estimate", worst->estimate},
                             {"distance", worst->distance}};
  }
  return out;
}

// An index promises more than a heuristic: every arc of it is checked, and its answers to the
// sample queries against Dijkstra's.
int certify_index(const CertifyOptions& options) {
  const GraphFile file = read_graph_with_notes(options.path, options.read);
  const Index index = Index::open(options.index, file.graph);
  const std::size_t wrong_arcs = index.verify();
  const IndexFacts facts = index.facts();
  IndexSearcher searcher(index);
  Searcher dijkstra(file.graph);
  std::size_t wrong = 0;
  const std::vector<Query> queries = sample_queries(options, file);
  for (const Query& query : queries) {
    const SearchResult truth = dijkstra.run(query, Zero{}), found = searcher.run(query);
    const bool same = facts.exact_sums ? found.cost == truth.cost
                                       : std::abs(found.cost - truth.cost) <= 1e-9 * truth.cost ||
                                             found.cost == truth.cost;
    wrong += same ? 0 : 1;
  }
  const std::size_t arcs = facts.up_arcs + facts.core_arcs;
  if (options.json) {
    nlohmann::ordered_json out{{"graph", options.path},     {"subject", "index " + options.index},
                               {"arcs_checked", arcs},      {"wrong_arcs", wrong_arcs},
                               {"queries", queries.size()}, {"wrong_answers", wrong}};
    add_notes(out, file.notes);
    fmt::print("{}\n", out.dump());
  } else {
    fmt::print(
        "index {}\n{} arcs: potentials too steep or paths of another cost on {}\n"
        "{} queries: {} answered otherwise than by Dijkstra\n",
        options.index, arcs, wrong_arcs, queries.size(), wrong);
  }
  return wrong_arcs + wrong == 0 ? 0 : 1;
}

int run_certify(const CertifyOptions& options) {
  if (!options.index.empty()) return certify_index(options);
  if (!(options.tolerance >= 0 && options.tolerance < 1)) {
    throw Error("the tolerance must be a number from 0 to below 1");
  }
  const std::vector<std::string> files = graph_files(options.path);
  const bool one_graph = !options.queries.empty() || !options.subject.potentials.empty();
  if (files.size() > 1 && one_graph) {
    throw Error("a file of queries or potentials belongs to one graph; name that graph");
  }
  Progress progress("certifying");
  Table table({"graph", "queries", "constraints", "with self-loops", "consistent", "admissible"});
  std::string details;
  bool consistent = true;
  for (const std::string& path : files) {
    const Verdict verdict = examine(options, path, progress);
    consistent = consistent && verdict.consistent();
    if (options.json) {
      fmt::print("{}\n", to_json(options, verdict).dump());
      continue;
    }
    const auto& check = verdict.constraints;
    table.add({path, std::to_string(verdict.queries), percent(check.share()),
               percent(check.share_with_self_loops()), verdict.consistent() ? "yes" : "no",
               verdict.admissible() ? "on all samples" : "no"});
    if (check.worst.tail != kNoNode) {
      details += fmt::format(
          "{}: worst violation on arc {} → {} of weight {}: y rises by {} too much (query {})\n",
          path, verdict.names.name(check.worst.tail), verdict.names.name(check.worst.head),
          check.worst.weight, check.worst.excess, verdict.query());
    }
    if (!check.target_ok) details += fmt::format("{}: h is positive at the target\n", path);
    if (const auto& worst = verdict.counterexample) {
      details += fmt::format(
          "{}: {} of {} estimates exceed the distance; from {} to {} it is {}, the estimate {}\n",
          path, verdict.overestimates, verdict.estimates, verdict.names.name(worst->node),
          verdict.names.name(worst->target), worst->distance, worst->estimate);
    }
  }
  if (!options.json) fmt::print("{}\n{}{}", options.subject.name(), table.text(), details);
  return consistent ? 0 : 1;
}

}  // namespace

void add_certify(Verb& program) {
  auto [verb, options] = program.verb<CertifyOptions>(
      "certify", "Check whether a heuristic is consistent and admissible, or an index correct",
      run_certify, kCheckVerbs);
  SubjectOptions& subject = options.subject;
  verb.option("graph", options.path, "Graph file, or a folder of graph files").required();
  verb.option(
      "--potentials", subject.potentials,
      "Potentials made by `lodestar fit` (.lsp), or one potential per node as text or .npz");
  verb.option("--heuristic", subject.heuristic, "zero, geometric, constant or random");
  verb.option("--model", subject.model, kModelHelp);
  verb.option(
      "--index", options.index,
      "Index built by `lodestar index` (.lsi): checks every arc, and costs against Dijkstra");
  for (Option& option : add_model_options(verb, subject.steps, subject.scale, subject.exact)) {
    option.needs("--model");
  }
  verb.option("--constant", subject.constant, "Value of the constant heuristic")
      .needs("--heuristic=constant");
  verb.option("--samples", options.samples, "Random queries per graph")
      .check(CLI::Range(1u, 1000000u))
      .excludes("--queries");
  verb.option("--queries", options.queries, "Query file to use instead of random queries");
  verb.option("--seed", subject.seed, "Seed of the random queries and the random heuristic");
  verb.option("--tolerance", options.tolerance,
              "Relative error that counts as rounding; 0: none does");
  verb.flag("--json", options.json, "Print one JSON object per graph");
  add_reading_options(verb, options.read);
  verb.footer(R"(Examples:
  lodestar certify roads.gr --potentials mine.txt
  lodestar certify roads.lsg --index roads.lsi
  lodestar certify graphs/ --model deep --exact --tolerance 0
Exit code: 0 consistent, 1 not consistent, 2 bad input.)");
}

}  // namespace lodestar::cli
