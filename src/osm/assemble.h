// The graph and its shape, from roads.
#pragma once

#include <string>

#include "lodestar/graph_io.h"
#include "profile.h"
#include "roads.h"

namespace lodestar::osm {

struct Wishes {
  bool by_length = false;
  bool turns = false;
  bool all = false;
};

// Throws Error, naming `file`, when there is no road.
GraphFile assemble(RawRoads raw, Roads roads, const Profile& profile, const Wishes& wishes,
                   const std::string& file);

}  // namespace lodestar::osm
