#include "viewer_data.h"

#include <cmath>
#include <cstring>

#include "lodestar/itinerary.h"
#include "lodestar/posthoc.h"
#include "viewer_frame.h"

namespace lodestar::server {
namespace {

constexpr std::uint32_t kNone = 0xffffffff;

template <class... Vectors>
void append(std::string& out, const Vectors&... vectors) {
  const auto add = [&](const auto& values) {
    out.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0]));
  };
  (add(vectors), ...);
}

struct Edge {
  NodeId tail, head;
  ArcIndex there;
  ArcIndex back = kNone;
};

// Both directions of a road are one edge. With a shape the segment says which belong together,
// otherwise the ends do: of parallel arcs the first that is free.
std::vector<Edge> edges_of(const GraphFile& file) {
  std::vector<Edge> edges;
  const Graph& graph = file.graph;
  const auto first = graph.arrays().first[0];
  std::vector<char> taken(graph.arc_count(), 0);
  for (NodeId u = 0; u < graph.node_count(); ++u) {
    const ArcRange arcs = graph.arcs(u);
    for (std::size_t i = 0; i < arcs.size(); ++i) {
      const ArcIndex arc = first[u] + static_cast<ArcIndex>(i);
      const NodeId v = arcs[i].head;
      if (taken[arc] || u == v) continue;
      Edge edge{u, v, arc};
      const ArcRange others = graph.arcs(v);
      for (std::size_t k = 0; k < others.size(); ++k) {
        const ArcIndex back = first[v] + static_cast<ArcIndex>(k);
        if (others[k].head != u || taken[back]) continue;
        if (!file.shape.empty() && file.shape.segment(back) != file.shape.segment(arc)) continue;
        edge.back = back;
        taken[back] = 1;
        break;
      }
      taken[arc] = 1;
      edges.push_back(edge);
    }
  }
  return edges;
}

// The highest class of each kind.
std::vector<std::uint32_t> class_ranks(const lodestar::Metrics& metrics) {
  constexpr std::pair<std::string_view, std::uint32_t> kRanks[] = {
      {"ferry", 9},      {"motorway", 8},  {"trunk", 7},         {"primary", 6},
      {"secondary", 5},  {"tertiary", 4},  {"residential", 3},   {"unclassified", 3},
      {"pedestrian", 3}, {"road", 3},      {"living_street", 3}, {"service", 2},
      {"track", 2},      {"footway", 1},   {"path", 1},          {"steps", 1},
      {"cycleway", 1},   {"bridleway", 1}, {"corridor", 1},      {"platform", 1}};
  std::vector<std::uint32_t> out;
  for (const ArcKind& kind : metrics.kinds) {
    std::uint32_t best = 0;
    for (const std::string_view name : metrics.classes_of(kind)) {
      for (const auto& [known, rank] : kRanks) {
        if (known == name) best = std::max(best, rank);
      }
    }
    out.push_back(best);
  }
  return out;
}

SearchTrace run_trace(const TraceRequest& request, const Router& router, Deadline& deadline) {
  SearchTrace trace;
  Router::Lease lease = router.lease();
  trace.route.result = lease.run(request.query, [&](const Settled& step) {
    deadline.step();
    if (trace.settled.size() >= request.most_steps) {
      refuse("TooBig", "this search is too long to be shown");
    }
    trace.settled.push_back(step);
  });
  trace.route.nodes = lease.path();
  return trace;
}

}  // namespace

