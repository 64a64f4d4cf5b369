#include "lodestar/fit_family.h"

#include <algorithm>
#include <cmath>

#include "lodestar/detail/clock.h"
#include "lodestar/detail/stop.h"
#include "lodestar/rng.h"
#include "potentials/training.h"
#include "requests/engine.h"
#include "requests/knot_placing.h"
#include "requests/knots.h"

namespace lodestar {
namespace {

using requests::RequestData;
using requests::RequestEngine;

// Shares of the time: training of the metrics alone, and of further knots when they are added.
constexpr double kMetricsShare = 0.3, kGrowthShare = 0.4;
// A further knot is trained until it expands at most this many times as many nodes as the knots
// around it, or has used this share of the time that is left for further knots.
constexpr double kAsGood = 1.1, kOfTheRest = 0.4;
constexpr std::uint32_t kBlendQueries = 120;  // searched per round
constexpr std::uint32_t kOneIn = 4;           // settled nodes taken as pairs
constexpr std::uint64_t kBlendStream = 72, kTestStream = 73, kStartStream = 74;
constexpr std::size_t kTestRequests = 60;
constexpr std::size_t kStartPairs = 400;  // by which the first potentials of a knot are chosen

class FamilyFitter {
 public:
  FamilyFitter(const Graph& graph, const Metrics& metrics, const FamilyOptions& options,
               const FamilyHooks& hooks)
      : options_(options),
        hooks_(hooks),
        data_(std::make_shared<const RequestData>(graph, metrics, Shape{})),
        limit_(limit_of(options.fit, stopwatch(options.fit))) {
    const Metrics& known = data_->metrics();
    names_ = options.metrics;
    if (names_.empty()) {
      for (const Metric& metric : known.metrics) names_.push_back(metric.name);
    }
    if (names_.size() > PotentialFamily::kMostActive) {
      throw Error("a family can have at most four metrics; name those that requests blend");
    }
    if (options.bits != 32 && options.bits != 16) throw Error("bits must be 32 or 16");
    if (options.knots > 0 && options.knots < names_.size()) {
      throw Error("there must be at least one knot for each metric: " +
                  std::to_string(names_.size()));
    }
    if (options.knots > PotentialFamily::kMostKnots) {
      throw Error("there can be at most 32 knots, not " + std::to_string(options.knots));
    }
    for (const std::string& name : names_) {
      const auto at = known.find(name);
      if (!at) throw Error("the graph has no metric '" + name + "'; it has " + known.names());
      if (std::find(chosen_.begin(), chosen_.end(), *at) != chosen_.end()) {
        throw Error("the metric " + name + " is given twice");
      }
      chosen_.push_back(*at);
    }
    // Queries without preferences need the graph's own weights.
    if (std::find(chosen_.begin(), chosen_.end(), 0u) == chosen_.end()) {
      throw Error("the metrics must include the graph's own weights, " + known.metrics[0].name);
    }
  }

  FamilyResult run() {
    const auto begin = Clock::now();
    placer_ = std::make_unique<requests::KnotPlacer>(data_, chosen_, options_);
    const std::size_t metrics = chosen_.size();
    const double share = metrics > 1 ? kMetricsShare : 1;
    for (std::size_t i = 0; i < metrics && !stopped_; ++i) {
      requests::PlacedKnot knot{std::vector<double>(metrics, 0), 0};
      knot.parts[i] = 1;
      add(knot, limited(share * options_.fit.seconds / static_cast<double>(metrics)));
    }
    bool from_source = false;
    requests::PlacedKnot worst;
    if (!stopped_) {
      if (metrics > 1) grow();
      from_source = source_is_better();
      if (knots_.size() > 1) worst = train_on_blends();
    }
    FamilyResult result{options_.bits == 16 ? in_16_bits() : PotentialFamily(names_, knots_),
                        std::move(reports_),
                        worst.loss,
                        std::move(worst.parts),
                        seconds_since(begin),
                        stopped_};
    result.family.set_from_source(from_source);
    return result;
  }

 private:
  void tell(const std::string& doing) const {
    const double time = options_.fit.seconds, left = limit_.left();
    if (hooks_.progress) hooks_.progress(left < time ? 1 - std::max(0.0, left) / time : 0, doing);
  }

  Graph graph_of(const Knot& knot) const {
    return data_->graph().with_weights(
        requests::knot_weights(data_->graph(), data_->metrics(), names_, knot.blend));
  }

  std::shared_ptr<const PotentialFamily> family() const {
    return std::make_shared<const PotentialFamily>(names_, knots_);
  }

