#include "place_answers.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "lodestar/atomic_file.h"
#include "lodestar/places.h"
#include "progress.h"
#include "reading.h"

namespace lodestar::cli {
namespace {

struct PlaceAnswer {
  PlaceRoute route;
  Itinerary trip;  // with the cost in `unit`
  CostUnit unit;
  double from_distance = 0;  // from the place to the road
  double to_distance = 0;
};

std::string cost_text(const PlaceAnswer& answer) {
  const char* suffix = !answer.unit.known() ? "" : answer.unit.is_time() ? " s" : " m";
  return fmt::format("{:.10g}{}", tenth(answer.trip.cost), suffix);
}

std::vector<PlaceAnswer> answer_places(const GraphFile& file, const Router& router,
                                       const std::vector<PlaceQuery>& queries, unsigned threads,
                                       double snap) {
  const Places places(file.graph, file.shape, file.metrics);
  const CostUnit unit = cost_unit(file.graph, file.shape);
  const double limit = snap > 0 ? snap : places.default_limit();
  std::vector<PlaceAnswer> answers(queries.size());
  parallel_for_with_bar("solving", queries.size(), threads, [&](std::size_t i, std::size_t) {
    PlaceAnswer& answer = answers[i];
    const auto [from, to] = places.nearest(queries[i].start, queries[i].goal, limit);
    Router::Lease lease = router.lease();
    answer.route = route_between(places, from, to, [&](Query query) {
      const SearchResult found = lease.run(query);
      return NodeAnswer{found, lease.path()};
    });
    answer.from_distance = from.distance;
    answer.to_distance = to.distance;
    if (answer.route.found.reached()) {
      answer.trip = itinerary(file.graph, file.shape, answer.route.legs);
    }
    set_result(answer.trip, answer.route.found, unit);
    answer.unit = unit;
  });
  return answers;
}

nlohmann::ordered_json to_json(const PlaceQuery& query, const PlaceAnswer& answer,
                               const AnswerOptions& options, const MapOptions& map) {
  const SearchResult& found = answer.route.found;
  nlohmann::ordered_json out;
  out["source"] = query.from;
  out["target"] = query.to;
  add_found(out, found, options.times);
  out["cost"] = number(answer.trip.cost);
  out["lower_bound"] = number(answer.trip.lower_bound);
  if (options.check && query.expected) {
    out["expected"] = *query.expected;
    out["match"] = matches(answer.trip.cost, *query.expected, false);
  }
  out["source_distance"] = tenth(answer.from_distance);
  out["target_distance"] = tenth(answer.to_distance);
  if (!found.reached()) return out;
  add_trip(out, answer.trip);
  if (options.paths) out["path"] = answer.route.path;
  if (map.polyline != 0) out["polyline"] = to_polyline(answer.trip.line, map.polyline);
  return out;
}

void print_one(const PlaceQuery& query, const PlaceAnswer& answer, const AnswerOptions& options,
               const MapOptions& map) {
  const SearchResult& found = answer.route.found;
  const std::string ends = query.from + " → " + query.to;
  if (!found.reached()) {
    fmt::print("{}: {}\n", ends, no_path_text(found));
    return;
  }
  fmt::print("{}: cost {}, {}\n", ends, cost_text(answer),
             found.optimal()
                 ? std::string("proven optimal")
                 : fmt::format("at most {:.2f} % above the optimum", 100 * found.gap()));
  fmt::print("  {}", length_text(answer.trip.kind, answer.trip.length));
  if (answer.trip.duration) fmt::print(", {}", duration_text(*answer.trip.duration));
  fmt::print("; {} to the first road, {} from the last\n",
             length_text(answer.trip.kind, answer.from_distance),
             length_text(answer.trip.kind, answer.to_distance));
  if (!answer.trip.streets.empty()) fmt::print("  {}\n", streets_text(answer.trip));
  print_effort(found, options.times);
  if (options.paths) {
    fmt::print("  path");
    for (const NodeId v : answer.route.path) fmt::print(" {}", v);
    fmt::print("\n");
  }
  if (map.polyline != 0) fmt::print("  {}\n", to_polyline(answer.trip.line, map.polyline));
}

void print_batch(const std::vector<PlaceQuery>& queries, const std::vector<PlaceAnswer>& answers,
                 const MapOptions& map) {
  fmt::print(
      "source\ttarget\tcost\tlower_bound\tgap\toptimal\texpansions\tdistance\tduration\t{}\n",
      map.polyline != 0 ? "streets\tpolyline" : "streets");
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const SearchResult& found = answers[i].route.found;
    const Itinerary& trip = answers[i].trip;
    fmt::print("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}", queries[i].from, queries[i].to,
               text(trip.cost), text(trip.lower_bound), text(found.gap()),
               found.optimal() ? "yes" : "no", found.expansions, tenth(trip.length),
               trip.duration ? fmt::format("{}", tenth(*trip.duration)) : "", streets_text(trip));
    if (map.polyline != 0) fmt::print("\t{}", to_polyline(trip.line, map.polyline));
    fmt::print("\n");
  }
}

}  // namespace

void write_maps(const std::vector<Itinerary>& trips, const MapOptions& map) {
  if (!map.geojson.empty()) replace_file(map.geojson, to_geojson(trips));
  if (!map.gpx.empty()) replace_file(map.gpx, to_gpx(trips));
}

bool asks_by_place(const GraphFile& file, const PlaceRequest& request) {
  if (file.names.kind() == NodeNames::Kind::kCells) return false;
  if (!request.queries.empty()) return names_places(request.queries);
  const auto place = [&](const std::string& text) {
    return looks_like_place(text) && file.names.find(text) >= file.graph.node_count();
  };
  return place(request.from) || place(request.to);
}

int solve_places(const GraphFile& file, const Router& router, const PlaceRequest& request) {
  const CoordinateKind kind = file.graph.coordinate_kind();
  const bool single = request.queries.empty();
  const std::vector<PlaceQuery> queries =
      place_queries(request.from, request.to, request.queries, kind);
  const std::vector<PlaceAnswer> answers =
      answer_places(file, router, queries, request.threads, request.map.snap);
  std::vector<Itinerary> trips;
  std::size_t checked = 0, wrong = 0;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (answers[i].route.found.reached()) trips.push_back(answers[i].trip);
    if (request.json) {
      auto json = to_json(queries[i], answers[i], request.answer, request.map);
      if (i == 0) add_notes(json, request.notes);
      // Street names come from outside: bytes that are no UTF-8 are replaced.
      fmt::print("{}\n", json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    }
    if (!queries[i].expected) continue;
    ++checked;
    wrong += !matches(answers[i].trip.cost, *queries[i].expected, false);
  }
  if (!request.json && single) print_one(queries[0], answers[0], request.answer, request.map);
  if (!request.json && !single) print_batch(queries, answers, request.map);
  write_maps(trips, request.map);
  if (request.answer.check) return print_check(checked, wrong);
  return single && trips.empty() ? 1 : 0;
}

void map_paths(const GraphFile& file, const std::vector<Answer>& answers, const MapOptions& map) {
  std::vector<Itinerary> trips;
  for (const Answer& answer : answers) {
    if (!answer.found.reached()) continue;
    trips.push_back(itinerary(file.graph, file.shape, legs_of(file.graph, answer.path)));
    set_result(trips.back(), answer.found, {});  // in seconds or metres already
    if (trips.back().line.empty()) trips.back().line = {file.graph.points()[answer.path[0]]};
    if (map.polyline != 0) fmt::print("{}\n", to_polyline(trips.back().line, map.polyline));
  }
  write_maps(trips, map);
}

}  // namespace lodestar::cli
