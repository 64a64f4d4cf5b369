// What reading a graph decided and an answer depends on ("no weights; each is 1"): every verb that
// answers says it, on stderr and in the first object of --json.
#pragma once

#include <fmt/core.h>

#include "lodestar/graph_io.h"

namespace lodestar::cli {

inline void print_notes(const GraphFile& file, const std::string& path) {
  for (const std::string& note : file.notes) fmt::print(stderr, "note: {}: {}\n", path, note);
}

// `out` is any object of nlohmann's.
template <class Json>
void add_notes(Json& out, const std::vector<std::string>& notes) {
  if (!notes.empty()) out["notes"] = notes;
}

}  // namespace lodestar::cli
