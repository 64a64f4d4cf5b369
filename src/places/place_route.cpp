// Routes between places, and places as text.
#include <charconv>
#include <cmath>
#include <optional>

#include "lodestar/places.h"

namespace lodestar {
namespace {

// Where a route leaves a place, or reaches it.
struct Gate {
  NodeId node = kNoNode;
  Cost cost = 0;  // between the place and the node; negative when the node lies beyond the place
  std::optional<PlaceSide> side = {};  // the arc between them; none on a junction
};

Leg part(const PlaceSide& side, double begin, double end) {
  return {side.tail, side.head, side.arc, begin, end};
}

class Attempts {
 public:
  Attempts(const Places& places, const NodeSearch& search, const ArcWeights& weights)
      : places_(places), search_(search), weights_(weights) {
    out_.found.cost = out_.found.lower_bound = kInfinity;
  }

  // The side as it costs now. Without a shape parallel arcs are one line, and the cheapest counts.
  PlaceSide now(PlaceSide side) const {
    if (weights_.empty()) return side;
    side.weight = weights_[side.arc];
    if (!places_.shape().empty()) return side;
    places_.graph().visit(Direction::kForward, [&](auto rows) {
      for (ArcIndex arc = rows.first[side.tail]; arc < rows.first[side.tail + 1]; ++arc) {
        if (rows.arcs[arc].head == side.head && weights_[arc] < side.weight) {
          side.arc = arc;
          side.weight = weights_[arc];
        }
      }
    });
    return side;
  }

  // gate(side) for every side that is not closed; the nodes of a place that has some.
  template <class GateOf>
  std::vector<Gate> gates(const Place& place, const auto& sides, const GateOf& gate) const {
    std::vector<Gate> out;
    for (const NodeId node : place.nodes) out.push_back({node});
    if (!place.nodes.empty()) return out;
    for (const PlaceSide& each : sides) {
      const PlaceSide side = now(each);
      if (side.weight != kInfinity) out.push_back(gate(side));
    }
    return out;
  }

  std::vector<Gate> exits(const Place& place) const {
    return gates(place, place.exits(), [](const PlaceSide& side) {
      return Gate{side.head, (1 - side.paid) * side.weight, side};
    });
  }

  // In an arc-based graph several arcs lead into one road arc, which is their head: the search goes
  // there, and its last arc is taken only in part.
  std::vector<Gate> entries(const Place& place) const {
    return gates(place, place.entries(), [&](const PlaceSide& side) {
      return arc_based() ? Gate{side.head, -(1 - side.paid) * side.weight, side}
                         : Gate{side.tail, side.paid * side.weight, side};
    });
  }

  void between(const Gate& exit, const Gate& entry) {
    if (exit.side && entry.side) {
      const PlaceSide &from = *exit.side, &to = *entry.side;
      const bool same = arc_based() ? from.head == to.head : from.arc == to.arc;
      if (same && from.share <= to.share) {
        direct(part(from, from.share, to.share), (to.paid - from.paid) * from.weight);
        return;
      }
    }
    if (!arc_based() || !entry.side || exit.node != entry.node) {
      run(exit, entry);
      return;
    }
    // Round the block, back onto the same road arc: the search must leave it first.
    const Graph& graph = places_.graph();
    const ArcRange turns = graph.arcs(exit.node);
    for (std::size_t i = 0; i < turns.size(); ++i) {
      const Arc arc = turns[i];
      if (arc.head == exit.node) continue;
      const Weight weight =
          weights_.empty() ? arc.weight : weights_[graph.arrays().first[0][exit.node] + i];
      if (weight == kInfinity) continue;
      run({arc.head, exit.cost + weight, exit.side}, entry, exit.node);
    }
  }

  PlaceRoute take() {
    drop_untravelled();
    return std::move(out_);
  }

 private:
  // A place at the end of a road lies on it without a metre of it being travelled. Such a leg would
  // name a street that is none of the route's.
  void drop_untravelled() {
    std::vector<Leg>& legs = out_.legs;
    const bool degrees = places_.graph().coordinate_kind() == CoordinateKind::kDegrees;
    const double least = degrees ? 0.05 : 0;  // metres: 0.0 when written
    const auto untravelled = [&](const Leg& leg) {
      return leg.end <= leg.begin || length_of(places_.graph(), places_.shape(), leg) < least;
    };
    const std::size_t least_legs = out_.unlisted > 0 ? 0 : 1;
    if (legs.size() > least_legs && untravelled(legs.back())) legs.pop_back();
    if (legs.size() > least_legs && untravelled(legs.front())) legs.erase(legs.begin());
  }

