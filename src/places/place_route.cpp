// Routes between places, and places as text.
#include <charconv>
#include <cmath>

#include "lodestar/places.h"

namespace lodestar {
namespace {

// A way from one direction of a place to one of another.
struct Attempt {
  Query query;
  Cost before = 0;  // to the query's source
  Cost after = 0;   // from its target; negative when the search went beyond the place
  Leg first, last;
  bool cut = false;  // the search's last arc is `last`, taken only in part
};

Leg part(const PlaceSide& side, double begin, double end) {
  return {side.tail, side.head, side.arc, begin, end};
}

class Attempts {
 public:
  Attempts(const Places& places, const NodeSearch& search, std::span<const Weight> weights)
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

  void between(const PlaceSide& from, const PlaceSide& to) {
    const Cost before = (1 - from.share) * from.weight;
    const bool arc_based = places_.shape().arc_based;
    // In an arc-based graph several arcs lead into one road arc, which is their head.
    const bool same = arc_based ? from.head == to.head : from.arc == to.arc;
    if (same && from.share <= to.share) {
      direct(part(from, from.share, to.share), (to.share - from.share) * from.weight);
      return;
    }
    if (!arc_based) {
      run({{from.head, to.tail},
           before,
           to.share * to.weight,
           part(from, from.share, 1),
           part(to, 0, to.share),
           false});
      return;
    }
    const Cost after = -(1 - to.share) * to.weight;
    if (!same) {
      run({{from.head, to.head},
           before,
           after,
           part(from, from.share, 1),
           part(to, 0, to.share),
           true});
      return;
    }
    // Round the block, back onto the same road arc: the search must leave it first.
    const Graph& graph = places_.graph();
    const ArcRange turns = graph.arcs(from.head);
    for (std::size_t i = 0; i < turns.size(); ++i) {
      const Arc arc = turns[i];
      if (arc.head == from.head) continue;
      const Weight weight =
          weights_.empty() ? arc.weight : weights_[graph.arrays().first[0][from.head] + i];
      Attempt attempt{{arc.head, to.head},       before + weight,       after,
                      part(from, from.share, 1), part(to, 0, to.share), true};
      run(attempt, from.head);
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
    if (legs.size() > 1 && untravelled(legs.back())) legs.pop_back();
    if (legs.size() > 1 && untravelled(legs.front())) legs.erase(legs.begin());
  }

  void direct(const Leg& leg, Cost cost) {
    if (cost >= out_.found.cost) return;
    out_.found.cost = cost;
    out_.found.lower_bound = std::min(out_.found.lower_bound, cost);
    out_.legs = {leg};
    out_.path.clear();
  }

  // start: the node left by the arc that leads to the query's source, if any.
  void run(const Attempt& attempt, NodeId start = kNoNode) {
    SearchResult& best = out_.found;
    if (attempt.before + attempt.after >= best.cost) return;  // cannot be better
    NodeAnswer answer = search_(attempt.query);
    const SearchResult& found = answer.found;
    best.expansions += found.expansions;
    best.reopened += found.reopened;
    best.pushes += found.pushes;
    best.evaluations += found.evaluations;
    best.capped = best.capped || found.capped;
    best.heuristic_seconds += found.heuristic_seconds;
    best.closure_seconds += found.closure_seconds;
    best.search_seconds += found.search_seconds;
    const Cost bound = std::max(0.0, attempt.before + found.lower_bound + attempt.after);
    best.lower_bound = std::min(best.lower_bound, bound);
    const Cost cost = std::max(0.0, attempt.before + found.cost + attempt.after);
    if (cost >= best.cost) return;
    best.cost = cost;
    out_.path = std::move(answer.path);
    if (start != kNoNode) out_.path.insert(out_.path.begin(), start);
    out_.legs = {attempt.first};
    for (const Leg& leg : legs_of(places_.graph(), out_.path, weights_)) out_.legs.push_back(leg);
    if (attempt.cut) {
      out_.legs.back().end = attempt.last.end;
    } else {
      out_.legs.push_back(attempt.last);
    }
  }

  const Places& places_;
  const NodeSearch& search_;
  std::span<const Weight> weights_;
  PlaceRoute out_;
};

}  // namespace

PlaceRoute route_between(const Places& places, const Place& from, const Place& to,
                         const NodeSearch& search, std::span<const Weight> weights) {
  Attempts attempts(places, search, weights);
  const std::span from_sides(from.side.data(), static_cast<std::size_t>(from.sides));
  const std::span to_sides(to.side.data(), static_cast<std::size_t>(to.sides));
  for (const PlaceSide& a : from_sides) {
    for (const PlaceSide& b : to_sides) attempts.between(attempts.now(a), attempts.now(b));
  }
  return attempts.take();
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
