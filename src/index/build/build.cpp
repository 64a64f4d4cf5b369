#include "index/build/build.h"

#include <algorithm>

#include "index/build/assemble.h"
#include "index/build/contraction.h"
#include "index/build/core_log.h"
#include "index/build/stop_rule.h"
#include "index/core_distances.h"
#include "index/labels/labels.h"
#include "lodestar/detail/clock.h"
#include "lodestar/detail/stop.h"
#include "lodestar/version.h"
#include "potentials/integer_graph.h"
#include "potentials/training.h"

namespace lodestar::index {
namespace {

// Candidates for the core start at the size that allows core distances. Without core distances they
// start at this share of the nodes; larger cores are never best on roads.
constexpr NodeId kFirstLook = 16;
// Candidates also start if, while the number of nodes was halved, the mean degree grew by this
// factor, as it does on grids.
constexpr double kTrouble = 1.2;
// Around the best core size the cost of a search changes little. Core distances that cost at most
// this share of a search of the same core are therefore better than a search of any core.
constexpr double kDecisive = 0.8;
// The cost curve is flat near its minimum, so the search ends after two steps that are worse, or
// one that is much worse.
constexpr int kWorseSteps = 2;
constexpr double kMuchWorse = 1.15;
constexpr NodeId kSmallestCore = 24;

bool may_store_distances(const IndexOptions& options, bool wide) {
  if (wide) return false;
  // With a query log, prefer potentials that are trained for it.
  return options.crossing == Crossing::kStoredDistances ||
         (options.crossing == Crossing::kChosen && options.log.empty());
}

template <class W>
class CoreChooser {
 public:
  CoreChooser(const Graph& graph, const IndexOptions& options, const Report& report,
              Contraction<W>& contraction)
      : graph_(graph),
        options_(options),
        report_(report),
        contraction_(contraction),
        distances_core_(may_store_distances(options, contraction.units().wide)
                            ? largest_distances_core(graph.node_count())
                            : 0) {}

  // The core, and whether to cross it by core distances.
  struct Choice {
    CoreSnapshot<W> core;
    bool distances = false;
  };

  Choice run() {
    std::vector<CoreSnapshot<W>> larger;  // candidates not tried yet
    std::size_t arcs = contraction_.remaining_arcs();
    larger.push_back(take_snapshot(contraction_));
    const NodeId first_look =
        distances_core_ > 0 ? distances_core_ : graph_.node_count() / kFirstLook;
    const auto mean = [](std::size_t sum, NodeId count) {
      return static_cast<double>(sum) / std::max(count, NodeId{1});
    };
    bool looking = false;
    int worse = 0;
    while (contraction_.remaining() > kSmallestCore && worse < kWorseSteps) {
      const NodeId before = contraction_.remaining();
      const bool passes = before / 2 < distances_core_ && distances_core_ < before;
      contract_to(passes ? distances_core_ : before / 2);
      if (!looking) {
        const std::size_t now = contraction_.remaining_arcs();
        const bool trouble = mean(now, contraction_.remaining()) > kTrouble * mean(arcs, before);
        arcs = now;
        looking = trouble || contraction_.remaining() <= first_look;
      }
      const CoreSnapshot<W> snapshot = take_snapshot(contraction_);
      if (!looking) {
        larger.push_back(snapshot);
        continue;
      }
      worse = consider(snapshot) ? 0 : latest_ > kMuchWorse * least_ ? kWorseSteps : worse + 1;
      if (contraction_.remaining() != distances_core_) continue;
      const double cost = distances_cost(snapshot);
      if (cost < kDecisive * latest_) return {snapshot, true};
      distances_cost_ = cost;
      with_distances_ = snapshot;
    }
    // Try larger cores as long as they are better.
    bool better = true;
    if (!best_) better = consider(take_snapshot(contraction_));
    for (; better && first_is_best_ && !larger.empty(); larger.pop_back()) {
      better = consider(std::move(larger.back()));
    }
    if (with_distances_ && distances_cost_ < least_) return {std::move(*with_distances_), true};
    return {std::move(*best_), false};
  }

 private:
  void contract_to(NodeId core) {
    contraction_.run(core, [&] {
      if (report_) report_({contraction_.remaining(), 0, 0, "contracting"});
    });
  }

  bool consider(CoreSnapshot<W> snapshot) {
    const double cost = latest_ =
        estimated_cost(assemble(graph_, contraction_, snapshot, Assembly::kSample), options_.seed);
    if (report_) {
      report_({static_cast<NodeId>(snapshot.nodes.size()), cost, 0, "choosing the core"});
    }
    if (best_ && cost >= least_) return false;
    first_is_best_ = !best_ || snapshot.nodes.size() > best_->nodes.size();
    least_ = cost;
    best_ = std::move(snapshot);
    return true;
  }

