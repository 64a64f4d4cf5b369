#include "osm_target.h"

FUZZ_TARGET(osm_pbf) {
  lodestar::fuzz::import_and_check(bytes, "fuzz.osm.pbf");
}
