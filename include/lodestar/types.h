// The words every other file uses: nodes, weights, costs, queries, and the one exception type.
#pragma once

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

namespace lodestar {

using NodeId = std::uint32_t;  // 0 … n-1; files may use other names, see NodeNames
using ArcIndex = std::uint32_t;
using Weight = double;  // one arc: finite, ≥ 0
using Cost = double;    // a sum of weights, always summed in double

inline constexpr NodeId kNoNode = std::numeric_limits<NodeId>::max();
inline constexpr Cost kInfinity = std::numeric_limits<Cost>::infinity();

struct Query {
  NodeId source = kNoNode;
  NodeId target = kNoNode;
  friend bool operator==(const Query&, const Query&) = default;
};

// Thrown only where outside data enters: files, arguments, a model that does not fit a graph.
// what() says what is wrong, where, and what to do about it. "No path" is a value, not an Error.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message) : std::runtime_error(message) {}

  // "roads.gr:17: node 99 is out of range; the header announces 40 nodes"
  static Error at(const std::string& file, std::uint64_t line, const std::string& message) {
    return Error(file + ":" + std::to_string(line) + ": " + message);
  }
};

}  // namespace lodestar
