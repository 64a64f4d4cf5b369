// Parses weight updates of clients into arcs and weights.
//
//   {"updates": [{"arc": 17, "weight": 3.5},             // an arc by its number
//                {"from": "a", "to": "b", "factor": 2},  // every arc between two nodes
//                {"way": 4711, "factor": 1.5}]}          // every arc of an OpenStreetMap way
//
// or CSV with one of these headers: arc,weight  arc,factor  from,to,weight  from,to,factor
// way,factor  way,weight  weight (every arc's, in order: a whole file). A factor is of the weight
// in the graph's file, so that sending it twice changes nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lodestar/graph_io.h"

namespace lodestar::server {

struct WeightChange {
  ArcIndex arc = 0;  // in the order of Graph::weights() of the file as it was read
  Weight weight = 0;
  friend bool operator==(const WeightChange&, const WeightChange&) = default;
};

struct WeightUpdate {
  bool reset = false;  // back to the file's weights first
  std::vector<WeightChange> changes;
  std::optional<std::uint64_t> expect;  // only if this is the version now
};

// Finds arcs by number, by nodes or by OpenStreetMap way. Immutable and thread-safe.
class ArcFinder {
 public:
  explicit ArcFinder(const GraphFile& file);  // which must outlive it

  const std::vector<Weight>& weights() const { return weights_; }
  // Throws Refusal on invalid input.
  WeightUpdate parse(std::string_view body, std::string_view content_type) const;

 private:
  class Collector;
  const GraphFile& file_;
  std::vector<Weight> weights_;                            // of the file
  std::vector<std::pair<std::int64_t, ArcIndex>> by_way_;  // sorted
};

// "arc,weight" and a line for each arc: those that differ from `given`, or all of them. parse()
// accepts it.
std::string weights_csv(const std::vector<Weight>& given, const std::vector<Weight>& now, bool all);

}  // namespace lodestar::server
