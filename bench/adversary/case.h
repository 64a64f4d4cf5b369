// Graphs drawn to break searches, and an oracle that shares no code with the searches.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lodestar/graph.h"
#include "lodestar/types.h"

namespace adversary {

struct CaseArc {
  std::uint32_t tail, head;
  double weight;
  double before;  // weight when potentials were made; it may have changed since
};

// Graphs up to this size are small: all methods run on them.
inline constexpr std::uint32_t kSmall = 1000;

struct Case {
  std::uint64_t seed = 0;
  std::string name;
  std::uint32_t nodes = 0;
  std::vector<CaseArc> arcs;
  bool exact_sums = false;  // whole multiples of one unit: every sum is exact
  lodestar::CoordinateKind kind = lodestar::CoordinateKind::kNone;
  std::vector<lodestar::Point> points;

  bool small() const { return nodes <= kSmall; }
  lodestar::Graph graph(bool before = false) const;
  std::string text() const;  // as a CSV file, digits enough to make it again
};

// A pure function of the seed. One case in `rarity` is a chain of a million nodes.
Case draw(std::uint64_t seed, std::uint64_t rarity);

// Distances by label correction over plain lists: rounded sums from the source on, as Dijkstra's.
class Judge {
 public:
  explicit Judge(const Case& c);
  // Of a small graph the distances are kept, of a large one until the next call.
  const std::vector<double>& distances(std::uint32_t source);
  // The cost of a path; infinite if it is not a path.
  double cost_of(const std::vector<lodestar::NodeId>& path) const;

 private:
  struct Way {
    std::uint32_t head;
    double weight;
  };
  std::vector<std::vector<Way>> ways_;
  std::vector<double> least_;              // [n × n] if the graph is small: the cheapest arc
  std::vector<std::vector<double>> rows_;  // by source if the graph is small, otherwise one
  std::vector<std::uint32_t> queue_;
  std::vector<char> queued_;
};

}  // namespace adversary
