#include "target.h"

FUZZ_TARGET(matrix_market) {
  lodestar::fuzz::read_and_check(bytes, "fuzz.mtx");
}
