#include "lodestar/fit_family.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "lodestar/detail/clock.h"
#include "lodestar/detail/stop.h"
#include "lodestar/rng.h"
#include "requests/engine.h"
#include "requests/knot_placing.h"
#include "requests/knots.h"

namespace lodestar {
namespace {

using requests::RequestData;
using requests::RequestEngine;

constexpr double kAloneShare = 0.65;          // of the time, before blends are searched
constexpr std::uint32_t kBlendQueries = 120;  // searched per round
constexpr std::uint32_t kOneIn = 4;           // settled nodes taken as pairs
constexpr std::uint64_t kBlendStream = 72, kTestStream = 73;
constexpr std::size_t kTestRequests = 60;

class FamilyFitter {
 public:
  FamilyFitter(const Graph& graph, const Metrics& metrics, const FamilyOptions& options,
               const FamilyHooks& hooks)
      : options_(options),
        hooks_(hooks),
        data_(std::make_shared<const RequestData>(graph, metrics, Shape{})) {
    const Metrics& known = data_->metrics();
    names_ = options.metrics;
    if (names_.empty()) {
      for (const Metric& metric : known.metrics) names_.push_back(metric.name);
    }
    if (names_.size() > PotentialFamily::kMostActive) {
      throw Error("a family can have at most four metrics; name those that requests blend");
    }
    if (options.bits != 32 && options.bits != 16) throw Error("bits must be 32 or 16");
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
    tell(0, "placing knots");
    const requests::Placing placing = [&] {
      const StopScope scope(hooks_.stop);  // nothing to keep yet: throws Stopped
      return requests::place_knots(data_, chosen_, options_);
    }();
    const double placing_seconds = seconds_since(begin);
    std::vector<KnotReport> reports;
    for (const requests::PlacedKnot& knot : placing.knots) {
      reports.push_back({knot.parts, knot.loss, 0, 0, 0});
      knots_.push_back({requests::shares_of(*data_, chosen_, knot.parts), nullptr});
    }
    const double seconds = std::max(0.0, options_.fit.seconds - placing_seconds);
    const double each = seconds / static_cast<double>(knots_.size());
    bool stopped = false;
    for (std::size_t k = 0; k < knots_.size() && !stopped; ++k) {
      train_alone(k, each, reports[k], stopped);
    }
    while (knots_.back().potentials == nullptr) {  // stopped before
      knots_.pop_back();
      reports.pop_back();
    }
    if (knots_.size() > 1) {
      for (std::size_t k = 0; k < knots_.size() && !stopped; ++k) {
        train_on_blends(k, each, reports[k], stopped);
      }
    }
    FamilyResult result{PotentialFamily(names_, knots_),
                        std::move(reports),
                        placing.loss,
                        0,
                        placing_seconds,
                        stopped};
    if (!stopped) choose_ends(result);
    if (options_.bits == 16) result.family = in_16_bits();
    result.seconds = seconds_since(begin);
    return result;
  }

 private:
  void tell(double share, const std::string& doing) const {
    if (hooks_.progress) hooks_.progress(share, doing);
  }

  Graph graph_of(std::size_t k) const {
    return data_->graph().with_weights(
        requests::knot_weights(data_->graph(), data_->metrics(), names_, knots_[k].blend));
  }

  // Runs rounds until the time or their number is used up.
  template <class BeforeRound>
  void train(Fitter& fitter, double seconds, double first_share, double last_share,
             const std::string& doing, bool& stopped, const BeforeRound& before_round) {
    const std::uint64_t rounds = options_.fit.rounds;
    while (!stopped) {
      const double share = rounds > 0
                               ? static_cast<double>(fitter.rounds()) / static_cast<double>(rounds)
                               : fitter.seconds() / std::max(seconds, 1e-9);
      if (share >= 1) break;
      before_round();
      const auto stop = [&] {
        if (hooks_.stop && hooks_.stop()) stopped = true;
        return stopped || (rounds == 0 && fitter.seconds() >= seconds);
      };
      fitter.round(stop);
      tell(first_share + share * (last_share - first_share), doing);
    }
  }

  std::string name_of(std::size_t k) const {
    return "knot " + std::to_string(k + 1) + " of " + std::to_string(knots_.size());
  }

  void train_alone(std::size_t k, double each, KnotReport& report, bool& stopped) {
    FitOptions options = options_.fit;
    options.seconds = each * (knots_.size() > 1 ? kAloneShare : 1);
    options.seed = Rng(options_.fit.seed).fork(k).next();
    const double step = 1.0 / static_cast<double>(knots_.size());
    const double from = static_cast<double>(k) * step * kAloneShare;
    tell(from, name_of(k));
    std::optional<Fitter> made;
    try {
      const StopScope scope(hooks_.stop);
      made.emplace(graph_of(k), options);
    } catch (const Stopped&) {
      if (k == 0) throw;
      stopped = true;
      return;
    }
    Fitter& fitter = *made;
    report.expansions_before = fitter.expansions();
    train(fitter, options.seconds, from, from + step * kAloneShare, name_of(k), stopped, [] {});
    finish(k, fitter, report);
  }

