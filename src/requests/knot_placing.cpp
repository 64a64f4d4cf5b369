#include "requests/knot_placing.h"

#include <algorithm>
#include <cmath>

#include "lodestar/rng.h"

namespace lodestar::requests {
namespace {

constexpr std::size_t kQueries = 80;
constexpr std::uint64_t kPlacingStream = 71;
// Of two metrics, blends at these shares of the way from a knot to the next are searched; of more,
// all blends whose parts are multiples of 1/kSteps.
constexpr double kBetween[] = {0.25, 0.5, 0.75};
constexpr int kSteps = 6;
// A knot is compared with at most this many times the expansions that were usual around it when it
// was added: it may not be fully trained yet.
constexpr double kMostUsual = 1.25;
// Nearer to a knot than this part, another one would not help: it lacks training.
constexpr double kNearest = 0.02;

void add_grid(std::vector<std::vector<double>>& out, std::vector<double>& parts, std::size_t at,
              int left) {
  if (at + 1 == parts.size()) {
    parts[at] = static_cast<double>(left) / kSteps;
    out.push_back(parts);
    return;
  }
  for (int share = 0; share <= left; ++share) {
    parts[at] = static_cast<double>(share) / kSteps;
    add_grid(out, parts, at + 1, left - share);
  }
}

// The blends of the log, each once.
std::vector<std::vector<double>> parts_of_log(const RequestData& data,
                                              std::span<const std::size_t> chosen,
                                              const FamilyOptions& options) {
  std::vector<std::vector<double>> all;
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

Query random_query(const Graph& graph, const FitOptions& options, Rng& rng) {
  if (!options.log.empty()) {
    return options.log[rng.below(static_cast<std::uint32_t>(options.log.size()))];
  }
  const NodeId n = graph.node_count();
  return {static_cast<NodeId>(rng.below(n)), static_cast<NodeId>(rng.below(n))};
}

KnotPlacer::KnotPlacer(std::shared_ptr<const RequestData> data, std::span<const std::size_t> chosen,
                       const FamilyOptions& options)
    : data_(std::move(data)),
      chosen_(chosen),
      tolerance_(options.tolerance),
      engine_(data_, nullptr, nullptr),
      log_(parts_of_log(*data_, chosen, options)) {
  for (const Metric& metric : data_->metrics().metrics) names_.push_back(metric.name);
  Rng rng = Rng(options.fit.seed).fork(kPlacingStream);
  while (queries_.size() < kQueries) {
    queries_.push_back(random_query(data_->graph(), options.fit, rng));
  }
}

// Of the queries that have a path.
double KnotPlacer::expansions(std::span<const double> parts) {
  engine_.set(preferences_of(*data_, chosen_, parts));
  double sum = 0;
  std::erase_if(queries_, [&](Query query) {
    check_stop();
    const SearchResult found = engine_.run(query);
    if (found.reached()) sum += static_cast<double>(found.expansions);
    return !found.reached();
  });
  return queries_.empty() ? 1 : std::max(1.0, sum / static_cast<double>(queries_.size()));
}

std::vector<std::vector<double>> KnotPlacer::candidates(
    std::span<const std::vector<double>> knots) const {
  std::vector<std::vector<double>> all = log_;
  if (!log_.empty()) return all;
  if (chosen_.size() == 2) {
    std::vector<double> at;
    for (const auto& parts : knots) at.push_back(parts[1]);
    std::sort(at.begin(), at.end());
    for (std::size_t i = 0; i + 1 < at.size(); ++i) {
      for (const double share : kBetween) {
        const double here = at[i] + share * (at[i + 1] - at[i]);
        all.push_back({1 - here, here});
      }
    }
    return all;
  }
  std::vector<double> parts(chosen_.size());
  add_grid(all, parts, 0, kSteps);
  return all;
}

PlacedKnot KnotPlacer::worst(const std::shared_ptr<const PotentialFamily>& family,
                             std::span<const std::vector<double>> knots, bool anew) {
  engine_.use(family);
  if (anew) {
    at_knots_.clear();
    measured_.clear();
  }
  for (std::size_t k = at_knots_.size(); k < knots.size(); ++k) {
    at_knots_.push_back(expansions(knots[k]));
    const auto usual = usual_.find(knots[k]);
    if (usual == usual_.end()) continue;
    at_knots_.back() = std::min(at_knots_.back(), kMostUsual * usual->second);
  }
  // A further knot helps where there was a loss.
  std::erase_if(measured_, [&](const auto& one) { return one.second > tolerance_; });
  PlacedKnot worst{{}, -1};
  for (const std::vector<double>& parts : candidates(knots)) {
    const bool near = std::any_of(knots.begin(), knots.end(), [&](const auto& knot) {
      double most = 0;
      for (std::size_t i = 0; i < knot.size(); ++i) {
        most = std::max(most, std::abs(knot[i] - parts[i]));
      }
      return most < kNearest;
    });
    if (near) continue;
    const auto [at, is_new] = measured_.try_emplace(parts, 0.0);
    if (is_new) {
      try {
        const double taken = expansions(parts);
        double logarithms = 0, sum = 0;
        const auto mixes = family->mixes(names_, engine_.weights().blend());
        for (std::uint32_t i = 0; !mixes.empty() && i < mixes[0].count; ++i) {
          const auto& term = mixes[0].terms[i];
          logarithms += term.coefficient * std::log(at_knots_[term.knot]);
          sum += term.coefficient;
        }
        const double usual = sum > 0 ? std::exp(logarithms / sum) : taken;
        usual_.try_emplace(parts, usual);
        at->second = taken / usual - 1;
      } catch (...) {
        measured_.erase(at);
        throw;
      }
    }
    if (at->second > worst.loss) worst = {parts, at->second};
  }
  worst.loss = std::max(worst.loss, 0.0);
  return worst;
}

}  // namespace lodestar::requests
