#include "guidance.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "lodestar/itinerary.h"

namespace lodestar::server {
namespace {

// Degrees from straight on within which a road lies ahead, and within which it is the same course.
constexpr int kAhead = 60, kStraight = 20;

int turn_by(int before, int after) {
  return static_cast<int>(std::lround(std::remainder(after - before, 360)));
}

bool is_junction(std::span<const Leg> legs, std::size_t i) {
  return i > 0 && legs[i - 1].head == legs[i].tail && legs[i - 1].end >= 1 && legs[i].begin <= 0;
}

}  // namespace

const char* modifier_of(int before, int after) {
  const int turn = ((after - before) % 360 + 360) % 360;
  if (turn < 20 || turn > 340) return "straight";
  if (turn < 60) return "slight right";
  if (turn < 120) return "right";
  if (turn < 170) return "sharp right";
  if (turn <= 190) return "uturn";
  if (turn <= 240) return "sharp left";
  return turn <= 300 ? "left" : "slight left";
}

Guidance::Guidance(const RequestContext& context)
    : context_(context),
      file_(context.world.file),
      link_(bit("link")),
      fast_(bit("motorway") | bit("trunk")),
      roundabout_(bit("roundabout")) {}

std::uint64_t Guidance::bit(std::string_view name) const {
  const auto found = file_.metrics.find_class(name);
  return found ? std::uint64_t{1} << *found : 0;
}

std::uint64_t Guidance::bits(const Leg& leg) const {
  const Metrics& metrics = file_.metrics;
  return metrics.arc_kind.empty() ? 0 : metrics.kinds[metrics.arc_kind[leg.arc]].classes;
}

std::vector<std::string_view> Guidance::classes(const Leg& leg) const {
  std::vector<std::string_view> out;
  for (const std::string_view name : {"toll", "motorway", "ferry", "restricted", "tunnel"}) {
    if (has(leg, bit(name))) out.push_back(name);
  }
  return out;
}

std::string_view Guidance::street(const Leg& leg) const {
  const Shape& shape = file_.shape;
  return shape.empty() ? std::string_view() : shape.street(shape.segment(leg.arc));
}

std::string_view Guidance::mode(const Leg& leg) const {
  const Shape& shape = file_.shape;
  if (shape.street_detail.empty()) return context_.world.mode;
  // "cycling;pushing bike": the second one is against the direction of the segment.
  const std::string_view both = shape.text(shape.detail(shape.segment(leg.arc)).mode);
  const std::size_t end = both.find(';');
  if (end == std::string_view::npos) return both;
  return shape.against(leg.arc) ? both.substr(end + 1) : both.substr(0, end);
}

// Where the route has a choice, something is said unless the street goes on nearly straight and
// every other road turns off clearly.
Maneuver Guidance::between(const Leg& in, const Leg& out) const {
  const std::vector<Branch> branches = branches_between(file_, in, out);
  int before = 0, after = 0;
  bool back = false;
  for (const Branch& branch : branches) {
    if (branch.in) before = (branch.bearing + 180) % 360;
    if (branch.out) after = branch.bearing;
    back = back || (branch.in && branch.out);
  }
  const std::string_view from = street(in), to = street(out);
  const bool same = from == to && mode(in) == mode(out);
  if (back) return {same ? "continue" : "turn", "uturn"};

  const int turn = turn_by(before, after);
  const std::string_view modifier = modifier_of(before, after);
  int choices = 0, ahead = 0, left = 0, right = 0, nearest = 180;
  bool through = false;  // a road goes on straight, be it closed to this route
  for (const Branch& branch : branches) {
    if (branch.in || branch.out) continue;
    const int by = turn_by(before, branch.bearing);
    through = through || std::abs(by) < kAhead;
    if (!branch.entry) continue;
    ++choices;
    nearest = std::min(nearest, std::abs(by));
    if (std::abs(by) > kAhead) continue;
    ++ahead;
    ++(by < turn ? left : right);
  }
  const bool ramp = has(out, link_) && has(out, fast_);
  if (has(in, link_) && has(in, fast_) && has(out, fast_) && !has(out, link_) &&
      std::abs(turn) < kAhead && branches.size() > 2 && ahead == 0) {
    // The side of the road that is joined: where its traffic comes from.
    int side = 0;
    for (const Branch& branch : branches) {
      if (!branch.in && !branch.out) side = turn_by(before + 180, branch.bearing);
    }
    return {"merge", side > 0 ? "slight left" : side < 0 ? "slight right" : "straight"};
  }
  if (choices == 0) {
    if (mode(in) != mode(out)) return {"notification", modifier};
    if (same) return {};
    if (ramp && !has(in, link_)) return {has(in, fast_) ? "off ramp" : "on ramp", modifier};
    return {"new name", modifier};
  }
  if (ramp && !has(in, link_)) {
    const bool fast = has(in, fast_);
    const std::string_view side = std::abs(turn) >= kStraight ? modifier
                                  : left > right              ? "slight right"
                                  : right > left              ? "slight left"
                                                              : "straight";
    return {fast ? "off ramp" : "on ramp", side};
  }
  const bool straight = std::abs(turn) < kStraight && nearest >= std::abs(turn) + kStraight;
  if (ahead > 0 && std::abs(turn) <= kAhead && !straight) {
    const std::string_view side = left == 0    ? "slight left"
                                  : right == 0 ? "slight right"
                                               : "straight";
    return {"fork", side};
  }
  // The road is at its end where all turns lead aside.
  if (!through && std::abs(turn) >= kAhead && std::abs(turn) < 170 && branches.size() >= 3 &&
      (!same || from.empty())) {
    return {"end of road", modifier};
  }
  const bool obvious = std::abs(turn) < kAhead && ahead == 0;
  if (same && (from.empty() ? obvious : straight || (obvious && std::abs(turn) < 40))) return {};
  if (same && !from.empty()) return {"continue", modifier};
  if (straight && (ahead == 0 || to.empty())) return {"new name", modifier};
  return {"turn", modifier};
}

// Junctions within a roundabout where it could have been left.
std::size_t Guidance::exits_before(std::span<const Leg> legs, std::size_t begin,
                                   std::size_t end) const {
  std::size_t exits = 0;
  for (std::size_t i = begin + 1; i < end; ++i) {
    if (!is_junction(legs, i)) continue;
    for (const Branch& branch : branches_between(file_, legs[i - 1], legs[i])) {
      exits += branch.entry && !branch.in && !branch.out;
    }
  }
  return exits;
}

std::vector<Step> Guidance::steps(std::span<const Leg> legs) const {
  std::vector<Step> steps;
  for (std::size_t i = 0; i < legs.size(); ++i) {
    Maneuver said;
    std::size_t road = i;
    const bool inside = has(legs[i], roundabout_);
    if (i == 0) {
      said.type = "depart";
    } else if (inside && !has(legs[i - 1], roundabout_)) {
      std::size_t end = i;
      while (end < legs.size() && has(legs[end], roundabout_)) ++end;
      said = between(legs[i - 1], legs[i]);
      said.type = "roundabout";
      if (end < legs.size()) {
        said.exit = exits_before(legs, i, end) + 1;
        road = end;  // the roundabout is taken to get there
      }
    } else if (!inside && has(legs[i - 1], roundabout_)) {
      said = between(legs[i - 1], legs[i]);
      said.type = "exit roundabout";
    } else if (is_junction(legs, i)) {
      if (!inside) said = between(legs[i - 1], legs[i]);
    } else if (street(legs[i]) != street(legs[i - 1]) || mode(legs[i]) != mode(legs[i - 1])) {
      said = {"new name", "straight"};  // at a place that is passed without a stop
    }
    if (said.modifier.empty() && i > 0) said.modifier = "straight";
    if (i == 0 || !said.type.empty()) steps.push_back({i, i, road, said});
    steps.back().end = i + 1;
  }
  // Less than a metre on the road where a route begins or ends is not worth an instruction: a place
  // beside a junction is seldom exactly there.
  if (file_.graph.coordinate_kind() != CoordinateKind::kDegrees) return steps;
  const auto is_short = [&](const Step& step) {
    return context_.length_of(legs.subspan(step.begin, step.end - step.begin)) < 1;
  };
  if (steps.size() > 1 && is_short(steps.front())) {
    steps[1].begin = 0;
    steps[1].maneuver = steps[0].maneuver;
    steps.erase(steps.begin());
  }
  if (steps.size() > 1 && is_short(steps.back())) {
    steps.pop_back();
    steps.back().end = legs.size();
  }
  return steps;
}

}  // namespace lodestar::server
