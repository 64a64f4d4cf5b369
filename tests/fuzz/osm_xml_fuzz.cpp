#include "osm_target.h"

FUZZ_TARGET(osm_xml) {
  lodestar::fuzz::import_and_check(bytes, "fuzz.osm");
}
