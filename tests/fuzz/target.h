// A fuzz target: any bytes in, no crash, and what is read holds together.
//
//   FUZZ_TARGET(dimacs) { read_and_check(bytes, "fuzz.gr"); }
//
// Built twice: with clang as a libFuzzer program each (preset fuzz), and with any compiler into
// fuzz_smoke, which replays the corpus and some mutations of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "lodestar/graph_io.h"

namespace lodestar::fuzz {

using Target = void (*)(std::string_view bytes);

// For fuzz_smoke: adds a target under its name.
struct Registration {
  Registration(const char* name, Target target);
};

inline void require(bool condition) {
  if (!condition) std::abort();
}

// Walks everything a search would: a bad index shows under the sanitizers, a bad value here.
inline void check(const GraphFile& file) {
  const Graph& graph = file.graph;
  std::size_t arcs[2] = {0, 0};
  for (NodeId u = 0; u < graph.node_count(); ++u) {
    for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
      for (const Arc arc : graph.arcs(u, direction)) {
        require(arc.head < graph.node_count());
        require(arc.weight >= 0 && arc.weight < kInfinity);
        ++arcs[static_cast<int>(direction)];
      }
    }
  }
  require(arcs[0] == graph.arc_count() && arcs[1] == graph.arc_count());
  require(graph.points().size() == (graph.has_coordinates() ? graph.node_count() : 0));
  for (NodeId v = 0; v < graph.node_count() && v < 64; ++v) {
    require(file.names.find(file.names.name(v)) == v);
  }
  require(what_is_wrong(file.metrics, graph.arc_count()).empty());
}

inline void read_and_check(std::string_view bytes, const std::string& name,
                           const ReadOptions& options = {}) {
  try {
    check(parse_graph(bytes, name, options));
  } catch (const Error& error) {
    require(std::string_view(error.what()).starts_with(name));  // says where
  }
}

}  // namespace lodestar::fuzz

#ifdef LODESTAR_LIBFUZZER
#define FUZZ_TARGET(name)                                                             \
  static void fuzz_##name(std::string_view bytes);                                    \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);  \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) { \
    fuzz_##name({reinterpret_cast<const char*>(data), size});                         \
    return 0;                                                                         \
  }                                                                                   \
  static void fuzz_##name(std::string_view bytes)
#else
#define FUZZ_TARGET(name)                                                            \
  static void fuzz_##name(std::string_view bytes);                                   \
  static const lodestar::fuzz::Registration name##_registration{#name, fuzz_##name}; \
  static void fuzz_##name(std::string_view bytes)
#endif
