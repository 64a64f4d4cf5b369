// Boxes in a packed tree: sorted along a Hilbert curve, sixteen to a parent, no pointers.
//
//   BoxTree tree(std::move(boxes));                   // tree.order()[i]: which box came i-th
//   tree.nearest(q, scale, [&](std::uint32_t i) { return squared distance of what box i holds; });
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "lodestar/graph.h"

namespace lodestar {

struct Box {
  float low_x, low_y, high_x, high_y;
};

// The smallest box of floats around points given as doubles.
class BoxAround {
 public:
  void add(Point p);
  Box box() const;

 private:
  Point low_{kInfinity, kInfinity};
  Point high_{-kInfinity, -kInfinity};
};

class BoxTree {
 public:
  explicit BoxTree(std::vector<Box> boxes);
  const std::vector<std::uint32_t>& order() const { return order_; }
  void forget_order() { order_ = {}; }
  const Box& leaf(std::uint32_t i) const { return boxes_[i]; }
  std::size_t bytes() const { return boxes_.size() * sizeof(Box); }

  // Calls visit(i), i in tree order, for boxes that may hold something as near as what was seen,
  // and for the likeliest first. visit returns a squared distance in the scaled plane.
  template <class Visit>
  void nearest(Point q, Point scale, Visit&& visit) const {
    if (boxes_.empty()) return;
    double best = kInfinity;
    const auto top = static_cast<std::uint32_t>(level_.size() - 2);
    descend(top, 0, level_[top + 1] - level_[top], q, scale, best, visit);
  }

 private:
  static constexpr std::uint32_t kFan = 16;

  // Into the nearest box, then into the next nearest, as long as one is no farther than the best:
  // every box is measured once, and no queue is needed.
  template <class Visit>
  void descend(std::uint32_t level, std::uint32_t begin, std::uint32_t end, Point q, Point scale,
               double& best, Visit& visit) const {
    double square[kFan];
    std::uint32_t order[kFan];
    const std::uint32_t count = end - begin;
    const Box* boxes = boxes_.data() + level_[level] + begin;
    for (std::uint32_t i = 0; i < count; ++i) {
      square[i] = square_to(boxes[i], q, scale);
      order[i] = i;
    }
    for (std::uint32_t left = count; left > 0; --left) {
      std::uint32_t nearest = 0;
      for (std::uint32_t k = 1; k < left; ++k) {
        if (square[k] < square[nearest]) nearest = k;
      }
      if (square[nearest] > best) return;
      const std::uint32_t i = begin + order[nearest];
      // Those not yet seen stay in front.
      square[nearest] = square[left - 1];
      order[nearest] = order[left - 1];
      if (level == 0) {
        best = std::min(best, visit(i));
        continue;
      }
      const std::uint32_t below = level_[level] - level_[level - 1];
      descend(level - 1, i * kFan, std::min(below, (i + 1) * kFan), q, scale, best, visit);
    }
  }

  static double square_to(const Box& box, Point q, Point scale) {
    const double dx = std::max({double{box.low_x} - q.x, q.x - double{box.high_x}, 0.0}) * scale.x;
    const double dy = std::max({double{box.low_y} - q.y, q.y - double{box.high_y}, 0.0}) * scale.y;
    return dx * dx + dy * dy;
  }

  std::vector<Box> boxes_;            // leaves, their parents, … , the roots
  std::vector<std::uint32_t> level_;  // where each level begins in boxes_, and the end
  std::vector<std::uint32_t> order_;
};

}  // namespace lodestar
