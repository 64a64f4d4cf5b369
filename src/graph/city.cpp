// The family kCity: irregular streets, main streets, a river with few bridges that widens into an
// estuary, a ring motorway and motorways that leave it.
//
// Everything is drawn on a map of [-1, 1]². Streets join neighbours of a jittered lattice, the
// river follows a smooth curve along x, and the ring is a circle. `Bend` turns map coordinates into
// metres: it pulls the streets of the centre together and bends all lines smoothly. The code uses
// +, -, *, / and sqrt alone, whose results are the same on every machine; those of sin and cos are
// not.
#include <algorithm>
#include <array>
#include <cmath>

#include "graph/drawing.h"

namespace lodestar {
namespace {

constexpr double kStreetMetres = 100;  // metres between neighbouring crossings, on average
constexpr double kStreetSpeed = 30, kMainSpeed = 50, kMotorwaySpeed = 110;  // km/h
constexpr NodeId kMainLine = 8, kBridgeLine = 24;    // every so many lines of the lattice
constexpr double kRing = 0.5;                        // radius of the ring motorway on the map
constexpr double kMotorwayStep = 3 * kStreetMetres;  // metres between nodes of a motorway
constexpr NodeId kSmallest = 16;  // crossings a side; a smaller city has no river, no motorway

double smooth(double t) {
  return t * t * (3 - 2 * t);
}

// Smooth noise on [-1, 1]: random values at equal distances, joined by cubic curves.
class Wave {
 public:
  explicit Wave(Rng& rng) {
    for (double& value : values_) value = rng.uniform(-1.0, 1.0);
  }
  double operator()(double x) const {
    const double at = std::clamp((x + 1) / 2, 0.0, 1.0) * kPieces;
    const auto piece = std::min(static_cast<std::size_t>(at), kPieces - 1);
    const double t = smooth(at - static_cast<double>(piece));
    return values_[piece] + (values_[piece + 1] - values_[piece]) * t;
  }

 private:
  static constexpr std::size_t kPieces = 6;
  std::array<double, kPieces + 1> values_{};
};

// From the map to metres.
class Bend {
 public:
  Bend(double radius, Rng& rng) : radius_(radius), xx_(rng), xy_(rng), yx_(rng), yy_(rng) {}
  Point operator()(const Point& p) const {
    const double scale = 0.7 + 0.15 * (p.x * p.x + p.y * p.y);
    return {radius_ * (scale * p.x + 0.025 * (xx_(p.x) + xy_(p.y))),
            radius_ * (scale * p.y + 0.025 * (yx_(p.x) + yy_(p.y)))};
  }

 private:
  double radius_;
  Wave xx_, xy_, yx_, yy_;
};

class River {
 public:
  River(bool exists, double cell, Rng& rng)
      : exists_(exists), narrow_(std::max(0.025, 1.1 * cell)), wave_(rng) {}
  // -1 and 1: the banks; 0: water.
  int bank(const Point& p) const {
    if (!exists_) return 1;
    const double above = p.y - 0.14 * wave_(p.x);
    return above > half_width(p.x) ? 1 : above < -half_width(p.x) ? -1 : 0;
  }
  bool estuary(double x) const { return half_width(x) > 1.5 * narrow_; }

 private:
  double half_width(double x) const {
    return narrow_ * (1 + 4 * smooth(std::clamp((x - 0.3) / 0.7, 0.0, 1.0)));
  }
  bool exists_;
  double narrow_;
  Wave wave_;
};

class City {
 public:
  City(NodeId width, NodeId height, Rng& rng)
      : width_(width),
        height_(height),
        cell_(2.0 / std::max(width, height)),
        rng_(rng),
        large_(std::min(width, height) >= kSmallest),
        river_(large_, cell_, rng),
        bend_(kStreetMetres / cell_, rng) {}

  Drawing draw() {
    place_crossings();
    for (NodeId y = 0; y < height_; ++y) {
      for (NodeId x = 0; x < width_; ++x) draw_streets(x, y);
    }
    for (NodeId x = width_ / 2 % kBridgeLine; x < width_; x += kBridgeLine) draw_bridge(x);
    if (large_) draw_motorways();
    return {std::move(edges_), std::move(points_)};
  }

