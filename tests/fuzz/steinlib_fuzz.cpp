#include "target.h"

FUZZ_TARGET(steinlib) {
  lodestar::fuzz::read_and_check(bytes, "fuzz.stp");
}
