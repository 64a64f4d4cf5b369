#include "service.h"

#include <fstream>
#include <new>
#include <utility>

#include "json_text.h"
#include "lodestar/detail/clock.h"
#include "request.h"
#include "request_options.h"
#include "responses.h"
#include "target.h"
#include "viewer_data.h"

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

// "/weights" or "/weights/car".
bool is_about(const Target& target, std::string_view what) {
  return (target.path.size() == 1 || target.path.size() == 2) && target.path[0] == what;
}

// What other programs call the profiles.
std::string_view usual_name(std::string_view profile) {
  if (profile == "driving") return "car";
  if (profile == "cycling" || profile == "bike") return "bicycle";
  return profile == "walking" ? "foot" : profile;
}

// The profile "nodes:car" takes node names of the graph "car".
constexpr std::string_view kNodesOf = "nodes:";

// The third part of a path, as it is written.
std::string_view profile_of(std::string_view target) {
  for (int i = 0; i < 3; ++i) {
    const std::size_t slash = target.find('/');
    if (slash == std::string_view::npos) return {};
    target.remove_prefix(slash + 1);
  }
  return target.substr(0, target.find_first_of("/?"));
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

Service::Service(GraphFile file, ServiceOptions options) : options_(std::move(options)) {
  Slot slot;
  slot.graph = std::make_shared<ServedGraph>(
      "", GraphSource{std::move(file), options_.live, nullptr}, held_bytes_);
  graphs_.push_back(std::move(slot));
}

Service::Service(std::vector<NamedGraph> graphs, ServiceOptions options)
    : options_(std::move(options)) {
  if (graphs.empty()) throw Error("there is no graph to serve");
  for (NamedGraph& given : graphs) {
    for (const Slot& other : graphs_) {
      if (other.name == given.name) throw Error("two graphs are called '" + given.name + "'");
    }
    if (graphs.size() > 1 && (given.name.empty() || given.name == "nodes")) {
      throw Error("'" + given.name + "' cannot be the name of one of several graphs");
    }
    Slot slot;
    slot.name = given.name;
    slot.load = std::move(given.load);
    slot.graph = std::make_shared<ServedGraph>(given.name, std::move(given.source), held_bytes_);
    graphs_.push_back(std::move(slot));
  }
}

Service::~Service() = default;

std::string Service::names() const {
  std::string out;
  for (const Slot& slot : graphs_) out += (out.empty() ? "" : ", ") + slot.name;
  return out;
}

Service::Slot& Service::slot_of(std::string_view profile) {
  if (graphs_.size() == 1) return graphs_[0];
  if (profile.starts_with(kNodesOf)) profile.remove_prefix(kNodesOf.size());
  if (profile == "nodes") return graphs_[0];
  for (const std::string_view name : {profile, usual_name(profile)}) {
    for (Slot& slot : graphs_) {
      if (slot.name == name) return slot;
    }
  }
  refuse("InvalidValue", "there is no such profile; this server has " + names());
}

Service::Slot& Service::named_slot(const Target& target) {
  if (target.path.size() == 2) return slot_of(target.path[1]);
  if (graphs_.size() == 1) return graphs_[0];
  refuse("InvalidUrl", "this server has several graphs; write /" + target.path[0] + "/" +
                           graphs_[0].name + " (there are " + names() + ")");
}

bool Service::is_quick(const Request& request) const {
  const std::string_view target = request.target;
  if (request.method == Method::kPost) return false;
  if (target.starts_with("/route/") || target.starts_with("/nearest/")) {
    if (target.size() >= 400 || may_have_preferences(target)) return false;
    const std::string_view profile = usual_name(profile_of(target));
    const Slot* slot = &graphs_[0];
    for (const Slot& one : graphs_) {
      if (one.name == profile) slot = &one;
    }
    return slot->now()->live().now()->index != nullptr;
  }
  return !target.starts_with("/table/") && !target.starts_with("/isochrone/") &&
         !target.starts_with("/viewer/") && !target.starts_with("/weights");
}

std::size_t Service::body_limit(const Request& head) const {
  if (head.method != Method::kPost) {
    throw Refusal(413, "TooBig", "only POST may have a body");
  }
  const Target target = parse_target(head.target);
  if (!is_about(target, "weights")) return options_.limits.body_bytes;
  require_admin(head);
  return options_.limits.update_bytes;
}

void Service::require_admin(const Request& request) const {
  if (request.local) return;
  if (options_.token.empty()) {
    throw Refusal(403, "Forbidden",
                  "weights cannot be changed nor graphs reloaded over the network here; start the "
                  "server with "
                  "--admin-token-file, or use its Unix socket");
  }
  constexpr std::string_view kScheme = "Bearer ";
  if (!request.authorization.starts_with(kScheme) ||
      !same_secret(request.authorization.substr(kScheme.size()), options_.token)) {
    throw Refusal(401, "Unauthorized", "this request needs the header Authorization: Bearer …");
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
  if (is_about(target, "weights")) {
    service = "weights";
    require(reads || request.method == Method::kPost);
    return weights(request, target);
  }
  if (is_about(target, "reload")) {
    service = "weights";
    require(request.method == Method::kPost);
    return reload(request, target);
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

// What the page asks for. Nodes are numbers here, from 0.
Reply Service::viewer(const Target& target) {
  const std::string* profile = target.option("profile");
  const auto served = profile == nullptr ? graphs_[0].now() : slot_of(*profile).now();
  const auto now = served->live().now();
  const World& world = served->world();
  Methods& methods = served->methods();
  const NodeId nodes = world.file.graph.node_count();
  Reply reply;
  reply.version = now->version;
  const auto text = [&](std::string_view name) {
    const std::string* given = target.option(name);
    return given == nullptr ? std::string() : *given;
  };
  const auto node = [&](std::string_view name) {
    const auto v = parse_count(text(name));
    if (!v || *v >= nodes) {
      refuse("InvalidOptions", "there is no node for the option " + std::string(name));
    }
    return static_cast<NodeId>(*v);
  };
  const std::string& what = target.path[1];
  constexpr std::string_view kBytes = "application/octet-stream";
  if (what == "graph") {
    reply.content_type = kBytes;
    reply.shared = served->graph_body(*now);
  } else if (what == "map") {
    reply.shared = served->map_body();
  } else if (what == "profiles") {
    JsonText json;
    json.open('[');
    for (const Slot& slot : graphs_) json.text(slot.name);
    reply.body = json.close(']').take();
  } else if (what == "potential") {
    reply.content_type = kBytes;
    reply.body = potential_bytes(node("to"), *methods.potentials(text("method")));
  } else if (what == "trace" || what == "posthoc") {
    Deadline deadline(options_.limits);
    const TraceRequest request{
        {node("from"), node("to")}, text("method"), options_.limits.trace_steps};
    if (what == "posthoc") {
      reply.body = trace_posthoc(request, *now, served->layout(), methods, deadline);
    } else if (request.method == "request") {
      const RoutingRequest wish = parse_wish(target, options_.limits);
      reply.body = request_trace_json(request, wish, world, *now, served->layout(), deadline);
    } else {
      reply.body = trace_json(request, world, *now, served->layout(), methods, deadline);
    }
  } else {
    throw Refusal(404, "InvalidUrl",
                  "the viewer asks for graph, map, profiles, trace, posthoc and potential");
  }
  return reply;
}

Reply Service::answer_routing(const Request& request, Target target) {
  std::shared_ptr<ServedGraph> served = graphs_[0].now();
  if (target.path.size() > 2) {
    served = slot_of(target.path[2]).now();
    if (target.path[2].starts_with(kNodesOf)) target.path[2] = "nodes";
  }
  const RoutingRequest routing = parse_routing_request(
      target, request.method == Method::kPost ? request.body : std::string_view(),
      request.content_type, options_.limits);
  const auto now = served->live().now();
  Reply reply;
  reply.version = now->version;
  std::optional<RequestContext> made;
  try {
    RequestContext& context = made.emplace(served->world(), now, options_.limits, routing);
    const auto respond = routing.endpoint == Endpoint::kRoute     ? route_response
                         : routing.endpoint == Endpoint::kTable   ? table_response
                         : routing.endpoint == Endpoint::kNearest ? nearest_response
                                                                  : isochrone_response;
    reply.body = respond(context, routing);
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

}  // namespace lodestar::server
