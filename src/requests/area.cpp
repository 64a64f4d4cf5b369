#include "requests/area.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace lodestar::requests {
namespace {

constexpr double kMetresPerDegree = 6371008.8 * 3.14159265358979323846 / 180;
constexpr std::size_t kMostCorners = 10000;

double cross(Point a, Point b, Point c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}
int side(Point a, Point b, Point c) {
  const double z = cross(a, b, c);
  return (z > 0) - (z < 0);
}
// c is on the line through a and b.
bool between(Point a, Point b, Point c) {
  return std::min(a.x, b.x) <= c.x && c.x <= std::max(a.x, b.x) && std::min(a.y, b.y) <= c.y &&
         c.y <= std::max(a.y, b.y);
}
bool segments_touch(Point a, Point b, Point c, Point d) {
  if (std::max(a.x, b.x) < std::min(c.x, d.x) || std::max(c.x, d.x) < std::min(a.x, b.x) ||
      std::max(a.y, b.y) < std::min(c.y, d.y) || std::max(c.y, d.y) < std::min(a.y, b.y)) {
    return false;
  }
  const int c_side = side(a, b, c), d_side = side(a, b, d);
  const int a_side = side(c, d, a), b_side = side(c, d, b);
  if (c_side != d_side && a_side != b_side) return true;
  return (c_side == 0 && between(a, b, c)) || (d_side == 0 && between(a, b, d)) ||
         (a_side == 0 && between(c, d, a)) || (b_side == 0 && between(c, d, b));
}

double squared_distance(Point p, Point q) {  // of the origin from the piece p … q
  const double x = q.x - p.x, y = q.y - p.y;
  const double length = x * x + y * y;
  const double at = length > 0 ? std::clamp(-(p.x * x + p.y * y) / length, 0.0, 1.0) : 0.0;
  const double dx = p.x + at * x, dy = p.y + at * y;
  return dx * dx + dy * dy;
}

void check_point(CoordinateKind kind, Point p, const char* what) {
  const bool degrees = kind == CoordinateKind::kDegrees;
  if (!is_coordinate(p.x) || !is_coordinate(p.y) ||
      (degrees && (std::abs(p.x) > 180 || std::abs(p.y) > 90))) {
    throw Error(std::string(what) + " has a point at (" + std::to_string(p.x) + ", " +
                std::to_string(p.y) + "); coordinates must be finite" +
                (degrees ? ", longitude first within ±180, latitude within ±90" : ""));
  }
}

}  // namespace

void Area::set_origin(CoordinateKind kind, Point origin) {
  origin_ = origin;
  if (kind != CoordinateKind::kDegrees) return;
  y_scale_ = kMetresPerDegree;
  x_scale_ = kMetresPerDegree * std::max(1e-6, std::cos(origin.y * 3.14159265358979323846 / 180));
}

Area::Area(CoordinateKind kind, const Preferences::Circle& circle) : factor_(circle.factor) {
  check_point(kind, circle.centre, "a circle to avoid");
  if (!(circle.radius >= 0) || !std::isfinite(circle.radius)) {
    throw Error("the radius of a circle to avoid must be finite and not negative");
  }
  set_origin(kind, circle.centre);
  radius_ = circle.radius;
  low_ = {origin_.x - radius_ / x_scale_, origin_.y - radius_ / y_scale_};
  high_ = {origin_.x + radius_ / x_scale_, origin_.y + radius_ / y_scale_};
}

Area::Area(CoordinateKind kind, const Preferences::Polygon& polygon) : factor_(polygon.factor) {
  if (polygon.rings.empty() || polygon.rings.front().empty()) {
    throw Error("a polygon to avoid has no points; give at least three corners");
  }
  set_origin(kind, polygon.rings.front().front());
  low_ = high_ = origin_;
  for (const auto& given : polygon.rings) {
    std::vector<Point> ring = given;
    for (const Point& p : ring) check_point(kind, p, "a polygon to avoid");
    ring.erase(std::unique(ring.begin(), ring.end()), ring.end());
    while (ring.size() > 1 && ring.front() == ring.back()) ring.pop_back();
    if (ring.size() < 3) {
      throw Error("a polygon to avoid has " + std::to_string(ring.size()) +
                  " corners; give at least three");
    }
    if (edges_.size() + ring.size() > kMostCorners) {
      throw Error("a polygon to avoid has more than 10,000 corners; simplify it");
    }
    const std::size_t first = edges_.size();
    for (std::size_t i = 0; i < ring.size(); ++i) {
      edges_.push_back({local(ring[i]), local(ring[(i + 1) % ring.size()])});
      low_ = {std::min(low_.x, ring[i].x), std::min(low_.y, ring[i].y)};
      high_ = {std::max(high_.x, ring[i].x), std::max(high_.y, ring[i].y)};
    }
    check_rings(first);
  }
}

// No two edges of a ring may touch, except neighbours in their common corner. Edges are compared
// in the order of their left ends, so that only those with a common x are.
void Area::check_rings(std::size_t first_of_ring) const {
  std::vector<std::size_t> order;
  for (std::size_t i = first_of_ring; i < edges_.size(); ++i) order.push_back(i);
  const auto left = [&](std::size_t i) { return std::min(edges_[i].a.x, edges_[i].b.x); };
  std::sort(order.begin(), order.end(),
            [&](std::size_t i, std::size_t j) { return left(i) < left(j); });
  const std::size_t count = order.size();
  for (std::size_t i = 0; i < count; ++i) {
    const Edge& a = edges_[order[i]];
    const double right = std::max(a.a.x, a.b.x);
    for (std::size_t j = i + 1; j < count && left(order[j]) <= right; ++j) {
      const Edge& b = edges_[order[j]];
      if (!segments_touch(a.a, a.b, b.a, b.b)) continue;
      const std::size_t apart = order[i] > order[j] ? order[i] - order[j] : order[j] - order[i];
      const bool neighbours = apart == 1 || apart == count - 1;
      // Neighbours share a corner; they must not lie on each other.
      if (neighbours) {
        const Point corner = a.b == b.a ? a.b : a.a;
        const Point p = a.b == corner ? a.a : a.b, q = b.a == corner ? b.b : b.a;
        const bool folded =
            side(corner, p, q) == 0 &&
            (p.x - corner.x) * (q.x - corner.x) + (p.y - corner.y) * (q.y - corner.y) > 0;
        if (!folded) continue;
      }
      throw Error(
          "a polygon to avoid crosses or touches itself; give its corners in order around "
          "the area");
    }
  }
}

bool Area::holds(Point p) const {
  bool inside = false;
  for (const Edge& edge : edges_) {
    if ((edge.a.y > p.y) == (edge.b.y > p.y)) continue;
    const double x = edge.a.x + (p.y - edge.a.y) / (edge.b.y - edge.a.y) * (edge.b.x - edge.a.x);
    if (p.x < x) inside = !inside;
  }
  return inside;
}

bool Area::touches_here(Point p, Point q) const {
  const Point a = local(p), b = local(q);
  if (radius_ >= 0) return squared_distance(a, b) <= radius_ * radius_;
  if (holds(a) || holds(b)) return true;
  return std::any_of(edges_.begin(), edges_.end(),
                     [&](const Edge& edge) { return segments_touch(a, b, edge.a, edge.b); });
}

}  // namespace lodestar::requests
