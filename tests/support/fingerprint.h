// One number for all of a graph: coordinates, arcs and weights. Or for arrays of numbers.
#pragma once

#include <bit>
#include <type_traits>

#include "lodestar/graph.h"
#include "lodestar/rng.h"

namespace lodestar::testing {

inline std::uint64_t fingerprint(const Graph& graph) {
  std::uint64_t hash = graph.node_count();
  const auto add = [&](std::uint64_t word) { hash = mix64(hash ^ word); };
  for (NodeId u = 0; u < graph.node_count(); ++u) {
    if (graph.has_coordinates()) {
      add(std::bit_cast<std::uint64_t>(graph.points()[u].x));
      add(std::bit_cast<std::uint64_t>(graph.points()[u].y));
    }
    for (const Arc arc : graph.arcs(u)) {
      add(arc.head);
      add(std::bit_cast<std::uint64_t>(static_cast<double>(arc.weight)));
    }
  }
  return hash;
}

class Fingerprint {
 public:
  template <class T>
  Fingerprint& add(T number) {
    if constexpr (std::is_floating_point_v<T>) {
      hash_ = mix64(hash_ ^ std::bit_cast<std::uint64_t>(static_cast<double>(number)));
    } else {
      hash_ = mix64(hash_ ^ static_cast<std::uint64_t>(number));
    }
    return *this;
  }
  template <class Numbers>
  Fingerprint& add_all(const Numbers& numbers) {
    add(numbers.size());
    for (const auto& number : numbers) add(number);
    return *this;
  }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0;
};

}  // namespace lodestar::testing
