// `lodestar fit` as it is by default: contracts the graph to a core and learns potentials there.
#include <fmt/core.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "describe_index.h"
#include "fit_verb.h"
#include "lodestar/detail/stop.h"
#include "lodestar/index.h"
#include "notes.h"
#include "progress.h"

namespace lodestar::cli {
namespace {

constexpr double kSeconds = 3;       // of training: what a core needs
constexpr double kSaveSeconds = 10;  // a killed program loses no more than this

IndexOptions index_options(const FitVerb& verb, const GraphFile& file) {
  if (verb.distribution != "uniform" || verb.start != "race" || verb.bits != 32) {
    throw Error("--distribution, --start and --bits are for tables; add --whole");
  }
  IndexOptions options;
  if (!verb.queries.empty()) {
    for (const QueryLine& line : read_queries(verb.queries, file).lines) {
      options.log.push_back(line.query);
    }
  }
  options.potential_count = verb.fit.potential_count;
  options.seed = verb.fit.seed;
  options.threads = verb.fit.threads;
  options.seconds = verb.time_given ? verb.fit.seconds : kSeconds;
  options.rounds = verb.fit.rounds;
  options.paths = verb.paths;
  options.labels = verb.labels;
  if (verb.search) options.crossing = Crossing::kSearch;
  if (verb.core >= 0) {
    options.core =
        static_cast<NodeId>(verb.core < 1 ? verb.core * file.graph.node_count() : verb.core);
  }
  return options;
}

Index contracted(const FitVerb& verb, const Graph& graph, IndexOptions options,
                 Progress& progress) {
  if (verb.resume && std::filesystem::exists(verb.output)) return Index::open(verb.output, graph);
  options.guide = CorePotentials::kNone;  // trained below, saved on the way
  return Index::build(graph, options, KeepOnInterrupt::interrupted, [&](const IndexProgress& now) {
    const double left =
        static_cast<double>(now.remaining) / std::max<double>(1, graph.node_count());
    progress.update(0.5 * (1 - left), fmt::format("{}, {} nodes left", now.stage, now.remaining));
  });
}

// The fastest rung of the ladder that takes no more memory than asked for.
Index within_memory(const FitVerb& verb, const Graph& graph, IndexOptions options,
                    Progress& progress) {
  struct IndexKind {
    bool labels, paths;
  };
  std::string sizes;
  for (const IndexKind rung :
       {IndexKind{true, true}, IndexKind{false, true}, IndexKind{false, false}}) {
    options.labels = rung.labels;
    options.paths = rung.paths;
    try {
      const Index index = contracted(verb, graph, options, progress);
      const double bytes = static_cast<double>(index.facts().bytes) / graph.node_count();
      if (bytes <= verb.memory) return index;
      sizes += fmt::format("{}{} {:.0f}", sizes.empty() ? "" : ", ",
                           rung.labels  ? "labels"
                           : rung.paths ? "a core"
                                        : "a core without paths",
                           bytes);
    } catch (const Stopped&) {
      throw;
    } catch (const Error&) {
      if (!rung.labels) throw;  // labels do not fit every graph
    }
  }
  throw Error(
      fmt::format("nothing fits {:g} bytes per node: {}; a table of k potentials takes 4k "
                  "(--whole -k)",
                  verb.memory, sizes));
}

void print_result(const FitVerb& verb, const std::vector<std::string>& notes, const Index& index,
                  double before, double after, std::size_t wrong) {
  const IndexFacts facts = index.facts();
  if (verb.json) {
    nlohmann::ordered_json out;
    out["index"] = verb.output;
    out.update(index_facts(facts));
    out["expansions_before"] = before;
    out["expansions"] = after;
    out["wrong_arcs"] = wrong;
    out["interrupted"] = KeepOnInterrupt::interrupted();
    add_notes(out, notes);
    fmt::print("{}\n", out.dump());
    return;
  }
  const double nodes = std::max<double>(1, facts.nodes);
  fmt::print("{}: {}a core of {} of {} nodes, {}, {:.1f} MB, {:.0f} bytes per node\n", verb.output,
             facts.labels ? "labels, " : "", facts.core, facts.nodes,
             facts.core_distances ? "a table of its distances"
                                  : fmt::format("{} potentials", facts.potential_count),
             static_cast<double>(facts.bytes) / 1e6, static_cast<double>(facts.bytes) / nodes);
  fmt::print("contracted in {}, {} rounds of training in {}\n",
             format_seconds(facts.origin.contraction_seconds), facts.origin.rounds,
             format_seconds(facts.origin.training_seconds));
  if (facts.potential_count > 0) {
    fmt::print("queries across the core, held back: {:.0f} expansions, {:.0f} before\n", after,
               before);
  }
  fmt::print("{} arcs checked, {} wrong\n", facts.up_arcs + facts.core_arcs, wrong);
}

// Trains the potentials of the core, if it is searched with any.
void train(const FitVerb& verb, const IndexOptions& options, Index& index, Progress& progress,
           double& before, double& after) {
  const std::unique_ptr<Fitter> fitter = index.fitter(options);
  if (fitter == nullptr) return;
  const Index start = index;
  before = fitter->expansions();
  double saved = 0;
  const auto stop = [&] {
    return KeepOnInterrupt::interrupted() ||
           (options.rounds == 0 && fitter->seconds() >= options.seconds);
  };
  while ((options.rounds == 0 || fitter->rounds() < options.rounds) && !stop()) {
    FitRound round;
    try {
      round = fitter->round(stop);
    } catch (const Stopped&) {  // the best of the rounds before is kept
      break;
    }
    const double share = options.rounds > 0 ? static_cast<double>(fitter->rounds()) /
                                                  static_cast<double>(options.rounds)
                                            : fitter->seconds() / options.seconds;
    progress.update(0.5 + 0.5 * share,
                    fmt::format("round {}, {:.0f} expansions", round.round, round.expansions));
    if (fitter->seconds() - saved < kSaveSeconds) continue;
    start.trained_by(*fitter).save(verb.output);
    saved = fitter->seconds();
  }
  after = fitter->expansions();
  index = start.trained_by(*fitter);
}

}  // namespace

int run_fit_index(const FitVerb& verb) {
  const GraphFile file = read_graph_with_notes(verb.graph, verb.read);
  const IndexOptions options = index_options(verb, file);
  const KeepOnInterrupt keep;
  Progress progress("fitting");
  Index index = verb.memory > 0 ? within_memory(verb, file.graph, options, progress)
                                : contracted(verb, file.graph, options, progress);
  double before = 0, after = 0;
  try {
    const StopScope scope(KeepOnInterrupt::interrupted);
    train(verb, options, index, progress, before, after);
  } catch (const Stopped&) {  // before there was a start: the core is searched without potentials
  }
  index.save(verb.output);
  const std::size_t wrong = index.verify();
  print_result(verb, file.notes, index, before, after, wrong);
  return wrong == 0 ? 0 : 1;
}

}  // namespace lodestar::cli
