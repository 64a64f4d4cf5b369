#include "lodestar/preferences.h"

namespace lodestar {

bool Preferences::empty() const {
  return blend.empty() && classes.empty() && ways.empty() && arcs.empty() && circles.empty() &&
         polygons.empty() && vehicle.height == 0 && vehicle.width == 0 && vehicle.weight == 0 &&
         !depart;
}

}  // namespace lodestar
