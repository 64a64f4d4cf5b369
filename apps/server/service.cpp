#include "service.h"

#include <chrono>
#include <fstream>
#include <new>

#include "json_text.h"
#include "lodestar/detail/clock.h"
#include "lodestar/version.h"
#include "preference_options.h"
#include "request.h"
#include "responses.h"
#include "target.h"
#include "viewer_data.h"
#include "viewer_page.h"

namespace lodestar::server {
namespace {

// Allocates nothing.
Reply out_of_memory() {
  Reply reply;
  reply.status = 503;
  reply.code = "Overloaded";
  reply.constant = R"({"code":"Overloaded","message":"the server is out of memory; try later"})";
  return reply;
}

// Takes as long for any two texts of the same length.
bool same_secret(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  }
  return difference == 0;
}

bool is_weights(const Target& target) {
  return target.path.size() == 1 && target.path[0] == "weights";
}

// Such requests search by weights of their own, which takes longer than an index does.
bool may_have_preferences(std::string_view target) {
  const std::size_t mark = target.find('?');
  if (mark == std::string_view::npos) return false;
  for (const std::string_view pair : split(target.substr(mark + 1), '&')) {
    const std::string_view name = pair.substr(0, pair.find('='));
    if (is_preference(name) || name.find('%') != std::string_view::npos) return true;
    if (name == "alternatives" && pair != "alternatives=false" && pair != "alternatives=0") {
      return true;
    }
  }
  return false;
}

}  // namespace

Reply refusal_reply(int status, std::string_view code, std::string_view message) {
  JsonText json;
  json.open('{').key("code").text(code).key("message").text(message).close('}');
  Reply reply;
  reply.status = status;
  reply.code = code;
  reply.body = json.take();
  return reply;
}

std::string read_token(const std::string& path) {
  std::ifstream in(path);
  std::string token;
  if (!std::getline(in, token)) throw Error(path + ": cannot be read, or is empty");
  const char* blanks = " \t\r\n";
  token.erase(0, token.find_first_not_of(blanks));
  token.erase(token.find_last_not_of(blanks) + 1);
  if (token.size() < 16) throw Error(path + ": a token has at least 16 characters");
  return token;
}

Service::Service(GraphFile file, ServiceOptions options)
    : options_(std::move(options)),
      world_(std::move(file)),
      live_(world_.file, options_.live),
      methods_(world_.file) {}

Service::~Service() = default;

bool Service::is_quick(const Request& request) const {
  const std::string_view target = request.target;
  if (request.method == Method::kPost) return false;
  if (target.starts_with("/route/") || target.starts_with("/nearest/")) {
    return target.size() < 400 && !may_have_preferences(target) && live_.now()->index != nullptr;
  }
  return !target.starts_with("/table/") && !target.starts_with("/isochrone/") &&
         !target.starts_with("/viewer/");
}

std::size_t Service::body_limit(const Request& head) const {
  if (head.method != Method::kPost) {
    throw Refusal(413, "TooBig", "only POST may have a body");
  }
  if (!is_weights(parse_target(head.target))) return options_.limits.body_bytes;
  require_admin(head);
  return options_.limits.update_bytes;
}

void Service::require_admin(const Request& request) const {
  if (request.local) return;
  if (options_.token.empty()) {
    throw Refusal(403, "Forbidden",
                  "weights cannot be changed over the network here; start the server with "
                  "--admin-token-file, or use its Unix socket");
  }
  constexpr std::string_view kScheme = "Bearer ";
  if (!request.authorization.starts_with(kScheme) ||
      !same_secret(request.authorization.substr(kScheme.size()), options_.token)) {
    throw Refusal(401, "Unauthorized", "changing weights needs the header Authorization: Bearer …");
  }
}

