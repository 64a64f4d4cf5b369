// The shape of a graph of two nodes with one segment between them: arc 0 goes along it, arc 1 back.
#pragma once

#include <string>
#include <vector>

#include "lodestar/shape.h"

namespace lodestar::testing {

inline ShapeBuilder one_segment(std::string street, std::vector<FixedPoint> bends = {}) {
  ShapeBuilder shape;
  shape.points = std::move(bends);
  shape.first_point = {0, shape.points.size()};
  shape.segment_length = {1000};
  shape.segment_way = {7};
  shape.segment_street = {0};
  shape.first_letter = {0, street.size()};
  shape.letters = std::move(street);
  shape.arc_segment = {0, 1};
  shape.arc_duration = {100, 100};
  shape.node_id = {0, 1};
  return shape;
}

}  // namespace lodestar::testing
