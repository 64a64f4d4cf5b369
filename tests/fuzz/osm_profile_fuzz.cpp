#include "osm/profile.h"
#include "target.h"

// A profile of the user's own (`--profile FILE`).
FUZZ_TARGET(osm_profile) {
  using namespace lodestar;
  try {
    const osm::Profile profile = osm::Profile::parse(bytes, "fuzz.json");
    fuzz::require(profile.name() == "fuzz.json" || !profile.name().empty());
  } catch (const Error& error) {
    fuzz::require(std::string_view(error.what()).starts_with("fuzz.json"));
  }
}
