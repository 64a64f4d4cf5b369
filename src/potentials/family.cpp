#include <algorithm>
#include <cmath>
#include <optional>

#include "lodestar/potential_family.h"
#include "potentials/mixed_bounds.h"

namespace lodestar {
namespace {

// Solves the square system given by some rows and columns of a; false if it is singular.
using Matrix =
    std::array<std::array<double, PotentialFamily::kMostActive + 1>, PotentialFamily::kMostActive>;
bool solve(Matrix& a, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    std::size_t pivot = i;
    for (std::size_t j = i + 1; j < size; ++j) {
      if (std::abs(a[j][i]) > std::abs(a[pivot][i])) pivot = j;
    }
    if (std::abs(a[pivot][i]) < 1e-12) return false;
    std::swap(a[i], a[pivot]);
    for (std::size_t j = 0; j < size; ++j) {
      if (j == i) continue;
      const double factor = a[j][i] / a[i][i];
      for (std::size_t k = i; k <= size; ++k) a[j][k] -= factor * a[i][k];
    }
  }
  for (std::size_t i = 0; i < size; ++i) a[i][size] /= a[i][i];
  return true;
}

// Calls f(subset) for every subset of {0 … n-1} with `size` members, in order.
template <class F>
void for_subsets(std::size_t n, std::size_t size, const F& f) {
  std::vector<std::size_t> subset(size);
  for (std::size_t i = 0; i < size; ++i) subset[i] = i;
  if (size > n) return;
  while (true) {
    f(subset);
    std::size_t i = size;
    while (i > 0 && subset[i - 1] == n - size + i - 1) --i;
    if (i == 0) return;
    ++subset[i - 1];
    for (; i < size; ++i) subset[i] = subset[i - 1] + 1;
  }
}

using Mix = PotentialFamily::Mix;

// The coefficients, lowered by what rounding overdraws; nothing if they overdraw more than that.
std::optional<Mix> within(Mix mix, std::span<const std::vector<double>> blends,
                          std::span<const double> wanted) {
  double overdrawn = 1;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    double sum = 0;
    for (std::uint32_t j = 0; j < mix.count; ++j) {
      sum += mix.terms[j].coefficient * blends[mix.terms[j].knot][i];
    }
    if (sum > wanted[i] * (1 + 1e-9) + 1e-300) return {};
    if (sum > wanted[i]) overdrawn = std::max(overdrawn, sum / wanted[i]);
  }
  overdrawn *= 1 + 0x1p-48;
  for (std::uint32_t j = 0; j < mix.count; ++j) mix.terms[j].coefficient /= overdrawn;
  return mix;
}

// Metrics differ in size: the largest share of each counts as 1.
std::vector<double> sizes_of(std::span<const std::vector<double>> blends, std::size_t metrics) {
  std::vector<double> sizes(metrics, 0);
  for (const auto& blend : blends) {
    for (std::size_t i = 0; i < metrics; ++i) sizes[i] = std::max(sizes[i], blend[i]);
  }
  for (double& size : sizes) size = size == 0 ? 1 : size;
  return sizes;
}

// Relative; smaller coefficients are those of a corner with fewer knots.
constexpr double kNothing = 1e-9;

}  // namespace

