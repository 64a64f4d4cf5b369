#include "lodestar/shape.h"

#include <algorithm>
#include <cmath>

namespace lodestar {
namespace {

template <class T>
bool ascends_to(std::span<const T> first, std::uint64_t last) {
  if (first.empty() || first.front() != 0 || first.back() != last) return false;
  return std::is_sorted(first.begin(), first.end());
}

// Zigzag encoding: maps small differences 0, -1, 1, -2, … to small numbers.
std::uint64_t folded(std::int64_t before, std::int64_t after) {
  const std::uint64_t step = static_cast<std::uint64_t>(after) - static_cast<std::uint64_t>(before);
  return step << 1 ^ (step >> 63 != 0 ? ~std::uint64_t{0} : 0);
}

std::int64_t unfolded(std::int64_t before, std::uint64_t fold) {
  const std::uint64_t step = fold >> 1 ^ ((fold & 1) != 0 ? ~std::uint64_t{0} : 0);
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(before) + step);
}

}  // namespace

void IdListBuilder::add(std::int64_t id) {
  if (count++ % IdList::kStride == 0) {
    anchors.push_back({id, steps.size()});
  } else {
    std::uint64_t fold = folded(last, id);
    for (; fold >= 0x80; fold >>= 7) steps += static_cast<char>(0x80 | (fold & 0x7f));
    steps += static_cast<char>(fold);
  }
  last = id;
}

std::vector<std::int64_t> IdList::part(std::size_t begin, std::size_t end) const {
  std::vector<std::int64_t> ids;
  ids.reserve(end - begin);
  std::int64_t id = 0;
  std::uint64_t at = 0;
  for (std::size_t i = begin / kStride * kStride; i < end; ++i) {
    if (i % kStride == 0) {
      id = anchors[i / kStride].id;
      at = anchors[i / kStride].next;
    } else {
      std::uint64_t fold = 0;
      for (int shift = 0;; shift += 7) {
        const auto byte = static_cast<unsigned char>(steps[at++]);
        fold |= std::uint64_t{byte & 0x7fu} << shift;
        if (byte < 0x80) break;
      }
      id = unfolded(id, fold);
    }
    if (i >= begin) ids.push_back(id);
  }
  return ids;
}

bool IdList::holds(std::size_t count) const {
  if (anchors.size() != (count + kStride - 1) / kStride) return false;
  std::uint64_t at = 0;
  for (std::size_t a = 0; a < anchors.size(); ++a) {
    if (anchors[a].next != at) return false;
    const std::size_t left = std::min(kStride, count - a * kStride) - 1;
    for (std::size_t i = 0; i < left; ++i) {
      int bytes = 0;
      do {
        if (at == steps.size() || ++bytes > 10) return false;
      } while (static_cast<unsigned char>(steps[at++]) >= 0x80);
      if (bytes == 10 && static_cast<unsigned char>(steps[at - 1]) > 1) return false;
    }
  }
  return at == steps.size();
}

std::vector<std::string> Shape::notes() const {
  std::vector<std::string> lines;
  std::string_view rest(remarks.data(), remarks.size());
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    if (end > 0) lines.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return lines;
}

Shape ShapeBuilder::build() && {
  const auto kept = std::make_shared<const ShapeBuilder>(std::move(*this));
  Shape shape;
  shape.arc_based = kept->arc_based;
  shape.arc_segment = kept->arc_segment;
  shape.arc_duration = kept->arc_duration;
  shape.segment_length = kept->segment_length;
  shape.segment_street = kept->segment_street;
  shape.segment_way = kept->segment_way;
  shape.first_point = kept->first_point;
  shape.points = kept->points;
  shape.first_letter = kept->first_letter;
  shape.letters = kept->letters;
  shape.node_id = kept->node_id;
  shape.remarks = kept->remarks;
  shape.street_detail = kept->street_detail;
  shape.point_id = {kept->point_id.anchors, kept->point_id.steps};
  shape.arc_entry = kept->arc_entry;
  shape.keeper = kept;
  return shape;
}

std::string what_is_wrong(const Shape& shape, std::size_t nodes, std::size_t arcs) {
  const std::size_t segments = shape.segment_count();
  if (shape.arc_segment.size() != arcs || shape.arc_duration.size() != arcs ||
      shape.node_id.size() != nodes || shape.segment_street.size() != segments ||
      shape.segment_way.size() != segments || shape.first_point.size() != segments + 1 ||
      shape.first_letter.empty()) {
    return "its shape does not fit the graph";
  }
  if (!ascends_to(shape.first_point, shape.points.size()) ||
      !ascends_to(shape.first_letter, shape.letters.size())) {
    return "rows of its shape do not ascend";
  }
  std::uint32_t segment = 0, street = 0;
  for (const std::uint32_t s : shape.arc_segment) segment = std::max(segment, s / 2);
  for (const std::uint32_t s : shape.segment_street) street = std::max(street, s);
  if (arcs > 0 && segment >= segments) return "an arc's segment is out of range";
  if (segments > 0 && street + std::size_t{1} >= shape.first_letter.size()) {
    return "a segment's street is out of range";
  }
  if (!shape.street_detail.empty()) {
    const std::size_t texts = shape.first_letter.size() - 1;
    if (shape.street_detail.size() > texts ||
        (segments > 0 && street >= shape.street_detail.size())) {
      return "a street has no details";
    }
    const auto known = [&](std::uint32_t text) {
      return text == StreetDetail::kNoText || text < texts;
    };
    for (const StreetDetail& detail : shape.street_detail) {
      if (!known(detail.ref) || !known(detail.destinations) || !known(detail.mode)) {
        return "a street's text is out of range";
      }
    }
  }
  if (!shape.arc_entry.empty()) {
    if (shape.arc_entry.size() != arcs) return "its arcs have no entry costs";
    for (std::size_t i = 0; i < arcs; ++i) {
      if (shape.arc_entry[i] > shape.arc_duration[i]) return "an arc takes less than its entry";
    }
  }
  if (!shape.point_id.empty() && !shape.point_id.holds(shape.points.size())) {
    return "the ids of its shape are damaged";
  }
  constexpr std::int32_t kHalfTurn = 1'800'000'000, kPole = 900'000'000;
  for (const FixedPoint& p : shape.points) {
    if (p.lon < -kHalfTurn || p.lon > kHalfTurn || p.lat < -kPole || p.lat > kPole) {
      return "a point of its shape has an invalid longitude or latitude";
    }
  }
  return {};
}

double distance_between(CoordinateKind kind, Point a, Point b) {
  if (kind != CoordinateKind::kDegrees) return std::hypot(b.x - a.x, b.y - a.y);
  constexpr double kRadius = 6371008.8;  // mean, in metres
  constexpr double kRadian = 3.14159265358979323846 / 180;
  const double across = std::sin((b.x - a.x) * kRadian / 2);
  const double up = std::sin((b.y - a.y) * kRadian / 2);
  const double square =
      up * up + std::cos(a.y * kRadian) * std::cos(b.y * kRadian) * across * across;
  return 2 * kRadius * std::asin(std::min(1.0, std::sqrt(square)));
}

}  // namespace lodestar
