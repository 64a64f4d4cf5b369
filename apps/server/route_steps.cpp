
#include <algorithm>

#include "guidance.h"
#include "lodestar/itinerary.h"
#include "responses.h"

namespace lodestar::server {
namespace {

// What a step says of the road it takes.
void write_road(JsonText& json, const RequestContext& context, const Guidance& guidance,
                const Leg& leg) {
  const Shape& shape = context.world.file.shape;
  const std::string_view street = guidance.street(leg);
  const StreetDetail detail = shape.empty() ? StreetDetail{} : shape.detail(shape.segment(leg.arc));
  const std::string_view ref = shape.text(detail.ref);
  // A road without a name has its number for a street.
  json.key("name").text(street == ref ? "" : street);
  if (!ref.empty()) json.key("ref").text(ref);
  const std::string_view signs = shape.text(detail.destinations);
  const std::size_t line = std::min(signs.find('\n'), signs.size());
  if (line > 0) json.key("destinations").text(signs.substr(0, line));
  if (line < signs.size()) json.key("exits").text(signs.substr(line + 1));
  json.key("mode").text(guidance.mode(leg));
  json.key("driving_side").text(detail.left != 0 ? "left" : "right");
}

void write_intersection(JsonText& json, Point at, CoordinateKind kind,
                        std::span<const Branch> branches,
                        const std::vector<std::string_view>& classes = {}) {
  json.open('{');
  write_location(json.key("location"), at, kind);
  json.list("bearings", branches,
            [&](const Branch& branch) { json.whole(static_cast<std::uint64_t>(branch.bearing)); });
  json.list("entry", branches, [&](const Branch& branch) { json.truth(branch.entry); });
  for (std::size_t i = 0; i < branches.size(); ++i) {
    if (branches[i].in) json.key("in").whole(i);
    if (branches[i].out) json.key("out").whole(i);
  }
  if (!classes.empty()) {
    json.list("classes", classes, [&](std::string_view name) { json.text(name); });
  }
  json.close('}');
}

// Where the step of legs[begin … end) begins, and the junctions it passes.
void write_intersections(JsonText& json, const GraphFile& file, const Guidance& guidance,
                         std::span<const Leg> legs, std::size_t begin, std::size_t end, Point start,
                         Branch ahead) {
  const CoordinateKind kind = file.graph.coordinate_kind();
  for (std::size_t i = begin; i < end; ++i) {
    const bool first = i == begin;
    // Legs also meet at a place that is passed without a stop.
    const bool junction =
        i > 0 && legs[i - 1].head == legs[i].tail && legs[i - 1].end >= 1 && legs[i].begin <= 0;
    if (junction) {
      const auto branches = branches_between(file, legs[i - 1], legs[i]);
      if (!first && branches.size() <= 2) continue;  // where only an OSM way ends
      write_intersection(json, file.graph.points()[legs[i].tail], kind, branches,
                         guidance.classes(legs[i]));
    } else if (first) {
      write_intersection(json, start, kind, {&ahead, 1}, guidance.classes(legs[i]));
    }
  }
}

// Where the place lies as seen from the end of the road; empty if it lies on the road.
std::string_view side_of(const Place& place, int before, CoordinateKind kind) {
  constexpr double kBeside = 1;  // metres, or units of the plane
  if (place.distance < kBeside) return {};
  const int by = bearing_of(place.at, place.asked, kind) - before;
  const int right = (by % 360 + 360) % 360;
  return right < 20 || right > 340 ? "straight" : right < 180 ? "right" : "left";
}

}  // namespace

void write_steps(JsonText& json, const RequestContext& context, const Section& section,
                 const Stop& to, Geometry geometry) {
  const GraphFile& file = context.world.file;
  const CoordinateKind kind = file.graph.coordinate_kind();
  const std::span<const Leg> legs = section.legs;
  int before = 0;
  Point end{};
  const Guidance guidance(context);
  const std::vector<Step> steps = guidance.steps(legs);
  for (const Step& step : steps) {
    const std::size_t i = step.begin;
    const auto part = legs.subspan(i, step.end - i);
    const Itinerary trip = itinerary(file.graph, file.shape, part);
    const Cost cost = context.cost_of(section, i, step.end);
    const std::size_t last = trip.line.size() - 1;
    const int after = last > 0 ? bearing_of(trip.line[0], trip.line[1], kind) : before;
    json.open('{');
    write_road(json, context, guidance, legs[step.road]);
    json.key("distance").number(context.shown(trip.length));
    json.key("duration").number(context.shown(context.duration_of(section, i, step.end)));
    json.key("weight").number(context.shown_cost(cost));
    write_line(json.key("geometry"), trip.line, geometry, kind);
    json.key("maneuver").open('{').key("type").text(step.maneuver.type);
    if (i > 0) json.key("modifier").text(step.maneuver.modifier);
    if (step.maneuver.exit > 0) json.key("exit").whole(step.maneuver.exit);
    write_location(json.key("location"), trip.line[0], kind);
    json.key("bearing_before").whole(static_cast<std::uint64_t>(i == 0 ? 0 : before));
    json.key("bearing_after").whole(static_cast<std::uint64_t>(after)).close('}');
    json.key("intersections").open('[');
    write_intersections(json, file, guidance, legs, i, step.end, trip.line[0],
                        {after, true, false, true});
    json.close(']').close('}');
    if (last > 0) before = bearing_of(trip.line[last - 1], trip.line[last], kind);
    end = trip.line[last];
  }
  if (legs.empty()) return;
  json.open('{');
  write_road(json, context, guidance, legs[steps.back().road]);
  json.key("distance").whole(0).key("duration").whole(0).key("weight").whole(0);
  write_line(json.key("geometry"), {end, end}, geometry, kind);
  json.key("maneuver").open('{').key("type").text("arrive");
  if (!context.request.by_name) {
    const std::string_view side = side_of(to.place, before, kind);
    if (!side.empty()) json.key("modifier").text(side);
  }
  write_location(json.key("location"), end, kind);
  json.key("bearing_before").whole(static_cast<std::uint64_t>(before));
  json.key("bearing_after").whole(0).close('}');
  const Branch behind{(before + 180) % 360, true, true, false};
  json.key("intersections").open('[');
  write_intersection(json, end, kind, {&behind, 1});
  json.close(']').close('}');
}

std::string summary_of(const RequestContext& context, const Section& section) {
  struct Street {
    std::string_view name;
    double length;
  };
  std::vector<Street> streets;  // in the order of travel
  const Guidance guidance(context);
  for (const Leg& leg : section.legs) {
    const std::string_view name = guidance.street(leg);
    if (name.empty()) continue;
    const auto known = std::find_if(streets.begin(), streets.end(),
                                    [&](const Street& street) { return street.name == name; });
    const double length = context.length_of({&leg, 1});
    if (known == streets.end()) {
      streets.push_back({name, length});
    } else {
      known->length += length;
    }
  }
  // As for steps, less than a metre does not count.
  if (streets.size() > 1 &&
      context.world.file.graph.coordinate_kind() == CoordinateKind::kDegrees) {
    std::erase_if(streets, [](const Street& street) { return street.length < 1; });
  }
  while (streets.size() > 2) {
    // Of equally long streets the first stays.
    const auto shorter = [](const Street& a, const Street& b) { return a.length < b.length; };
    streets.erase(std::prev(std::min_element(streets.rbegin(), streets.rend(), shorter).base()));
  }
  if (streets.empty()) return {};
  std::string out(streets[0].name);
  if (streets.size() > 1) out += ", " + std::string(streets[1].name);
  return out;
}

}  // namespace lodestar::server