PotentialFamily::PotentialFamily(std::vector<std::string> metrics, std::vector<Knot> knots)
    : metrics_(std::move(metrics)), knots_(std::move(knots)) {
  if (knots_.empty()) throw Error("a family of potentials needs at least one knot");
  if (metrics_.size() > kMostMetrics || knots_.size() > kMostKnots) {
    throw Error("a family of potentials has at most four metrics and 32 knots, not " +
                std::to_string(metrics_.size()) + " and " + std::to_string(knots_.size()));
  }
  for (const Knot& knot : knots_) {
    if (knot.blend.size() != metrics_.size()) {
      throw Error("a knot has " + std::to_string(knot.blend.size()) + " shares for " +
                  std::to_string(metrics_.size()) + " metrics");
    }
    double sum = 0;
    for (const double share : knot.blend) {
      if (!(share >= 0) || !std::isfinite(share)) {
        throw Error("the shares of a knot must be finite and not negative");
      }
      sum += share;
    }
    if (!(sum > 0)) throw Error("a knot has no share above 0");
    if (knot.potentials == nullptr) throw Error("a knot has no potentials");
    if (knot.potentials->topology_hash() != knots_[0].potentials->topology_hash() ||
        knot.potentials->node_count() != knots_[0].potentials->node_count()) {
      throw Error("the knots belong to different graphs");
    }
  }
  for (const Knot& knot : knots_) blends_.push_back(knot.blend);
  sizes_ = sizes_of(blends_, metrics_.size());
  find_simplices();
}

// Blends are scaled to parts that sum to 1. A simplex is one of Delaunay's triangulation if every
// other knot, lifted to its squared distance from 0, lies above the plane through its lifted knots.
void PotentialFamily::find_simplices() {
  const std::size_t rows = metrics_.size();
  std::vector<std::vector<double>> parts;
  std::vector<double> sums, lifted;
  for (const std::vector<double>& blend : blends_) {
    std::vector<double>& of = parts.emplace_back(rows);
    double sum = 0, square = 0;
    for (std::size_t i = 0; i < rows; ++i) sum += of[i] = blend[i] / sizes_[i];
    for (double& part : of) {
      part /= sum;
      square += part * part;
    }
    sums.push_back(sum);
    lifted.push_back(square);
  }
  for_subsets(parts.size(), rows, [&](const std::vector<std::size_t>& used) {
    Simplex simplex{};
    for (std::size_t column = 0; column < rows; ++column) {
      Matrix a;
      for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < rows; ++j) a[i][j] = parts[used[j]][i];
        a[i][rows] = i == column ? 1 : 0;
      }
      if (!solve(a, rows)) return;
      for (std::size_t j = 0; j < rows; ++j) simplex.inverse[j][column] = a[j][rows];
    }
    for (std::size_t k = 0; k < parts.size(); ++k) {
      double plane = 0;
      for (std::size_t j = 0; j < rows; ++j) {
        double coefficient = 0;
        for (std::size_t i = 0; i < rows; ++i) coefficient += simplex.inverse[j][i] * parts[k][i];
        plane += coefficient * lifted[used[j]];
      }
      if (lifted[k] < plane - kNothing) return;
    }
    for (std::size_t j = 0; j < rows; ++j) {
      simplex.knots[j] = static_cast<std::uint32_t>(used[j]);
      for (double& value : simplex.inverse[j]) value /= sums[used[j]];
    }
    simplices_.push_back(simplex);
  });
}

PotentialFamily::PotentialFamily(std::string metric, std::shared_ptr<const Potentials> potentials)
    : PotentialFamily(std::vector<std::string>{std::move(metric)},
                      {{{1.0}, std::move(potentials)}}) {}

std::size_t PotentialFamily::bytes() const {
  std::size_t sum = 0;
  for (const Knot& knot : knots_) sum += knot.potentials->bytes();
  return sum;
}

Guarantee PotentialFamily::guarantee() const {
  Guarantee weakest = Guarantee::kConsistent;
  for (const Knot& knot : knots_) weakest = std::min(weakest, knot.potentials->guarantee());
  return weakest;
}

void PotentialFamily::require_fit(const Graph& graph) const {
  for (const Knot& knot : knots_) knot.potentials->require_fit(graph);
}

