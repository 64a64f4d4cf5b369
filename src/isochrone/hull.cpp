// Concave hulls by GEOS.
#include <geos_c.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "lodestar/isochrone.h"

namespace lodestar {
namespace {

// GEOS takes some microseconds per point. If there are more, the plane is divided into cells.
constexpr std::size_t kMostPoints = 4000;
constexpr int kCells = 64;  // along the larger extent

struct Box {
  Point low{kInfinity, kInfinity}, high{-kInfinity, -kInfinity};
};

Box box_of(std::span<const Point> points) {
  Box box;
  for (const Point& p : points) {
    if (!std::isfinite(p.x) || !std::isfinite(p.y)) throw Error("a point of a hull is not finite");
    box.low = {std::min(box.low.x, p.x), std::min(box.low.y, p.y)};
    box.high = {std::max(box.high.x, p.x), std::max(box.high.y, p.y)};
  }
  return box;
}

// Keeps one point of each cell that is surrounded by cells with points: others of it do not shape
// the hull.
void thin(std::vector<Point>& points, const Box& box) {
  if (points.size() <= kMostPoints) return;
  const double size = std::max(box.high.x - box.low.x, box.high.y - box.low.y) / kCells;
  if (!(size > 0)) return;
  constexpr int kSide = kCells + 3;  // with a margin of empty cells
  const auto cell = [&](const Point& p) {
    return (1 + static_cast<int>((p.y - box.low.y) / size)) * kSide + 1 +
           static_cast<int>((p.x - box.low.x) / size);
  };
  std::vector<char> taken(std::size_t{kSide} * kSide, 0), known(taken);
  for (const Point& p : points) taken[static_cast<std::size_t>(cell(p))] = 1;
  std::erase_if(points, [&](const Point& p) {
    const int at = cell(p);
    bool inside = true;
    for (const int row : {-kSide, 0, kSide}) {
      for (const int column : {-1, 0, 1}) {
        inside = inside && taken[static_cast<std::size_t>(at + row + column)];
      }
    }
    char& seen = known[static_cast<std::size_t>(at)];
    return inside && std::exchange(seen, 1) != 0;
  });
}

struct FinishGeos {
  void operator()(GEOSContextHandle_HS* context) const { GEOS_finish_r(context); }
};
using Context = std::unique_ptr<GEOSContextHandle_HS, FinishGeos>;

struct DestroyGeometry {
  GEOSContextHandle_t context;
  void operator()(GEOSGeometry* geometry) const { GEOSGeom_destroy_r(context, geometry); }
};
using OwnGeometry = std::unique_ptr<GEOSGeometry, DestroyGeometry>;

template <class T>
T* made(T* made) {
  if (made == nullptr) throw Error("the hull could not be computed; is there enough memory?");
  return made;
}

}  // namespace

bool has_concave_hull() {
  return true;
}

std::vector<Point> concave_hull(std::span<const Point> given, CoordinateKind kind,
                                double concavity) {
  if (!(concavity >= 0 && concavity <= 1)) throw Error("the concavity lies between 0 and 1");
  std::vector<Point> points(given.begin(), given.end());
  const Box around = box_of(points);
  // A degree of longitude is shorter than one of latitude; the hull compares lengths.
  double scale = 1;
  if (kind == CoordinateKind::kDegrees && !points.empty()) {
    const double middle = (around.low.y + around.high.y) / 2;
    scale = std::max(0.01, std::cos(middle * 3.14159265358979323846 / 180));
  }
  for (Point& p : points) p.x *= scale;
  thin(points, box_of(points));
  std::sort(points.begin(), points.end(),
            [](const Point& a, const Point& b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
  points.erase(std::unique(points.begin(), points.end()), points.end());
  if (points.size() < 3) return {};

  const Context owner(made(GEOS_init_r()));
  GEOSContextHandle_t context = owner.get();
  std::vector<double> xs(points.size()), ys(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    xs[i] = points[i].x;
    ys[i] = points[i].y;
  }
  GEOSCoordSequence* sequence = made(GEOSCoordSeq_copyFromArrays_r(
      context, xs.data(), ys.data(), nullptr, nullptr, static_cast<unsigned>(xs.size())));
  const OwnGeometry line(made(GEOSGeom_createLineString_r(context, sequence)), {context});
  const OwnGeometry hull(made(GEOSConcaveHull_r(context, line.get(), concavity, 0)), {context});
  if (GEOSGeomTypeId_r(context, hull.get()) != GEOS_POLYGON) return {};  // all on one line
  const GEOSGeometry* ring = made(GEOSGetExteriorRing_r(context, hull.get()));
  const GEOSCoordSequence* corners = made(GEOSGeom_getCoordSeq_r(context, ring));
  unsigned count = 0;
  GEOSCoordSeq_getSize_r(context, corners, &count);
  std::vector<Point> out(count);
  double area = 0;
  for (unsigned i = 0; i < count; ++i) {
    GEOSCoordSeq_getXY_r(context, corners, i, &out[i].x, &out[i].y);
    if (i > 0) area += out[i - 1].x * out[i].y - out[i].x * out[i - 1].y;
  }
  if (area < 0) std::reverse(out.begin(), out.end());
  // Corners are points that were given; division would miss their last digit.
  if (scale != 1) {
    for (Point& p : out) p.x /= scale;
  }
  return out;
}

}  // namespace lodestar
