#include "target.h"

FUZZ_TARGET(graphml) {
  lodestar::fuzz::read_and_check(bytes, "fuzz.graphml");
}
