
#include "lodestar/itinerary.h"
#include "responses.h"

namespace lodestar::server {

void write_location(JsonText& json, Point point, CoordinateKind kind) {
  json.open('[');
  if (kind == CoordinateKind::kDegrees) {
    json.rounded(point.x, 6).rounded(point.y, 6);
  } else {
    json.number(point.x).number(point.y);
  }
  json.close(']');
}

void write_waypoint(JsonText& json, const RequestContext& context, const RoutingRequest& request,
                    std::size_t i, const Stop& stop, bool nearest) {
  const Graph& graph = context.world.file.graph;
  json.open('{');
  if (request.by_name) {
    json.key("name").text(request.names[i]).key("distance").whole(0);
    if (graph.has_coordinates()) {
      write_location(json.key("location"), graph.points()[stop.node], graph.coordinate_kind());
    }
  } else {
    json.key("name").text(stop.place.street).key("distance").rounded(stop.place.distance, 3);
    write_location(json.key("location"), stop.place.at, graph.coordinate_kind());
    if (nearest) {
      const PlaceSide& side = stop.place.side[0];
      const Leg until{side.tail, side.head, side.arc, 0, side.share};
      json.key("nodes").open('[');
      write_piece_nodes(json, context.world.file, until, last_piece(context.world.file, until));
      json.close(']');
      json.key("arcs").open('[');
      for (int k = 0; k < stop.place.sides; ++k) {
        json.whole(stop.place.side[static_cast<std::size_t>(k)].arc);
      }
      json.close(']');
    }
  }
  if (request.hints && !request.by_name) {
    json.key("hint").text(to_polyline({&stop.place.at, 1}, 6));
  }
  json.close('}');
}

void write_waypoints(JsonText& json, const RequestContext& context, const RoutingRequest& request,
                     const std::vector<Stop>& stops, std::span<const std::size_t> which) {
  json.open('[');
  if (which.empty()) {
    for (std::size_t i = 0; i < stops.size(); ++i) {
      write_waypoint(json, context, request, i, stops[i]);
    }
  } else {
    for (const std::size_t i : which) write_waypoint(json, context, request, i, stops[i]);
  }
  json.close(']');
}

}  // namespace lodestar::server
