#include "requests/knot_placing.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "lodestar/rng.h"
#include "lodestar/search.h"
#include "requests/engine.h"

namespace lodestar::requests {
namespace {

constexpr std::size_t kPairs = 16;
constexpr std::uint64_t kRank = 12'000;    // of a pair's target: far enough, and quickly measured
constexpr double kUsualShortfall = 0.005;  // of trained potentials, relative
constexpr double kLongestDetour = 0.1;     // that is counted, relative
constexpr std::uint64_t kPlacingStream = 71;
constexpr int kStepsOfTwo = 16, kStepsOfMore = 6;

// Preferences with the given shares of the chosen metrics.
Preferences preferences_of(const RequestData& data, std::span<const std::size_t> chosen,
                           std::span<const double> parts) {
  Preferences wish;
  const std::vector<double> shares = shares_of(data, chosen, parts);
  const auto& metrics = data.metrics().metrics;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const Metric& metric = metrics[chosen[i]];
    wish.blend.push_back({metric.name, shares[i] * metrics[0].scale / metric.scale});
  }
  return wish;
}

// Source and target of `kPairs` connected pairs.
std::vector<Query> sample_pairs(const RequestData& data, std::uint64_t seed) {
  struct Last {
    NodeId node = kNoNode;
    void on_settle(NodeId v, Cost, NodeId) { node = v; }
  };
  Searcher searcher(data.graph());
  Rng rng = Rng(seed).fork(kPlacingStream);
  std::vector<Query> pairs;
  for (std::size_t tries = 0; pairs.size() < kPairs && tries < 50 * kPairs; ++tries) {
    const auto source = static_cast<NodeId>(rng.below(data.graph().node_count()));
    Last last;
    searcher.run({source, kNoNode}, Zero{}, {.max_expansions = kRank}, last);
    if (last.node != source) pairs.push_back({source, last.node});
  }
  return pairs;
}

// A pair by one blend: its distance, and for every node near the path how much longer the way
// through it is, relative and ascending.
struct Detours {
  Cost distance = kInfinity;
  std::vector<float> detours;
  double within(double shortfall) const {
    const auto end =
        std::upper_bound(detours.begin(), detours.end(), static_cast<float>(shortfall));
    return static_cast<double>(end - detours.begin());
  }
};

// All blends whose parts are multiples of 1/steps.
void add_grid(std::vector<std::vector<double>>& out, std::vector<double>& parts, std::size_t at,
              int left, int steps) {
  if (at + 1 == parts.size()) {
    parts[at] = static_cast<double>(left) / steps;
    out.push_back(parts);
    return;
  }
  for (int share = 0; share <= left; ++share) {
    parts[at] = static_cast<double>(share) / steps;
    add_grid(out, parts, at + 1, left - share, steps);
  }
}

class Placer {
 public:
  Placer(const std::shared_ptr<const RequestData>& data, std::span<const std::size_t> chosen,
         const FamilyOptions& options)
      : data_(*data),
        chosen_(chosen),
        engine_(data, nullptr, nullptr),
        ahead_(data->graph()),
        back_(data->graph()),
        pairs_(sample_pairs(*data, options.fit.seed)) {}

  // The distances of all pairs by a blend, and the detours around them.
  const std::vector<Detours>& detours_of(const std::vector<double>& parts) {
    const auto placed = detours_.try_emplace(parts);
    std::vector<Detours>& found = placed.first->second;
    if (!placed.second) return found;
    engine_.set(preferences_of(data_, chosen_, parts));
    data_.graph().visit(Direction::kForward, [&]<class W>(Adjacency<W>) {
      const auto forward = engine_.weights().template rows<W>(Direction::kForward);
      const auto backward = engine_.weights().template rows<W>(Direction::kBackward);
      for (const Query& pair : pairs_) {
        found.push_back(detours(pair, forward, backward));
      }
    });
    return found;
  }

  // The share of expansions that the knots cost beyond potentials of this blend alone: nodes whose
  // detour is at most what the best bound of the knots falls short, beside a shortfall that trained
  // potentials have anyway.
  double loss(const std::vector<double>& parts, std::span<const PlacedKnot> knots) {
    const std::vector<Detours>& detours = detours_of(parts);
    std::vector<Cost> bound(pairs_.size(), 0);
    for_mixes(parts, knots, [&](std::span<const std::size_t> used, std::span<const double> c) {
      for (std::size_t p = 0; p < pairs_.size(); ++p) {
        Cost sum = 0;
        for (std::size_t j = 0; j < used.size(); ++j) {
          sum += c[j] * detours_of(knots[used[j]].parts)[p].distance;
        }
        bound[p] = std::max(bound[p], sum);
      }
    });
    double with = 0, alone = 0;
    for (std::size_t p = 0; p < pairs_.size(); ++p) {
      const Detours& of = detours[p];
      if (!(of.distance > 0) || of.distance == kInfinity) continue;
      const double shortfall = std::max(0.0, 1 - bound[p] / of.distance);
      with += of.within(kUsualShortfall + shortfall);
      alone += of.within(kUsualShortfall);
    }
    return alone > 0 ? with / alone - 1 : 0;
  }

 private:
  // Corners in the space of parts, by the same code that serves requests.
  template <class F>
  void for_mixes(const std::vector<double>& parts, std::span<const PlacedKnot> knots, const F& f) {
    std::vector<std::vector<double>> blends;
    for (const PlacedKnot& knot : knots) blends.push_back(knot.parts);
    for (const PotentialFamily::Mix& mix : PotentialFamily::corners(blends, parts)) {
      std::vector<std::size_t> used;
      std::vector<double> c;
      for (std::uint32_t i = 0; i < mix.count; ++i) {
        used.push_back(mix.terms[i].knot);
        c.push_back(mix.terms[i].coefficient);
      }
      f(used, c);
    }
  }

