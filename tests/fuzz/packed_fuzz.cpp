#include "target.h"

FUZZ_TARGET(packed) {
  lodestar::fuzz::read_and_check(bytes, "fuzz.gr.gz");
  lodestar::fuzz::read_and_check(bytes, "fuzz.gr.xz");
}
