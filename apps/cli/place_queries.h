// Queries between places, as `solve` reads them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lodestar/graph.h"
#include "lodestar/types.h"

namespace lodestar::cli {

struct PlaceQuery {
  std::string from;  // as written
  std::string to;
  Point start;
  Point goal;
  std::optional<Cost> expected = {};
};

// Whether a query file's first line, or the one below a header, names places.
bool names_places(const std::string& path);
// Throws Error with file and line.
std::vector<PlaceQuery> read_place_queries(const std::string& path, CoordinateKind kind);
// One query, or those of a file if its name is not empty.
std::vector<PlaceQuery> place_queries(const std::string& from, const std::string& to,
                                      const std::string& file, CoordinateKind kind);

}  // namespace lodestar::cli