  void direct(const Leg& leg, Cost cost) {
    if (cost >= out_.found.cost) return;
    out_.found.cost = cost;
    out_.found.lower_bound = std::min(out_.found.lower_bound, cost);
    out_.legs = {leg};
    out_.path.clear();
    out_.unlisted = 0;
  }

  bool arc_based() const { return places_.shape().arc_based; }

  double whole_length(NodeId tail, NodeId head) const {
    const NodeId step[] = {tail, head};
    return length_of(places_.graph(), places_.shape(),
                     legs_of(places_.graph(), step, weights_).front());
  }

  // start: the node left by the arc that leads to the exit's node, if any.
  void run(const Gate& exit, const Gate& entry, NodeId start = kNoNode) {
    SearchResult& best = out_.found;
    if (exit.cost + entry.cost >= best.cost) return;  // cannot be better
    NodeAnswer answer = search_({exit.node, entry.node});
    const SearchResult& found = answer.found;
    best.expansions += found.expansions;
    best.reopened += found.reopened;
    best.pushes += found.pushes;
    best.evaluations += found.evaluations;
    best.capped = best.capped || found.capped;
    best.heuristic_seconds += found.heuristic_seconds;
    best.closure_seconds += found.closure_seconds;
    best.search_seconds += found.search_seconds;
    const Cost bound = std::max(0.0, exit.cost + found.lower_bound + entry.cost);
    best.lower_bound = std::min(best.lower_bound, bound);
    const Cost cost = std::max(0.0, exit.cost + found.cost + entry.cost);
    if (cost >= best.cost) return;
    best.cost = cost;
    out_.path = std::move(answer.path);
    if (start != kNoNode && !out_.path.empty()) out_.path.insert(out_.path.begin(), start);
    out_.legs.clear();
    if (exit.side) out_.legs.push_back(part(*exit.side, exit.side->share, 1));
    for (const Leg& leg : legs_of(places_.graph(), out_.path, weights_)) out_.legs.push_back(leg);
    out_.unlisted = answer.length.value_or(0);
    if (answer.length && start != kNoNode) out_.unlisted += whole_length(start, exit.node);
    if (!entry.side || (out_.path.empty() && !answer.length)) return;
    if (arc_based() && answer.length) {
      // The last arc of the path is the road of the place.
      out_.unlisted -= length_of(places_.graph(), places_.shape(), part(*entry.side, 0, 1));
      out_.legs.push_back(part(*entry.side, 0, entry.side->share));
    } else if (arc_based()) {
      out_.legs.back().end = entry.side->share;
    } else {
      out_.legs.push_back(part(*entry.side, 0, entry.side->share));
    }
  }

  const Places& places_;
  const NodeSearch& search_;
  const ArcWeights& weights_;
  PlaceRoute out_;
};

}  // namespace

PlaceRoute route_between(const Places& places, const Place& from, const Place& to,
                         const NodeSearch& search, const ArcWeights& weights) {
  Attempts attempts(places, search, weights);
  const std::vector<Gate> exits = attempts.exits(from), entries = attempts.entries(to);
  for (const Gate& exit : exits) {
    for (const Gate& entry : entries) attempts.between(exit, entry);
  }
  PlaceRoute route = attempts.take();
  if (route.legs.empty() && route.path.size() == 1) {
    // From a junction to itself: a route has a line all the same.
    const PlaceSide& side = from.side[0];
    route.legs.push_back(part(side, side.share, side.share));
  }
  return route;
}

bool looks_like_place(std::string_view text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos || comma == 0 || comma + 1 == text.size()) return false;
  return text.find_first_not_of("+-.0123456789eE, ") == std::string_view::npos;
}

Point parse_place(std::string_view text, CoordinateKind kind) {
  const auto wrong = [&](const std::string& why) {
    return Error("'" + std::string(text) + "' is no place: " + why);
  };
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos) {
    throw wrong("write longitude,latitude, like 9.5209,47.1410");
  }
  const auto number = [&](std::string_view digits) {
    while (digits.starts_with(' ')) digits.remove_prefix(1);
    while (digits.ends_with(' ')) digits.remove_suffix(1);
    if (digits.starts_with('+')) digits.remove_prefix(1);
    double value = 0;
    const char* end = digits.data() + digits.size();
    const auto [stop, failed] = std::from_chars(digits.data(), end, value);
    if (failed != std::errc() || stop != end || !std::isfinite(value)) {
      throw wrong("write longitude,latitude, like 9.5209,47.1410");
    }
    return value;
  };
  const Point point{number(text.substr(0, comma)), number(text.substr(comma + 1))};
  if (kind == CoordinateKind::kDegrees && (std::abs(point.x) > 180 || std::abs(point.y) > 90)) {
    throw wrong("longitudes lie within -180 … 180 and come first, latitudes within -90 … 90");
  }
  return point;
}

}  // namespace lodestar
