// A server on a port of its own, in a thread of the test.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <thread>

#include "apps/server/server.h"
#include "http_client.h"
#include "sample_service.h"

namespace lodestar::server {

class Running {
 public:
  explicit Running(ServerOptions options = {}, ServiceOptions service = quiet_options(true),
                   const std::string& log = "", NodeId nodes = 600)
      : service_(sample_roads(nodes), std::move(service)), log_(log) {
    service_.live().settle();
    options.port = 0;
    options.signals = false;
    options.threads = std::max(2u, options.threads);
    server_ = std::make_unique<Server>(service_, log_, std::move(options));
    thread_ = std::thread([this] { server_->run(); });
  }
  ~Running() { stop(); }
  void stop() {
    if (!thread_.joinable()) return;
    server_->stop();
    thread_.join();
  }
  std::uint16_t port() const { return server_->port(); }
  Client client() const { return Client(port()); }
  Service& service() { return service_; }
  bool alive() const {
    Client one = client();
    return status_of(one.get("/route/v1/nodes/3;500")) == 200;
  }

 private:
  Service service_;
  AccessLog log_;
  std::unique_ptr<Server> server_;
  std::thread thread_;
};

}  // namespace lodestar::server
