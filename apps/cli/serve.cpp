// `lodestar serve`: routes over HTTP, with weights that may change.
#include <fmt/core.h>

#include <csignal>
#include <memory>

#include "apps/server/server.h"
#include "lodestar/detail/parallel.h"
#include "lodestar/graph_io.h"
#include "lodestar/index.h"
#include "notes.h"
#include "reading.h"
#include "verbs.h"

namespace lodestar::cli {
namespace {

struct ServeOptions {
  std::string graph;
  std::string index;
  std::string potentials;
  std::string travel_times;
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

int run_serve(ServeOptions& options) {
  std::signal(SIGHUP, SIG_IGN);  // the server opens its log again; until it runs there is none
  GraphFile file = read_graph(options.graph, options.read);
  print_notes(file, options.graph);
  if (file.graph.node_count() == 0) throw Error(options.graph + ": there is nothing to serve");
  server::ServiceOptions& service_options = options.service;
  if (!options.token_file.empty()) service_options.token = server::read_token(options.token_file);
  if (!options.index.empty()) {
    const IndexOpening opened = Index::open_or_customize(options.index, file.graph);
    if (!opened.note.empty()) say("note: " + opened.note);
    service_options.live.index = std::make_shared<const Index>(opened.index);
  }
  if (!options.potentials.empty()) {
    service_options.live.family =
        std::make_shared<const PotentialFamily>(PotentialFamily::load(options.potentials));
  }
  if (!options.travel_times.empty()) {
    service_options.live.travel_times = std::make_shared<const TravelTimes>(
        TravelTimes::load(options.travel_times, file.graph, file.metrics, file.shape));
  }
  options.server.threads = thread_count(options.server.threads);
  service_options.live.build_index = !options.no_index;
  if (options.cut_damaged) service_options.live.damage = server::JournalDamage::kCutOff;
  service_options.live.max_expansions = service_options.limits.expansions;
  service_options.live.say = say;
  server::AccessLog log(options.log == "none" ? "" : options.log);
  server::Service service(std::move(file), service_options);
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
  auto options = std::make_shared<ServeOptions>();
  options->server.threads = 0;
  server::Limits& limits = options->service.limits;
  Verb& verb =
      program.verb("serve", "Answer queries over HTTP, in the format of OSRM", kQueryVerbs);
  verb.option("graph", options->graph, "Graph file, any format").required();
  verb.option("--index", options->index, "Index built by `lodestar index` (.lsi)")
      .default_text("built while serving")
      .excludes("--no-index");
  verb.flag("--no-index", options->no_index, "Search from both ends, without an index");
  verb.option("--potentials", options->potentials,
              "Potentials made by `lodestar fit` (.lsp), for requests with weights of their own");
  verb.option("--travel-times", options->travel_times,
              "Travel times by the time of day (CSV), for requests with a time of departure");
  verb.option("--host", options->server.host, "Address to listen on");
  verb.option("--port", options->server.port, "Port to listen on; 0: any free port");
  verb.threads(options->server.threads);
  verb.option("--state", options->service.live.state,
              "Journal of weight changes, read at the start and appended to by every change");
  verb.flag("--cut-damaged-state", options->cut_damaged,
            "If the journal is damaged in the middle, start with the updates before the damage and "
            "move the rest to another file; default: an error")
      .needs("--state");
  verb.option("--refit", options->service.live.refit_seconds,
              "Seconds between trainings of the index after weights have changed; 0: never")
      .check(CLI::NonNegativeNumber);
  verb.option("--admin-token-file", options->token_file,
              "File with the token that clients need to change weights over the network");
  verb.option("--socket", options->server.socket,
              "Unix socket to listen on as well; its clients may change weights");
  verb.option("--log", options->log, "Access log in JSON lines; -: stderr, none: no log");
  verb.option("--max-body", limits.body_bytes, "Largest body of a request in bytes");
  verb.option("--max-places", limits.places, "Most places of a route");
  verb.option("--max-cells", limits.cells, "Most cells of a distance table");
  verb.option("--max-response", limits.response_bytes,
              "Most bytes of a table or an isochrone, while it is made");
  verb.option("--max-expansions", limits.expansions, "Most expansions of a request");
  verb.option("--max-seconds", limits.seconds, "Most seconds of a request")
      .check(CLI::PositiveNumber);
  verb.option("--max-connections", options->server.connections, "Most simultaneous connections");
  verb.option("--queue", options->server.queue, "Most requests that wait for a thread");
  verb.option("--idle", options->server.idle_seconds,
              "Seconds a client has to send the header of its next request")
      .check(CLI::PositiveNumber);
  verb.option("--drain", options->server.drain_seconds,
              "Seconds that running requests have to finish at shutdown")
      .check(CLI::NonNegativeNumber);
  add_reading_options(verb, options->read);
  verb.footer(R"(Examples:
  lodestar serve town.lsg --index town.lsi --port 5000
  lodestar serve town.osm.pbf --state town.lsj --admin-token-file token
  curl 'localhost:5000/route/v1/car/9.5024,47.1012;9.5178,47.1171?overview=false'
docs/SERVE.md describes every request, and how to run the server behind a proxy.)");
  verb.run([options] { return run_serve(*options); });
}

}  // namespace lodestar::cli
