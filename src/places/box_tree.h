// Boxes in a packed tree: sorted along a Hilbert curve, sixteen to a parent, no pointers.
//
//   BoxTree tree(std::move(boxes));                   // tree.order()[i]: which box came i-th
//   tree.nearest(q, scale, [&](std::uint32_t i) { return squared distance of what box i holds; });
#pragma once

#include <algorithm>
#include <cstdint>
#include <queue>
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

  // Calls visit(i), i in tree order, for boxes that may hold something nearer than what was seen,
  // nearest boxes first. visit returns a squared distance in the scaled plane.
  template <class Visit>
  void nearest(Point q, Point scale, Visit&& visit) const {
    if (boxes_.empty()) return;
    struct Entry {
      double square;
      std::uint32_t node;  // in boxes_
      bool operator<(const Entry& other) const {
        return square != other.square ? square > other.square : node > other.node;
      }
    };
    static thread_local std::vector<Entry> heap;
    heap.clear();
    double best = kInfinity;
    const auto push = [&](std::uint32_t level, std::uint32_t begin, std::uint32_t end) {
      const std::uint32_t base = level_[level];
      for (std::uint32_t i = begin; i < end; ++i) {
        const double square = square_to(boxes_[base + i], q, scale);
        if (square > best) continue;
        heap.push_back({square, base + i});
        std::push_heap(heap.begin(), heap.end());
      }
    };
    const auto top = static_cast<std::uint32_t>(level_.size() - 2);
    best = visit(leaf_towards(q, scale));  // a first guess spares most of the pushes
    push(top, 0, level_[top + 1] - level_[top]);
    while (!heap.empty()) {
      const Entry entry = heap.front();
      if (entry.square > best) break;
      std::pop_heap(heap.begin(), heap.end());
      heap.pop_back();
      std::uint32_t level = 0;
      while (entry.node >= level_[level + 1]) ++level;
      const std::uint32_t i = entry.node - level_[level];
      if (level == 0) {
        best = std::min(best, visit(i));
        continue;
      }
      const std::uint32_t below = level_[level] - level_[level - 1];
      push(level - 1, i * kFan, std::min(below, (i + 1) * kFan));
    }
  }

 private:
  static constexpr std::uint32_t kFan = 16;

  // Down the tree, always into the nearest box.
  std::uint32_t leaf_towards(Point q, Point scale) const {
    auto level = static_cast<std::uint32_t>(level_.size() - 2);
    std::uint32_t begin = 0, end = level_[level + 1] - level_[level];
    for (;;) {
      std::uint32_t nearest = begin;
      double least = kInfinity;
      for (std::uint32_t i = begin; i < end; ++i) {
        const double square = square_to(boxes_[level_[level] + i], q, scale);
        if (square < least) nearest = i;
        least = std::min(least, square);
      }
      if (level == 0) return nearest;
      const std::uint32_t below = level_[level] - level_[level - 1];
      begin = nearest * kFan;
      end = std::min(below, begin + kFan);
      --level;
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