Reply Service::answer(const Request& request) noexcept {
  const auto start = Clock::now();
  std::string_view service = "other";
  Reply reply;
  try {
    try {
      reply = dispatch(request, service);
    } catch (const Refusal& refusal) {
      reply = refusal_reply(refusal.status(), refusal.code(), refusal.what());
    } catch (const std::bad_alloc&) {
      reply = out_of_memory();
    } catch (const std::exception& error) {
      // Errors of the library speak of nodes and numbers, never of files: those were read before.
      reply = refusal_reply(500, "InternalError", "the request could not be answered");
      say(std::string("internal error: ") + error.what());
    }
  } catch (...) {
    reply = out_of_memory();  // while a refusal was put into words
  }
  metrics_.count(service, reply.status, seconds_since(start), reply.expansions);
  return reply;
}

Reply Service::dispatch(const Request& request, std::string_view& service) {
  if (request.target.size() > options_.limits.url_bytes) {
    throw Refusal(414, "InvalidUrl",
                  "the URL is longer than " + std::to_string(options_.limits.url_bytes) +
                      " bytes; send long lists by POST");
  }
  const Target target = parse_target(request.target);
  const std::string_view first = target.path.empty() ? "" : std::string_view(target.path[0]);
  const bool reads = request.method == Method::kGet || request.method == Method::kHead;
  const auto require = [&](bool allowed) {
    if (!allowed) throw Refusal(405, "InvalidUrl", "this method does not fit that URL");
  };
  if (is_routing_request(target)) {
    for (const std::string_view name : {"route", "table", "nearest", "isochrone"}) {
      if (first == name) service = name;
    }
    if (request.method == Method::kOptions) {
      Reply reply;
      reply.status = 204;
      return reply;
    }
    require(reads || request.method == Method::kPost);
    return answer_routing(request, target);
  }
  if (target.path.size() == 1 && first == "health") {
    service = "health";
    require(reads);
    return health();
  }
  if (target.path.size() == 1 && first == "metrics") {
    service = "metrics";
    require(reads);
    return metrics_text();
  }
  if (is_weights(target)) {
    service = "weights";
    require(reads || request.method == Method::kPost);
    return weights(request);
  }
  if (target.path.empty() || (target.path.size() == 1 && first == "index.html")) {
    service = "viewer";
    require(reads);
    Reply reply;
    reply.content_type = "text/html; charset=utf-8";
    reply.constant = viewer_page();
    reply.cacheable = true;
    return reply;
  }
  if (target.path.size() == 2 && first == "viewer") {
    service = "viewer";
    require(reads);
    return viewer(target);
  }
  throw Refusal(404, "InvalidUrl", "there is nothing at this URL");
}

const std::vector<Point>& Service::layout() {
  std::call_once(layout_once_, [this] { layout_ = layout_of(world_.file, methods_); });
  return layout_;
}

// The body says which methods there are, and that depends on whether there is an index.
std::shared_ptr<const SharedBody> Service::graph_body(const Snapshot& snapshot) {
  const std::lock_guard lock(graph_mutex_);
  const bool has_index = snapshot.index != nullptr;
  if (graph_body_ == nullptr || graph_version_ != snapshot.version ||
      graph_has_index_ != has_index) {
    auto made = std::make_shared<SharedBody>(graph_bytes(world_, snapshot, layout(), methods_));
    if (graph_body_ != nullptr) graph_body_->retire(held_bytes_);
    graph_body_ = std::move(made);
    graph_version_ = snapshot.version;
    graph_has_index_ = has_index;
  }
  return graph_body_;
}

// What the page asks for. Nodes are numbers here, from 0.
Reply Service::viewer(const Target& target) {
  const auto now = live_.now();
  const NodeId nodes = world_.file.graph.node_count();
  Reply reply;
  reply.version = now->version;
  const auto text = [&](std::string_view name) {
    const std::string* given = target.option(name);
    return given == nullptr ? std::string() : *given;
  };
  const auto node = [&](std::string_view name) {
    const auto v = parse_count(text(name));
    if (!v || *v >= nodes) {
      throw Refusal(400, "InvalidOptions", "there is no node for the option " + std::string(name));
    }
    return static_cast<NodeId>(*v);
  };
  const std::string& what = target.path[1];
  constexpr std::string_view kBytes = "application/octet-stream";
  if (what == "graph") {
    reply.content_type = kBytes;
    reply.shared = graph_body(*now);
  } else if (what == "potential") {
    reply.content_type = kBytes;
    reply.body = potential_bytes(node("to"), *methods_.potentials(text("method")));
  } else if (what == "trace" || what == "posthoc") {
    Deadline deadline(options_.limits);
    const TraceRequest request{
        {node("from"), node("to")}, text("method"), options_.limits.trace_steps};
    if (what == "posthoc") {
      reply.body = trace_posthoc(request, *now, layout(), methods_, deadline);
    } else if (request.method == "request") {
      const RoutingRequest wish = parse_wish(target, options_.limits);
      reply.body = request_trace_json(request, wish, world_, *now, layout(), deadline);
    } else {
      reply.body = trace_json(request, world_, *now, layout(), methods_, deadline);
    }
  } else {
    throw Refusal(404, "InvalidUrl", "the viewer asks for graph, trace, posthoc and potential");
  }
  return reply;
}

