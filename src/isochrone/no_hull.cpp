// Concave hulls in a build without GEOS.
#include "lodestar/isochrone.h"

namespace lodestar {

bool has_concave_hull() {
  return false;
}

std::vector<Point> concave_hull(std::span<const Point>, CoordinateKind, double) {
  throw Error("this build has no polygons; install libgeos-dev 3.11 or later, then build again");
}

}  // namespace lodestar