  // Searches from both ends a little beyond the distance; what both settled is on some detour.
  template <class Rows>
  Detours detours(Query pair, const Rows& forward, const Rows& backward) {
    struct Within {
      Cost limit;
      std::vector<std::pair<NodeId, Cost>> settled;
      bool on_settle(NodeId v, Cost g, NodeId) {
        if (g > limit) return false;
        settled.push_back({v, g});
        return true;
      }
    };
    Detours out;
    check_stop();
    out.distance = engine_.run(pair).cost;
    if (out.distance == kInfinity || !(out.distance > 0)) return out;
    const Cost limit = out.distance * (1 + kLongestDetour);
    Within near{limit, {}}, far{limit, {}};
    ahead_.run_on(forward, {pair.source, kNoNode}, Zero{}, {}, near);
    back_.run_on(backward, {pair.target, kNoNode}, Zero{}, {}, far);
    for (const auto& [v, g] : near.settled) {
      const double detour = (g + back_.distance(v)) / out.distance - 1;
      if (detour <= kLongestDetour) out.detours.push_back(static_cast<float>(detour));
    }
    std::sort(out.detours.begin(), out.detours.end());
    return out;
  }

  const RequestData& data_;
  std::span<const std::size_t> chosen_;
  RequestEngine engine_;
  Searcher ahead_, back_;
  std::vector<Query> pairs_;
  std::map<std::vector<double>, std::vector<Detours>> detours_;
};

std::vector<std::vector<double>> candidates(const RequestData& data,
                                            std::span<const std::size_t> chosen,
                                            const FamilyOptions& options) {
  std::vector<std::vector<double>> all;
  if (options.log.empty()) {
    std::vector<double> parts(chosen.size());
    const int steps = chosen.size() <= 2 ? kStepsOfTwo : kStepsOfMore;
    add_grid(all, parts, 0, steps, steps);
    return all;
  }
  const auto& metrics = data.metrics().metrics;
  for (const std::vector<double>& blend : options.log) {
    if (blend.size() != chosen.size()) {
      throw Error("a blend of the log has " + std::to_string(blend.size()) + " shares for " +
                  std::to_string(chosen.size()) + " metrics");
    }
    std::vector<double> parts;
    double sum = 0;
    for (std::size_t i = 0; i < blend.size(); ++i) {
      if (!(blend[i] >= 0) || !std::isfinite(blend[i])) {
        throw Error("the shares of a blend must be finite and not negative");
      }
      parts.push_back(blend[i] * metrics[chosen[i]].scale * data.mean(chosen[i]));
      sum += parts.back();
    }
    if (!(sum > 0)) throw Error("a blend of the log has no share above 0");
    for (double& part : parts) part /= sum;
    all.push_back(std::move(parts));
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

}  // namespace

std::vector<double> shares_of(const RequestData& data, std::span<const std::size_t> chosen,
                              std::span<const double> parts) {
  std::vector<double> shares;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    shares.push_back(parts[i] * (data.mean(0) / data.mean(chosen[i])));
  }
  return shares;
}

Placing place_knots(const std::shared_ptr<const RequestData>& data,
                    std::span<const std::size_t> chosen, const FamilyOptions& options) {
  Placing placing;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    std::vector<double> parts(chosen.size(), 0);
    parts[i] = 1;
    placing.knots.push_back({std::move(parts), 0});
  }
  if (options.knots > 0 && options.knots < chosen.size()) {
    throw Error("there must be at least one knot for each metric: " +
                std::to_string(chosen.size()));
  }
  if (options.knots > PotentialFamily::kMostKnots) {
    throw Error("there can be at most 32 knots, not " + std::to_string(options.knots));
  }
  const std::size_t most = options.knots > 0
                               ? options.knots
                               : chosen.size() + 4 * (chosen.size() * (chosen.size() - 1) / 2);
  if (chosen.size() == 1) return placing;
  Placer placer(data, chosen, options);
  const auto all = candidates(*data, chosen, options);
  const auto worst_of = [&](std::span<const PlacedKnot> knots) {
    PlacedKnot worst;
    for (const std::vector<double>& parts : all) {
      const double loss = placer.loss(parts, knots);
      if (loss > worst.loss) worst = {parts, loss};
    }
    return worst;
  };
  // Moves a further knot to the candidate where the largest loss becomes least.
  const auto move_knots = [&] {
    for (std::size_t k = chosen.size(); k < placing.knots.size(); ++k) {
      double least = worst_of(placing.knots).loss;
      std::vector<double> best = placing.knots[k].parts;
      for (const std::vector<double>& parts : all) {
        check_stop();
        placing.knots[k].parts = parts;
        const double loss = worst_of(placing.knots).loss;
        if (loss >= least) continue;
        least = loss;
        best = parts;
      }
      placing.knots[k].parts = best;
    }
  };
  while (true) {
    if (chosen.size() == 2) move_knots();
    PlacedKnot worst = worst_of(placing.knots);
    placing.loss = worst.loss;
    const bool enough = options.knots == 0 && worst.loss <= options.tolerance;
    if (worst.parts.empty() || enough || placing.knots.size() >= most) return placing;
    placing.knots.push_back(std::move(worst));
  }
}

}  // namespace lodestar::requests
