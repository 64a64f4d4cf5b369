// Everything the server knows, without its sockets: requests in, replies out, from any thread.
//
//   Service service(read_graph("town.lsg"), options);
//   const Reply reply = service.answer({.target = "/route/v1/car/9.52,47.14;9.51,47.12"});
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>

#include "limits.h"
#include "live_weights.h"
#include "message.h"
#include "methods.h"
#include "metrics.h"
#include "request_context.h"

namespace lodestar::server {

struct ServiceOptions {
  Limits limits = {};
  LiveOptions live = {};
  std::string token = {};  // who may change weights over the network; empty: nobody
};

class Service {
 public:
  Service(GraphFile file, ServiceOptions options);
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
  LiveWeights& live() { return live_; }
  const Limits& limits() const { return options_.limits; }
  const World& world() const { return world_; }

 private:
  Reply dispatch(const Request& request, std::string_view& service);
  Reply answer_routing(const Request& request, const Target& target);
  Reply health() const;
  Reply weights(const Request& request);
  Reply metrics_text() const;
  Reply viewer(const Target& target);
  std::shared_ptr<const SharedBody> graph_body(const Snapshot& snapshot);  // made once a version
  const std::vector<Point>& layout();  // made when it is first asked for
  void require_admin(const Request& request) const;

  HeldBytes held_bytes_ = 0;
  ServiceOptions options_;
  World world_;
  LiveWeights live_;
  Metrics metrics_;
  Methods methods_;
  std::once_flag layout_once_;
  std::vector<Point> layout_;
  std::mutex graph_mutex_;  // of what follows
  std::shared_ptr<SharedBody> graph_body_;
  std::uint64_t graph_version_ = 0;
  bool graph_has_index_ = false;
  std::atomic<bool> draining_ = false;
};

// An error as OSRM writes it.
Reply refusal_reply(int status, std::string_view code, std::string_view message);
// The first line of a file, without blanks around it. Throws Error when it has under 16 characters.
std::string read_token(const std::string& path);

}  // namespace lodestar::server
