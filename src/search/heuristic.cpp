#include "lodestar/heuristic.h"

#include <cmath>
#include <numbers>

namespace lodestar {
namespace {

Geometry::Metric metric_for(CoordinateKind kind) {
  switch (kind) {
    case CoordinateKind::kPlane:
      return Geometry::Metric::kEuclid;
    case CoordinateKind::kDegrees:
      return Geometry::Metric::kGreatCircle;
    case CoordinateKind::kGrid:
      return Geometry::Metric::kOctile;
    case CoordinateKind::kNone:
      break;
  }
  throw Error(
      "the geometric heuristic requires coordinates; give a coordinate file or choose another "
      "heuristic");
}

}  // namespace

Geometry::Geometry(const Graph& graph) : Geometry(graph, metric_for(graph.coordinate_kind())) {}

Geometry::Geometry(const Graph& graph, Metric metric)
    : metric_(metric), nodes_(graph.node_count()) {
  if (!graph.has_coordinates()) metric_for(CoordinateKind::kNone);
  const auto points = graph.points();
  if (metric == Metric::kGreatCircle) {
    coordinates_.reserve(3 * points.size());
    constexpr double kRadians = std::numbers::pi / 180;
    for (const Point& p : points) {
      coordinates_.push_back(std::cos(p.y * kRadians) * std::cos(p.x * kRadians));
      coordinates_.push_back(std::cos(p.y * kRadians) * std::sin(p.x * kRadians));
      coordinates_.push_back(std::sin(p.y * kRadians));
    }
  } else {
    coordinates_.reserve(2 * points.size());
    for (const Point& p : points) {
      coordinates_.push_back(p.x);
      coordinates_.push_back(p.y);
    }
  }
  double scale = kInfinity;
  for (NodeId u = 0; u < graph.node_count(); ++u) {
    for (const Arc arc : graph.arcs(u)) {
      const double d = distance(u, arc.head);
      if (d > 0) scale = std::min(scale, arc.weight / d);
    }
  }
  // Distances are rounded: without this margin a sum along a straight road could exceed its cost
  // in the last bits. 1e-12 is far above the error of a distance and costs no expansions.
  scale_ = std::isfinite(scale) ? scale * (1 - 1e-12) : 0;
}

double Geometry::distance(NodeId u, NodeId v) const {
  if (metric_ == Metric::kGreatCircle) {
    const double* a = &coordinates_[3 * std::size_t{u}];
    const double* b = &coordinates_[3 * std::size_t{v}];
    const double dx = a[0] - b[0], dy = a[1] - b[1], dz = a[2] - b[2];
    // Angle from the chord: exact for small angles, where acos of a dot product is not.
    const double half_chord = 0.5 * std::sqrt(dx * dx + dy * dy + dz * dz);
    return 2 * std::asin(std::min(1.0, half_chord));
  }
  const double dx = std::abs(coordinates_[2 * std::size_t{u}] - coordinates_[2 * std::size_t{v}]);
  const double dy =
      std::abs(coordinates_[2 * std::size_t{u} + 1] - coordinates_[2 * std::size_t{v} + 1]);
  if (metric_ == Metric::kEuclid) return std::sqrt(dx * dx + dy * dy);
  return std::max(dx, dy) + (std::numbers::sqrt2 - 1) * std::min(dx, dy);
}

}  // namespace lodestar