  double distances_cost(const CoreSnapshot<W>& snapshot) {
    const double cost = estimated_sweep_cost(
        assemble(graph_, contraction_, snapshot, Assembly::kSample), options_.seed);
    if (report_) report_({contraction_.remaining(), cost, 0, "choosing the core"});
    return cost;
  }

  const Graph& graph_;
  const IndexOptions& options_;
  const Report& report_;
  Contraction<W>& contraction_;
  const NodeId distances_core_;  // size to try with core distances; 0: none
  std::optional<CoreSnapshot<W>> with_distances_;
  double distances_cost_ = 0;
  std::optional<CoreSnapshot<W>> best_;
  bool first_is_best_ = false;  // nothing smaller is better
  double least_ = 0;
  double latest_ = 0;  // cost of the core considered last
};

template <class W>
Data contract_as(const Graph& graph, const Units& units, const IndexOptions& options,
                 const Report& report) {
  Contraction<W> contraction(graph, units, {.threads = options.threads});
  CoreSnapshot<W> snapshot;
  bool distances = false;
  const NodeId distances_core = largest_distances_core(graph.node_count());
  if (options.core || options.labels || options.crossing == Crossing::kStoredDistances) {
    const NodeId least = options.labels ? label_core(graph.node_count()) : distances_core;
    contraction.run(options.core.value_or(least), [&] {
      if (report) report({contraction.remaining(), 0, 0, "contracting"});
    });
    snapshot = take_snapshot(contraction);
    distances =
        !options.labels && may_store_distances(options, units.wide) && !snapshot.nodes.empty() &&
        (options.crossing == Crossing::kStoredDistances ? snapshot.nodes.size() < kMostDistances
                                                        : snapshot.nodes.size() <= distances_core);
  } else {
    auto choice = CoreChooser<W>(graph, options, report, contraction).run();
    snapshot = std::move(choice.core);
    distances = choice.distances;
  }
  Data data =
      assemble(graph, contraction, snapshot, options.paths ? Assembly::kPaths : Assembly::kCosts);
  if (distances) {
    add_core_distances(data);
    data.has_core_distances = true;
  }
  return data;
}

}  // namespace

Data contract_graph(const Graph& graph, const IndexOptions& options, const Report& report) {
  const auto begin = Clock::now();
  const Units units = choose_units(graph, Decimals::kAllowed);
  Data data = units.wide ? contract_as<double>(graph, units, options, report)
                         : contract_as<std::uint32_t>(graph, units, options, report);
  if (options.labels) {
    if (report) report({data.core, 0, 0, "labelling"});
    add_labels(data);
  }
  data.origin.version = kVersion;
  data.origin.commit = kCommit;
  data.origin.seed = options.seed;
  data.origin.contraction_seconds = seconds_since(begin);
  return data;
}

}  // namespace lodestar::index

namespace lodestar {

Index Index::build(const Graph& graph, const IndexOptions& options,
                   const std::function<bool()>& stop,
                   const std::function<void(const IndexProgress&)>& report) {
  const StopScope scope(stop);
  const Index index(std::make_shared<index::Data>(index::contract_graph(graph, options, report)));
  if (options.guide == CorePotentials::kNone || options.potential_count == 0) return index;
  const auto progress = [&](const FitProgress& now) {
    if (report) {
      report({index.facts().core, now.fitter.expansions(), now.fitter.rounds(), "training"});
    }
  };
  return index.trained(options, {.progress = progress, .stop = stop});
}

Index Index::trained(const IndexOptions& options, const FitHooks& hooks) const {
  const StopScope scope(hooks.stop);
  std::unique_ptr<Fitter> fitter;
  try {
    fitter = this->fitter(options);
  } catch (const Stopped&) {  // the core is searched without potentials
  }
  if (fitter == nullptr) return *this;
  if (options.guide != CorePotentials::kLandmarks) {
    train(*fitter, {.seconds = options.seconds, .rounds = options.rounds}, hooks,
          [&] { return fitter->seconds(); });
  }
  return trained_by(*fitter);
}

std::unique_ptr<Fitter> Index::fitter(const IndexOptions& options) const {
  if (data_->labelled || data_->has_core_distances) return nullptr;
  const Graph core = index::core_graph(*data_);
  if (largest_part_nodes(core).size() < 2) return nullptr;
  FitOptions fit;
  fit.potential_count = options.potential_count;
  fit.seed = options.seed;
  fit.threads = options.threads;
  if (options.rounds == 0) fit.seconds = options.seconds;
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
