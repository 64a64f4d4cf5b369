// The only file that sees Boost: compiling Beast takes half a minute.
#include "server.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <chrono>
#include <csignal>
#include <optional>
#include <set>
#include <thread>
#include <utility>  // before asio, which forgets it
#include <vector>

#include "job_queue.h"

namespace lodestar::serve {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;
using Loop = asio::io_context;
using Executor = Loop::executor_type;
// Of TCP or of Unix: one session for both.
using Socket = asio::basic_stream_socket<asio::generic::stream_protocol, Executor>;

Clock::duration seconds(double value) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(value));
}

std::string_view text_of(boost::beast::string_view text) {
  return {text.data(), text.size()};
}

Method method_of(http::verb verb) {
  switch (verb) {
    case http::verb::get:
      return Method::kGet;
    case http::verb::head:
      return Method::kHead;
    case http::verb::post:
      return Method::kPost;
    case http::verb::options:
      return Method::kOptions;
    default:
      return Method::kOther;
  }
}

constexpr std::string_view kTurnedAway =
    "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nConnection: close\r\n"
    "Retry-After: 1\r\n\r\n"
    "{\"code\":\"Overloaded\",\"message\":\"too many connections; try again soon\"}";

class Session;

// What all connections share, and what each thread has.
struct Shared {
  Service& service;
  AccessLog& log;
  const ServerOptions& options;
  JobQueue& jobs;
  std::atomic<std::size_t> connections = 0;
  std::atomic<bool> draining = false;
};

struct LoopState {
  Loop loop{1};
  std::set<std::shared_ptr<Session>> sessions;
};