  void finish(std::size_t k, const Fitter& fitter, KnotReport& report) {
    report.expansions = fitter.expansions();
    report.rounds += fitter.rounds();
    knots_[k].potentials = std::make_shared<const Potentials>(fitter.potentials());
  }

  // Searches by random blends that this knot serves, with the potentials of all knots, and trains
  // it on the nodes they settle.
  void train_on_blends(std::size_t k, double each, KnotReport& report, bool& stopped) {
    FitOptions options = options_.fit;
    options.seconds = each * (1 - kAloneShare);
    options.seed = Rng(options_.fit.seed).fork(1000 + k).next();
    const double step = (1 - kAloneShare) / static_cast<double>(knots_.size());
    const double from = kAloneShare + static_cast<double>(k) * step;
    Fitter fitter(graph_of(k), *knots_[k].potentials, options);
    Rng rng = Rng(options.seed).fork(kBlendStream);
    train(fitter, options.seconds, from, from + step, name_of(k) + ", blends", stopped, [&] {
      knots_[k].potentials = std::make_shared<const Potentials>(fitter.potentials());
      fitter.add_pairs(pairs_of_blends(k, rng));
    });
    finish(k, fitter, report);
  }

  Preferences random_blend(Rng& rng) const {
    Preferences wish;
    const auto& metrics = data_->metrics().metrics;
    std::vector<double> parts;
    if (!options_.log.empty()) {
      const auto& blend = options_.log[rng.below(static_cast<std::uint32_t>(options_.log.size()))];
      for (std::size_t i = 0; i < chosen_.size(); ++i) wish.blend.push_back({names_[i], blend[i]});
      return wish;
    }
    for (std::size_t i = 0; i < chosen_.size(); ++i) parts.push_back(-std::log(1 - rng.uniform()));
    const std::vector<double> shares = requests::shares_of(*data_, chosen_, parts);
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      wish.blend.push_back({names_[i], shares[i] * metrics[0].scale / metrics[chosen_[i]].scale});
    }
    return wish;
  }

  Query random_query(Rng& rng) const {
    if (!options_.fit.log.empty()) {
      return options_.fit.log[rng.below(static_cast<std::uint32_t>(options_.fit.log.size()))];
    }
    const NodeId n = data_->graph().node_count();
    return {static_cast<NodeId>(rng.below(n)), static_cast<NodeId>(rng.below(n))};
  }

  std::vector<Query> pairs_of_blends(std::size_t k, Rng& rng) {
    auto family = std::make_shared<PotentialFamily>(names_, knots_);
    if (!engine_) engine_ = std::make_unique<RequestEngine>(data_, nullptr, nullptr);
    engine_->use(family);
    std::vector<Query> pairs;
    std::vector<NodeId> settled;
    for (std::uint32_t i = 0; i < kBlendQueries; ++i) {
      const Preferences wish = random_blend(rng);
      const Query query = random_query(rng);
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
  void choose_ends(FamilyResult& result) const {
    RequestEngine engine(data_, nullptr, nullptr);
    Rng rng = Rng(options_.fit.seed).fork(kTestStream);
    double sums[2] = {0, 0};
    for (std::size_t i = 0; i < kTestRequests; ++i) {
      const Query query = random_query(rng);
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
    result.family.set_from_source(sums[1] < sums[0]);
  }

  PotentialFamily in_16_bits() const {
    std::vector<Knot> small = knots_;
    for (std::size_t k = 0; k < small.size(); ++k) {
      small[k].potentials =
          std::make_shared<const Potentials>(knots_[k].potentials->in_16_bits(graph_of(k)));
    }
    return PotentialFamily(names_, std::move(small));
  }

  FamilyOptions options_;
  FamilyHooks hooks_;
  std::shared_ptr<const RequestData> data_;
  std::vector<std::string> names_;
  std::vector<std::size_t> chosen_;  // metrics of the graph
  std::vector<Knot> knots_;
  std::unique_ptr<RequestEngine> engine_;
};

}  // namespace

FamilyResult fit_family(const Graph& graph, const Metrics& metrics, const FamilyOptions& options,
                        const FamilyHooks& hooks) {
  return FamilyFitter(graph, metrics, options, hooks).run();
}

}  // namespace lodestar
