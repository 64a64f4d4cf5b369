// Routes between places, and places as text.
#include "places/place_route.h"

#include <charconv>
#include <cmath>
#include <optional>

namespace lodestar {
namespace {

// Where a route leaves a place, or reaches it.
struct Gate {
  NodeId node = kNoNode;
  Cost cost = 0;  // between the place and the node; negative when the node lies beyond the place
  std::optional<PlaceSide> side = {};  // the arc between them; none on a junction
  bool beyond = false;  // the place lies on the last arc to the node, which is taken in part
};

// Relative; below it, what two turns cost behind a place differs by rounding only.
constexpr double kSameRest = 1e-9;

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

  std::vector<Gate> exits(const Place& place) const {
    std::vector<Gate> out;
    for (const NodeId node : place.nodes) out.push_back({node});
    if (!place.nodes.empty()) return out;
    for (const PlaceSide& each : place.exits()) {
      const PlaceSide side = now(each);
      if (side.weight == kInfinity) continue;  // closed
      out.push_back({side.head, (1 - side.paid) * side.weight, side});
    }
    return out;
  }

  // In an arc-based graph several turns lead into one road arc, which is their head. If the rest of
  // the road behind the place costs the same by each of them, one search to the head is enough.
  std::vector<Gate> entries(const Place& place) const {
    std::vector<Gate> out;
    for (const NodeId node : place.nodes) out.push_back({node});
    if (!place.nodes.empty()) return out;
    for (const PlaceSide& each : place.entries()) {
      if (!arc_based()) {
        const PlaceSide side = now(each);
        if (side.weight != kInfinity) out.push_back({side.tail, side.paid * side.weight, side});
        continue;
      }
      const std::vector<Gate> turns = by_turn(each);
      Cost least = kInfinity, most = 0;
      for (const Gate& turn : turns) {
        const Cost rest = (1 - turn.side->paid) * turn.side->weight;
        least = std::min(least, rest);
        most = std::max(most, rest);
      }
      if (most - least <= kSameRest * most && !turns.empty()) {
        out.push_back({each.head, -most, turns[0].side, true});
      } else {
        out.insert(out.end(), turns.begin(), turns.end());
      }
    }
    return out;
  }

  void between(const Gate& exit, const Gate& entry) {
    if (exit.side && entry.side) {
      const PlaceSide &from = *exit.side, &to = *entry.side;
      const bool same = arc_based() ? from.head == to.head : from.arc == to.arc;
      if (same && from.share <= to.share) {
        const Leg leg = part_of(from, from.share, to.share);
        direct(leg, paid_share(places_.graph(), places_.shape(), leg) * from.weight);
        return;
      }
    }
    if (!entry.beyond || exit.node != entry.node) {
      run(exit, entry);
      return;
    }
    // Round the block, back onto the same road arc: the search ends before it.
    for (const Gate& turn : by_turn(*entry.side)) run(exit, turn);
  }

  PlaceRoute take() { return std::move(out_); }

 private:
  // One gate for each turn into the road of an entry, at the node before the turn.
  std::vector<Gate> by_turn(const PlaceSide& entry) const {
    std::vector<Gate> out;
    for (PlaceSide turn : turns_into(places_, entry)) {
      if (!weights_.empty()) turn.weight = weights_[turn.arc];
      if (turn.weight != kInfinity) out.push_back({turn.tail, turn.paid * turn.weight, turn});
    }
    return out;
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

  void run(const Gate& exit, const Gate& entry) {
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
    out_.legs.clear();
    if (exit.side) out_.legs.push_back(part_of(*exit.side, exit.side->share, 1));
    for (const Leg& leg : legs_of(places_.graph(), out_.path, weights_)) out_.legs.push_back(leg);
    out_.unlisted = answer.length.value_or(0);
    if (!entry.side || (out_.path.empty() && !answer.length)) return;
    const Leg last = part_of(*entry.side, 0, entry.side->share);
    if (entry.beyond && !answer.length) {
      out_.legs.back().end = last.end;
      return;
    }
    if (entry.beyond) {  // the last arc of the path is the road of the place
      out_.unlisted -= length_of(places_.graph(), places_.shape(), part_of(*entry.side, 0, 1));
    } else if (arc_based() && !out_.path.empty()) {
      out_.path.push_back(last.head);
    }
    out_.legs.push_back(last);
  }

  const Places& places_;
  const NodeSearch& search_;
  const ArcWeights& weights_;
  PlaceRoute out_;
};

}  // namespace

Leg part_of(const PlaceSide& side, double begin, double end) {
  return {side.tail, side.head, side.arc, begin, end};
}

std::vector<PlaceSide> turns_into(const Places& places, const PlaceSide& side) {
  const Shape& shape = places.shape();
  std::vector<PlaceSide> turns;
  const auto forward = places.graph().arrays().first[0];
  NodeId before = kNoNode;
  for (const Arc back : places.graph().arcs(side.head, Direction::kBackward)) {
    const NodeId tail = back.head;
    if (tail == before) continue;  // parallel arcs are found together
    before = tail;
    ArcIndex arc = forward[tail];
    for (const Arc turn : places.graph().arcs(tail)) {
      if (turn.head == side.head) {
        turns.push_back({tail, side.head, arc, turn.weight, side.share,
                         shape.paid(arc, side.share, turn.weight)});
      }
      ++arc;
    }
  }
  return turns;
}

void finish(PlaceRoute& route, const Places& places, const Place& from) {
  std::vector<Leg>& legs = route.legs;
  const bool degrees = places.graph().coordinate_kind() == CoordinateKind::kDegrees;
  const double least = degrees ? 0.05 : 0;  // metres: 0.0 when written
  const auto untravelled = [&](const Leg& leg) {
    return leg.end <= leg.begin || length_of(places.graph(), places.shape(), leg) < least;
  };
  const std::size_t least_legs = route.unlisted > 0 ? 0 : 1;
  if (legs.size() > least_legs && untravelled(legs.back())) legs.pop_back();
  if (legs.size() > least_legs && untravelled(legs.front())) legs.erase(legs.begin());
  if (legs.empty() && route.path.size() == 1) {
    const PlaceSide& side = from.side[0];
    legs.push_back(part_of(side, side.share, side.share));
  }
}

PlaceRoute route_between(const Places& places, const Place& from, const Place& to,
                         const NodeSearch& search, const ArcWeights& weights) {
  Attempts attempts(places, search, weights);
  const std::vector<Gate> exits = attempts.exits(from), entries = attempts.entries(to);
  for (const Gate& exit : exits) {
    for (const Gate& entry : entries) attempts.between(exit, entry);
  }
  PlaceRoute route = attempts.take();
  finish(route, places, from);
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