  // Adds knots where they are needed most, as long as there is time.
  void grow() {
    const bool given = options_.knots > 0;
    const std::size_t most = given ? options_.knots : FamilyOptions::kMostChosen;
    if (most <= knots_.size()) return;
    const TimeLimit end = limit_.earlier((1 - kMetricsShare - kGrowthShare) * options_.fit.seconds);
    while (knots_.size() < most && !stopped_ && (given || !end.over())) {
      tell("placing knots");
      requests::PlacedKnot worst;
      try {
        const StopScope timed(given ? std::function<bool()>() : end.stop());
        const StopScope scope(hooks_.stop);
        worst = placer_->worst(family(), parts_);
      } catch (const Stopped&) {
        stopped_ = hooks_.stop && hooks_.stop();
        return;
      }
      if (worst.parts.empty() || (!given && worst.loss <= options_.tolerance)) return;
      if (!add(worst, end.share(kOfTheRest))) return;
    }
  }

  // Adds a knot and trains it on searches by its own weights. Without time for a round it would be
  // worse than the knots around it, which serve its blends without it; it is then left out.
  bool add(const requests::PlacedKnot& placed, const TimeLimit& limit) {
    Knot knot{requests::shares_of(*data_, chosen_, placed.parts), nullptr};
    FitOptions options = options_.fit;
    options.seconds = std::max(0.0, limit.left());
    options.seed = Rng(options_.fit.seed).fork(knots_.size()).next();
    const std::string name = "knot " + std::to_string(knots_.size() + 1);
    tell(name);
    KnotReport report{placed.parts, placed.loss, 0, 0, 0};
    try {
      const StopScope scope(hooks_.stop);
      const Graph graph = graph_of(knot);
      Fitter fitter(graph, options);
      double enough = 0;
      if (knots_.size() >= chosen_.size()) {
        // Sums of distant knots bound badly, so landmarks and cuts of its own weights may be
        // better.
        const PotentialFamily::Mix around = family()->mixes(names_, knot.blend)[0];
        enough = kAsGood * expansions_of(around);
        Fitter from_sums(graph, start_of(graph, around), options);
        if (from_sums.expansions() < fitter.expansions()) fitter = std::move(from_sums);
      }
      train(fitter, options, limit, enough, name, report, [] {});
      const bool wanted = options_.knots > 0 || knots_.size() < chosen_.size();
      if (!wanted && report.rounds == 0 && report.expansions > enough) return false;
      knot.potentials = std::make_shared<const Potentials>(fitter.potentials());
    } catch (const Stopped&) {
      if (knots_.empty()) throw;
      stopped_ = true;
      return false;
    }
    knots_.push_back(std::move(knot));
    parts_.push_back(placed.parts);
    reports_.push_back(std::move(report));
    return true;
  }

  TimeLimit limited(double seconds) const {
    return options_.fit.rounds > 0 ? TimeLimit()
                                   : limit_.earlier(std::max(0.0, limit_.left() - seconds));
  }

  // The geometric mean of the expansions at knots by their own weights.
  double expansions_of(const PotentialFamily::Mix& mix) const {
    double logarithms = 0, sum = 0;
    for (std::uint32_t i = 0; i < mix.count; ++i) {
      const auto& term = mix.terms[i];
      logarithms += term.coefficient * std::log(std::max(1.0, reports_[term.knot].expansions));
      sum += term.coefficient;
    }
    return std::exp(logarithms / sum);
  }

  Potentials start_of(const Graph& graph, const PotentialFamily::Mix& around) const {
    Rng rng = Rng(options_.fit.seed).fork(kStartStream);
    std::vector<Query> pairs(kStartPairs);
    for (Query& pair : pairs) pair = requests::random_query(data_->graph(), options_.fit, rng);
    return requests::blended_potentials(graph, knots_, around, pairs);
  }

  // Until the limit, or until it expands few `enough` nodes.
  template <class BeforeRound>
  void train(Fitter& fitter, const FitOptions& options, const TimeLimit& limit, double enough,
             const std::string& doing, KnotReport& report, const BeforeRound& before_round) {
    if (report.rounds == 0) report.expansions_before = fitter.expansions();
    FitHooks hooks;
    hooks.stop = [&] {
      stopped_ = stopped_ || (hooks_.stop && hooks_.stop());
      return stopped_ || (options.rounds == 0 && fitter.expansions() <= enough);
    };
    hooks.progress = [&](const FitProgress&) {
      tell(doing);
      before_round();
    };
    lodestar::train(fitter, options, hooks, limit);
    stopped_ = stopped_ || (hooks_.stop && hooks_.stop());
    report.expansions = fitter.expansions();
    report.rounds += fitter.rounds();
  }

