#include "formats/format.h"
#include "target.h"

FUZZ_TARGET(coordinates) {
  const lodestar::ReadOptions options;
  try {
    const auto read = lodestar::formats::read_co({{bytes, nullptr}, "fuzz.co", options});
    lodestar::fuzz::require(read.kind != lodestar::CoordinateKind::kNone);
  } catch (const lodestar::Error&) {
  }
}
