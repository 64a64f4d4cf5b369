// `lodestar serve`: routes over HTTP, with weights that may change.
#include <fmt/core.h>

#include <csignal>
#include <memory>
#include <thread>

#include "apps/server/server.h"
#include "lodestar/graph_io.h"
#include "lodestar/index.h"
#include "notes.h"
#include "numbers.h"
#include "reading.h"
#include "serve_verbs.h"

namespace lodestar::cli {
namespace {

struct ServeOptions {
  std::string graph;
  std::string index;
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
  say("drained; the end");
  return 0;
}

}  // namespace

void add_serve(CLI::App& program, int* status) {
  auto options = std::make_shared<ServeOptions>();
  options->server.threads = std::max(1u, std::thread::hardware_concurrency());
  server::Limits& limits = options->service.limits;
  CLI::App* verb = program.add_subcommand("serve", "Answer over HTTP, in OSRM's shapes");
  verb->add_option("graph", options->graph, "Graph file, any format")->required();
  verb->add_option("--index", options->index,
                   "Index made by `lodestar fit` (.lsi); without, one is built while serving");
  verb->add_flag("--no-index", options->no_index, "Search from both ends, without an index");
  verb->add_option("--host", options->server.host, "Address to listen on")->capture_default_str();
  verb->add_option("--port", options->server.port, "0: any that is free")->capture_default_str();
  verb->add_option("--threads", options->server.threads, "That answer")
      ->capture_default_str()
      ->check(CLI::Range(1u, 1024u));
  verb->add_option("--state", options->service.live.state,
                   "Journal of weights: read at the start, appended to by every change");
  verb->add_flag(
      "--cut-damaged-state", options->cut_damaged,
      "If the journal is damaged in the middle, start with the updates before the damage "
      "and move the rest to another file; default: an error");
  verb->add_option("--refit", options->service.live.refit_seconds,
                   "Seconds between trainings of the index after weights have changed; 0: never")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber)
      ->check(finite());
  verb->add_option("--admin-token-file", options->token_file,
                   "File with the secret of those who may change weights over the network");
  verb->add_option("--socket", options->server.socket,
                   "Unix socket to listen on as well; its users may change weights");
  verb->add_option("--log", options->log, "Access log, JSON lines; - is stderr, none: no log")
      ->capture_default_str();
  verb->add_option("--max-body", limits.body_bytes, "Bytes of a question's body")
      ->capture_default_str();
  verb->add_option("--max-places", limits.places, "Places of a route")->capture_default_str();
  verb->add_option("--max-cells", limits.cells, "Cells of a table")->capture_default_str();
  verb->add_option("--max-expansions", limits.expansions, "Expansions of a request")
      ->capture_default_str();
  verb->add_option("--max-seconds", limits.seconds, "Seconds of a request")
      ->capture_default_str()
      ->check(CLI::PositiveNumber)
      ->check(finite());
  verb->add_option("--max-connections", options->server.connections, "At the same time")
      ->capture_default_str();
  verb->add_option("--queue", options->server.queue, "Requests that may wait for a thread")
      ->capture_default_str();
  verb->add_option("--idle", options->server.idle_seconds,
                   "Seconds a client has for its next request's header")
      ->capture_default_str()
      ->check(CLI::PositiveNumber)
      ->check(finite());
  verb->add_option("--drain", options->server.drain_seconds,
                   "Seconds that requests have to end when the server is told to")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber)
      ->check(finite());
  add_reading_options(*verb, options->read);
  verb->callback([options, status] { *status = run_serve(*options); });
}

}  // namespace lodestar::cli
