// An area of a request, and whether a piece of road touches it.
#pragma once

#include <vector>

#include "lodestar/graph.h"
#include "lodestar/preferences.h"

namespace lodestar::requests {

// Everything is measured in the tangent plane at the area's first point: metres in degrees, the
// plane's own units elsewhere.
class Area {
 public:
  // Both throw Error if the area is malformed: numbers that are not finite, fewer than three
  // corners, a ring that crosses itself.
  Area(CoordinateKind kind, const Preferences::Circle& circle);
  Area(CoordinateKind kind, const Preferences::Polygon& polygon);

  double factor() const { return factor_; }
  // The bounding box, in the coordinates of the graph.
  Point low() const { return low_; }
  Point high() const { return high_; }

  // Whether the straight piece from p to q touches the area.
  bool touches(Point p, Point q) const {
    // Far away, for most pieces of a search: decided without leaving the original coordinates.
    if ((p.x < low_.x && q.x < low_.x) || (p.x > high_.x && q.x > high_.x) ||
        (p.y < low_.y && q.y < low_.y) || (p.y > high_.y && q.y > high_.y)) {
      return false;
    }
    return touches_here(p, q);
  }

 private:
  struct Edge {
    Point a;
    Point b;
  };
  Point local(Point p) const {
    return {(p.x - origin_.x) * x_scale_, (p.y - origin_.y) * y_scale_};
  }
  void set_origin(CoordinateKind kind, Point origin);
  void check_rings(std::size_t first_of_ring) const;
  bool touches_here(Point p, Point q) const;
  bool holds(Point p) const;  // local

  double factor_;
  Point origin_;
  double x_scale_ = 1;
  double y_scale_ = 1;
  double radius_ = -1;  // of a circle around the origin; negative: a polygon
  std::vector<Edge> edges_;
  Point low_, high_;  // bounding box
};

}  // namespace lodestar::requests
