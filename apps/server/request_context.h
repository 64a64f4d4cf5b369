// State of one request: the graph, the snapshot of the weights, limits and what was spent.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "limits.h"
#include "live_weights.h"
#include "lodestar/graph_io.h"
#include "lodestar/places.h"
#include "request.h"

namespace lodestar::server {

// What is constant while the server runs.
struct World {
  explicit World(GraphFile file);
  // Metres, by arc; made on first use. Thread-safe.
  std::span<const double> arc_lengths() const;
  GraphFile file;
  std::optional<Places> places;        // where the graph has a plane or degrees
  CostUnit unit;                       // of the weights in the file
  std::optional<std::size_t> seconds;  // the metric that is a time
  Cost least_penalty = kInfinity;      // least surplus of a weight over its duration
  std::string mode = "driving";        // where the graph's file does not say it road by road

 private:
  mutable std::once_flag lengths_once_;
  mutable std::vector<double> lengths_;
};

// "duration", "distance" or "cost", or "custom" if the request blends metrics or has factors.
std::string_view weight_name_of(const World& world, const Preferences& preferences);

// A place of a request, located on the graph.
struct Stop {
  NodeId node = kNoNode;  // by name
  Place place;            // by coordinates
};

// The route between two stops.
struct Section {
  SearchResult found;
  std::vector<NodeId> nodes;
  std::vector<Leg> legs;    // of the file's arcs; if paths were requested
  std::vector<Cost> costs;  // of the legs, if they depend on the time of departure; else empty
};

class RequestContext {
 public:
  // Throws Refusal if the preferences do not fit the graph.
  RequestContext(const World& given, std::shared_ptr<const Snapshot> snapshot, const Limits& limits,
                 const RoutingRequest& asked);

  const World& world;
  const std::shared_ptr<const Snapshot> now;
  const RoutingRequest& request;
  const Limits& limits;
  Deadline deadline;

  // Throws Refusal: NoSegment when no open road is near, InvalidValue when there is no such node.
  std::vector<Stop> stops() const;
  // The nearest roads of the request's first place, as many as requested and found.
  std::vector<Stop> nearest() const;
  // Throws Refusal when limits are reached before a path is found.
  Section section(const Stop& from, const Stop& to, bool path);
  NodeAnswer search(Query query, bool path);
  // Other routes that begin and end as `best` does; at most as many as requested.
  std::vector<Section> alternatives(const Section& best);
  // The next section begins when this one ends.
  void leave_after(const Section& section);

  // Whether routes go straight on at waypoints: as requested, otherwise where the graph is driven.
  bool goes_straight() const {
    return !request.by_name && !world.file.shape.empty() && !request.preferences.depart &&
           request.continue_straight.value_or(world.mode == "driving");
  }
  // Whether the request has weights of its own.
  bool has_requests() const { return requests_.has_value(); }
  bool has_potentials() const { return requests_ && requests_->has_potentials(); }
  std::string_view weight_name() const { return weight_name_of(world, request.preferences); }

  // Whether a route of this cost may have been kept away from a road; weights that fell may hide
  // it.
  bool may_have_penalties(Cost cost) const {
    return world.least_penalty < kInfinity && (now->version > 0 || cost >= world.least_penalty);
  }

  std::span<const Weight> weights() const { return *now->weights; }  // current
  ArcWeights arc_weights() const;                                    // of the request
  double length_of(std::span<const Leg> legs) const;  // metres; in the plane, its units
  // The share of its arc's weight that a leg costs.
  double paid(const Leg& leg) const { return paid_share(world.file.graph, world.file.shape, leg); }
  // The cost of the legs from begin to end, by the weights of the request.
  Cost cost_of(const Section& section, std::size_t begin, std::size_t end) const;
  double duration_of(const Section& section, std::size_t begin, std::size_t end) const;  // seconds
  double duration_of(const Section& section) const;
  // By a metric, in its unit.
  double total_of(const Section& section, std::size_t metric) const;
  // A cost, duration or length as responses have it: roads in seconds and metres with one digit
  // behind the point, on other graphs unchanged.
  double shown(double value) const;
  double shown_cost(Cost cost) const { return shown(cost * world.unit.scale); }

 private:
  SnapOptions snapping(std::size_t place) const;
  Place snapped(std::size_t place, const SnapOptions& options) const;
  void set_preferences(const Preferences& preferences);
  void set_departure(double seconds);
  Section timed_section(const Stop& from, const Stop& to);
  // The time that each leg takes, from the departure on.
  void set_costs(Section& section) const;
  double by_metric(const Section& section, std::size_t metric, std::size_t begin,
                   std::size_t end) const;

  Router::Lease lease_;
  std::optional<Router::Requests> requests_;
  double depart_ = 0;  // of the current section, in seconds after midnight
};

}  // namespace lodestar::server
