// Basic types: nodes, weights, costs, queries, and the exception type.
#pragma once

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

namespace lodestar {

using NodeId = std::uint32_t;  // 0 … n-1; NodeNames has the names of the file
using ArcIndex = std::uint32_t;
using Weight = double;  // one arc: 0, or from kLeastWeight to kLargestWeight
using Cost = double;    // a sum of weights, always summed in double

inline constexpr NodeId kNoNode = std::numeric_limits<NodeId>::max();
inline constexpr Cost kInfinity = std::numeric_limits<Cost>::infinity();

// The domain of weights is 0 and 1.03e-289 … 9.7e288. Paths of 2^32 arcs cannot overflow, and 2^-53
// of the smallest weight still has full precision, which the bounds and proofs need. Coordinates
// may be negative; the squares of their differences do not overflow.
inline constexpr Weight kLeastWeight = 0x1p-960;
inline constexpr Weight kLargestWeight = 0x1p960;
inline constexpr double kLeastCoordinate = 0x1p-400;
inline constexpr double kLargestCoordinate = 0x1p400;

inline constexpr bool is_weight(double w) {
  return w == 0 || (w >= kLeastWeight && w <= kLargestWeight);
}
inline constexpr bool is_coordinate(double x) {
  const double size = x < 0 ? -x : x;
  return size == 0 || (size >= kLeastCoordinate && size <= kLargestCoordinate);
}

struct Query {
  NodeId source = kNoNode;
  NodeId target = kNoNode;
  friend bool operator==(const Query&, const Query&) = default;
};

// The exception for invalid input: files, arguments, a model that does not fit a graph. what() says
// what is wrong, where, and what to do. "No path" is a result and not an Error.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message) : std::runtime_error(message) {}

  // "roads.gr:17: node 99 is out of range; the header announces 40 nodes"
  static Error at(const std::string& file, std::uint64_t line, const std::string& message) {
    return Error(file + ":" + std::to_string(line) + ": " + message);
  }
};

}  // namespace lodestar
