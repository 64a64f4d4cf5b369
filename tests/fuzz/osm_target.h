// What the targets of both OpenStreetMap formats check.
#pragma once

#include "lodestar/osm.h"
#include "lodestar/shape.h"
#include "target.h"

namespace lodestar::fuzz {

// With and without turns: graph and shape must hold together, and errors must name the file.
inline void import_and_check(std::string_view bytes, const std::string& name) {
  for (const bool turns : {false, true}) {
    try {
      const GraphFile file = parse_osm(bytes, name, {.turns = turns, .all = true, .threads = 1});
      check(file);
      if (file.shape.empty()) continue;
      require(what_is_wrong(file.shape, file.graph.node_count(), file.graph.arc_count()).empty());
      for (std::uint32_t s = 0; s < file.shape.segment_count(); ++s) {
        require(file.shape.street(s).size() <= file.shape.letters.size());
      }
    } catch (const Error& error) {
      require(std::string_view(error.what()).starts_with(name));
    }
  }
}

}  // namespace lodestar::fuzz
