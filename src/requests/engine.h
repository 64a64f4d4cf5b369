// Answers requests with weights of their own; for one thread.
//
//   RequestEngine engine(data, family);                // data and family are shared
//   engine.set(preferences);                           // throws Error
//   const SearchResult found = engine.run({s, t});     // no allocation after the first queries
//   use(engine.arcs());
//
// With potentials that cover a part of the blend it runs bidirectional A* (meeting_searcher.h),
// without them bidirectional search. Potentials with 16 bits are not consistent: they guide A*,
// which gives way to bidirectional search when it settles too many nodes. By the time of departure
// it runs A*. All of them are exact.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "lodestar/bidirectional.h"
#include "lodestar/potential_family.h"
#include "lodestar/preferences.h"
#include "lodestar/request_route.h"
#include "lodestar/search.h"
#include "lodestar/travel_times.h"
#include "requests/meeting_searcher.h"
#include "requests/request_weights.h"

namespace lodestar::requests {

using OnSettle = std::function<void(NodeId, Cost, NodeId parent, Direction)>;

class RequestEngine {
 public:
  // Family and times may be null: requests are then answered without potentials, or at no time of
  // day. Throws Error if the times belong to a graph with another number of arcs.
  RequestEngine(std::shared_ptr<const RequestData> data,
                std::shared_ptr<const PotentialFamily> family,
                std::shared_ptr<const TravelTimes> times);

  // Throws Error if the preferences do not fit the graph; the engine then has none.
  void set(const Preferences& preferences);

  // Other potentials from now on, for weights that are set later.
  void use(std::shared_ptr<const PotentialFamily> family) { family_ = std::move(family); }
  // Whether the knot is among those that bound the cost of this query.
  bool serves(Query query, std::size_t knot) const;

  // The nodes must be in the graph.
  SearchResult run(Query query);
  SearchResult run(Query query, const OnSettle& on_settle);

  // The path of the last run, from source to target, and its arcs; empty if no path was found.
  std::vector<NodeId> path() const;
  std::vector<ArcIndex> arcs() const;  // in the order of Graph::weights()

  // Whether potentials serve the preferences.
  bool has_potentials() const { return !mixes_.empty(); }
  bool departs() const { return depart_.has_value(); }
  const RequestWeights& weights() const { return weights_; }
  RequestWeights& weights() { return weights_; }
  // The cost of arcs in a row, at the time of departure if there is one.
  Cost cost(std::span<const ArcIndex> arcs) const;

 private:
  template <class Observer>
  SearchResult search(Query query, Observer&& observer);
  template <class W, class Observer>
  SearchResult meet(Query query, Observer&& observer);
  template <class W, class Observer>
  SearchResult search_plainly(Query query, Observer&& observer);
  template <class W, class Observer>
  SearchResult search_by_time(Query query, Observer&& observer);
  Searcher& one_sided();
  ArcIndex cheapest_arc(NodeId tail, NodeId head, Cost reached_at) const;

  std::shared_ptr<const RequestData> data_;
  std::shared_ptr<const PotentialFamily> family_;
  std::shared_ptr<const TravelTimes> times_;
  std::vector<std::string> names_;  // of the metrics
  RequestWeights weights_;
  std::vector<PotentialFamily::Mix> mixes_;
  std::optional<double> depart_;  // in units of the graph's own weights
  std::unique_ptr<Searcher> one_sided_;
  std::unique_ptr<MeetingSearcher> meeting_;
  std::unique_ptr<BidirectionalSearcher> plain_;  // without potentials
  enum class Last : std::uint8_t { kNone, kOneSided, kMeeting, kPlain } last_ = Last::kNone;
};

// Alternative routes by the penalty method: the arcs of found routes become more expensive, and the
// next search finds another way. Weights only rise, so the potentials stay feasible.
//
// A candidate is kept if it is not much longer than the best route, shares little with the routes
// kept before, and has no detour: windows that cover it, each overlapping the next by a half, are
// all shortest paths. Every part that is at most half a window is within one of them, and so is a
// shortest path itself.

// By metric, in its unit.
std::vector<double> totals(const RequestEngine& engine, std::span<const ArcIndex> arcs);

// Throws Error if an option is out of range.
std::vector<RequestRoute> alternatives(RequestEngine& engine, Query query,
                                       const AlternativeOptions& options);

}  // namespace lodestar::requests
