#include "target.h"

FUZZ_TARGET(metis) {
  lodestar::fuzz::read_and_check(bytes, "fuzz.graph");
}
