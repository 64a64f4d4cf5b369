#include "target.h"

FUZZ_TARGET(pace) {
  lodestar::fuzz::read_and_check(bytes, "fuzz.tw");
}
