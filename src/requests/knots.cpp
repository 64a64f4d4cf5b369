#include "requests/knots.h"

#include <algorithm>
#include <cmath>

#include "lodestar/detail/stop.h"
#include "lodestar/version.h"

namespace lodestar::requests {
namespace {

// One potential of each knot so far, with a sign where potentials are symmetric.
struct SumOfPotentials {
  std::vector<std::pair<std::uint32_t, int>> terms;
  std::vector<double> rises;  // of the pairs, from source to target
};

// Rounding to units would violate about every tight arc; this leaves few.
constexpr double kRoom = 0x1p-14;

}  // namespace

std::vector<Weight> knot_weights(const Graph& graph, const Metrics& metrics,
                                 std::span<const std::string> names,
                                 std::span<const double> blend) {
  std::vector<Weight> sum(graph.arc_count(), 0);
  std::size_t used = 0;
  bool own = false;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (blend[i] == 0) continue;
    const auto metric = names[i].empty() ? std::optional<std::size_t>(0) : metrics.find(names[i]);
    if (!metric) {
      throw Error("the potentials are for the metric '" + names[i] + "', but the graph has " +
                  metrics.names());
    }
    ++used;
    own = *metric == 0 && blend[i] == 1;
    const std::vector<Weight> weights = metrics.weights(graph, *metric);
    for (std::size_t arc = 0; arc < sum.size(); ++arc) sum[arc] += blend[i] * weights[arc];
  }
  if (used == 1 && own) return sum;  // nothing was rounded
  for (Weight& weight : sum) weight *= 1 - 0x1p-48;
  return sum;
}

Potentials blended_potentials(const Graph& graph, std::span<const Knot> knots,
                              const PotentialFamily::Mix& mix, std::span<const Query> pairs) {
  const bool symmetric = knots[mix.terms[0].knot].potentials->symmetric();
  const std::size_t count = knots[mix.terms[0].knot].potentials->count();
  std::vector<std::vector<std::vector<std::int32_t>>> columns(mix.count);
  std::vector<double> units;
  double unit = 0;
  std::vector<SumOfPotentials> sums = {{{}, std::vector<double>(pairs.size(), 0)}};
  for (std::uint32_t k = 0; k < mix.count; ++k) {
    const Potentials& of = *knots[mix.terms[k].knot].potentials;
    units.push_back(mix.terms[k].coefficient * of.unit());
    unit = std::max(unit, of.unit());
    for (std::uint32_t i = 0; i < of.count(); ++i) columns[k].push_back(of.column(i));
    // Every sum with every potential.
    std::vector<SumOfPotentials> all;
    for (const SumOfPotentials& sum : sums) {
      for (std::uint32_t i = 0; i < of.count(); ++i) {
        for (int sign = symmetric && k > 0 ? -1 : 1; sign <= 1; sign += 2) {
          SumOfPotentials next = sum;
          next.terms.push_back({i, sign});
          for (std::size_t p = 0; p < pairs.size(); ++p) {
            const double rise = columns[k][i][pairs[p].target] - columns[k][i][pairs[p].source];
            next.rises[p] += sign * units[k] * rise;
          }
          all.push_back(std::move(next));
        }
      }
    }
    // The sum that adds most to the best bounds of the pairs, one after the other.
    sums.clear();
    std::vector<double> bounds(pairs.size(), 0);
    const auto bound = [&](const SumOfPotentials& sum, std::size_t p) {
      return symmetric ? std::abs(sum.rises[p]) : sum.rises[p];
    };
    while (sums.size() < count && !all.empty()) {
      double most = -1;
      std::size_t best = 0;
      for (std::size_t i = 0; i < all.size(); ++i) {
        double gain = 0;
        for (std::size_t p = 0; p < pairs.size(); ++p) {
          gain += std::max(0.0, bound(all[i], p) - bounds[p]);
        }
        if (gain <= most) continue;
        most = gain;
        best = i;
      }
      for (std::size_t p = 0; p < pairs.size(); ++p) {
        bounds[p] = std::max(bounds[p], bound(all[best], p));
      }
      sums.push_back(std::move(all[best]));
      all.erase(all.begin() + static_cast<std::ptrdiff_t>(best));
    }
  }
  std::vector<std::vector<std::int32_t>> blended;
  std::vector<double> values(graph.node_count());
  for (const SumOfPotentials& sum : sums) {
    check_stop();
    std::fill(values.begin(), values.end(), 0.0);
    for (std::uint32_t k = 0; k < mix.count; ++k) {
      const auto [i, sign] = sum.terms[k];
      const double scale = sign * units[k] / unit * (1 - kRoom);
      for (std::size_t v = 0; v < values.size(); ++v) values[v] += scale * columns[k][i][v];
    }
    const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
    const double middle = (*least + *greatest) / 2;
    auto& column = blended.emplace_back(values.size());
    for (std::size_t v = 0; v < values.size(); ++v) {
      column[v] = static_cast<std::int32_t>(std::floor(values[v] - middle));
    }
  }
  Potentials potentials(graph, blended, unit);
  potentials.origin() = {"blend", kVersion, kCommit, 0, 0, 0};
  potentials.repair(graph);
  return potentials;
}

std::shared_ptr<const PotentialFamily> verified(std::shared_ptr<const PotentialFamily> family,
                                                const RequestData& data) {
  family->require_fit(data.graph());
  std::vector<Knot> knots;
  bool repaired = false;
  for (const Knot& knot : family->knots()) {
    knots.push_back(knot);
    const Graph graph = data.graph().with_weights(
        knot_weights(data.graph(), data.metrics(), family->metrics(), knot.blend));
    if (knot.potentials->verify(graph).feasible()) continue;
    Potentials copy = *knot.potentials;
    copy.repair(graph);
    knots.back().potentials = std::make_shared<const Potentials>(std::move(copy));
    repaired = true;
  }
  if (!repaired) return family;
  auto better = std::make_shared<PotentialFamily>(
      std::vector<std::string>(family->metrics().begin(), family->metrics().end()),
      std::move(knots));
  better->set_from_source(family->from_source());
  return better;
}

}  // namespace lodestar::requests
