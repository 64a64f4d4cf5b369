// Potentials for a family of weights: all blends of a graph's metrics.
//
//   const PotentialFamily family = PotentialFamily::load("town.lsp");
//   Router router(file.graph, {.metrics = file.metrics, .family = family});
//
// A knot is a blend of metrics with potentials of its own. If h_k is consistent for the weights w_k
// of knot k, then sum c_k h_k with c_k >= 0 is consistent for sum c_k w_k and for everything above
// it. A request with the blend λ is therefore served by any c >= 0 with
//
//   sum over k of c_k · blend_k(i) <= λ(i)       for every metric i,
//
// best by the knots around it. Distances are concave in the weights, so a few knots lose little
// (docs/design/CERTIFICATES.md). Where no knots surround λ, the corners of this polytope are tried,
// and the one with the largest bound is chosen for each query.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lodestar/potentials.h"
#include "lodestar/types.h"

namespace lodestar {

struct Knot {
  // The share of each metric, in units of metric 0: a weight of the knot is at most the sum of
  // share · weight.
  std::vector<double> blend;
  std::shared_ptr<const Potentials> potentials;
};

class PotentialFamily {
 public:
  // At most this many knots serve one request.
  static constexpr std::size_t kMostActive = 4;
  // More would make the choice of knots slower than the search.
  static constexpr std::size_t kMostMetrics = kMostActive, kMostKnots = 32;

  // Throws Error if there is no knot, a blend does not have one share per metric or is negative, or
  // the potentials belong to different graphs.
  PotentialFamily(std::vector<std::string> metrics, std::vector<Knot> knots);
  // One knot: potentials of a single metric. Without a name, of the graph's own weights.
  PotentialFamily(std::string metric, std::shared_ptr<const Potentials> potentials);

  std::span<const std::string> metrics() const { return metrics_; }
  std::span<const Knot> knots() const { return knots_; }
  std::size_t bytes() const;
  // The weakest of the knots.
  Guarantee guarantee() const;
  void require_fit(const Graph& graph) const;  // throws Error

  // Which ends of a request do the work: both alike, or mostly the source's. Which one settles
  // fewer nodes depends on the graph; fit_family() measures it. The answers are the same.
  bool from_source() const { return from_source_; }
  void set_from_source(bool yes) { from_source_ = yes; }

  // Knots and their coefficients.
  struct Mix {
    struct Term {
      std::uint32_t knot = 0;
      double coefficient = 0;
    };
    std::array<Term, kMostActive> terms;
    std::uint32_t count = 0;
  };
  // The knots around the blend, otherwise the corners of the polytope above, none if nothing is
  // covered. `names` are the metrics of the graph, to which the shares of the blend belong; metrics
  // of the graph that the family lacks are not covered, which is allowed. Throws Error if the graph
  // lacks a metric of the family.
  std::vector<Mix> mixes(std::span<const std::string> names, std::span<const double> blend) const;
  // All corners, for blends alone: blends[k][i] is the share of metric i in knot k.
  static std::vector<Mix> corners(std::span<const std::vector<double>> blends,
                                  std::span<const double> wanted);
  // The one of them with the largest bound for the query.
  const Mix& best(std::span<const Mix> mixes, Query query) const;

  // Files of potentials (.lsp): one with a single knot and the graph's own weights is read as a
  // family, too.
  void save(const std::string& path) const;
  static PotentialFamily load(const std::string& path);

 private:
  // As many knots as metrics, with no other one in their sphere (Delaunay).
  struct Simplex {
    std::array<std::uint32_t, kMostActive> knots;
    std::array<std::array<double, kMostActive>, kMostActive> inverse;  // of their blends
  };
  void find_simplices();

  std::vector<std::string> metrics_;
  std::vector<Knot> knots_;
  std::vector<std::vector<double>> blends_;  // of the knots
  std::vector<double> sizes_;                // [metrics] the largest share in a knot
  std::vector<Simplex> simplices_;
  bool from_source_ = false;
};

}  // namespace lodestar
