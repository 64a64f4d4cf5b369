// `lodestar fit`: an index of one graph, or with --whole the potentials of all its nodes; saves the
// best so far.
#include "lodestar/fit.h"

#include <fmt/core.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "fit_verb.h"
#include "lodestar/atomic_file.h"
#include "lodestar/graph_io.h"
#include "notes.h"
#include "progress.h"
#include "reading.h"
#include "signals.h"
#include "verbs.h"

namespace lodestar::cli {
namespace {

volatile std::sig_atomic_t interrupted = 0;
constexpr int kSignals[] = {SIGINT, SIGTERM};

// Writes the potentials when it has become better, now and then and at the end.
class Saver {
 public:
  Saver(const FitVerb& verb, const Graph& graph) : verb_(verb), graph_(graph) {}

  void offer(const Potentials& potentials, double expansions, double now) {
    constexpr double kSeconds = 10;  // a killed program loses no more than this
    if (now - saved_at_ < kSeconds) return;
    save(potentials, expansions);
    saved_at_ = now;
  }

  void save(const Potentials& potentials, double expansions) {
    if (expansions == saved_) return;
    if (verb_.bits == 16) {
      potentials.in_16_bits(graph_).save(verb_.output);
    } else {
      potentials.save(verb_.output);
    }
    saved_ = expansions;
  }

