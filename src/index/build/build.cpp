#include "index/build/build.h"

#include <algorithm>

#include "index/build/assemble.h"
#include "index/build/choose_core.h"
#include "index/build/contraction.h"
#include "index/build/core_log.h"
#include "index/core_distances.h"
#include "index/labels/labels.h"
#include "lodestar/detail/clock.h"
#include "lodestar/detail/stop.h"
#include "lodestar/version.h"
#include "potentials/integer_graph.h"
#include "potentials/training.h"

namespace lodestar::index {
namespace {

// Assembling the index takes about this many times as long as preparing the contraction.
constexpr double kAssembly = 5;

// The nodes contracted so far, if the limit or the allowance of work ends the contraction.
template <class W>
CoreSnapshot<W> contract_to(NodeId core, const IndexOptions& options, const Report& report,
                            Contraction<W>& contraction, const TimeLimit& limit) {
  const char* why = nullptr;
  try {
    const StopScope scope(limit.stop());
    if (!options.core) contraction.allow(allowed_work(contraction.remaining()));
    contraction.run(core, [&] {
      if (report) report({contraction.remaining(), 0, 0, "contracting"});
    });
  } catch (const Stopped&) {
    if (StopScope::pressed()) throw;
    why = "the time limit is too short";
  } catch (const TooMuchWork&) {
    why = "contraction does not shrink this graph";
  }
  if (why != nullptr && options.labels) {
    throw Error(std::string("labels cannot be made: ") + why +
                "; build an index without labels, which is made for any graph in any time");
  }
  return take_snapshot(contraction);
}

template <class W>
Data contract_as(const Graph& graph, const Units& units, const IndexOptions& options,
                 const Report& report, const TimeLimit& limit) {
  const auto begin = Clock::now();
  std::optional<Contraction<W>> made;
  try {
    const StopScope scope(limit.stop());
    made.emplace(graph, units, ContractionOptions{.threads = options.threads});
  } catch (const Stopped&) {
    if (StopScope::pressed()) throw;
    if (options.labels) throw Error("the time limit is too short for labels");
    return assemble_whole<W>(graph, units, options.paths);
  }
  Contraction<W>& contraction = *made;
  const TimeLimit in_time = limit.earlier(kAssembly * seconds_since(begin));
  CoreChoice<W> choice;
  if (options.core || options.labels || options.crossing == Crossing::kStoredDistances) {
    const NodeId distances_core = largest_distances_core(graph.node_count());
    const NodeId least = options.labels ? label_core(graph.node_count()) : distances_core;
    const NodeId core = options.core.value_or(least);
    choice.core = contract_to(core, options, report, contraction, in_time);
    const std::size_t size = choice.core.nodes.size();
    choice.distances =
        !options.labels && may_store_distances(options, units.wide) && size > 0 &&
        (options.crossing == Crossing::kStoredDistances && size <= core ? size < kMostDistances
                                                                        : size <= distances_core);
  } else {
    choice = choose_core(graph, options, report, contraction, in_time);
    if (choice.plain) return assemble_whole<W>(graph, units, options.paths);
  }
  Data data = assemble(graph, contraction, choice.core,
                       options.paths ? Assembly::kPaths : Assembly::kCosts);
  if (choice.distances) {
    add_core_distances(data);
    data.has_core_distances = true;
  }
  return data;
}

}  // namespace

Data contract_graph(const Graph& graph, const IndexOptions& options, const Report& report,
                    const TimeLimit& limit) {
  const auto begin = Clock::now();
  const Units units = choose_units(graph, Decimals::kAllowed);
  Data data = units.wide ? contract_as<double>(graph, units, options, report, limit)
                         : contract_as<std::uint32_t>(graph, units, options, report, limit);
  if (options.labels) {
    if (report) report({data.core, 0, 0, "labelling"});
    try {
      const StopScope scope(limit.stop());
      add_labels(data);
    } catch (const Stopped&) {
      if (StopScope::pressed()) throw;
      throw Error("the time limit is too short for labels; raise it or build without labels");
    }
  }
  data.origin.version = kVersion;
  data.origin.commit = kCommit;
  data.origin.seed = options.seed;
  data.origin.contraction_seconds = seconds_since(begin);
  return data;
}

}  // namespace lodestar::index

namespace lodestar {
namespace {

constexpr double kLeastTraining = 0.05;  // seconds; with less, potentials are not even begun

}  // namespace

Index Index::build(const Graph& graph, const IndexOptions& options,
                   const std::function<bool()>& stop,
                   const std::function<void(const IndexProgress&)>& report) {
  const StopScope scope(stop);
  const TimeLimit limit =
      options.rounds == 0 && options.seconds ? TimeLimit(*options.seconds) : TimeLimit();
  const Index index(
      std::make_shared<index::Data>(index::contract_graph(graph, options, report, limit)));
  if (options.guide == CorePotentials::kNone || options.potential_count == 0) return index;
  const auto progress = [&](const FitProgress& now) {
    if (report) {
      report({index.facts().core, now.fitter.expansions(), now.fitter.rounds(), "training"});
    }
  };
  IndexOptions rest = options;
  if (options.seconds) rest.seconds = limit.left();
  return index.trained(rest, {.progress = progress, .stop = stop});
}

Index Index::trained(const IndexOptions& options, const FitHooks& hooks) const {
  const bool training = options.guide == CorePotentials::kLearned;
  if (training && options.rounds == 0 && options.training_seconds() < kLeastTraining) return *this;
  const StopScope scope(hooks.stop);
  std::unique_ptr<Fitter> fitter;
  try {
    fitter = this->fitter(options);
  } catch (const Stopped&) {  // the core is searched without potentials
  }
  if (fitter == nullptr) return *this;
  if (options.guide != CorePotentials::kLandmarks) {
    const FitOptions fit{.seconds = options.training_seconds(), .rounds = options.rounds};
    train(*fitter, fit, hooks, limit_of(fit, [&] { return fitter->seconds(); }));
  }
  return trained_by(*fitter);
}

std::unique_ptr<Fitter> Index::fitter(const IndexOptions& options) const {
  if (data_->labelled || data_->has_core_distances || data_->plain) return nullptr;
  const Graph core = index::core_graph(*data_);
  if (largest_part_nodes(core).size() < 2) return nullptr;
  FitOptions fit;
  fit.potential_count = options.potential_count;
  fit.seed = options.seed;
  fit.threads = options.threads;
  fit.rounds = options.rounds;
  if (options.rounds == 0) fit.seconds = options.training_seconds();
  if (options.guide == CorePotentials::kLandmarks) fit.start = FitStart::kLandmarks;
  // A core is small; the pairs of a whole graph would make rounds unnecessarily long.
  fit.pairs = std::clamp<std::size_t>(std::size_t{12} * core.node_count(), 20'000, 6'000'000);
  fit.queries = 400;
  if (!options.log.empty()) fit.log = index::core_log(*this, options.log);
  if (!fit.log.empty()) fit.kind = QueryKind::kLog;
  const std::optional<Potentials> start = index::core_potentials(*data_);
  if (start) return std::make_unique<Fitter>(core, *start, fit);
  return std::make_unique<Fitter>(core, fit);
}

Index Index::trained_by(const Fitter& fitter) const {
  IndexOrigin origin = data_->origin;
  origin.rounds += fitter.rounds();
  origin.training_seconds += fitter.seconds();
  auto data = std::make_shared<index::Data>(*data_);
  index::set_potentials(*data, fitter.potentials());
  data->origin = origin;
  return Index(std::move(data));
}

}  // namespace lodestar
