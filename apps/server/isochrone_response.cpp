// What lies within limits of a place, as GeoJSON.
#include "json_text.h"
#include "lodestar/isochrone.h"
#include "message.h"
#include "responses.h"

namespace lodestar::server {
namespace {

// A contour as a cost, in the unit of the weights.
Cost limit_of(const World& world, const RoutingRequest& request, double contour) {
  const CostUnit& unit = world.unit;
  if (!request.contour_unit.empty() && request.contour_unit != unit.name && unit.known()) {
    refuse("InvalidOptions", "the weights of this graph are a " + std::string(unit.name) +
                                 "; give contours in its unit");
  }
  return contour / unit.scale;
}

}  // namespace

std::string isochrone_response(RequestContext& context, const RoutingRequest& request) {
  const World& world = context.world;
  const std::vector<Stop> stops = context.stops();
  const Direction direction = request.reverse ? Direction::kBackward : Direction::kForward;
  const IsochroneStart start = request.by_name ? isochrone_start(stops[0].node, direction)
                                               : isochrone_start(*world.places, stops[0].place,
                                                                 direction, context.weights());
  std::vector<Cost> limits;
  for (const double contour : request.contours) {
    limits.push_back(limit_of(world, request, contour));
  }
  const IsochroneOutput output{request.polygons, request.arcs, request.nodes, request.concavity,
                               world.unit};
  std::string features;
  std::size_t most = 0;
  const StopScope scope = context.deadline.scope();
  try {
    const std::vector<Contour> contours = isochrones(context.now->router, start, limits);
    std::size_t items = 0;
    for (const Contour& contour : contours) {
      most = std::max(most, contour.nodes.size());
      items +=
          (request.arcs ? contour.legs.size() : 0) + (request.nodes ? contour.nodes.size() : 0);
    }
    context.deadline.spend(most);
    // A line of two points takes 50 bytes, a node with its cost 40.
    if (50 * items > context.limits.response_bytes) {
      refuse("TooBig",
             "the response would be larger than a response may be here; ask "
             "for polygons alone or for a smaller contour");
    }
    features = isochrone_features(world.file, contours, output);
  } catch (const Error& error) {
    refuse("InvalidOptions", error.what());
  }
  JsonText json;
  json.open('{').key("type").text("FeatureCollection").key("code").text("Ok");
  json.key("weights_version").whole(context.now->version);
  json.key("weight_name").text(context.weight_name()).key("nodes").whole(most);
  write_waypoints(json.key("waypoints"), context, request, stops, {});
  json.key("features").open('[').raw(features).close(']').close('}');
  return json.take();
}

}  // namespace lodestar::server
