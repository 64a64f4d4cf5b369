#include "target.h"

FUZZ_TARGET(dimacs) {
  lodestar::fuzz::read_and_check(bytes, "fuzz.gr");
}
