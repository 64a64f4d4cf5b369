#include "place_answers.h"

#include <fmt/core.h>

#include <charconv>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "lodestar/atomic_file.h"
#include "lodestar/detail/parallel.h"
#include "lodestar/itinerary.h"
#include "lodestar/places.h"
#include "notes.h"
#include "progress.h"

namespace lodestar::cli {
namespace {

struct PlaceQuery {
  std::string from;  // as written
  std::string to;
  Point start;
  Point goal;
  std::optional<Cost> expected = {};
};

struct PlaceAnswer {
  PlaceRoute route;
  Itinerary trip;  // with the cost in `unit`
  CostUnit unit;
  double from_distance = 0;  // from the place to the road
  double to_distance = 0;
};

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  const char separator = line.find('\t') != std::string::npos ? '\t' : ' ';
  std::size_t at = 0;
  while (at <= line.size()) {
    const std::size_t stop = std::min(line.find(separator, at), line.size());
    if (stop > at) fields.push_back(line.substr(at, stop - at));
    at = stop + 1;
  }
  return fields;
}

// The next line with something on it; false at the end.
bool next_line(std::ifstream& in, std::string& line, std::uint64_t& number) {
  while (std::getline(in, line)) {
    ++number;
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
    if (!line.empty() && line.front() != '#') return true;
  }
  return false;
}

std::string length_text(CoordinateKind kind, double length) {
  if (kind != CoordinateKind::kDegrees) return fmt::format("length {:.6g}", length);
  return length < 1000 ? fmt::format("{:.0f} m", length) : fmt::format("{:.2f} km", length / 1000);
}

// "4 min 10 s", "1 h 02 min"
std::string duration_text(double seconds) {
  const auto whole = static_cast<long>(std::lround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

double tenth(double value) {
  return std::round(value * 10) / 10;
}

std::string streets_text(const Itinerary& trip) {
  std::string out;
  for (const StreetStep& step : trip.streets) {
    if (!out.empty()) out += ", ";
    out += (step.name.empty() ? std::string("unnamed road") : step.name) + " " +
           length_text(trip.kind, step.length);
  }
  return out;
}

// Whether a query file's first line, or the one below a header, names places.
bool names_places(const std::string& path) {
  std::ifstream in(path);
  std::string line;
  std::uint64_t number = 0;
  if (!next_line(in, line, number)) return false;
  const std::vector<std::string> fields = fields_of(line);
  if (!fields.empty() && looks_like_place(fields[0])) return true;
  // A header may stand above.
  if (!next_line(in, line, number)) return false;
  const std::vector<std::string> second = fields_of(line);
  return !second.empty() && looks_like_place(second[0]);
}

std::vector<PlaceQuery> read_place_queries(const std::string& path, CoordinateKind kind) {
  std::ifstream in(path);
  if (!in) throw Error(path + ": cannot be read");
  std::vector<PlaceQuery> out;
  std::string line;
  std::uint64_t number = 0;
  while (next_line(in, line, number)) {
    const std::vector<std::string> fields = fields_of(line);
    if (out.empty() && !fields.empty() && (fields[0] == "from" || fields[0] == "source")) continue;
    if (fields.size() < 2) {
      throw Error::at(path, number, "`LON,LAT LON,LAT [COST]` expected");
    }
    PlaceQuery query{fields[0], fields[1], {}, {}};
    try {
      query.start = parse_place(query.from, kind);
      query.goal = parse_place(query.to, kind);
    } catch (const Error& error) {
      throw Error::at(path, number, error.what());
    }
    if (fields.size() > 2) {
      double cost = 0;
      const char* end = fields[2].data() + fields[2].size();
      const auto [stop, failed] = std::from_chars(fields[2].data(), end, cost);
      if (failed != std::errc() || stop != end || !(cost >= 0)) {
        throw Error::at(path, number, "'" + fields[2] + "' is no cost");
      }
      query.expected = cost;
    }
    out.push_back(std::move(query));
  }
  return out;
}

std::string cost_text(const PlaceAnswer& answer) {
  const char* suffix = !answer.unit.known() ? "" : answer.unit.is_time() ? " s" : " m";
  return fmt::format("{:.10g}{}", tenth(answer.trip.cost), suffix);
}

std::vector<PlaceAnswer> answer_places(const GraphFile& file, const Router& router,
                                       const std::vector<PlaceQuery>& queries, unsigned threads,
                                       double snap) {
  const Places places(file.graph, file.shape);
  const CostUnit unit = cost_unit(file.graph, file.shape);
  const double limit = snap > 0 ? snap : places.default_limit();
  std::vector<PlaceAnswer> answers(queries.size());
  Progress progress("solving");
  std::atomic<std::size_t> done{0};
  const auto report = [&] {
    progress.update(static_cast<double>(done) / static_cast<double>(queries.size()));
  };
  parallel_for(
      queries.size(), threads,
      [&](std::size_t i, std::size_t worker) {
        PlaceAnswer& answer = answers[i];
        const Place from = places.nearest(queries[i].start, limit);
        const Place to = places.nearest(queries[i].goal, limit);
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
        ++done;
        if (worker == 0) report();
      },
      report);
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
  out["distance"] = tenth(answer.trip.length);
  if (answer.trip.duration) out["duration"] = tenth(*answer.trip.duration);
  auto& streets = out["streets"] = nlohmann::ordered_json::array();
  for (const StreetStep& step : answer.trip.streets) {
    streets.push_back({{"name", step.name}, {"distance", tenth(step.length)}});
  }
  if (options.paths) out["path"] = answer.route.path;
  if (map.polyline != 0) out["polyline"] = to_polyline(answer.trip.line, map.polyline);
  return out;
}

void print_one(const PlaceQuery& query, const PlaceAnswer& answer, const AnswerOptions& options,
               const MapOptions& map) {
  const SearchResult& found = answer.route.found;
  const std::string ends = query.from + " → " + query.to;
  if (!found.reached()) {
    fmt::print("{}: {}\n", ends,
               found.capped ? "stopped at the limit of expansions, no path found so far"
                            : "no path, proven: everything reachable was searched");
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
  fmt::print("  expanded {} nodes, {} re-opened, {} pushes\n", found.expansions, found.reopened,
             found.pushes);
  if (options.times) {
    fmt::print("  heuristic {}, closure {}, search {}\n", format_seconds(found.heuristic_seconds),
               format_seconds(found.closure_seconds), format_seconds(found.search_seconds));
  }
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

void write_maps(const std::vector<Itinerary>& trips, const MapOptions& map) {
  if (!map.geojson.empty()) replace_file(map.geojson, to_geojson(trips));
  if (!map.gpx.empty()) replace_file(map.gpx, to_gpx(trips));
}

}  // namespace

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
  std::vector<PlaceQuery> queries;
  if (single) {
    queries.push_back(
        {request.from, request.to, parse_place(request.from, kind), parse_place(request.to, kind)});
  } else {
    queries = read_place_queries(request.queries, kind);
  }
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
  if (request.answer.check) {
    fmt::print(stderr, "checked {} expected costs: {} mismatches\n", checked, wrong);
    if (checked == 0) throw Error("--check found no expected costs in the query file");
    return wrong == 0 ? 0 : 1;
  }
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
