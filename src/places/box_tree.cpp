#include "places/box_tree.h"

#include <cmath>
#include <limits>

#include "base/hilbert.h"

namespace lodestar {
namespace {

float below(double x) {
  const auto rounded = static_cast<float>(x);
  return rounded > x ? std::nextafter(rounded, -std::numeric_limits<float>::infinity()) : rounded;
}

float above(double x) {
  const auto rounded = static_cast<float>(x);
  return rounded < x ? std::nextafter(rounded, std::numeric_limits<float>::infinity()) : rounded;
}

void enclose(Box& box, const Box& other) {
  box.low_x = std::min(box.low_x, other.low_x);
  box.low_y = std::min(box.low_y, other.low_y);
  box.high_x = std::max(box.high_x, other.high_x);
  box.high_y = std::max(box.high_y, other.high_y);
}

}  // namespace

void BoxAround::add(Point p) {
  low_ = {std::min(low_.x, p.x), std::min(low_.y, p.y)};
  high_ = {std::max(high_.x, p.x), std::max(high_.y, p.y)};
}

Box BoxAround::box() const {
  return {below(low_.x), below(low_.y), above(high_.x), above(high_.y)};
}

BoxTree::BoxTree(std::vector<Box> boxes) {
  const auto count = static_cast<std::uint32_t>(boxes.size());
  level_.push_back(0);
  if (count == 0) return;
  Box all = boxes[0];
  for (const Box& box : boxes) enclose(all, box);
  const auto cell = [](double low, double high, double x) {
    const double share = high > low ? (x - low) / (high - low) : 0;
    return static_cast<std::uint32_t>(std::clamp(share * 65536, 0.0, 65535.0));
  };
  std::vector<std::uint64_t> keys(count);  // place on the curve, then which box
  for (std::uint32_t i = 0; i < count; ++i) {
    const Box& box = boxes[i];
    const std::uint32_t x = cell(all.low_x, all.high_x, (double{box.low_x} + box.high_x) / 2);
    const std::uint32_t y = cell(all.low_y, all.high_y, (double{box.low_y} + box.high_y) / 2);
    keys[i] = std::uint64_t{hilbert_place(x, y)} << 32 | i;
  }
  std::sort(keys.begin(), keys.end());
  boxes_.reserve(count + count / (kFan - 1) + 16);
  order_.reserve(count);
  for (const std::uint64_t key : keys) {
    order_.push_back(static_cast<std::uint32_t>(key));
    boxes_.push_back(boxes[order_.back()]);
  }
  // Parents, until few enough to look at all of them.
  for (std::uint32_t begin = 0, end = count;;) {
    level_.push_back(end);
    if (end - begin <= kFan) break;
    for (std::uint32_t i = begin; i < end; i += kFan) {
      Box parent = boxes_[i];
      for (std::uint32_t k = i + 1; k < std::min(end, i + kFan); ++k) enclose(parent, boxes_[k]);
      boxes_.push_back(parent);
    }
    begin = end;
    end = static_cast<std::uint32_t>(boxes_.size());
  }
}

}  // namespace lodestar