std::vector<PotentialFamily::Mix> PotentialFamily::mixes(std::span<const std::string> names,
                                                         std::span<const double> blend) const {
  // The shares that the family covers, in the order of its metrics.
  std::vector<double> wanted;
  for (const std::string& metric : metrics_) {
    const auto at = metric.empty() ? names.begin() : std::find(names.begin(), names.end(), metric);
    if (at == names.end()) {
      throw Error("the potentials are for the metric '" + metric + "', which the graph lacks");
    }
    wanted.push_back(blend[static_cast<std::size_t>(at - names.begin())]);
  }
  double scale = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) scale = std::max(scale, wanted[i] / sizes_[i]);
  if (!(scale > 0)) return {};
  for (const Simplex& simplex : simplices_) {
    Mix mix;
    bool inside = true;
    for (std::size_t j = 0; j < wanted.size() && inside; ++j) {
      double coefficient = 0;
      for (std::size_t i = 0; i < wanted.size(); ++i) {
        coefficient += simplex.inverse[j][i] * (wanted[i] / sizes_[i]);
      }
      inside = coefficient >= -kNothing * scale;
      if (coefficient > kNothing * scale) mix.terms[mix.count++] = {simplex.knots[j], coefficient};
    }
    if (!inside) continue;
    if (const auto covered = within(mix, blends_, wanted)) return {*covered};
  }
  return corners(blends_, wanted);
}

std::vector<PotentialFamily::Mix> PotentialFamily::corners(
    std::span<const std::vector<double>> blends, std::span<const double> wanted) {
  const std::size_t rows = wanted.size();
  const std::vector<double> size_of = sizes_of(blends, rows);
  double scale = 0;
  for (std::size_t i = 0; i < rows; ++i) scale = std::max(scale, wanted[i] / size_of[i]);
  std::vector<Mix> corners;
  if (!(scale > 0)) return corners;
  // At a corner as many shares are used up as there are knots in use.
  for (std::size_t size = 1; size <= std::min({kMostActive, rows, blends.size()}); ++size) {
    for_subsets(blends.size(), size, [&](const std::vector<std::size_t>& used) {
      for_subsets(rows, size, [&](const std::vector<std::size_t>& tight) {
        Matrix a;
        for (std::size_t i = 0; i < size; ++i) {
          for (std::size_t j = 0; j < size; ++j)
            a[i][j] = blends[used[j]][tight[i]] / size_of[tight[i]];
          a[i][size] = wanted[tight[i]] / size_of[tight[i]];
        }
        if (!solve(a, size)) return;
        Mix mix;
        for (std::size_t j = 0; j < size; ++j) {
          if (!(a[j][size] > kNothing * scale)) return;  // a corner with fewer knots
          mix.terms[mix.count++] = {static_cast<std::uint32_t>(used[j]), a[j][size]};
        }
        if (const auto covered = within(mix, blends, wanted)) corners.push_back(*covered);
      });
    });
  }
  return corners;
}

const PotentialFamily::Mix& PotentialFamily::best(std::span<const Mix> mixes, Query query) const {
  if (mixes.size() == 1) return mixes.front();
  const Mix* best = &mixes.front();
  Cost most = -1;
  for (const Mix& mix : mixes) {
    const Cost bound = MixedBounds(*this, mix, query)(query.source).to_target;
    if (bound > most) {
      most = bound;
      best = &mix;
    }
  }
  return *best;
}

MixedBounds::MixedBounds(const PotentialFamily& family, const PotentialFamily::Mix& mix,
                         Query query)
    : count_(mix.count) {
  for (std::uint32_t i = 0; i < count_; ++i) {
    const Potentials& potentials = *family.knots()[mix.terms[i].knot].potentials;
    const std::byte* rows = potentials.data();
    terms_[i] = {rows,
                 rows + std::size_t{query.source} * potentials.row_bytes_,
                 rows + std::size_t{query.target} * potentials.row_bytes_,
                 potentials.row_bytes_,
                 potentials.storage() == PotentialsStorage::k32Bit,
                 potentials.symmetric(),
                 static_cast<std::int32_t>(potentials.coarse()),
                 mix.terms[i].coefficient * potentials.unit() * (1 - 0x1p-49)};
    usual_ = usual_ && terms_[i].wide && terms_[i].row_bytes == kUsualBytes;
  }
}

}  // namespace lodestar
