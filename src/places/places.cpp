#include "lodestar/places.h"

#include <charconv>
#include <cmath>

#include "places/place_index.h"

namespace lodestar {

using namespace place_index;

namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kMetresPerDegree = 6371008.8 * kPi / 180;
// Metres from the end of a road that still belong to the junction; in the plane, none.
constexpr double kOnJunction = 0.1;

struct Foot {
  double square = kInfinity;  // of the distance, in the scaled plane
  double along = 0;           // share of the piece
};

Foot foot_on(Point a, Point b, Point q, Point scale) {
  const Point line = {(b.x - a.x) * scale.x, (b.y - a.y) * scale.y};
  const Point to = {(q.x - a.x) * scale.x, (q.y - a.y) * scale.y};
  const double square = line.x * line.x + line.y * line.y;
  const double along =
      square > 0 ? std::clamp((line.x * to.x + line.y * to.y) / square, 0.0, 1.0) : 0;
  const double dx = to.x - along * line.x, dy = to.y - along * line.y;
  return {dx * dx + dy * dy, along};
}

std::string number_text(double value) {
  char buffer[400];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed);
  return {buffer, end.ptr};
}

}  // namespace

std::vector<PlaceSide> Place::entries() const {
  std::vector<PlaceSide> out = exits();
  out.insert(out.end(), also.begin(), also.end());
  return out;
}
// All nodes of the OpenStreetMap node that `node` stands for; without a shape it stands for itself.
std::vector<NodeId> Places::junction_of(NodeId node) const {
  std::vector<NodeId> nodes = {node};
  if (shape_.empty()) return nodes;
  const Point point = graph_.points()[node];
  const auto for_each_other = [&](ArcIndex arc, auto&& use) {
    index_->for_each_other(shape_.arc_segment[arc], use);
  };
  const auto add = [&](NodeId other) {
    if (shape_.node_id[other] == shape_.node_id[node] && graph_.points()[other] == point) {
      nodes.push_back(other);
    }
  };
  // The answer 0 leads to every box that holds the point.
  index_->tree.nearest(point, {1, 1}, [&](std::uint32_t i) {
    const Road& road = index_->roads[index_->items[i].road];
    for (int d = 0; d < 2; ++d) {
      if (road.arc[d] == kNoArc) continue;
      add(road.tail[d]);
      add(head_of(graph_, road.arc[d]));
      for_each_other(road.arc[d], [&](const OtherArc& other) {
        add(other.tail);
        add(head_of(graph_, other.arc));
      });
    }
    return 0.0;
  });
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

std::vector<std::uint32_t> Places::components_of(const Place& place) const {
  std::vector<std::uint32_t> out;
  for (const NodeId node : place.nodes) out.push_back(index_->component[node]);
  for (const PlaceSide& side : place.exits()) out.push_back(index_->component[side.head]);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

void Places::join(std::span<Place* const> places,
                  const std::function<SnapOptions(std::size_t)>& options) const {
  if (index_->component.empty() || places.empty()) return;
  std::vector<std::uint32_t> shared = components_of(*places[0]);
  for (const Place* place : places.subspan(1)) {
    const std::vector<std::uint32_t> those = components_of(*place);
    std::erase_if(shared, [&](std::uint32_t one) {
      return !std::binary_search(those.begin(), those.end(), one);
    });
  }
  if (!shared.empty()) return;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::vector<std::uint32_t> those = components_of(*places[i]);
    if (std::any_of(those.begin(), those.end(),
                    [&](std::uint32_t one) { return index_->small[one] == 0; })) {
      continue;
    }
    SnapOptions large = options(i);
    large.large = true;
    try {
      *places[i] = nearest(places[i]->asked, large);
    } catch (const Error&) {  // no such road within the limit
    }
  }
}

std::pair<Place, Place> Places::nearest(Point from, Point to, double limit) const {
  const SnapOptions options{.limit = limit};
  std::pair<Place, Place> out{nearest(from, options), nearest(to, options)};
  Place* const both[] = {&out.first, &out.second};
  join(both, [&](std::size_t) { return options; });
  return out;
}

Place Places::nearest(Point point, const SnapOptions& options) const {
  const double limit = options.limit < 0 ? default_limit() : options.limit;
  const bool passing = options.any || index_->passing.empty();
  const bool large = options.large && !index_->component.empty();
  const bool picky = options.open || options.bearing || !passing || large;
  const CoordinateKind kind = graph_.coordinate_kind();
  const bool degrees = kind == CoordinateKind::kDegrees;
  const auto no_road = [&](const std::string& why) {
    return Error("no road near " + number_text(point.x) + "," + number_text(point.y) + ": " + why);
  };
  if (index_->items.empty()) throw no_road("the graph has no arcs");
  Point scale{1, 1};
  if (degrees) {
    scale = {kMetresPerDegree * std::cos(point.y * kPi / 180), kMetresPerDegree};
  }
  const double tolerance = degrees ? kOnJunction : 0;
  // A junction at the point goes before roads that only pass by, on a bridge above it for example:
  // its rank is below 0. In the plane it must be the point itself, as far as offsets can tell.
  const auto junction_rank = [&](Offset end, Point seen) {
    const double dx = (end.x - seen.x) * scale.x, dy = (end.y - seen.y) * scale.y;
    const double square = dx * dx + dy * dy;
    const bool same =
        degrees ? square <= tolerance * tolerance
                : end.x == static_cast<float>(seen.x) && end.y == static_cast<float>(seen.y);
    return same ? square - 1 : kInfinity;
  };
  double best = kInfinity;  // the square of a distance, or the rank of a junction
  Point asked = point;
  std::uint32_t best_road = 0;
  std::size_t best_piece = 0;
  // Whether a direction of travel is one that was asked for; a to b is a piece of the road's line.
  const auto fits = [&](const Road& road, int d, Point a, Point b) {
    if (road.arc[d] == kNoArc || (options.open && !options.open(road.arc[d]))) return false;
    if (!options.bearing) return true;
    const double sign = d == 0 ? 1 : -1;
    const double angle =
        std::atan2(sign * (b.x - a.x) * scale.x, sign * (b.y - a.y) * scale.y) * 180 / kPi;
    const double off = std::abs(std::remainder(angle - options.bearing->value, 360));
    return off <= options.bearing->range;
  };
  const auto closed = [&](std::uint32_t road, Point a, Point b) {
    if (!picky) return false;
    if (!passing && index_->passing[road] != 0) return true;
    if (large && index_->is_small(index_->roads[road])) return true;
    return !fits(index_->roads[road], 0, a, b) && !fits(index_->roads[road], 1, a, b);
  };
  const auto search = [&](Point q) {
    index_->tree.nearest(q, scale, [&](std::uint32_t i) {
      const Box& box = index_->tree.leaf(i);
      const Point seen{q.x - box.low_x, q.y - box.low_y};
      const Offset* offset = index_->points.data() + index_->first[i];
      const std::uint32_t pieces = index_->first[i + 1] - index_->first[i] - 1;
      for (std::uint32_t piece = 0; piece < pieces; ++piece) {
        const Point a{offset[piece].x, offset[piece].y};
        const Point b{offset[piece + 1].x, offset[piece + 1].y};
        double rank = foot_on(a, b, seen, scale).square;
        const Item item = index_->items[i];
        if (item.begin + piece == 0) rank = std::min(rank, junction_rank(offset[0], seen));
        if (item.last && piece + 1 == pieces) {
          rank = std::min(rank, junction_rank(offset[pieces], seen));
        }
        // Of equally near roads the first counts, whatever the tree looks like.
        if (rank > best || (rank == best && item.road >= best_road)) continue;
        if (closed(item.road, a, b)) continue;
        best = rank;
        best_road = item.road;
        best_piece = item.begin + piece;
        asked = q;
      }
      // Where the nearest roads are closed, those beyond the limit are not looked at.
      return std::max(picky ? std::min(best, limit * limit) : best, tolerance * tolerance);
    });
  };
  search(point);
  // Beyond the 180th meridian the map goes on at the other side.
  if (degrees && std::abs(point.x) > 179) search({point.x + (point.x > 0 ? -360 : 360), point.y});

  if (best == kInfinity) throw no_road("all roads within the limit are closed");
  const Road& road = index_->roads[best_road];
  const auto line = index_->line_of(graph_, shape_, road);
  Place place;
  place.asked = point;
  const Point a = line.at(best_piece), b = line.at(best_piece + 1);
  const Foot foot = foot_on(a, b, asked, scale);  // now to the last digit
  double behind = 0, length = 0;
  for (std::size_t i = 0; i < line.pieces(); ++i) {
    const double piece = distance_between(kind, line.at(i), line.at(i + 1));
    if (i < best_piece) behind += piece;
    if (i == best_piece) behind += foot.along * piece;
    length += piece;
  }
  behind = std::min(behind, length);
  double share = length > 0 ? behind / length : 0;
  place.at = {a.x + foot.along * (b.x - a.x), a.y + foot.along * (b.y - a.y)};
  place.distance = std::sqrt(foot.square);
  if (std::min(behind, length - behind) <= tolerance) {
    share = behind <= length - behind ? 0 : 1;
    const NodeId node = share == 0 ? line.tail : line.head;
    place.at = graph_.points()[node];
    place.distance = std::hypot((place.at.x - asked.x) * scale.x, (place.at.y - asked.y) * scale.y);
    if (!options.bearing) place.nodes = junction_of(node);
  }
  if (place.distance > limit) {
    const std::string unit = degrees ? " m" : "";
    throw no_road("the nearest is " + number_text(std::round(place.distance)) + unit +
                  " away, the limit is " + number_text(limit) + unit);
  }
  // The kerb: right of the line is where vehicles drive along it that keep right.
  const double across = (b.x - a.x) * scale.x * (asked.y - place.at.y) * scale.y -
                        (b.y - a.y) * scale.y * (asked.x - place.at.x) * scale.x;
  const bool chosen = (options.curb || options.opposite) && across != 0 && place.nodes.empty() &&
                      fits(road, 0, a, b) && fits(road, 1, a, b);
  const bool left = !shape_.empty() && shape_.detail(shape_.segment(road.arc[0])).left != 0;
  const int kerb = (across > 0) != left ? 1 : 0;
  for (int d = 0; d < 2; ++d) {
    if (options.bearing ? !fits(road, d, a, b) : road.arc[d] == kNoArc) continue;
    if (chosen && (d == kerb) != options.curb) continue;
    const auto side = [&](NodeId tail, ArcIndex arc) {
      const double along = d == 0 ? share : 1 - share;
      const Weight weight = weight_of(graph_, arc);
      return PlaceSide{tail,  head_of(graph_, arc),           arc, weight,
                       along, shape_.paid(arc, along, weight)};
    };
    place.side[static_cast<std::size_t>(place.sides++)] = side(road.tail[d], road.arc[d]);
    if (shape_.empty() || index_->others.empty()) continue;
    index_->for_each_other(shape_.arc_segment[road.arc[d]], [&](const OtherArc& other) {
      place.also.push_back(side(other.tail, other.arc));
    });
  }
  if (!shape_.empty()) place.street = shape_.street(shape_.segment(road.arc[0]));
  return place;
}

}  // namespace lodestar
