// Everything the server knows, without its sockets: requests in, replies out, from any thread.
//
//   Service service(read_graph("town.lsg"), options);
//   const Reply reply = service.answer({.target = "/route/v1/car/9.52,47.14;9.51,47.12"});
//
// A service has one graph, which answers for every profile, or several, each for its own.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include "limits.h"
#include "message.h"
#include "metrics.h"
#include "served_graph.h"

namespace lodestar::server {

struct ServiceOptions {
  Limits limits = {};
  LiveOptions live = {};   // of the only graph
  std::string token = {};  // allows changes of weights over the network; empty: none
};

class Service {
 public:
  Service(GraphFile file, ServiceOptions options);
  // Throws Error if names are equal, empty or "nodes". `options.live` is ignored.
  Service(std::vector<NamedGraph> graphs, ServiceOptions options);
  ~Service();

  // Never throws: what goes wrong is a reply.
  Reply answer(const Request& request) noexcept;
  // Whether answering takes microseconds, so that no other thread is worth it.
  bool is_quick(const Request& request) const;
  // How many bytes of a body this request may have; a Refusal when it may have none. Asked when the
  // header is there and the body is not.
  std::size_t body_limit(const Request& head) const;

  void say(const std::string& text) const {
    if (options_.live.say) options_.live.say(text);
  }
  // Counts bodies that are kept for clients to read: those that sessions add, and shared ones that
  // a newer one has replaced.
  HeldBytes& held_bytes() { return held_bytes_; }

  void drain() { draining_ = true; }  // /health says so from now on
  Metrics& metrics() { return metrics_; }
  const Limits& limits() const { return options_.limits; }
  // The weights and the world of the first graph.
  LiveWeights& live() { return graphs_[0].now()->live(); }
  const World& world() const { return graphs_[0].now()->world(); }

 private:
  // A graph that can be replaced: requests take what is there when they start.
  struct Slot {
    std::string name;
    std::function<GraphSource()> load;
    std::unique_ptr<std::mutex> mutex = std::make_unique<std::mutex>();  // of `graph`
    std::shared_ptr<ServedGraph> graph;
    // Shared by updates; a reload that ends has it alone, so that no update gets lost.
    std::unique_ptr<std::shared_mutex> changing = std::make_unique<std::shared_mutex>();
    std::shared_ptr<ServedGraph> now() const {
      const std::lock_guard lock(*mutex);
      return graph;
    }
  };

  Reply dispatch(const Request& request, std::string_view& service);
  Reply answer_routing(const Request& request, Target target);
  Reply health() const;
  Reply weights(const Request& request, const Target& target);
  Reply reload(const Request& request, const Target& target);
  Reply metrics_text() const;
  Reply viewer(const Target& target);
  void require_admin(const Request& request) const;
  // Throws Refusal if there is none.
  Slot& slot_of(std::string_view profile);
  // The one that a path of two parts names, as /weights/car; the only one without a name.
  Slot& named_slot(const Target& target);
  std::string names() const;  // "car, bicycle, foot"

  HeldBytes held_bytes_ = 0;
  ServiceOptions options_;
  std::vector<Slot> graphs_;
  Metrics metrics_;
  std::mutex reload_mutex_;
  std::atomic<bool> draining_ = false;
};

// An error as OSRM writes it.
Reply refusal_reply(int status, std::string_view code, std::string_view message);
// The first line of a file, without blanks around it. Throws Error when it has under 16 characters.
std::string read_token(const std::string& path);

}  // namespace lodestar::server
