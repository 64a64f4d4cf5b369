#include "target.h"

FUZZ_TARGET(movingai) {
  lodestar::fuzz::read_and_check(bytes, "fuzz.map");
  lodestar::ReadOptions options;
  options.unit_diagonals = true;
  options.corner_cutting = true;
  lodestar::fuzz::read_and_check(bytes, "fuzz.map", options);
}