 private:
  bool main_column(NodeId x) const { return x % kMainLine == width_ / 2 % kMainLine; }
  bool main_row(NodeId y) const { return y % kMainLine == height_ / 2 % kMainLine; }
  NodeId at(NodeId x, NodeId y) const { return y * width_ + x; }

  void place_crossings() {
    for (NodeId y = 0; y < height_; ++y) {
      for (NodeId x = 0; x < width_; ++x) {
        const auto placed = [&](NodeId i, NodeId count, bool on_main) {
          const double jitter = (on_main ? 0.25 : 0.85) * (rng_.uniform() - 0.5);
          return cell_ * (i + 0.5 + jitter - count / 2.0);
        };
        const double px = placed(x, width_, main_column(x));
        map_.push_back({px, placed(y, height_, main_row(y))});
        banks_.push_back(static_cast<std::int8_t>(river_.bank(map_.back())));
        points_.push_back(bend_(map_.back()));
      }
    }
  }

  void join(NodeId u, NodeId v, double speed, int road) {
    const double metres = straight_line(points_[u], points_[v]);
    edges_.push_back(
        {u, v, travel_milliseconds(metres, speed), metres, static_cast<std::uint8_t>(road)});
  }

  // To the neighbours with larger numbers.
  void draw_streets(NodeId x, NodeId y) {
    const NodeId here = at(x, y);
    if (banks_[here] == 0) return;
    for (const auto& [dx, dy] : {std::pair{1, 0}, {0, 1}, {1, 1}, {-1, 1}}) {
      const NodeId nx = x + static_cast<NodeId>(dx), ny = y + static_cast<NodeId>(dy);
      if (nx >= width_ || ny >= height_ || banks_[at(nx, ny)] != banks_[here]) continue;
      const bool main = (dy == 0 && main_row(y)) || (dx == 0 && main_column(x));
      if (main || local_street(x, y, nx, ny))
        join(here, at(nx, ny), main ? kMainSpeed : kStreetSpeed, main ? kPrimary : kResidential);
    }
  }

  // A street runs where no third crossing is near both ends: edges of the relative neighbourhood
  // graph, and some of the Gabriel graph. Both are planar.
  bool local_street(NodeId x, NodeId y, NodeId nx, NodeId ny) {
    const Point &a = map_[at(x, y)], &b = map_[at(nx, ny)];
    const double length = straight_line(a, b);
    bool neighbours = true;
    for (NodeId wy = std::max(y, 1u) - 1; wy <= std::min(ny + 1, height_ - 1); ++wy) {
      const NodeId left = std::min(x, nx), right = std::max(x, nx);
      for (NodeId wx = std::max(left, 1u) - 1; wx <= std::min(right + 1, width_ - 1); ++wx) {
        if (at(wx, wy) == at(x, y) || at(wx, wy) == at(nx, ny)) continue;
        const double to_a = straight_line(map_[at(wx, wy)], a);
        const double to_b = straight_line(map_[at(wx, wy)], b);
        if (to_a * to_a + to_b * to_b < length * length) return false;
        if (std::max(to_a, to_b) < length) neighbours = false;
      }
    }
    const double outward = std::min(1.0, (a.x * a.x + a.y * a.y) / 2);
    return rng_.chance((neighbours ? 0.97 : 0.5) - 0.2 * outward);
  }

  // Where a column of crossings reaches the river.
  void draw_bridge(NodeId x) {
    NodeId last = kNoNode;
    for (NodeId y = 0; y < height_; ++y) {
      const NodeId here = at(x, y);
      if (banks_[here] == 0) continue;
      if (last != kNoNode && banks_[last] != banks_[here] && !river_.estuary(map_[here].x)) {
        join(last, here, kMainSpeed, kPrimary | kBridge);
      }
      last = here;
    }
  }

