// Serves a Service over HTTP/1.1, on TCP and a Unix socket.
//
//   Server server(service, log, {.port = 5000});
//   server.run();                                    // until SIGTERM or SIGINT, or stop()
//
// SIGHUP opens the access log again; nothing else changes.
//
// Each thread has its own event loop and connections. Quick requests are answered on the thread
// that read them; others go through a bounded queue to as many worker threads. A waiting connection
// costs its buffer and its unread reply. It is closed when it has waited too long or when all
// unread replies together are too large.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "access_log.h"
#include "service.h"

namespace lodestar::server {

struct ServerOptions {
  std::string host = "127.0.0.1";
  std::uint16_t port = 5000;  // 0: any that is free
  std::string socket = {};    // path of a Unix socket, whose users may change weights
  unsigned threads = 1;
  std::size_t connections = 4096;        // at the same time
  std::size_t queue = 64;                // requests waiting for a thread
  std::size_t unread_bytes = 64u << 20;  // of replies their clients have not read, all together
  double idle_seconds = 15;              // for a whole header, the wait before it included
  double body_seconds = 60;
  double write_seconds = 60;
  double drain_seconds = 10;
  bool signals = true;  // obey SIGTERM, SIGINT and SIGHUP
};

class Server {
 public:
  // Listens when it returns. Throws Error when it cannot.
  Server(Service& service, AccessLog& log, ServerOptions options);
  ~Server();

  std::uint16_t port() const;
  void run();
  void stop();  // from any thread: run() drains and returns

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lodestar::server