std::vector<Point> layout_of(const GraphFile& file, Methods& methods) {
  const Graph& graph = file.graph;
  const NodeId n = graph.node_count();
  std::vector<Point> out(n);
  if (graph.has_coordinates()) {
    const Frame frame(graph, graph.coordinate_kind());
    for (NodeId v = 0; v < n; ++v) out[v] = frame(graph.points()[v]);
    return out;
  }
  // The two potentials that differ most.
  const auto potentials = methods.potentials("learned");
  const std::uint32_t k = potentials->count();
  std::vector<std::vector<double>> column(k, std::vector<double>(n));
  for (std::uint32_t i = 0; i < k; ++i) {
    const std::vector<std::int32_t> values = potentials->column(i);
    double mean = 0, square = 0;
    for (NodeId v = 0; v < n; ++v) {
      column[i][v] = values[v];
      mean += values[v];
    }
    mean /= n;
    for (double& y : column[i]) {
      y -= mean;
      square += y * y;
    }
    const double scale = square > 0 ? 1 / std::sqrt(square) : 0;
    for (double& y : column[i]) y *= scale;
  }
  double least = 2;
  std::uint32_t a = 0, b = std::min(1u, k - 1);
  for (std::uint32_t i = 0; i < k; ++i) {
    for (std::uint32_t j = i + 1; j < k; ++j) {
      double dot = 0;
      for (NodeId v = 0; v < n; ++v) dot += column[i][v] * column[j][v];
      if (std::abs(dot) >= least) continue;
      least = std::abs(dot);
      a = i;
      b = j;
    }
  }
  std::vector<double> xs(n), ys(n);
  for (const auto& [index, values] : {std::pair{a, &xs}, std::pair{b, &ys}}) {
    const auto [low, high] = std::minmax_element(column[index].begin(), column[index].end());
    const double bottom = *low, size = *high - *low;
    for (NodeId v = 0; v < n; ++v) {
      (*values)[v] = size > 0 ? (column[index][v] - bottom) / size : 0.5;
    }
  }
  for (NodeId v = 0; v < n; ++v) {
    // Nodes with equal potentials are drawn side by side, not on each other.
    const double angle = 2.399963 * v, step = 0.004;
    out[v] = {xs[v] + step * std::cos(angle), ys[v] + step * std::sin(angle)};
  }
  return out;
}

std::string graph_bytes(const World& world, const Snapshot& snapshot,
                        const std::vector<Point>& layout, Methods& methods) {
  const GraphFile& file = world.file;
  const Graph& graph = file.graph;
  const std::vector<Edge> edges = edges_of(file);
  std::vector<float> positions, factors, bends;
  std::vector<std::uint32_t> ends, arcs, looks, first_bend = {0};
  const std::vector<std::uint32_t> ranks = class_ranks(file.metrics);
  for (const Point& p : layout) {
    positions.push_back(static_cast<float>(p.x));
    positions.push_back(static_cast<float>(p.y));
  }
  const std::vector<Weight> given = graph.weights();
  const std::vector<Weight>& now = *snapshot.weights;
  const Frame frame(graph, graph.coordinate_kind());
  for (const Edge& edge : edges) {
    ends.insert(ends.end(), {edge.tail, edge.head});
    arcs.insert(arcs.end(), {edge.there, edge.back});
    double factor = given[edge.there] > 0 ? now[edge.there] / given[edge.there] : 1;
    if (edge.back != kNone && given[edge.back] > 0) {
      factor = std::max(factor, now[edge.back] / given[edge.back]);
    }
    factors.push_back(static_cast<float>(factor));
    std::uint32_t look =
        file.metrics.arc_kind.empty() ? 0 : ranks[file.metrics.arc_kind[edge.there]];
    if (!file.shape.empty()) {
      const std::uint32_t segment = file.shape.segment(edge.there);
      if (!file.shape.street(segment).empty())
        look |= (file.shape.segment_street[segment] + 1) << 8;
    }
    looks.push_back(look);
    if (!file.shape.empty()) {
      const auto between = file.shape.between(file.shape.segment(edge.there));
      const bool against = file.shape.against(edge.there);
      for (std::size_t i = 0; i < between.size(); ++i) {
        const Point p = frame(between[against ? between.size() - 1 - i : i].degrees());
        bends.push_back(static_cast<float>(p.x));
        bends.push_back(static_cast<float>(p.y));
      }
    }
    first_bend.push_back(static_cast<std::uint32_t>(bends.size() / 2));
  }
  JsonText json;
  json.open('{').key("nodes").whole(graph.node_count()).key("edges").whole(edges.size());
  json.key("arcs").whole(graph.arc_count());
  json.key("kind").text(to_string(graph.coordinate_kind()));
  json.key("bends").whole(bends.size() / 2);
  json.key("weight_name").text(world.unit.name);
  json.key("weights_version").whole(snapshot.version);
  json.key("first_name").text(graph.node_count() > 0 ? file.names.name(0) : "");
  json.key("numbered").truth(file.names.kind() == NodeNames::Kind::kNumbered);
  write_request_facts(json.key("request"), world, snapshot);
  json.key("methods").open('[');
  const auto names = methods.names(snapshot);
  for (const MethodRow& row : kMethods) {
    if (std::find(names.begin(), names.end(), row.name) == names.end()) continue;
    json.open('{').key("name").text(row.name).key("title").text(row.title);
    json.key("summary").text(row.summary).close('}');
  }
  json.close(']').close('}');
  std::string head = json.take();
  while (head.size() % 4 != 0) head += ' ';
  std::string out(4, '\0');
  const auto size = static_cast<std::uint32_t>(head.size());
  std::memcpy(out.data(), &size, 4);
  out += head;
  append(out, positions, ends, arcs, factors, first_bend, bends, looks);
  return out;
}

