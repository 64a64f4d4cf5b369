// The only source that includes Boost, because compiling Beast takes half a minute.
#include "server.h"

#include <netinet/tcp.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <csignal>
#include <thread>

#include "session.h"

namespace lodestar::server {
namespace {

constexpr std::string_view kTurnedAway =
    "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nConnection: close\r\n"
    "Retry-After: 1\r\n\r\n"
    "{\"code\":\"Overloaded\",\"message\":\"too many connections; try again soon\"}";

// Accepts connections of one kind and deals them out to the loops.
template <class Protocol>
class Door {
 public:
  Door(Shared& shared, std::vector<std::unique_ptr<LoopState>>& loops, bool local)
      : shared_(shared),
        loops_(loops),
        acceptor_(loops[0]->loop),
        retry_(loops[0]->loop),
        local_(local) {}

  void open(const typename Protocol::endpoint& at) {
    acceptor_.open(at.protocol());
    if constexpr (std::is_same_v<Protocol, asio::ip::tcp>) {
      acceptor_.set_option(asio::socket_base::reuse_address(true));
    }
    acceptor_.bind(at);
    acceptor_.listen(1024);
  }

  auto& acceptor() { return acceptor_; }

  void accept() {
    LoopState& home = *loops_[next_++ % loops_.size()];
    auto socket = std::make_shared<Accepted>(home.loop);
    acceptor_.async_accept(*socket, [this, &home, socket](error_code error) {
      if (error == asio::error::operation_aborted || shared_.draining) return;
      if (error) {  // no descriptors left: connections that time out will free some
        retry_.expires_after(std::chrono::milliseconds(50));
        retry_.async_wait([this](error_code stopped) {
          if (!stopped) accept();
        });
        return;
      }
      admit(home, std::move(*socket));
      accept();
    });
  }

  void close() {
    error_code ignored;
    acceptor_.close(ignored);
    retry_.cancel();
  }

 private:
  using Accepted = asio::basic_stream_socket<Protocol, Executor>;
  void admit(LoopState& home, Accepted socket) {
    error_code ignored;
    shared_.service.metrics().connection_opened();
    std::string client = "unix";
    if constexpr (std::is_same_v<Protocol, asio::ip::tcp>) {
      socket.set_option(asio::ip::tcp::no_delay(true), ignored);
#ifdef TCP_NOTSENT_LOWAT
      // Without a limit the kernel buffers megabytes for a client that does not read.
      const int unsent = 128 << 10;
      ::setsockopt(socket.native_handle(), IPPROTO_TCP, TCP_NOTSENT_LOWAT, &unsent, sizeof unsent);
#endif
      const auto end = socket.remote_endpoint(ignored);
      if (!ignored) client = end.address().to_string();
    }
    if (shared_.connections.fetch_add(1) >= shared_.options.connections) {
      shared_.connections.fetch_sub(1);
      shared_.service.metrics().overloaded();
      shared_.service.metrics().connection_closed();
      socket.non_blocking(true, ignored);
      socket.write_some(asio::buffer(kTurnedAway), ignored);
      return;
    }
    auto session = std::make_shared<Session>(shared_, home, Socket(std::move(socket)), local_,
                                             std::move(client));
    asio::post(home.loop, [session] { session->start(); });
  }

  Shared& shared_;
  std::vector<std::unique_ptr<LoopState>>& loops_;
  asio::basic_socket_acceptor<Protocol, Executor> acceptor_;
  asio::basic_waitable_timer<Clock, asio::wait_traits<Clock>, Executor> retry_;
  bool local_;
  std::size_t next_ = 0;
};

// Removes the socket of a server that was killed, and nothing else.
void remove_old_socket(const std::string& path) {
  struct stat facts {};
  if (::lstat(path.c_str(), &facts) != 0) return;
  if (!S_ISSOCK(facts.st_mode)) throw Error(path + ": is there already, and no socket");
  asio::io_context loop;
  asio::local::stream_protocol::socket probe(loop);
  error_code error;
  probe.connect(asio::local::stream_protocol::endpoint(path), error);
  if (!error) throw Error(path + ": another server listens there");
  ::unlink(path.c_str());
}

}  // namespace

class Server::Impl {
 public:
  Impl(Service& service, AccessLog& log, ServerOptions options)
      : options_(std::move(options)),
        jobs_(options_.threads, options_.queue),
        shared_{service, log, options_, jobs_},
        loops_(make_loops(options_.threads)),
        tcp_(shared_, loops_, false),
        unix_(shared_, loops_, true),
        signals_(loops_[0]->loop) {
    raise_descriptors();
    try {
      const auto address = asio::ip::make_address(options_.host);
      tcp_.open({address, options_.port});
      port_ = tcp_.acceptor().local_endpoint().port();
      if (!options_.socket.empty()) {
        remove_old_socket(options_.socket);
        const mode_t before = ::umask(0177);
        unix_.open(asio::local::stream_protocol::endpoint(options_.socket));
        ::umask(before);
      }
    } catch (const boost::system::system_error& error) {
      throw Error("cannot listen on " + options_.host + " port " + std::to_string(options_.port) +
                  (options_.socket.empty() ? "" : " and " + options_.socket) + ": " +
                  error.code().message());
    }
  }

