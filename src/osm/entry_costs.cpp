#include "entry_costs.h"

#include <cmath>

namespace lodestar::osm {
namespace {

std::uint32_t tenths(double seconds) {
  return static_cast<std::uint32_t>(std::lround(10 * seconds));
}

}  // namespace

EntryCosts::EntryCosts(const Roads& roads, const RawRoads& raw, const Profile& profile,
                       bool by_length, bool turns)
    : roads_(roads),
      raw_(raw),
      costs_(turns && !by_length ? profile.turn_costs() : TurnCosts{}),
      penalty_(by_length ? 0 : tenths(profile.entry_seconds())),
      by_length_(by_length) {
  if (!costs_.any()) return;
  degree_.assign(roads.node_id.size(), 0);
  for (const Segment& segment : roads.segments) {
    ++degree_[segment.from];
    ++degree_[segment.to];
  }
}

FinalArc EntryCosts::arc(NodeId tail, NodeId head, const RoadArc& to, bool from_restricted,
                         const RoadArc* from) const {
  std::uint32_t entry = by_length_ ? 0 : roads_.passing[to.tail];
  if (from != nullptr && costs_.any()) entry += turn(*from, to);
  const std::uint32_t penalty = to.restricted && !from_restricted ? penalty_ : 0;
  return {tail, head, to.weight + entry + penalty, to.duration + entry, to.segment, entry};
}

// The direction of a road arc where it begins, or where it ends; in degrees.
double EntryCosts::bearing(const RoadArc& arc, bool at_end) const {
  const std::uint32_t s = arc.segment / 2;
  const bool against = arc.segment % 2 != 0;
  const std::uint64_t begin = roads_.segments[s].first_point, end = roads_.end_point(s);
  Point from = roads_.node_point[at_end ? arc.head : arc.tail].degrees();
  Point to = roads_.node_point[at_end ? arc.tail : arc.head].degrees();
  if (end > begin) to = roads_.points[at_end == against ? begin : end - 1].degrees();
  if (at_end) std::swap(from, to);
  const double radian = 3.14159265358979323846 / 180;
  return std::atan2((to.x - from.x) * std::cos(from.y * radian), to.y - from.y) / radian;
}

std::uint32_t EntryCosts::turn(const RoadArc& from, const RoadArc& to) const {
  const bool back = to.segment == (from.segment ^ 1);
  if (!back && degree_[to.tail] <= 2) return 0;  // only a way ends here
  const double angle = back ? 180 : std::remainder(bearing(to, false) - bearing(from, true), 360);
  const RawWay& way = raw_.ways[roads_.segments[to.segment / 2].way];
  const bool left = raw_.streets[way.street].detail.left != 0;
  return tenths(costs_.seconds(angle, back, left));
}

}  // namespace lodestar::osm
