// `lodestar isochrone`: what lies within limits of a place, as GeoJSON.
#include "lodestar/isochrone.h"

#include <algorithm>

#include "lodestar/atomic_file.h"
#include "reading.h"
#include "verbs.h"

namespace lodestar::cli {
namespace {

struct IsochroneJob {
  std::string graph;
  std::string from;
  std::string to;
  std::vector<double> limits;
  std::vector<std::string> show = {"polygons"};
  double concavity = 0.2;
  std::string output = "-";
  ReadOptions read;
};

IsochroneStart start_of(const IsochroneJob& job, const GraphFile& file) {
  const Direction direction = job.to.empty() ? Direction::kForward : Direction::kBackward;
  const std::string& name = job.to.empty() ? job.from : job.to;
  const NodeId node = file.names.find(name);
  if (node < file.graph.node_count()) return isochrone_start(node, direction);
  if (!looks_like_place(name)) {
    throw Error(job.graph + ": there is no node '" + name + "'; give a node or a place lon,lat");
  }
  const Places places(file.graph, file.shape);
  return isochrone_start(places, places.nearest(parse_place(name, file.graph.coordinate_kind())),
                         direction);
}

void run_isochrone(const IsochroneJob& job) {
  if (job.from.empty() == job.to.empty()) throw Error("give --from or --to");
  const GraphFile file = read_graph_with_notes(job.graph, job.read);
  const auto shows = [&](const char* what) {
    return std::find(job.show.begin(), job.show.end(), what) != job.show.end();
  };
  const IsochroneOutput output{.polygons = shows("polygons"),
                               .arcs = shows("arcs"),
                               .nodes = shows("nodes"),
                               .concavity = job.concavity,
                               .unit = cost_unit(file.graph, file.shape)};
  std::vector<Cost> limits;
  for (const double limit : job.limits) limits.push_back(limit / output.unit.scale);
  const Router router(file.graph, {.algorithm = "dijkstra"});
  const std::vector<Contour> contours = isochrones(router, start_of(job, file), limits);
  AtomicFile out(job.output);
  out.write(isochrones_geojson(file, contours, output));
  out.commit();
}

}  // namespace

void add_isochrone(Verb& program) {
  auto [verb, job] = program.verb<IsochroneJob>(
      "isochrone", "Find what lies within a limit of a place, as GeoJSON", run_isochrone,
      kQueryVerbs);
  verb.option("graph", job.graph, "Graph file, any format").required();
  verb.option("--from", job.from, "Start: the name of a node, or a place as lon,lat");
  verb.option("--to", job.to, "Instead: from where this node or place is reached")
      .excludes("--from");
  verb.option("--limits", job.limits,
              "Costs, separated by commas; seconds or metres on roads from OpenStreetMap")
      .comma_separated()
      .required();
  verb.option("--show", job.show, "polygons, arcs and nodes, separated by commas")
      .check(CLI::IsMember({"polygons", "arcs", "nodes"}))
      .comma_separated();
  verb.option("--concavity", job.concavity,
              "Shape of polygons, from 0 (follows roads closely) to 1 (convex)")
      .check(CLI::Range(0.0, 1.0));
  verb.option("-o,--output", job.output, "GeoJSON file to write; -: standard output");
  add_reading_options(verb, job.read);
  verb.footer(
      R"(Each limit has one feature for each kind in --show. Arcs are lines of roads, the last ones
in part. Nodes are listed with their names and costs. The search takes time in proportion to what it
reaches.

Examples:
  lodestar isochrone town.osm.pbf --from 9.52,47.14 --limits 300,600 -o reach.geojson
  lodestar isochrone roads.gr --to 17 --limits 5000 --show nodes)");
}

}  // namespace lodestar::cli