 private:
  const FitVerb& verb_;
  const Graph& graph_;
  double saved_ = -1;  // the expansions of what the file holds; none yet
  double saved_at_ = 0;
};

FitOptions fit_options(const FitVerb& verb, const GraphFile& file) {
  FitOptions options = verb.fit;
  options.start = parse_fit_start(verb.start);
  if (!verb.queries.empty()) {
    options.kind = QueryKind::kLog;
    for (const QueryLine& line : read_queries(verb.queries, file).lines) {
      options.log.push_back(line.query);
    }
  } else if (verb.distribution == "rank") {
    options.kind = QueryKind::kRank;
  }
  return options;
}

FitResult train(const FitVerb& verb, const Graph& graph, const FitOptions& options,
                const FitHooks& hooks) {
  if (!verb.resume || !std::filesystem::exists(verb.output)) return fit(graph, options, hooks);
  Potentials start = Potentials::load(verb.output);
  start.require_fit(graph);
  if (verb.potentials_given && start.count() != options.potential_count) {
    throw Error(verb.output + ": has " + std::to_string(start.count()) +
                " values per node, and --resume keeps them; leave out -k " +
                std::to_string(options.potential_count) + ", or fit a new table");
  }
  if (verb.start_given) {
    throw Error(verb.output + ": is there already, and --resume starts from it; leave out --start");
  }
  if (!start.verify(graph).feasible()) start.repair(graph);  // weights fell since
  return fit(graph, start, options, hooks);
}

int run_fit(const FitVerb& verb) {
  if (verb.fit.rounds == 0 && !(verb.fit.seconds > 0)) throw Error("--time must be above 0");
  if (verb.output == "-") throw Error("a table is written again and again; give -o a file's name");
  require_folder_of(verb.output);  // said now, not after the training
  if (!verb.whole && !verb.output.ends_with(".lsp")) return run_fit_index(verb);
  if (verb.core >= 0) throw Error("--core is for an index, and .lsp or --whole asks for a table");
  if (verb.labels || verb.search || verb.memory > 0) {
    throw Error(
        "--labels, --search and --memory are for an index, and .lsp or --whole asks for a table");
  }
  const GraphFile file = read_graph_with_notes(verb.graph, verb.read);
  const FitOptions options = fit_options(verb, file);
  const KeepOnInterrupt keep;
  Progress progress("fitting");
  progress.update(0, "choosing landmarks");
  Saver saver(verb, file.graph);
  FitHooks hooks;
  hooks.stop = [] { return interrupted != 0; };
  hooks.progress = [&](const FitProgress& state) {
    saver.offer(state.fitter.potentials(), state.fitter.expansions(), state.fitter.seconds());
    if (state.round == nullptr) {
      progress.update(state.share, "first round");
      return;
    }
    progress.update(state.share,
                    fmt::format("round {}, objective {:.6g}, {:.0f} expansions ({:.0f} at the "
                                "start)",
                                state.round->round, state.round->objective, state.round->expansions,
                                state.expansions_before));
  };
  const FitResult fitted = train(verb, file.graph, options, hooks);
  saver.save(fitted.potentials, fitted.expansions);

  const Potentials& potentials = fitted.potentials;
  const double before = fitted.expansions_before;
  const std::size_t violated = potentials.verify(file.graph).violated_arcs;
  if (verb.json) {
    nlohmann::ordered_json out;
    out["table"] = verb.output;
    out["nodes"] = potentials.node_count();
    out["potentials"] = potentials.count();
    out["bytes"] = potentials.bytes() * static_cast<std::size_t>(verb.bits) / 32;
    out["rounds"] = fitted.rounds;
    out["seconds"] = fitted.seconds;
    out["expansions_before"] = before;
    out["expansions"] = fitted.expansions;
    out["violated_arcs"] = violated;
    out["interrupted"] = interrupted != 0;
    add_notes(out, file.notes);
    fmt::print("{}\n", out.dump());
  } else {
    fmt::print("{}: {} potentials for {} nodes, {:.1f} MB, {} rounds in {}\n", verb.output,
               potentials.count(), potentials.node_count(),
               static_cast<double>(potentials.bytes()) * verb.bits / 32e6, fitted.rounds,
               format_seconds(fitted.seconds));
    fmt::print("held-back queries: {:.0f} expansions, {:.0f} before ({:.1f} times as many)\n",
               fitted.expansions, before, before / fitted.expansions);
    fmt::print("{} arcs checked, {} violated\n", file.graph.arc_count(), violated);
  }
  return violated == 0 ? 0 : 1;
}

}  // namespace

KeepOnInterrupt::KeepOnInterrupt() {
  lodestar::cli::interrupted = 0;
  for (const int signal : kSignals) {
    std::signal(signal, [](int) {
      lodestar::cli::interrupted = 1;
      install_signal_handlers();  // the next one ends the program
    });
  }
}
KeepOnInterrupt::~KeepOnInterrupt() {
  install_signal_handlers();
}
bool KeepOnInterrupt::interrupted() {
  return lodestar::cli::interrupted != 0;
}

void add_fit(CLI::App& program, int* status) {
  auto verb = std::make_shared<FitVerb>();
  CLI::App* app = program.add_subcommand(
      "fit", "Learn one graph: an index whose answers are optimal and take microseconds");
  app->add_option("graph", verb->graph, "Graph file, any format")->required();
  app->add_option("-o,--output", verb->output, "Index to write (.lsi); a table if it ends in .lsp")
      ->required();
  app->add_flag("--whole", verb->whole,
                "A table of potentials for every node instead of an index: slower queries, but\n"
                "weights may rise at any time");
  app->add_option("--core", verb->core,
                  "Nodes of the core, below 1 their share; 0: a contraction hierarchy. Not given:\n"
                  "as sample queries like it");
  app->add_flag("!--no-paths", verb->paths, "Costs only: half the memory");
  app->add_flag(
      "--labels", verb->labels,
      "Labels in place of a search: far faster, five times the memory; nothing is learned");
  app->add_flag("--search", verb->search,
                "Cross the core by search with learned potentials, even where a table of its\n"
                "distances takes less work");
  app->add_option("--memory", verb->memory,
                  "Bytes per node: the fastest of labels, core, core without paths that fits")
      ->check(CLI::PositiveNumber);
  app->add_option("--queries", verb->queries,
                  "Log of queries like those to come (source, target per line)");
  app->add_option("--distribution", verb->distribution,
                  "Without a log: uniform pairs, or all Dijkstra ranks alike")
      ->check(CLI::IsMember({"uniform", "rank"}))
      ->capture_default_str();
  app->add_option("-k,--per-node", verb->fit.potential_count, "Potentials per node")
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
  app->add_option("--time", verb->fit.seconds,
                  "Seconds of training; 3 for an index (after contraction), 30 for a table");
  app->add_option("--rounds", verb->fit.rounds,
                  "Number of rounds instead of a time: the same table on every machine");
  app->add_option("--threads", verb->fit.threads, "Threads; the result does not depend on them")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  app->add_option("--seed", verb->fit.seed, "Seed of all random choices")->capture_default_str();
  app->add_option("--start", verb->start, "Potentials to start from; race tries several")
      ->check(CLI::IsMember({"race", "landmarks", "farthest", "avoid", "greedy", "cuts", "mix"}))
      ->capture_default_str();
  app->add_option("--bits", verb->bits, "Storage per value; 16 halves the memory")
      ->check(CLI::IsMember({16, 32}))
      ->capture_default_str();
  app->add_flag("--resume", verb->resume, "Go on training what the output file holds, if there");
  add_reading_options(*app, verb->read);
  app->add_flag("--json", verb->json, "Result as one JSON object");
  app->callback([verb, app, status] {
    verb->potentials_given = app->get_option("--per-node")->count() > 0;
    verb->time_given = app->get_option("--time")->count() > 0;
    verb->start_given = app->get_option("--start")->count() > 0;
    *status = run_fit(*verb);
  });
}

}  // namespace lodestar::cli
