// `lodestar serve`: routes over HTTP, with weights that may change.
#include <fmt/core.h>

#include <csignal>
#include <filesystem>
#include <memory>
#include <set>

#include "apps/server/server.h"
#include "lodestar/detail/parallel.h"
#include "lodestar/graph_io.h"
#include "lodestar/index.h"
#include "lodestar/osm.h"
#include "reading.h"
#include "verbs.h"

namespace lodestar::cli {
namespace {

struct ServeOptions {
  std::vector<std::string> graphs;
  std::vector<std::string> profiles;
  std::vector<std::string> indexes;
  std::vector<std::string> potentials;
  std::vector<std::string> travel_times;
  std::string map;
  bool no_index = false;
  bool cut_damaged = false;
  std::string token_file;
  std::string log = "-";
  ReadOptions read;
  server::ServiceOptions service;
  server::ServerOptions server;
};

void say(const std::string& text) {
  fmt::print(stderr, "{}\n", text);
}

// The i-th of files that are given for every graph; empty if there are none.
std::string file_for(const std::vector<std::string>& files, std::size_t i) {
  return files.empty() ? "" : files[i];
}

#ifdef LODESTAR_HAS_OSM
std::shared_ptr<const std::vector<server::BaseArea>> read_areas(const std::string& path) {
  constexpr const char* kKinds[] = {"water", "green", "wood", "sea", "stream"};
  auto out = std::make_shared<std::vector<server::BaseArea>>();
  for (const MapArea& area : read_osm_areas(path)) {
    server::BaseArea& made = out->emplace_back();
    made.kind = kKinds[area.kind];
    for (const auto& line : area.lines) {
      std::vector<Point>& points = made.lines.emplace_back();
      for (const FixedPoint& p : line) points.push_back(p.degrees());
    }
  }
  return out;
}
#else
std::shared_ptr<const std::vector<server::BaseArea>> read_areas(const std::string& path) {
  throw Error(path + ": this program was built without OpenStreetMap support");
}
#endif

// Reads the i-th graph and what belongs to it.
server::GraphSource load_graph(const ServeOptions& options, std::size_t i,
                               const std::string& name) {
  const std::string& path = options.graphs[options.graphs.size() == 1 ? 0 : i];
  ReadOptions read = options.read;
  if (options.graphs.size() == 1 && !options.profiles.empty()) read.profile = options.profiles[i];
  server::GraphSource out;
  out.live = options.service.live;
  out.file = read_graph(path, read);
  const GraphFile& file = out.file;
  print_notes(file, path);
  if (file.graph.node_count() == 0) throw Error(path + ": there is nothing to serve");
  if (const std::string index = file_for(options.indexes, i); !index.empty()) {
    const IndexOpening opened = Index::open_or_customize(index, file.graph);
    if (!opened.note.empty()) say("note: " + opened.note);
    out.live.index = std::make_shared<const Index>(opened.index);
  }
  if (const std::string potentials = file_for(options.potentials, i); !potentials.empty()) {
    out.live.family = std::make_shared<const PotentialFamily>(PotentialFamily::load(potentials));
  }
  if (const std::string times = file_for(options.travel_times, i); !times.empty()) {
    out.live.travel_times = std::make_shared<const TravelTimes>(
        TravelTimes::load(times, file.graph, file.metrics, file.shape));
  }
  if (!name.empty()) {
    if (!out.live.state.empty()) out.live.state += "." + name;
    out.live.say = [name](const std::string& text) { say(name + ": " + text); };
  }
  return out;
}

// The name of a graph in URLs. A profile may be a file with rules: "truck" of "rules/truck.json".
std::string graph_name(const std::string& profile) {
  return std::filesystem::path(profile).stem().string();
}

void check_counts(const ServeOptions& options) {
  const std::size_t graphs = std::max(options.graphs.size(), options.profiles.size());
  std::set<std::string> names;
  for (const std::string& profile : options.profiles) {
    const std::string name = graph_name(profile);
    if (name.empty()) throw Error("--profiles has an empty name");
    if (!names.insert(name).second) {
      throw Error("--profiles has the name '" + name + "' twice; each graph needs its own");
    }
  }
  if (options.graphs.size() > 1 && options.graphs.size() != options.profiles.size()) {
    throw Error("several graphs need names: --profiles with one for each of them");
  }
  for (const auto* files : {&options.indexes, &options.potentials, &options.travel_times}) {
    if (!files->empty() && files->size() != graphs) {
      throw Error(
          fmt::format("{} files are given for {} graphs; separate them by commas, in the "
                      "order of --profiles",
                      files->size(), graphs));
    }
  }
}

int run_serve(ServeOptions& options) {
  std::signal(SIGHUP, SIG_IGN);  // the server opens its log again; until it runs there is none
  check_counts(options);
  server::ServiceOptions& service_options = options.service;
  if (!options.token_file.empty()) service_options.token = server::read_token(options.token_file);
  options.server.threads = thread_count(options.server.threads);
  service_options.live.build_index = !options.no_index;
  if (options.cut_damaged) service_options.live.damage = server::JournalDamage::kCutOff;
  service_options.live.max_expansions = service_options.limits.expansions;
  service_options.live.say = say;
  server::AccessLog log(options.log == "none" ? "" : options.log);
  std::vector<server::NamedGraph> graphs;
  std::shared_ptr<const std::vector<server::BaseArea>> areas;
  for (std::size_t i = 0; i < std::max<std::size_t>(1, options.profiles.size()); ++i) {
    const std::string name = options.profiles.empty() ? "" : graph_name(options.profiles[i]);
    server::NamedGraph graph{name, load_graph(options, i, name), {}};
    if (options.map.empty() && graph.source.file.format == "OpenStreetMap") {
      options.map = options.graphs[0];
    }
    if (areas == nullptr && !options.map.empty()) areas = read_areas(options.map);
    graph.source.areas = areas;
    graph.load = [&options, i, name] {
      server::GraphSource source = load_graph(options, i, name);
      if (!options.map.empty()) source.areas = read_areas(options.map);
      return source;
    };
    graphs.push_back(std::move(graph));
  }
  areas.reset();
  server::Service service(std::move(graphs), service_options);
  server::Server server(service, log, options.server);
  const bool six = options.server.host.find(':') != std::string::npos;
  say(fmt::format("listening on http://{}{}{}:{}", six ? "[" : "", options.server.host,
                  six ? "]" : "", server.port()));
  server.run();
  say("all requests finished");
  return 0;
}

}  // namespace

void add_serve(Verb& program) {
  auto [verb, options] = program.verb<ServeOptions>(
      "serve", "Answer queries over HTTP, in the format of OSRM", run_serve, kQueryVerbs);
  options.server.threads = 0;
  server::Limits& limits = options.service.limits;
  verb.option("graph", options.graphs, "Graph file, any format; several with --profiles")
      .required();
  verb.option("--profiles", options.profiles,
              "Serve several graphs, separated by commas. One graph file: profiles of an "
              "OpenStreetMap extract. Several: the names of the files in URLs")
      .comma_separated()
      .default_text("one graph for all names");
  verb.option("--index", options.indexes,
              "Index built by `lodestar index` (.lsi); with --profiles one for each")
      .comma_separated()
      .default_text("built while serving")
      .excludes("--no-index");
  verb.flag("--no-index", options.no_index, "Search from both ends, without an index");
  verb.option("--potentials", options.potentials,
              "Potentials made by `lodestar fit` (.lsp), for requests with weights of their own; "
              "with --profiles one file for each")
      .comma_separated();
  verb.option("--travel-times", options.travel_times,
              "Travel times by the time of day (CSV), for requests with a time of departure; with "
              "--profiles one file for each")
      .comma_separated();
  verb.option("--map", options.map,
              "OpenStreetMap extract whose water, parks and woods the page draws")
      .default_text("the graph, if it is an extract");
  verb.option("--host", options.server.host, "Address to listen on");
  verb.option("--port", options.server.port, "Port to listen on; 0: any free port");
  verb.threads(options.server.threads);
  verb.option("--state", options.service.live.state,
              "Journal of weight changes, read at the start and appended to by every change; with "
              "--profiles FILE.car and so on");
  verb.flag("--cut-damaged-state", options.cut_damaged,
            "If the journal is damaged in the middle, start with the updates before the damage and "
            "move the rest to another file. Without this option, that is an error")
      .needs("--state");
  verb.option("--refit", options.service.live.refit_seconds,
              "Seconds between trainings of the index after weights have changed; 0: never")
      .check(zero_or_more());
  verb.option("--admin-token-file", options.token_file,
              "File with the token that clients need to change weights over the network");
  verb.option("--socket", options.server.socket,
              "Unix socket to listen on as well; its clients may change weights");
  verb.option("--log", options.log, "Access log in JSON lines; -: stderr, none: no log");
  verb.option("--max-body", limits.body_bytes, "Largest body of a request in bytes");
  verb.option("--max-places", limits.places, "Most places of a route");
  verb.option("--max-cells", limits.cells, "Most cells of a distance table");
  verb.option("--max-response", limits.response_bytes,
              "Most bytes of a table or an isochrone, while it is made");
  verb.option("--max-expansions", limits.expansions, "Most expansions of a request");
  verb.option("--max-seconds", limits.seconds, "Most seconds of a request").check(above_zero());
  verb.option("--max-connections", options.server.connections, "Most simultaneous connections");
  verb.option("--queue", options.server.queue, "Most requests that wait for a thread");
  verb.option("--idle", options.server.idle_seconds,
              "Seconds a client has to send the header of its next request")
      .check(above_zero());
  verb.option("--drain", options.server.drain_seconds,
              "Seconds that running requests have to finish at shutdown")
      .check(zero_or_more());
  add_reading_options(verb, options.read);
  verb.footer(R"(Examples:
  lodestar serve town.lsg --index town.lsi --port 5000
  lodestar serve town.osm.pbf --profiles car,bicycle,foot
  lodestar serve town.osm.pbf --state town.lsj --admin-token-file token
  curl 'localhost:5000/route/v1/car/9.5024,47.1012;9.5178,47.1171?overview=false'
docs/guide/serve.md describes every request, and how to run the server behind a proxy.)");
}

}  // namespace lodestar::cli
