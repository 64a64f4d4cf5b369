// The state of a service: health, metrics, weights, and graphs that are read again.
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <utility>

#include "journal.h"
#include "json_text.h"
#include "lodestar/detail/clock.h"
#include "lodestar/version.h"
#include "service.h"
#include "target.h"
#include "weight_update.h"

namespace lodestar::server {

Reply Service::health() const {
  const bool draining = draining_;
  JsonText json;
  const auto write = [&](const ServedGraph& graph) {
    const auto now = graph.live().now();
    json.key("nodes").whole(graph.world().file.graph.node_count());
    json.key("arcs").whole(graph.world().file.graph.arc_count());
    json.key("weights_version").whole(now->version);
    json.key("index").truth(now->index != nullptr);
    json.key("index_generation").whole(now->generation);
  };
  Reply reply;
  json.open('{').key("status").text(draining ? "draining" : "ok");
  if (graphs_.size() == 1) {
    const auto graph = graphs_[0].now();
    reply.version = graph->live().now()->version;
    write(*graph);
  } else {
    json.key("graphs").open('{');
    for (const Slot& slot : graphs_) {
      json.key(slot.name).open('{');
      write(*slot.now());
      json.close('}');
    }
    json.close('}');
  }
  json.key("program").text("lodestar " + std::string(kVersion)).close('}');
  reply.status = draining ? 503 : 200;
  reply.body = json.take();
  return reply;
}

Reply Service::metrics_text() const {
  std::vector<Metrics::GraphGauges> graphs;
  for (const Slot& slot : graphs_) {
    const auto graph = slot.now();
    const auto now = graph->live().now();
    graphs.push_back({graphs_.size() > 1 ? slot.name : "", now->version, now->generation,
                      now->index != nullptr, now->index == nullptr ? 0 : seconds_since(now->made),
                      graph->live().journal_bytes()});
  }
  Reply reply;
  reply.content_type = "text/plain; version=0.0.4; charset=utf-8";
  if (graphs_.size() == 1) reply.version = graphs[0].version;
  reply.body = metrics_.text(graphs, resident_bytes(), held_bytes_);
  return reply;
}

Reply Service::weights(const Request& request, const Target& target) {
  Reply reply;
  JsonText json;
  if (request.method == Method::kPost) require_admin(request);
  Slot& slot = named_slot(target);
  if (request.method != Method::kPost) {
    const auto graph = slot.now();
    const auto now = graph->live().now();
    const std::vector<Weight>& given = graph->live().finder().weights();
    reply.version = now->version;
    if (const std::string* list = target.option("list")) {
      if (*list != "changed" && *list != "all") {
        refuse("InvalidOptions", "list is changed or all");
      }
      reply.content_type = "text/csv; charset=utf-8";
      reply.body = weights_csv(given, *now->weights, *list == "all");
      return reply;
    }
    std::size_t changed = 0;
    for (std::size_t i = 0; i < given.size(); ++i) changed += given[i] != (*now->weights)[i];
    json.open('{').key("code").text("Ok").key("weights_version").whole(now->version);
    json.key("arcs").whole(given.size()).key("changed").whole(changed).close('}');
    reply.body = json.take();
    return reply;
  }
  const std::shared_lock lock(*slot.changing);
  const auto graph = slot.now();
  LiveWeights& live = graph->live();
  const Applied done = live.apply(live.finder().parse(request.body, request.content_type));
  json.open('{').key("code").text("Ok").key("weights_version").whole(done.version);
  json.key("changed").whole(done.changed).key("seconds").rounded(done.seconds, 6).close('}');
  reply.version = done.version;
  reply.body = json.take();
  return reply;
}

// Reads the graph again and builds its index while the old one answers; requests that have begun
// end on the old one.
Reply Service::reload(const Request& request, const Target& target) {
  require_admin(request);
  Slot& slot = named_slot(target);
  if (!slot.load) refuse("InvalidUrl", "this graph was not read from a file");
  const std::unique_lock only(reload_mutex_, std::try_to_lock);
  if (!only) throw Refusal(409, "Conflict", "another graph is being reloaded");
  const auto start = Clock::now();
  std::shared_ptr<ServedGraph> old;
  std::shared_ptr<ServedGraph> made;
  try {
    GraphSource source = slot.load();
    if (source.live.index == nullptr && source.live.build_index &&
        source.file.graph.node_count() > 1) {
      IndexOptions options;
      options.seconds = source.live.training_seconds;
      source.live.index = std::make_shared<const Index>(
          Index::build(source.file.graph, options, [this] { return draining_.load(); }));
    }
    const std::lock_guard lock(*slot.changing);
    JournalAside aside(source.live.state);
    made = std::make_shared<ServedGraph>(slot.name, std::move(source), held_bytes_);
    aside.keep();
    const std::lock_guard swap(*slot.mutex);
    old = std::exchange(slot.graph, made);
  } catch (const Error& error) {
    say(std::string("reload failed, the old graph stays: ") + error.what());
    throw Refusal(500, "InternalError",
                  "the graph could not be read again; the old one stays (the reason is in the "
                  "server's messages)");
  }
  say("graph " + (slot.name.empty() ? "" : slot.name + " ") + "reloaded");
  // Destroyed here, and not by the thread of the last request that uses it.
  while (old.use_count() > 1) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  old.reset();
  JsonText json;
  json.open('{').key("code").text("Ok").key("nodes").whole(made->world().file.graph.node_count());
  json.key("arcs").whole(made->world().file.graph.arc_count());
  json.key("seconds").rounded(seconds_since(start), 3).close('}');
  Reply reply;
  reply.body = json.take();
  return reply;
}

}  // namespace lodestar::server