class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(Shared& shared, LoopState& home, Socket socket, bool local, std::string client)
      : shared_(shared),
        home_(home),
        socket_(std::move(socket)),
        local_(local),
        client_(std::move(client)),
        buffer_(64 << 10) {}

  ~Session() {
    shared_.connections.fetch_sub(1);
    shared_.service.metrics().connection_closed();
  }

  // All that follows runs on the thread of home_.
  void start() {
    home_.sessions.insert(shared_from_this());
    read();
  }

  // Closes what has waited too long.
  void look_at_clock(Clock::time_point now) {
    if (now < deadline_ || !socket_.is_open()) return;
    shared_.service.metrics().timed_out();
    close();
  }

  // Closes what is between two requests.
  void drain() {
    if (waiting_) close();
  }

 private:
  void close() {
    error_code ignored;
    socket_.close(ignored);  // whatever runs ends with an error, and end() is called
  }

  void end() {
    close();
    home_.sessions.erase(shared_from_this());
  }

  void read() {
    if (shared_.draining) return end();
    parser_.emplace();
    parser_->header_limit(static_cast<std::uint32_t>(shared_.service.limits().header_bytes));
    // Beast compares a stated length with the limit before on_header knows who asks, so the largest
    // comes first.
    parser_->body_limit(shared_.service.limits().update_bytes);
    deadline_ = Clock::now() + seconds(shared_.options.idle_seconds);
    waiting_ = true;
    http::async_read_header(socket_, buffer_, *parser_,
                            [self = shared_from_this()](error_code error, std::size_t) {
                              self->waiting_ = false;
                              self->on_header(error);
                            });
  }

  void on_header(error_code error) {
    if (error) return on_read_error(error);
    keep_alive_ = parser_->keep_alive();
    if (parser_->is_done()) return answer();
    Request head = request();
    head.body = {};
    try {
      const std::size_t limit = shared_.service.body_limit(head);
      if (parser_->content_length().value_or(0) > limit) {
        return on_read_error(http::error::body_limit);
      }
      parser_->body_limit(limit);
    } catch (const Refusal& refusal) {
      keep_alive_ = false;
      return reply(refusal_reply(refusal.status(), refusal.code(), refusal.what()));
    }
    deadline_ = Clock::now() + seconds(shared_.options.body_seconds);
    if (parser_->get()[http::field::expect] != "100-continue") return read_body();
    static constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
    asio::async_write(socket_, asio::buffer(kContinue),
                      [self = shared_from_this()](error_code failed, std::size_t) {
                        failed ? self->end() : self->read_body();
                      });
  }

  void read_body() {
    http::async_read(socket_, buffer_, *parser_,
                     [self = shared_from_this()](error_code error, std::size_t) {
                       error ? self->on_read_error(error) : self->answer();
                     });
  }

  void on_read_error(error_code error) {
    keep_alive_ = false;
    if (error == http::error::header_limit || error == http::error::buffer_overflow) {
      return reply(refusal_reply(431, "TooBig", "the header is too long"));
    }
    if (error == http::error::body_limit) {
      return reply(refusal_reply(413, "TooBig", "the body is too long"));
    }
    // Errors of HTTP other than an end of the connection: somebody speaks another language.
    if (error.category() == make_error_code(http::error::bad_version).category() &&
        error != http::error::end_of_stream && error != http::error::partial_message) {
      return reply(refusal_reply(400, "InvalidUrl", "this is no request of HTTP/1.1"));
    }
    end();
  }

  Request request() const {
    const auto& message = parser_->get();
    return {method_of(message.method()),
            text_of(message.target()),
            message.body(),
            text_of(message[http::field::content_type]),
            text_of(message[http::field::authorization]),
            local_};
  }

  void answer() {
    started_ = Clock::now();
    deadline_ = Clock::time_point::max();  // the service has its own limits
    const Request asked = request();
    if (shared_.service.is_quick(asked)) return reply(shared_.service.answer(asked));
    const bool taken = shared_.jobs.add([self = shared_from_this(), asked] {
      // The session waits: parser and socket are not touched meanwhile.
      auto made = std::make_shared<Reply>(self->shared_.service.answer(asked));
      asio::post(self->home_.loop, [self, made] { self->reply(std::move(*made)); });
    });
    if (taken) return;
    shared_.service.metrics().overloaded();
    reply(refusal_reply(503, "Overloaded", "too many requests wait; try again soon"));
  }

  void reply(Reply made) {
    reply_ = std::move(made);
    if (started_ != Clock::time_point()) {
      const double took = std::chrono::duration<double>(Clock::now() - started_).count();
      const auto& message = parser_->get();
      shared_.log.add(client_, text_of(message.method_string()), text_of(message.target()), reply_,
                      took);
    } else {
      shared_.service.metrics().count("other", reply_.status, 0, 0);
      shared_.log.add(client_, "", "", reply_, 0);
    }
    started_ = {};
    keep_alive_ = keep_alive_ && !shared_.draining;
    write_head();
    const bool head_only = parser_->get().method() == http::verb::head;
    const std::string_view content = head_only ? std::string_view() : reply_.content();
    // A slow reader gets a second for every 20 kB.
    deadline_ = Clock::now() +
                seconds(shared_.options.write_seconds + static_cast<double>(content.size()) / 20e3);
    const std::array<asio::const_buffer, 2> parts = {asio::buffer(head_), asio::buffer(content)};
    asio::async_write(socket_, parts, [self = shared_from_this()](error_code error, std::size_t) {
      if (error) return self->end();
      self->keep_alive_ ? self->read() : self->hang_up();
    });
  }

  void write_head() {
    head_.clear();
    head_ += "HTTP/1.1 ";
    head_ += std::to_string(reply_.status);
    head_ += ' ';
    const auto reason = http::obsolete_reason(static_cast<http::status>(reply_.status));
    head_.append(reason.data(), reason.size());
    head_ += "\r\nServer: lodestar\r\nContent-Type: ";
    head_ += reply_.content_type;
    head_ += "\r\nContent-Length: ";
    head_ += std::to_string(reply_.content().size());
    if (!reply_.encoding.empty()) {
      head_ += "\r\nContent-Encoding: ";
      head_ += reply_.encoding;
    }
    head_ += "\r\nX-Weights-Version: ";
    head_ += std::to_string(reply_.version);
    head_ += reply_.cacheable ? "\r\nCache-Control: max-age=300" : "\r\nCache-Control: no-store";
    head_ += "\r\nX-Content-Type-Options: nosniff\r\nAccess-Control-Allow-Origin: *";
    if (reply_.status == 204) head_ += "\r\nAccess-Control-Allow-Headers: content-type";
    if (reply_.status == 401) head_ += "\r\nWWW-Authenticate: Bearer";
    if (reply_.status == 503) head_ += "\r\nRetry-After: 1";
    head_ += keep_alive_ ? "\r\nConnection: keep-alive\r\n\r\n" : "\r\nConnection: close\r\n\r\n";
  }

  // Says "nothing more", then takes what is still under way for a moment: closing at once would
  // throw away the reply with it.
  void hang_up() {
    error_code error;
    socket_.shutdown(Socket::shutdown_send, error);
    if (error) return end();
    deadline_ = Clock::now() + seconds(1);
    discard();
  }

  void discard() {
    buffer_.clear();
    socket_.async_read_some(buffer_.prepare(16 << 10),
                            [self = shared_from_this()](error_code error, std::size_t n) {
                              self->discarded_ += n;
                              if (error || self->discarded_ > (8u << 20)) return self->end();
                              self->discard();
                            });
  }

  Shared& shared_;
  LoopState& home_;
  Socket socket_;
  bool local_;
  std::string client_;
  boost::beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  Reply reply_;
  std::string head_;
  Clock::time_point deadline_ = Clock::time_point::max();
  Clock::time_point started_ = {};
  std::size_t discarded_ = 0;
  bool keep_alive_ = false;
  bool waiting_ = false;
};

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
      if (error) {  // no descriptors left: those who wait will free some
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

// A socket left behind by a server that was killed is in the way; anything else is not ours.
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
      signals_.add(SIGTERM);
      signals_.add(SIGINT);
      signals_.async_wait([this](error_code error, int) {
        if (!error) drain();
      });
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

  void raise_descriptors() const {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
    const rlim_t wanted = options_.connections + 64;
    if (limit.rlim_cur >= wanted) return;
    limit.rlim_cur = std::min(limit.rlim_max, wanted);
    ::setrlimit(RLIMIT_NOFILE, &limit);
  }

  // Four times a second: who has waited too long, is the end reached, what is to be logged.
  void tick(LoopState& state) {
    auto timer =
        std::make_shared<asio::basic_waitable_timer<Clock, asio::wait_traits<Clock>, Executor>>(
            state.loop);
    timer->expires_after(std::chrono::milliseconds(250));
    timer->async_wait([this, &state, timer](error_code) {
      const auto now = Clock::now();
      for (const auto& session : state.sessions) session->look_at_clock(now);
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
      asio::post(state->loop, [&state] {
        const auto all = state->sessions;
        for (const auto& session : all) session->drain();
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

}  // namespace lodestar::serve