  // Searches by random blends with the potentials of all knots, and trains each knot on the nodes
  // that searches settle which it serves. Returns the largest loss that is left.
  requests::PlacedKnot train_on_blends() {
    const auto now = Clock::now();
    const auto measure = [&] {
      const StopScope scope(hooks_.stop);
      return placer_->worst(family(), parts_, true);
    };
    requests::PlacedKnot worst;
    try {
      worst = measure();
      const TimeLimit end = limit_.earlier(2 * seconds_since(now));
      for (std::size_t k = 0; k < knots_.size() && !stopped_; ++k) {
        const double left = std::max(0.0, end.left());
        const TimeLimit limit = limited(left / static_cast<double>(knots_.size() - k));
        FitOptions options = options_.fit;
        options.seconds = std::max(0.0, limit.left());
        options.seed = Rng(options_.fit.seed).fork(1000 + k).next();
        if (end.over()) break;
        Fitter fitter(graph_of(knots_[k]), *knots_[k].potentials, options);
        Rng rng = Rng(options.seed).fork(kBlendStream);
        train(fitter, options, limit, 0, "blends around knot " + std::to_string(k + 1), reports_[k],
              [&] {
                knots_[k].potentials = std::make_shared<const Potentials>(fitter.potentials());
                fitter.add_pairs(pairs_of_blends(k, rng));
              });
        knots_[k].potentials = std::make_shared<const Potentials>(fitter.potentials());
      }
      if (!stopped_) worst = measure();
    } catch (const Stopped&) {
      stopped_ = true;
    }
    return worst;
  }

  Preferences random_blend(Rng& rng) const {
    if (!options_.log.empty()) {
      Preferences wish;
      const auto& blend = options_.log[rng.below(static_cast<std::uint32_t>(options_.log.size()))];
      for (std::size_t i = 0; i < chosen_.size(); ++i) wish.blend.push_back({names_[i], blend[i]});
      return wish;
    }
    std::vector<double> parts;
    for (std::size_t i = 0; i < chosen_.size(); ++i) parts.push_back(-std::log(1 - rng.uniform()));
    return requests::preferences_of(*data_, chosen_, parts);
  }

  std::vector<Query> pairs_of_blends(std::size_t k, Rng& rng) {
    if (!engine_) engine_ = std::make_unique<RequestEngine>(data_, nullptr, nullptr);
    engine_->use(family());
    std::vector<Query> pairs;
    std::vector<NodeId> settled;
    for (std::uint32_t i = 0; i < kBlendQueries; ++i) {
      const Preferences wish = random_blend(rng);
      const Query query = requests::random_query(data_->graph(), options_.fit, rng);
      engine_->set(wish);
      if (query.source == query.target || !engine_->serves(query, k)) continue;
      settled.clear();
      const SearchResult found =
          engine_->run(query, [&](NodeId v, Cost, NodeId, Direction) { settled.push_back(v); });
      if (!found.reached()) continue;
      std::vector<NodeId> path = engine_->path();
      std::sort(path.begin(), path.end());
      for (const NodeId v : settled) {
        if (rng.below(kOneIn) != 0 || std::binary_search(path.begin(), path.end(), v)) continue;
        pairs.push_back({v, query.target});
      }
    }
    return pairs;
  }

  // Closes a tenth of best routes around their middle and counts the nodes that are settled from
  // both ends alike, and mostly from the source.
  bool source_is_better() const {
    RequestEngine engine(data_, nullptr, nullptr);
    Rng rng = Rng(options_.fit.seed).fork(kTestStream);
    double sums[2] = {0, 0};
    for (std::size_t i = 0; i < kTestRequests; ++i) {
      const Query query = requests::random_query(data_->graph(), options_.fit, rng);
      Preferences wish;
      for (int way = 0; way < 2; ++way) {
        auto family = std::make_shared<PotentialFamily>(names_, knots_);
        family->set_from_source(way == 1);
        engine.use(family);
        if (way == 0) {
          engine.set({});
          if (!engine.run(query).reached()) break;
          const std::vector<ArcIndex> arcs = engine.arcs();
          for (std::size_t a = arcs.size() * 45 / 100; a < arcs.size() * 55 / 100; ++a) {
            wish.arcs.push_back({arcs[a], kInfinity, 0});
          }
        }
        engine.set(wish);
        sums[way] += static_cast<double>(engine.run(query).expansions);
      }
    }
    return sums[1] < sums[0];
  }

  PotentialFamily in_16_bits() const {
    std::vector<Knot> small = knots_;
    for (std::size_t k = 0; k < small.size(); ++k) {
      small[k].potentials =
          std::make_shared<const Potentials>(knots_[k].potentials->in_16_bits(graph_of(knots_[k])));
    }
    return PotentialFamily(names_, std::move(small));
  }

  FamilyOptions options_;
  FamilyHooks hooks_;
  std::shared_ptr<const RequestData> data_;
  std::vector<std::string> names_;
  std::vector<std::size_t> chosen_;  // metrics of the graph
  TimeLimit limit_;
  std::vector<Knot> knots_;
  std::vector<std::vector<double>> parts_;  // of the knots
  std::vector<KnotReport> reports_;
  std::unique_ptr<requests::KnotPlacer> placer_;
  std::unique_ptr<RequestEngine> engine_;
  bool stopped_ = false;
};

}  // namespace

FamilyResult fit_family(const Graph& graph, const Metrics& metrics, const FamilyOptions& options,
                        const FamilyHooks& hooks) {
  return FamilyFitter(graph, metrics, options, hooks).run();
}

}  // namespace lodestar