Reply Service::answer_routing(const Request& request, const Target& target) {
  const RoutingRequest routing = parse_routing_request(
      target, request.method == Method::kPost ? request.body : std::string_view(),
      request.content_type, options_.limits);
  const auto now = live_.now();
  Reply reply;
  reply.version = now->version;
  std::optional<RequestContext> made;
  try {
    RequestContext& context = made.emplace(world_, now, options_.limits, routing);
    switch (routing.endpoint) {
      case Endpoint::kRoute:
        reply.body = route_response(context, routing);
        break;
      case Endpoint::kTable:
        reply.body = table_response(context, routing);
        break;
      case Endpoint::kNearest:
        reply.body = nearest_response(context, routing);
        break;
      case Endpoint::kIsochrone:
        reply.body = isochrone_response(context, routing);
        break;
    }
  } catch (const Refusal& refusal) {
    JsonText json;
    json.open('{').key("code").text(refusal.code()).key("message").text(refusal.what());
    json.key("weights_version").whole(*reply.version).close('}');
    reply.status = refusal.status();
    reply.code = refusal.code();
    reply.body = json.take();
  }
  if (made) reply.expansions = made->deadline.spent();
  return reply;
}

Reply Service::health() const {
  const auto now = live_.now();
  const bool draining = draining_;
  JsonText json;
  json.open('{').key("status").text(draining ? "draining" : "ok");
  json.key("nodes").whole(world_.file.graph.node_count());
  json.key("arcs").whole(world_.file.graph.arc_count());
  json.key("weights_version").whole(now->version);
  json.key("index").truth(now->index != nullptr);
  json.key("index_generation").whole(now->generation);
  json.key("program").text("lodestar " + std::string(kVersion)).close('}');
  Reply reply;
  reply.status = draining ? 503 : 200;
  reply.version = now->version;
  reply.body = json.take();
  return reply;
}

Reply Service::metrics_text() const {
  const auto now = live_.now();
  Reply reply;
  reply.content_type = "text/plain; version=0.0.4; charset=utf-8";
  reply.version = now->version;
  reply.body = metrics_.text({now->version, now->generation, now->index != nullptr,
                              now->index == nullptr ? 0 : seconds_since(now->made),
                              live_.journal_bytes(), resident_bytes(), held_bytes_});
  return reply;
}

Reply Service::weights(const Request& request) {
  Reply reply;
  JsonText json;
  if (request.method != Method::kPost) {
    const auto now = live_.now();
    const std::vector<Weight>& given = live_.finder().weights();
    std::size_t changed = 0;
    for (std::size_t i = 0; i < given.size(); ++i) changed += given[i] != (*now->weights)[i];
    json.open('{').key("code").text("Ok").key("weights_version").whole(now->version);
    json.key("arcs").whole(given.size()).key("changed").whole(changed).close('}');
    reply.version = now->version;
    reply.body = json.take();
    return reply;
  }
  require_admin(request);
  const Applied done = live_.apply(live_.finder().parse(request.body, request.content_type));
  json.open('{').key("code").text("Ok").key("weights_version").whole(done.version);
  json.key("changed").whole(done.changed).key("seconds").rounded(done.seconds, 6).close('}');
  reply.version = done.version;
  reply.body = json.take();
  return reply;
}

}  // namespace lodestar::server
