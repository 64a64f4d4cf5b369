#include "bench/harness/traffic.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "bench/competitors/ch_potentials.h"
#include "bench/harness/stopwatch.h"
#include "lodestar/cch.h"
#include "lodestar/cuts.h"
#include "lodestar/fit.h"
#include "lodestar/index.h"
#include "lodestar/landmarks.h"

namespace lodestar::bench {
namespace {

// Training rounds on a core. Rounds, because seconds mean little on a busy machine.
constexpr std::uint64_t kCoreRounds = 8, kRefitRounds = 2;

ReadyMethod with_potentials(const Graph& graph, std::shared_ptr<const Potentials> potentials) {
  return ready_astar(
      std::make_shared<Searcher>(graph),
      [potentials](Query query) { return potentials->to(query.target); }, potentials->bytes());
}

// A copy of the potentials, made feasible again where weights fell.
std::shared_ptr<const Potentials> repaired(const Potentials& potentials, const Graph& after) {
  auto copy = std::make_shared<Potentials>(potentials);
  if (!copy->verify(after).feasible()) copy->repair(after);
  return copy;
}

React potentials_react(Potentials potentials, std::function<Potentials(const Graph&)> rebuild) {
  return [potentials = std::move(potentials), rebuild = std::move(rebuild)](const Graph& after) {
    std::vector<Reaction> reactions;
    Stopwatch watch;
    const auto stale = repaired(potentials, after);
    reactions.push_back({"stale", watch.seconds(), with_potentials(after, stale)});
    if (!rebuild) return reactions;
    watch = {};
    const auto anew = std::make_shared<const Potentials>(rebuild(after));
    reactions.push_back({"rebuilt", watch.seconds(), with_potentials(after, anew)});
    return reactions;
  };
}

React landmarks(const Graph& before, const TrafficOptions& options) {
  LandmarkOptions chosen;
  chosen.potential_count = options.potential_count;
  chosen.seed = options.seed;
  chosen.method = LandmarkMethod::kFarthest;
  return potentials_react(landmark_potentials(before, chosen), [chosen](const Graph& after) {
    return landmark_potentials(after, chosen);
  });
}

React cuts(const Graph& before, const TrafficOptions& options) {
  CutOptions chosen;
  chosen.potential_count = options.potential_count;
  chosen.seed = options.seed;
  return potentials_react(cut_potentials(before, chosen),
                          [chosen](const Graph& after) { return cut_potentials(after, chosen); });
}

void train(Fitter& fitter, double seconds) {
  const Stopwatch watch;
  const auto stop = [&] { return watch.seconds() >= seconds; };
  while (!stop()) fitter.round(stop);
}

React learned(const Graph& before, const TrafficOptions& options) {
  FitOptions fit;
  fit.potential_count = options.potential_count;
  fit.seed = options.seed;
  fit.seconds = options.training;
  Fitter fitter(before, fit);
  train(fitter, options.training);
  return [potentials = fitter.potentials(), fit, options](const Graph& after) {
    std::vector<Reaction> reactions;
    Stopwatch watch;
    const auto stale = repaired(potentials, after);
    reactions.push_back({"stale", watch.seconds(), with_potentials(after, stale)});
    Fitter again(after, *stale, fit);
    train(again, options.refit);
    const auto refit = std::make_shared<const Potentials>(again.potentials());
    reactions.push_back({"refit", watch.seconds(), with_potentials(after, refit)});
    return reactions;
  };
}

React customised(const Graph& before, const TrafficOptions&) {
  std::optional<Cch> cch;
  try {
    cch.emplace(before, most_shortcuts(before));
  } catch (const TooManyShortcuts&) {
    return {};
  }
  return [cch = *cch](const Graph& after) {
    const Stopwatch watch;
    const CchMetric metric(cch, after);
    const double seconds = watch.seconds();
    std::vector<Reaction> reactions;
    reactions.push_back(
        {"customised", seconds, ready_searcher(std::make_shared<CchSearcher>(metric))});
    return reactions;
  };
}

bool nothing_fell(const Graph& before, const Graph& after) {
  for (NodeId u = 0; u < before.node_count(); ++u) {
    const ArcRange old = before.arcs(u), now = after.arcs(u);
    for (std::size_t i = 0; i < old.size(); ++i) {
      if (now[i].weight < old[i].weight) return false;
    }
  }
  return true;
}

React ch_potentials(const Graph& before, const TrafficOptions&) {
  return [before, hierarchy = ChPotentials(before)](const Graph& after) {
    std::vector<Reaction> reactions;
    if (nothing_fell(before, after)) {  // otherwise its bounds do not hold
      reactions.push_back(
          {"stale", 0, ready_searcher(std::make_shared<ChPotentialsSearcher>(hierarchy, after))});
    }
    const Stopwatch watch;
    const ChPotentials anew(after);
    const double seconds = watch.seconds();
    reactions.push_back(
        {"rebuilt", seconds, ready_searcher(std::make_shared<ChPotentialsSearcher>(anew, after))});
    return reactions;
  };
}

React index_rebuilt(IndexOptions options) {
  return [options](const Graph& after) {
    const Stopwatch watch;
    const Index index = Index::build(after, options);
    const double seconds = watch.seconds();
    std::vector<Reaction> reactions;
    reactions.push_back(
        {"rebuilt", seconds, ready_searcher(std::make_shared<IndexSearcher>(index))});
    return reactions;
  };
}

React hierarchy(const Graph&, const TrafficOptions& options) {
  IndexOptions chosen;
  chosen.core = 0;
  chosen.guide = CorePotentials::kNone;
  chosen.seed = options.seed;
  return index_rebuilt(chosen);
}

React index_reacts(const Graph& before, const TrafficOptions& options, Crossing crossing) {
  IndexOptions chosen;
  chosen.crossing = crossing;
  chosen.seed = options.seed;
  chosen.rounds = kCoreRounds;
  const Index old = Index::build(before, chosen);
  // Prepared for quick changes by a first one: later changes of few arcs are then cheaper.
  std::optional<Index> ready;
  const IndexOptions quick{.seconds = 0, .quick = true};
  try {
    ready = old.customized(before, quick);
  } catch (const TooManyShortcuts&) {
  }
  return [chosen, quick, old, ready](const Graph& after) {
    std::vector<Reaction> reactions;
    const auto react = [&](const char* name, auto&& make) {
      const Stopwatch watch;
      const Index index = make();
      const double seconds = watch.seconds();
      reactions.push_back({name, seconds, ready_searcher(std::make_shared<IndexSearcher>(index))});
    };
    IndexOptions untrained = chosen, refit = chosen;
    untrained.rounds = 0;
    untrained.seconds = 0;
    refit.rounds = kRefitRounds;
    if (ready) react("at once", [&] { return ready->customized(after, quick); });
    react("contracted", [&] { return old.customized(after, untrained); });
    if (old.facts().potential_count > 0) {  // core distances are computed again in any case
      react("contracted, refit", [&] { return old.customized(after, refit); });
    }
    react("rebuilt", [&] { return Index::build(after, chosen); });
    return reactions;
  };
}

React core(const Graph& before, const TrafficOptions& options) {
  return index_reacts(before, options, Crossing::kChosen);
}

React core_learned(const Graph& before, const TrafficOptions& options) {
  return index_reacts(before, options, Crossing::kSearch);
}

React labels(const Graph& before, const TrafficOptions&) {
  IndexOptions chosen;
  chosen.labels = true;
  chosen.guide = CorePotentials::kNone;
  try {
    return [chosen, old = Index::build(before, chosen)](const Graph& after) {
      const Stopwatch watch;
      const Index index = old.customized(after, chosen);
      const double seconds = watch.seconds();
      std::vector<Reaction> reactions;
      reactions.push_back(
          {"customised", seconds, ready_searcher(std::make_shared<IndexSearcher>(index))});
      return reactions;
    };
  } catch (const Error&) {  // labels do not fit this graph
    return {};
  }
}

}  // namespace

const std::vector<TrafficMethod>& traffic_methods() {
  static const std::vector<TrafficMethod> kMethods = {
      {"alt-farthest", "ALT farthest", landmarks},
      {"cuts", "cuts", cuts},
      {"learned", "learned", learned},
      {"ch-potentials", "CH-Potentials", ch_potentials},
      {"ch", "CH", hierarchy},
      {"cch", "CCH", customised},
      {"core-learned", "core, learned", core_learned},
      {"core", "core", core},
      {"labels", "labels", labels},
  };
  return kMethods;
}

}  // namespace lodestar::bench
