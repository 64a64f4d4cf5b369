// Notes of the readers: what reading a graph decided and an answer depends on ("no weights; each is
// 1"). Every verb prints them on stderr, and adds them to the first object of --json.
#pragma once

#include <fmt/core.h>

#include "lodestar/graph_io.h"

namespace lodestar::cli {

inline void print_notes(const GraphFile& file, const std::string& path) {
  for (const std::string& note : file.notes) fmt::print(stderr, "note: {}: {}\n", path, note);
}

// For every verb that does not print the notes among its results.
inline GraphFile read_graph_with_notes(const std::string& path, const ReadOptions& options) {
  GraphFile file = read_graph(path, options);
  print_notes(file, path);
  return file;
}

// `out` is any object of nlohmann's.
template <class Json>
void add_notes(Json& out, const std::vector<std::string>& notes) {
  if (!notes.empty()) out["notes"] = notes;
}

}  // namespace lodestar::cli
