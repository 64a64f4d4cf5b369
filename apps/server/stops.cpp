// The places of a request, located on the graph.
#include <cmath>

#include "message.h"
#include "request_context.h"

namespace lodestar::server {

std::vector<Stop> RequestContext::stops() const {
  std::vector<Stop> out(request.size());
  if (request.by_name) {
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i].node = world.file.names.find(request.names[i]);
      if (out[i].node >= world.file.graph.node_count()) {
        refuse("InvalidValue", "there is no node '" + request.names[i] + "'");
      }
    }
    return out;
  }
  if (!world.places) {
    refuse("InvalidOptions",
           "this graph has no coordinates to find places by; ask by node names, with the "
           "profile nodes");
  }
  for (std::size_t i = 0; i < out.size(); ++i) out[i].place = snapped(i, snapping(i));
  if (out.size() > 1) {
    std::vector<Place*> places;
    for (Stop& stop : out) places.push_back(&stop.place);
    world.places->join(places, [this](std::size_t i) { return snapping(i); });
  }
  return out;
}

SnapOptions RequestContext::snapping(std::size_t place) const {
  SnapOptions out;
  if (!request.radiuses.empty()) out.limit = request.radiuses[place];
  if (requests_) out.open = [this](ArcIndex arc) { return requests_->weight(arc) != kInfinity; };
  if (!request.bearings.empty()) out.bearing = request.bearings[place];
  if (!request.approaches.empty()) {
    out.curb = request.approaches[place] == Approach::kCurb;
    out.opposite = request.approaches[place] == Approach::kOpposite;
  }
  out.any = request.snap_any;
  return out;
}

Place RequestContext::snapped(std::size_t place, const SnapOptions& options) const {
  const Point point = request.points[place];
  const bool degrees = world.file.graph.coordinate_kind() == CoordinateKind::kDegrees;
  if (degrees && !(std::abs(point.x) <= 180 && std::abs(point.y) <= 90)) {
    refuse("InvalidValue",
           "longitudes lie within -180 … 180 and come first, latitudes within -90 … 90");
  }
  if (requests_) deadline.check();
  try {
    return world.places->nearest(point, options);
  } catch (const Error& error) {
    refuse("NoSegment", error.what());
  }
}

std::vector<Stop> RequestContext::nearest() const {
  std::vector<Stop> out = stops();
  const Shape& shape = world.file.shape;
  const auto road = [&](ArcIndex arc) { return shape.empty() ? arc : shape.segment(arc); };
  while (out.size() < request.number && !request.by_name) {
    SnapOptions options = snapping(0);
    options.open = [&, before = std::move(options.open)](ArcIndex arc) {
      for (const Stop& known : out) {
        for (const PlaceSide& side : known.place.exits()) {
          if (road(side.arc) == road(arc)) return false;
        }
      }
      return !before || before(arc);
    };
    try {
      Stop next;
      next.place = snapped(0, options);
      out.push_back(std::move(next));
    } catch (const Refusal&) {
      break;  // there are no more
    }
  }
  return out;
}

}  // namespace lodestar::server
