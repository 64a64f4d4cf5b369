// `lodestar index`: an index of one graph with fixed weights. Contracts the graph to a core and
// trains potentials where the core is searched.
#include "lodestar/index.h"

#include <fmt/core.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "describe.h"
#include "lodestar/detail/clock.h"
#include "lodestar/detail/stop.h"
#include "progress.h"
#include "reading.h"
#include "signals.h"
#include "training.h"
#include "verbs.h"

namespace lodestar::cli {
namespace {

struct IndexVerb {
  TrainingFiles files;
  IndexOptions index;
  double core = -1;  // nodes, or below 1 a share; negative: chosen
  bool no_paths = false;
  bool search = false;  // across the core, even where core distances take less work
  double memory = 0;    // bytes per node an index may take; 0: no limit
};

IndexOptions index_options(const IndexVerb& verb, const GraphFile& file) {
  IndexOptions options = verb.index;
  options.log = read_log(verb.files, file);
  options.paths = !verb.no_paths;
  if (verb.search) options.crossing = Crossing::kSearch;
  if (verb.core >= 0) {
    options.core =
        static_cast<NodeId>(verb.core < 1 ? verb.core * file.graph.node_count() : verb.core);
  }
  return options;
}

Index contracted(const IndexVerb& verb, const Graph& graph, IndexOptions options,
                 Clock::time_point begin, Progress& progress) {
  if (verb.files.resume && std::filesystem::exists(verb.files.output))
    return Index::open(verb.files.output, graph);
  options.guide = CorePotentials::kNone;  // trained below, and saved now and then
  if (options.seconds) options.seconds = std::max(0.0, *options.seconds - seconds_since(begin));
  return Index::build(graph, options, KeepOnInterrupt::interrupted, [&](const IndexProgress& now) {
    const double left =
        static_cast<double>(now.remaining) / std::max<double>(1, graph.node_count());
    progress.update(0.5 * (1 - left), fmt::format("{}, {} nodes left", now.stage, now.remaining));
  });
}

// The fastest kind of index that takes no more memory than allowed.
Index within_memory(const IndexVerb& verb, const Graph& graph, IndexOptions options,
                    Clock::time_point begin, Progress& progress) {
  struct Kind {
    const char* name;
    bool labels, paths;
  };
  std::string sizes;
  for (const Kind kind : {Kind{"labels", true, true}, Kind{"a core", false, true},
                          Kind{"a core without paths", false, false}}) {
    options.labels = kind.labels;
    options.paths = kind.paths;
    try {
      const Index index = contracted(verb, graph, options, begin, progress);
      const double bytes = static_cast<double>(index.facts().bytes) / graph.node_count();
      if (bytes <= verb.memory) return index;
      sizes += fmt::format("{}{} {:.0f}", sizes.empty() ? "" : ", ", kind.name, bytes);
    } catch (const Stopped&) {
      throw;
    } catch (const Error&) {
      if (!kind.labels) throw;  // not every graph can have labels
    }
  }
  throw Error(
      fmt::format("no index fits {:g} bytes per node: {}; K potentials take 4K (`lodestar fit -k`)",
                  verb.memory, sizes));
}

void print_result(const IndexVerb& verb, const Index& index, const std::vector<std::string>& notes,
                  const QueryTimes& times, double before, double after, std::size_t wrong) {
  const IndexFacts facts = index.facts();
  const std::vector<std::string> of_index = index_notes(facts, times);
  if (verb.files.json) {
    nlohmann::ordered_json out;
    out["output"] = verb.files.output;
    out.update(index_facts(facts));
    out["expansions_before"] = before;
    out["expansions"] = after;
    out["query_times"] = query_times_facts(times);
    out["wrong_arcs"] = wrong;
    out["interrupted"] = KeepOnInterrupt::interrupted();
    std::vector<std::string> all = notes;
    all.insert(all.end(), of_index.begin(), of_index.end());
    add_notes(out, all);
    fmt::print("{}\n", out.dump());
    return;
  }
  const double nodes = std::max<double>(1, facts.nodes);
  fmt::print("{}: {}a core of {} of {} nodes, {}, {:.1f} MB, {:.0f} bytes per node\n",
             verb.files.output, facts.labels ? "labels, " : "", facts.core, facts.nodes,
             facts.plain            ? "searched from both ends"
             : facts.core_distances ? "its distances stored"
                                    : fmt::format("{} potentials", facts.potential_count),
             static_cast<double>(facts.bytes) / 1e6, static_cast<double>(facts.bytes) / nodes);
  fmt::print("contracted in {}, {} rounds of training in {}\n",
             format_seconds(facts.origin.contraction_seconds), facts.origin.rounds,
             format_seconds(facts.origin.training_seconds));
  if (facts.potential_count > 0) {
    fmt::print("held-out queries across the core: {:.0f} expansions, {:.0f} before\n", after,
               before);
  }
  fmt::print("sample queries: {}\n", describe_query_times(times));
  fmt::print("{} arcs checked, {} wrong\n", facts.up_arcs + facts.core_arcs, wrong);
  for (const std::string& note : of_index) fmt::print("note: {}\n", note);
}

// Trains the potentials of the core, if it is searched with any.
void train(const IndexVerb& verb, const IndexOptions& options, Index& index, Progress& progress,
           double& before, double& after) {
  const Index start = index;
  double saved = 0;
  FitHooks hooks;
  hooks.stop = KeepOnInterrupt::interrupted;
  hooks.progress = [&](const FitProgress& now) {
    before = now.expansions_before;
    after = now.fitter.expansions();
    if (now.round == nullptr) return;
    progress.update(0.5 + 0.5 * now.share, fmt::format("round {}, {:.0f} expansions",
                                                       now.round->round, now.round->expansions));
    if (now.fitter.seconds() - saved < kSaveSeconds) return;
    start.trained_by(now.fitter).save(verb.files.output);
    saved = now.fitter.seconds();
  };
  index = start.trained(options, hooks);
}

int run_index(const IndexVerb& verb) {
  const auto begin = Clock::now();
  const GraphFile file = read_training_graph(
      verb.files, ".lsp", "index writes an index (.lsi); `lodestar fit` learns potentials (.lsp)");
  IndexOptions options = index_options(verb, file);
  const KeepOnInterrupt keep;
  Progress progress("indexing");
  Index index = verb.memory > 0 ? within_memory(verb, file.graph, options, begin, progress)
                                : contracted(verb, file.graph, options, begin, progress);
  double before = 0, after = 0;
  if (options.seconds) options.seconds = std::max(0.0, *options.seconds - seconds_since(begin));
  train(verb, options, index, progress, before, after);
  index.save(verb.files.output);
  const std::size_t wrong = index.verify();
  const QueryTimes times = measure_queries(index);
  print_result(verb, index, file.notes, times, before, after, wrong);
  return wrong == 0 ? 0 : 1;
}

}  // namespace

void add_index(Verb& program) {
  auto [verb, options] = program.verb<IndexVerb>(
      "index", "Build an index: exact queries in microseconds", run_index, kIndexVerbs);
  verb.option("graph", options.files.graph, "Graph file, any format").required();
  verb.option("-o,--output", options.files.output, "Index to write (.lsi)").required();
  verb.option("--core", options.core,
              "Nodes of the core, or their share if below 1. 0 builds a contraction hierarchy")
      .default_text("chosen by sample queries");
  verb.flag("--no-paths", options.no_paths, "Store costs only, which halves the memory");
  verb.flag("--labels", options.index.labels,
            "Build labels: the fastest queries, five times the memory")
      .excludes("--resume");
  verb.flag("--search", options.search,
            "Search the core with trained potentials even where core distances take less work")
      .excludes("--resume", "--labels", "--core=0");
  verb.option("--memory", options.memory,
              "Bytes per node: build the fastest of labels, core and core without paths that fits")
      .check(above_zero())
      .default_text("")
      .excludes("--resume", "--labels", "--core", "--no-paths");
  add_training_options(verb, options.files, options.index);
  verb.find("--seconds")
      .default_text(fmt::format("{:g}, for training after a contraction without limit",
                                kDefaultIndexSeconds));
  add_reading_options(verb, options.files.read);
  verb.footer(
      R"(Roads rarely need training: the distances of their small core are stored. Potentials are trained
where the core is searched, as on grids. Ctrl-C ends the training and saves the index.

Example:
  lodestar generate road -n 65000 -o roads.lsg
  lodestar index roads.lsg -o roads.lsi
  lodestar solve roads.lsg --index roads.lsi --from 17 --to 4711
  lodestar index roads.lsg --labels -o roads.lsi)");
}

}  // namespace lodestar::cli
