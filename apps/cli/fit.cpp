// `lodestar fit`: potentials of one graph, for weights that belong to the request.
#include "lodestar/fit.h"

#include <fmt/core.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "fit_family.h"
#include "lodestar/detail/clock.h"
#include "progress.h"
#include "reading.h"
#include "signals.h"
#include "training.h"
#include "verbs.h"

namespace lodestar::cli {
namespace {

struct FitVerb {
  TrainingFiles files;
  FitOptions fit;
  std::string distribution = "uniform";
  std::string start = "race";
  std::size_t knots = 0;
  int bits = 32;
  bool per_node_given = false;
  bool start_given = false;
};

// Writes the potentials if they have improved, now and then and at the end.
class Saver {
 public:
  Saver(const FitVerb& verb, const Graph& graph) : verb_(verb), graph_(graph) {}

  void offer(const Potentials& potentials, double expansions, double now) {
    if (now - saved_at_ < kSaveSeconds) return;
    save(potentials, expansions);
    saved_at_ = now;
  }

  void save(const Potentials& potentials, double expansions) {
    if (expansions == saved_) return;
    if (verb_.bits == 16) {
      potentials.in_16_bits(graph_).save(verb_.files.output);
    } else {
      potentials.save(verb_.files.output);
    }
    saved_ = expansions;
  }

 private:
  const FitVerb& verb_;
  const Graph& graph_;
  double saved_ = -1;  // expansions of the potentials in the file
  double saved_at_ = 0;
};

FitOptions fit_options(const FitVerb& verb, const GraphFile& file) {
  FitOptions options = verb.fit;
  options.start = parse_fit_start(verb.start);
  options.log = read_log(verb.files, file);
  options.kind = !verb.files.queries.empty()   ? QueryKind::kLog
                 : verb.distribution == "rank" ? QueryKind::kRank
                                               : QueryKind::kUniform;
  return options;
}

FitResult train(const FitVerb& verb, const Graph& graph, const FitOptions& options,
                const FitHooks& hooks) {
  const std::string& output = verb.files.output;
  if (!verb.files.resume || !std::filesystem::exists(output)) return fit(graph, options, hooks);
  Potentials start = Potentials::load(output);
  start.require_fit(graph);
  if (verb.per_node_given && start.count() != options.potential_count) {
    throw Error(output + ": has " + std::to_string(start.count()) +
                " values per node, and --resume keeps them; leave out -k " +
                std::to_string(options.potential_count) + ", or fit new potentials");
  }
  if (verb.start_given) {
    throw Error(output + ": exists, and --resume starts from it; leave out --start");
  }
  if (!start.verify(graph).feasible()) start.repair(graph);  // weights fell since
  return fit(graph, start, options, hooks);
}

int run_fit(const FitVerb& verb) {
  const auto begin = Clock::now();
  const GraphFile file = read_training_graph(
      verb.files, ".lsi", "fit writes potentials (.lsp); `lodestar index` builds an index (.lsi)");
  FitOptions options = fit_options(verb, file);
  options.seconds = std::max(0.0, options.seconds - seconds_since(begin));
  if (!verb.files.read.metrics.empty() && file.metrics.metrics.size() > 1) {
    return fit_blends(file, {verb.files.output, verb.knots, verb.bits, verb.files.json, options});
  }
  const KeepOnInterrupt keep;
  Progress progress("fitting");
  progress.update(0, "choosing landmarks");
  Saver saver(verb, file.graph);
  FitHooks hooks;
  hooks.stop = KeepOnInterrupt::interrupted;
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
  std::vector<std::string> notes = file.notes;
  if (fitted.rounds == 0 && !KeepOnInterrupt::interrupted()) {
    notes.push_back(kUntrained);
    if (!verb.files.json) fmt::print("note: {}\n", kUntrained);
  }
  const double before = fitted.expansions_before;
  const std::size_t violated = potentials.verify(file.graph).violated_arcs;
  if (verb.files.json) {
    nlohmann::ordered_json out;
    out["output"] = verb.files.output;
    out["nodes"] = potentials.node_count();
    out["per_node"] = potentials.count();
    out["bytes"] = potentials.bytes() * static_cast<std::size_t>(verb.bits) / 32;
    out["rounds"] = fitted.rounds;
    out["seconds"] = fitted.seconds;
    out["expansions_before"] = before;
    out["expansions"] = fitted.expansions;
    out["violated_arcs"] = violated;
    out["interrupted"] = KeepOnInterrupt::interrupted();
    add_notes(out, notes);
    fmt::print("{}\n", out.dump());
  } else {
    fmt::print("{}: {} potentials for {} nodes, {:.1f} MB, {} rounds in {}\n", verb.files.output,
               potentials.count(), potentials.node_count(),
               static_cast<double>(potentials.bytes()) * verb.bits / 32e6, fitted.rounds,
               format_seconds(fitted.seconds));
    fmt::print("held-out queries: {:.0f} expansions, {:.0f} before ({:.1f} times as many)\n",
               fitted.expansions, before, before / fitted.expansions);
    fmt::print("{} arcs checked, {} violated\n", file.graph.arc_count(), violated);
  }
  return violated == 0 ? 0 : 1;
}

}  // namespace

void add_fit(Verb& program) {
  auto options = std::make_shared<FitVerb>();
  Verb& verb = program.verb(
      "fit", "Learn potentials of a graph; queries stay exact when weights rise", kPotentialsVerbs);
  verb.option("graph", options->files.graph, "Graph file, any format").required();
  verb.option("-o,--output", options->files.output, "Potentials to write (.lsp)").required();
  add_training_options(verb, options->files, options->fit);
  verb.option("--distribution", options->distribution,
              "Random pairs to train for: uniform, or all Dijkstra ranks equally often")
      .check(CLI::IsMember({"uniform", "rank"}))
      .excludes("--queries");
  const Option start =
      verb.option("--start", options->start, "Potentials to start from; race tries several")
          .check(
              CLI::IsMember({"race", "landmarks", "farthest", "avoid", "greedy", "cuts", "mix"}));
  verb.option("--bits", options->bits, "Bits per value; 16 halves the memory")
      .check(CLI::IsMember({16, 32}));
  verb.find("--resume").excludes("--bits=16", "--metrics");
  verb.option("--knots", options->knots,
              "Blends with potentials of their own; more of them are faster and take more memory")
      .check(CLI::Range(1, 64))
      .needs("--metrics")
      .default_text("as many as needed");
  add_reading_options(verb, options->files.read);
  verb.footer(R"(With --metrics the potentials serve all blends of the weight and these metrics.
Ctrl-C ends the training and saves the best potentials so far.

Example:
  lodestar generate road -n 65000 -o roads.lsg
  lodestar fit roads.lsg --seconds 10 -o roads.lsp
  lodestar solve roads.lsg --potentials roads.lsp --from 17 --to 4711
  lodestar fit town.lsg --metrics length --bits 16 -o town.lsp)");
  verb.run([options, start, per_node = verb.find("--per-node")] {
    options->per_node_given = per_node.given();
    options->start_given = start.given();
    return run_fit(*options);
  });
}

}  // namespace lodestar::cli