  ~Impl() {
    if (!options_.socket.empty()) ::unlink(options_.socket.c_str());
  }

  std::uint16_t port() const { return port_; }

  void run() {
    std::signal(SIGPIPE, SIG_IGN);
    if (options_.signals) {
      for (const int which : {SIGTERM, SIGINT, SIGHUP}) signals_.add(which);
      await_signal();
    }
    tcp_.accept();
    if (!options_.socket.empty()) unix_.accept();
    for (auto& state : loops_) tick(*state);
    std::vector<std::thread> threads;
    for (std::size_t i = 1; i < loops_.size(); ++i) {
      threads.emplace_back([this, i] { loops_[i]->loop.run(); });
    }
    loops_[0]->loop.run();
    for (std::thread& thread : threads) thread.join();
    jobs_.end();
    for (auto& state : loops_) state->sessions.clear();
    shared_.log.flush();
  }

  void stop() {
    asio::post(loops_[0]->loop, [this] { drain(); });
  }

 private:
  static std::vector<std::unique_ptr<LoopState>> make_loops(unsigned count) {
    std::vector<std::unique_ptr<LoopState>> loops;
    for (unsigned i = 0; i < std::max(1u, count); ++i) {
      loops.push_back(std::make_unique<LoopState>());
    }
    return loops;
  }

  void await_signal() {
    signals_.async_wait([this](error_code error, int which) {
      if (error) return;
      if (which != SIGHUP) return drain();
      const bool opened = shared_.log.reopen();
      shared_.service.say(opened ? "the access log was opened again"
                                 : "the access log cannot be opened again; the old file stays");
      await_signal();
    });
  }

  void raise_descriptors() const {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
    const rlim_t wanted = options_.connections + 64;
    if (limit.rlim_cur >= wanted) return;
    limit.rlim_cur = std::min(limit.rlim_max, wanted);
    ::setrlimit(RLIMIT_NOFILE, &limit);
  }

  // Four times a second: closes slow connections, limits unread bytes, checks for the end, writes
  // the log.
  void tick(LoopState& state) {
    auto timer =
        std::make_shared<asio::basic_waitable_timer<Clock, asio::wait_traits<Clock>, Executor>>(
            state.loop);
    timer->expires_after(std::chrono::milliseconds(250));
    timer->async_wait([this, &state, timer](error_code) {
      const auto now = Clock::now();
      for (const auto& session : state.sessions) session->look_at_clock(now);
      make_room(shared_, state);
      if (&state == loops_[0].get()) shared_.log.flush();
      if (shared_.draining && (shared_.connections == 0 || now >= drain_end_.load())) {
        state.loop.stop();
        return;
      }
      tick(state);
    });
  }

  void drain() {
    if (shared_.draining) return;
    drain_end_ = Clock::now() + seconds(options_.drain_seconds);
    shared_.draining = true;
    shared_.service.drain();
    tcp_.close();
    unix_.close();
    for (auto& state : loops_) {
      asio::post(state->loop, [this, &state] {
        const auto all = state->sessions;
        for (const auto& session : all) session->drain();
        // Without connections there is nothing to wait for, and the work behind the server ends.
        if (shared_.connections == 0) state->loop.stop();
      });
    }
  }

  ServerOptions options_;
  JobQueue jobs_;
  Shared shared_;
  std::vector<std::unique_ptr<LoopState>> loops_;
  Door<asio::ip::tcp> tcp_;
  Door<asio::local::stream_protocol> unix_;
  asio::basic_signal_set<Executor> signals_;
  std::uint16_t port_ = 0;
  std::atomic<Clock::time_point> drain_end_ = Clock::time_point::max();
};

Server::Server(Service& service, AccessLog& log, ServerOptions options)
    : impl_(std::make_unique<Impl>(service, log, std::move(options))) {}
Server::~Server() = default;
std::uint16_t Server::port() const {
  return impl_->port();
}
void Server::run() {
  impl_->run();
}
void Server::stop() {
  impl_->stop();
}

}  // namespace lodestar::server
