#include "learn/tune/space.h"
#include "target.h"

// The JSON file of `tune --space`.
FUZZ_TARGET(space) {
  using namespace lodestar;
  try {
    const tune::Space space = tune::parse_space(std::string(bytes), "fuzz.json");
    fuzz::require(tune::draw(space, 1, 1, 0) == tune::draw(space, 1, 1, 0));
  } catch (const Error& error) {
    fuzz::require(std::string_view(error.what()).starts_with("fuzz.json"));
  }
}