  void draw_motorways() {
    const auto streets = static_cast<NodeId>(points_.size());
    // Eight eighths of a square's outline, brought onto the circle.
    const auto steps =
        static_cast<NodeId>(std::max(2.0, 0.3 / cell_ / (kMotorwayStep / kStreetMetres)));
    std::vector<Point> ring;
    for (const auto& [fx, fy, tx, ty] : {std::array{1, 0, 1, 1},
                                         {1, 1, 0, 1},
                                         {0, 1, -1, 1},
                                         {-1, 1, -1, 0},
                                         {-1, 0, -1, -1},
                                         {-1, -1, 0, -1},
                                         {0, -1, 1, -1},
                                         {1, -1, 1, 0}}) {
      for (NodeId i = 0; i < steps; ++i) {
        const double t = static_cast<double>(i) / steps;
        const Point p{fx + (tx - fx) * t, fy + (ty - fy) * t};
        const double scale = kRing / straight_line(p, {0, 0});
        ring.push_back({p.x * scale, p.y * scale});
      }
    }
    const NodeId first = draw_motorway(ring, streets, 20, kMotorway);
    join(first, static_cast<NodeId>(points_.size()) - 1, kMotorwaySpeed, kMotorway);

    // None along the river.
    for (const auto& [dx, dy] : {std::pair{-0.95, 0.55},
                                 {-0.1, 1.0},
                                 {0.9, 0.65},
                                 {0.95, -0.65},
                                 {0.1, -1.0},
                                 {-0.9, -0.6}}) {
      const Point towards{dx + rng_.uniform(-0.1, 0.1), dy + rng_.uniform(-0.1, 0.1)};
      const auto start = std::min_element(ring.begin(), ring.end(), [&](Point a, Point b) {
        return straight_line(a, towards) < straight_line(b, towards);
      });
      const double reach = 1 / std::max(std::abs(start->x), std::abs(start->y));
      const double metres = (reach - 1) * kRing * kStreetMetres / cell_;
      const auto count = static_cast<NodeId>(metres / kMotorwayStep) + 1;
      std::vector<Point> radial;
      for (NodeId i = 1; i <= count; ++i) {
        const double t = 1 + (reach - 1) * i / count;
        radial.push_back({start->x * t, start->y * t});
      }
      constexpr int kRoad = kMotorway | kToll;  // the way out of the city
      join(first + static_cast<NodeId>(start - ring.begin()),
           draw_motorway(radial, streets, 4, kRoad), kMotorwaySpeed, kRoad);
    }
  }

  // Adds the nodes of a motorway, of which about `exits` have a ramp to the nearest crossing;
  // returns the first node.
  NodeId draw_motorway(const std::vector<Point>& line, NodeId streets, std::size_t exits,
                       int road) {
    const auto first = static_cast<NodeId>(points_.size());
    const std::size_t between = std::max<std::size_t>(1, line.size() / exits);
    for (std::size_t i = 0; i < line.size(); ++i) {
      const auto here = static_cast<NodeId>(points_.size());
      points_.push_back(bend_(line[i]));
      if (i > 0) join(here - 1, here, kMotorwaySpeed, road);
      if (i % between == between / 2 && river_.bank(line[i]) != 0) {
        join(here, nearest(points_[here], streets), kMainSpeed, kMotorway | kLink);
      }
    }
    return first;
  }

  // The crossing nearest to p, of which there are so many.
  NodeId nearest(const Point& p, NodeId streets) const {
    NodeId best = kNoNode;
    for (NodeId v = 0; v < streets; ++v) {
      if (banks_[v] == 0) continue;
      if (best == kNoNode || straight_line(p, points_[v]) < straight_line(p, points_[best])) {
        best = v;
      }
    }
    return best;
  }

  NodeId width_, height_;
  double cell_;  // of the lattice, on the map
  Rng& rng_;
  bool large_;
  River river_;
  Bend bend_;
  std::vector<Point> map_;          // of crossings
  std::vector<std::int8_t> banks_;  // likewise
  std::vector<Point> points_;       // in metres: crossings, then motorways
  std::vector<DrawnEdge> edges_;
};

}  // namespace

Drawing city(const GraphSpec& spec, Rng& rng) {
  const auto [width, height] = lattice_sides(spec.nodes * 1.05);  // water and what is cut off
  return City(width, height, rng).draw();
}

}  // namespace lodestar
