#include "index/build.h"

#include <algorithm>
#include <chrono>

#include "fit/integer_graph.h"
#include "index/assemble.h"
#include "index/contraction.h"
#include "index/stop_rule.h"
#include "lodestar/landmarks.h"
#include "lodestar/version.h"

namespace lodestar::index {
namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// Looking at a core begins below this share of the nodes: roads are far from their best before.
constexpr NodeId kFirstLook = 16;
// … or when contraction no longer makes the graph smaller: less than this share of the arcs went
// while half the nodes did.
constexpr double kTrouble = 0.7;
// The curve is flat at its best, so two steps that are worse end it.
constexpr int kWorseSteps = 2;
constexpr NodeId kSmallestCore = 24;

template <class W>
class CoreChooser {
 public:
  CoreChooser(const Graph& graph, const IndexOptions& options, const Stop& stop,
              const Report& report, Contraction<W>& contraction)
      : graph_(graph), options_(options), stop_(stop), report_(report), contraction_(contraction) {}

  CoreSnapshot<W> run() {
    std::vector<CoreSnapshot<W>> larger;  // not looked at yet
    std::size_t arcs = contraction_.remaining_arcs();
    larger.push_back(take_snapshot(contraction_));
    const NodeId n = graph_.node_count();
    bool looking = false;
    int worse = 0;
    while (contraction_.remaining() > kSmallestCore && worse < kWorseSteps && !stopped()) {
      contract_to(looking ? contraction_.remaining() / 10 * 7 : contraction_.remaining() / 2);
      if (!looking) {
        const std::size_t now = contraction_.remaining_arcs();
        const bool trouble = static_cast<double>(now) > kTrouble * static_cast<double>(arcs);
        arcs = now;
        looking = trouble || contraction_.remaining() <= n / kFirstLook;
        if (!looking) {
          larger.push_back(take_snapshot(contraction_));
          continue;
        }
      }
      worse = consider(take_snapshot(contraction_)) ? 0 : worse + 1;
    }
    // Upwards, as long as it gets better.
    bool better = true;
    if (!best_) better = consider(take_snapshot(contraction_));
    for (; better && first_is_best_ && !larger.empty(); larger.pop_back()) {
      better = consider(std::move(larger.back()));
    }
    return std::move(*best_);
  }

 private:
  bool stopped() const { return stop_ && stop_(); }

  void contract_to(NodeId core) {
    contraction_.run(core, [&] {
      if (report_) report_({contraction_.remaining(), 0, 0, "contracting"});
      return stopped();
    });
  }

  bool consider(CoreSnapshot<W> snapshot) {
    const double cost =
        estimated_cost(assemble(graph_, contraction_, snapshot, false), options_.seed);
    if (report_) {
      report_({static_cast<NodeId>(snapshot.nodes.size()), cost, 0, "choosing the core"});
    }
    if (best_ && cost >= least_) return false;
    first_is_best_ = !best_ || snapshot.nodes.size() > best_->nodes.size();
    least_ = cost;
    best_ = std::move(snapshot);
    return true;
  }

  const Graph& graph_;
  const IndexOptions& options_;
  const Stop& stop_;
  const Report& report_;
  Contraction<W>& contraction_;
  std::optional<CoreSnapshot<W>> best_;
  bool first_is_best_ = false;  // nothing smaller is better
  double least_ = 0;
};

template <class W>
Data contract_as(const Graph& graph, const Units& units, const IndexOptions& options,
                 const Stop& stop, const Report& report) {
  Contraction<W> contraction(graph, units, {.threads = options.threads});
  CoreSnapshot<W> snapshot;
  if (options.core) {
    contraction.run(*options.core, [&] {
      if (report) report({contraction.remaining(), 0, 0, "contracting"});
      return stop && stop();
    });
    snapshot = take_snapshot(contraction);
  } else {
    snapshot = CoreChooser<W>(graph, options, stop, report, contraction).run();
  }
  return assemble(graph, contraction, snapshot, options.paths);
}

}  // namespace

Data contract_graph(const Graph& graph, const IndexOptions& options, const Stop& stop,
                    const Report& report) {
  const auto begin = Clock::now();
  const Units units = choose_units(graph);
  Data data = units.wide ? contract_as<double>(graph, units, options, stop, report)
                         : contract_as<std::uint32_t>(graph, units, options, stop, report);
  data.origin.version = kVersion;
  data.origin.commit = kCommit;
  data.origin.seed = options.seed;
  data.origin.contraction_seconds = seconds_since(begin);
  return data;
}

void guide_core(Data& data, const IndexOptions& options, const Stop& stop, const Report& report) {
  if (options.guide == CorePotentials::kNone || options.potentials == 0) return;
  const Graph core = core_graph(data);
  if (largest_part_nodes(core).size() < 2) return;  // nothing to be guided across
  if (options.guide == CorePotentials::kLandmarks) {
    LandmarkOptions landmarks;
    landmarks.potentials = options.potentials;
    landmarks.method = LandmarkMethod::kFarthest;
    landmarks.seed = options.seed;
    set_table(data, landmark_table(core, landmarks));
    return;
  }
  FitHooks hooks;
  hooks.stop = stop;
  if (report) {
    hooks.progress = [&](const FitProgress& state) {
      report({data.core, state.fitter.expansions(), state.fitter.rounds(), "training"});
    };
  }
  FitResult fitted = fit(core, core_fit_options(core, options), hooks);
  set_table(data, std::move(fitted.table));
  data.origin.rounds = fitted.rounds;
  data.origin.training_seconds = fitted.seconds;
}

FitOptions core_fit_options(const Graph& core, const IndexOptions& options) {
  FitOptions fit;
  fit.potentials = options.potentials;
  fit.seed = options.seed;
  fit.threads = options.threads;
  if (options.rounds == 0) fit.seconds = options.seconds;
  fit.rounds = options.rounds;
  // A core is small: the ring of pairs for whole graphs would make its rounds needlessly long.
  fit.pairs = std::clamp<std::size_t>(std::size_t{12} * core.node_count(), 20'000, 6'000'000);
  fit.queries = 400;
  return fit;
}

}  // namespace lodestar::index

namespace lodestar {

Index Index::build(const Graph& graph, const IndexOptions& options,
                   const std::function<bool()>& stop,
                   const std::function<void(const IndexProgress&)>& report) {
  auto data = std::make_shared<index::Data>(index::contract_graph(graph, options, stop, report));
  index::guide_core(*data, options, stop, report);
  return Index(std::move(data));
}

}  // namespace lodestar