void write_trace(JsonText& json, const TraceRequest& request, const World& world,
                 const Snapshot& snapshot, const SearchTrace& trace, double seconds) {
  const SearchResult& found = trace.route.result;
  json.key("code").text("Ok").key("weights_version").whole(snapshot.version);
  json.key("method").text(request.method).key("from").whole(request.query.source);
  json.key("to").whole(request.query.target).key("cost").number(world.unit.of(found.cost));
  json.key("lower_bound").number(world.unit.of(found.lower_bound)).key("gap").number(found.gap());
  json.key("optimal").truth(found.optimal());
  json.key("expansions").whole(found.expansions).key("seconds").number(seconds);
  json.list("settled", trace.settled, [&](const Settled& step) {
    json.number(step.side == Direction::kForward ? step.node : -1.0 - step.node);
  });
  json.list("path", trace.route.nodes, [&](NodeId v) { json.whole(v); });
}

void write_drawn_route(JsonText& json, const World& world, const std::vector<Point>& layout,
                       const Route& found, std::span<const Leg> legs) {
  const Graph& graph = world.file.graph;
  json.key("line").open('[');
  const auto add = [&](Point p) { json.rounded(p.x, 8).rounded(p.y, 8); };
  if (!graph.has_coordinates()) {
    for (const NodeId v : found.nodes) add(layout[v]);
    json.close(']').key("feature").null();
    return;
  }
  Itinerary route = itinerary(graph, world.file.shape, legs);
  if (route.line.empty() && !found.nodes.empty()) route.line = {graph.points()[found.nodes[0]]};
  set_result(route, found.result, world.unit);
  const Frame frame(graph, graph.coordinate_kind());
  for (const Point& p : route.line) add(frame(p));
  json.close(']').key("feature").raw(to_geojson_feature(route));
}

std::string trace_json(const TraceRequest& request, const World& world, const Snapshot& snapshot,
                       const std::vector<Point>& layout, Methods& methods, Deadline& deadline) {
  const Router router = methods.router(snapshot, request.method);
  const SearchTrace trace = run_trace(request, router, deadline);
  Router::Lease lease = router.lease();
  const double seconds = best_of_three(deadline, [&] { lease.run(request.query); });
  JsonText json;
  json.open('{');
  write_trace(json, request, world, snapshot, trace, seconds);
  json.key("note").text(router.note());
  const std::vector<Leg> legs = legs_of(world.file.graph, trace.route.nodes, *snapshot.weights);
  write_drawn_route(json, world, layout, trace.route, legs);
  json.close('}');
  return json.take();
}

std::string trace_posthoc(const TraceRequest& request, const Snapshot& snapshot,
                          const std::vector<Point>& layout, Methods& methods, Deadline& deadline) {
  const SearchTrace trace = run_trace(request, methods.router(snapshot, request.method), deadline);
  return posthoc_trace(trace, request.query, layout);
}

std::string potential_bytes(NodeId target, const Potentials& potentials) {
  const auto heuristic = potentials.to(target);
  std::vector<float> values(potentials.node_count());
  for (NodeId v = 0; v < potentials.node_count(); ++v) values[v] = static_cast<float>(heuristic(v));
  std::string out;
  append(out, values);
  return out;
}

}  // namespace lodestar::server
