// What the viewer draws: the graph as arrays, searches step by step, potentials.
//
// Arrays are sent as bytes: four bytes with the length of a JSON text, the text padded to a
// multiple of four with blanks, then the arrays it lists in order, little-endian.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "json_text.h"
#include "lodestar/detail/clock.h"
#include "methods.h"
#include "request_context.h"

namespace lodestar::server {

struct BaseArea;

// Where to draw each node: the graph's coordinates, y upwards, degrees made square; without any,
// two of its potentials.
std::vector<Point> layout_of(const GraphFile& file, Methods& methods);

// {"nodes", "edges", "kind", "weight_name", "methods", "request", "weights_version", …}: positions
// float32 [n × 2] in a box of 1, edges uint32 [e × 2], arcs uint32 [e × 2] (there and back, 2^32 -
// 1 for none), factors float32 [e] (what weights are, of what the file says), bends: first uint32
// [e + 1] and float32 [· × 2], looks uint32 [e]: the rank of the road's class (0 unknown, 1 path,
// …, 8 motorway, 9 ferry) in the low byte, above it 1 + the place of its name in map_json, or 0.
std::string graph_bytes(const World& world, const Snapshot& snapshot,
                        const std::vector<Point>& layout, Methods& methods);

// {"streets": [names], "areas": [{"kind", "lines": [[x, y, …], …]}]}: areas in the box of 1, closed
// lines by the even-odd rule, streams as open lines.
std::string map_json(const World& world, const std::vector<BaseArea>& areas);

struct TraceRequest {
  Query query;
  std::string method;
  std::uint64_t most_steps = 2'000'000;
};
// {"cost", "lower_bound", "gap", "optimal", "expansions", "seconds", "settled", "path", "line",
// "feature"}: settled has the nodes in order, -1 - v for those of the search from the target; path
// has nodes; line is x, y, x, y, … of the route as it is drawn, in the box of 1; feature is the
// route as GeoJSON, null if the graph has no coordinates. Costs are in seconds or metres where the
// graph head has such a "weight_name". The time is the minimum of three runs without an observer.
std::string trace_json(const TraceRequest& request, const World& world, const Snapshot& snapshot,
                       const std::vector<Point>& layout, Methods& methods, Deadline& deadline);
// The time of the fastest of three runs.
template <class Run>
double best_of_three(Deadline& deadline, const Run& run) {
  double seconds = kInfinity;
  for (int i = 0; i < 3; ++i) {
    deadline.check();
    const auto start = Clock::now();
    run();
    seconds = std::min(seconds, seconds_since(start));
  }
  return seconds;
}
// Parts of such an object: everything but the route as it is drawn, and that route.
void write_trace(JsonText& json, const TraceRequest& request, const World& world,
                 const Snapshot& snapshot, const SearchTrace& trace, double seconds);
void write_drawn_route(JsonText& json, const World& world, const std::vector<Point>& layout,
                       const Route& found, std::span<const Leg> legs);
// The same for the method "request", by weights of the request, with "weight_name", "potentials"
// and "routes": the best one and alternatives, each with "cost", "duration", "distance", "line" and
// "feature".
std::string request_trace_json(const TraceRequest& request, const RoutingRequest& wish,
                               const World& world, const Snapshot& snapshot,
                               const std::vector<Point>& layout, Deadline& deadline);
// What a request may ask for: {"metrics": [{name, unit, mean}], "classes", "travel_times",
// "potentials", "frame"}. A point of the earth or the plane is frame[0 … 1] + frame[2 … 3] · a
// point of the box.
void write_request_facts(JsonText& json, const World& world, const Snapshot& snapshot);
// The same search in Posthoc's format, with at most 50,000 events.
std::string trace_posthoc(const TraceRequest& request, const Snapshot& snapshot,
                          const std::vector<Point>& layout, Methods& methods, Deadline& deadline);
// float32 [n]: the potentials' bound on the cost to `target`.
std::string potential_bytes(NodeId target, const Potentials& potentials);

// One page that needs no server: the viewer with a comparison recorded into it.
//
//   write(recorded_page(world, live, methods, {s, t}, {"dijkstra", "learned"}));
// Throws Refusal when there is no such method.
std::string recorded_page(const World& world, const Snapshot& snapshot, Methods& methods,
                          Query query, const std::vector<std::string>& names);

// The viewer as one self-contained HTML page, embedded in the binary.
std::string_view viewer_page();

}  // namespace lodestar::server
