// Maps points of the earth or the plane to the viewer's box of 1.
#pragma once

#include <algorithm>
#include <cmath>

#include "lodestar/graph.h"

namespace lodestar::server {

class Frame {
 public:
  Frame(const Graph& graph, CoordinateKind kind) {
    const auto points = graph.points();
    if (points.empty()) return;
    low_ = high_ = points[0];
    for (const Point& p : points) {
      low_ = {std::min(low_.x, p.x), std::min(low_.y, p.y)};
      high_ = {std::max(high_.x, p.x), std::max(high_.y, p.y)};
    }
    if (kind == CoordinateKind::kDegrees) {
      shrink_ = std::cos((low_.y + high_.y) / 2 * 3.14159265358979323846 / 180);
    }
    const double size = std::max((high_.x - low_.x) * shrink_, high_.y - low_.y);
    scale_ = size > 0 ? 1 / size : 1;
    down_ = kind == CoordinateKind::kGrid;  // rows of a map are counted from above
  }
  Point operator()(Point p) const {
    return {(p.x - low_.x) * shrink_ * scale_, (down_ ? high_.y - p.y : p.y - low_.y) * scale_};
  }
  // A point of the box is origin() + its coordinates · step().
  Point origin() const { return {low_.x, down_ ? high_.y : low_.y}; }
  Point step() const { return {1 / (shrink_ * scale_), (down_ ? -1 : 1) / scale_}; }

 private:
  Point low_, high_;
  double shrink_ = 1, scale_ = 1;
  bool down_ = false;
};

}  // namespace lodestar::server
