// ".osm.pbf", ".osm", ".osm.gz", ".osm.bz2", and ".pbf" alone, as osmium calls them.
#pragma once

#include <string>

#include "lodestar/types.h"

namespace lodestar::osm {

inline std::string osmium_format(const std::string& name) {
  if (name.ends_with(".pbf")) return "pbf";
  if (name.ends_with(".osm")) return "osm";
  if (name.ends_with(".osm.gz")) return "osm.gz";
  if (name.ends_with(".osm.bz2")) return "osm.bz2";
  throw Error(name + ": is no extract; known are .osm.pbf .osm .osm.gz .osm.bz2");
}

}  // namespace lodestar::osm
