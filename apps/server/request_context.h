// State of one request: the graph, the snapshot of the weights, limits and what was spent.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "deadline.h"
#include "live_weights.h"
#include "lodestar/graph_io.h"
#include "lodestar/places.h"
#include "request.h"

namespace lodestar::server {

// What is constant while the server runs.
struct World {
  explicit World(GraphFile file);
  GraphFile file;
  std::optional<Places> places;  // where the graph has a plane or degrees
  CostUnit unit;                 // of the weights in the file
  std::string mode = "driving";  // where the graph's file does not say it road by road
};

// A place of a request, located on the graph.
struct Stop {
  NodeId node = kNoNode;  // by name
  Place place;            // by coordinates
};

// The route between two stops.
struct Section {
  SearchResult found;
  std::vector<NodeId> nodes;
  std::vector<Leg> legs;  // of the file's arcs; if paths were requested
};

class RequestContext {
 public:
  RequestContext(const World& given, std::shared_ptr<const Snapshot> snapshot, const Limits& limits)
      : world(given), now(std::move(snapshot)), deadline(limits), lease_(now->router.lease()) {}

  const World& world;
  const std::shared_ptr<const Snapshot> now;
  Deadline deadline;

  // Throws Refusal: NoSegment when no road is near, InvalidValue when there is no such node.
  std::vector<Stop> stops(const RoutingRequest& request) const;
  // Throws Refusal when limits are reached before a path is found.
  Section section(const RoutingRequest& request, const Stop& from, const Stop& to, bool path);
  NodeAnswer search(Query query, bool path);

  std::span<const Weight> weights() const { return *now->weights; }
  double length_of(std::span<const Leg> legs) const;  // metres; in the plane, its units
  Cost cost_of(std::span<const Leg> legs) const;
  double duration_of(Cost cost, std::span<const Leg> legs) const;  // seconds
  // A cost, duration or length as responses have it: roads in seconds and metres with one digit
  // behind the point, on other graphs unchanged.
  double shown(double value) const;
  double shown_cost(Cost cost) const { return shown(cost * world.unit.scale); }

 private:
  Router::Lease lease_;
};

}  // namespace lodestar::server
