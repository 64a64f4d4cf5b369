// One connection: reads requests, passes them to the service and writes replies. Included by
// server.cpp only. Replies are written by Asio, without Beast's serializer, so that a shared body
// is never copied; one timer per loop serves all connections instead of one per Beast stream.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <chrono>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "job_queue.h"
#include "server.h"

namespace lodestar::server {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;
using Loop = asio::io_context;
using Executor = Loop::executor_type;
// One type for TCP and Unix sockets.
using Socket = asio::basic_stream_socket<asio::generic::stream_protocol, Executor>;

inline Clock::duration seconds(double value) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(value));
}

inline std::string_view text_of(boost::beast::string_view text) {
  return {text.data(), text.size()};
}

inline Method method_of(http::verb verb) {
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

class Session;

// State of all connections, and state of each thread.
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

// Keeps unread bytes within options.unread_bytes: closes the sessions of this loop that have been
// writing for longest. The newest may continue, however large its body is. Runs on the thread of
// the loop.
inline void make_room(Shared& shared, LoopState& home);

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
    stop_counting();
    shared_.connections.fetch_sub(1);
    shared_.service.metrics().connection_closed();
  }

  // The following members run on the thread of home_.
  void start() {
    home_.sessions.insert(shared_from_this());
    read();
  }

  // Closes the session if it has waited too long.
  void look_at_clock(Clock::time_point now) {
    if (now < deadline_ || !socket_.is_open()) return;
    shared_.service.metrics().timed_out();
    close();
  }

  // Bytes that are freed when the client reads them or disconnects.
  std::size_t held_bytes() const {
    if (!socket_.is_open()) return 0;
    return reply_.shared != nullptr && reply_.shared->retired() ? reply_.content().size()
                                                                : counted_;
  }
  const void* body() const { return reply_.content().data(); }
  Clock::time_point writing_since() const { return writing_since_; }

  // Closes the session to free its memory, also what the system still holds of its reply. An
  // ordinary close would keep that until the client has read it.
  void give_up() {
    if (!socket_.is_open()) return;
    shared_.service.metrics().gave_up();
    stop_counting();
    error_code ignored;
    socket_.set_option(asio::socket_base::linger(true, 0), ignored);
    close();
  }

  // Closes the session if it is between two requests.
  void drain() {
    if (waiting_) close();
  }

 private:
  void close() {
    error_code ignored;
    socket_.close(ignored);  // pending operations end with an error, which calls end()
  }

  void stop_counting() { shared_.service.held_bytes() -= std::exchange(counted_, 0); }

  void end() {
    close();
    home_.sessions.erase(shared_from_this());
  }

  void read() {
    if (shared_.draining) return end();
    parser_.emplace();
    parser_->header_limit(static_cast<std::uint32_t>(shared_.service.limits().header_bytes));
    // Beast checks the stated length before on_header knows the client, so the largest limit comes
    // first.
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
    const std::size_t hosts = parser_->get().count(http::field::host);
    if (hosts > 1 || (hosts == 0 && parser_->get().version() >= 11)) {
      keep_alive_ = false;
      return reply(refusal_reply(400, "InvalidUrl", "a request must have one Host header"));
    }
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
    // HTTP errors other than the end of the connection: the client does not speak HTTP.
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
    parser_->get().body() = {};  // it may wait long for its client
    if (!reply_.body.empty()) counted_ = reply_.body.capacity();
    shared_.service.held_bytes() += counted_;
    writing_since_ = Clock::now();
    make_room(shared_, home_);
    const bool head_only = parser_->get().method() == http::verb::head;
    const std::string_view content = head_only ? std::string_view() : reply_.content();
    // A slow reader gets a second for every 20 kB.
    deadline_ = writing_since_ +
                seconds(shared_.options.write_seconds + static_cast<double>(content.size()) / 20e3);
    const std::array<asio::const_buffer, 2> parts = {asio::buffer(head_), asio::buffer(content)};
    asio::async_write(socket_, parts, [self = shared_from_this()](error_code error, std::size_t) {
      if (error) return self->end();
      self->stop_counting();
      self->reply_ = {};
      self->keep_alive_ ? self->read() : self->hang_up();
    });
  }

  void write_head() {
    const auto reason = http::obsolete_reason(static_cast<http::status>(reply_.status));
    head_.clear();
    const auto out = std::back_inserter(head_);
    fmt::format_to(out,
                   "HTTP/1.1 {} {}\r\nServer: lodestar\r\nContent-Type: {}\r\nContent-Length: {}",
                   reply_.status, text_of(reason), reply_.content_type, reply_.content().size());
    if (reply_.version) fmt::format_to(out, "\r\nX-Weights-Version: {}", *reply_.version);
    head_ += reply_.cacheable ? "\r\nCache-Control: max-age=300" : "\r\nCache-Control: no-store";
    head_ += "\r\nX-Content-Type-Options: nosniff\r\nAccess-Control-Allow-Origin: *";
    if (reply_.status == 204) head_ += "\r\nAccess-Control-Allow-Headers: content-type";
    if (reply_.status == 401) head_ += "\r\nWWW-Authenticate: Bearer";
    if (reply_.status == 503) head_ += "\r\nRetry-After: 1";
    head_ += keep_alive_ ? "\r\nConnection: keep-alive\r\n\r\n" : "\r\nConnection: close\r\n\r\n";
  }

  // Shuts down sending, then reads for a moment what is still under way: closing at once would
  // discard the reply.
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
  Clock::time_point writing_since_ = {};
  std::size_t counted_ = 0;  // of reply_.body, in held_bytes() of the service
  std::size_t discarded_ = 0;
  bool keep_alive_ = false;
  bool waiting_ = false;
};

inline void make_room(Shared& shared, LoopState& home) {
  std::size_t held = shared.service.held_bytes();
  const std::size_t most = shared.options.unread_bytes;
  if (held <= most) return;
  std::vector<Session*> waiting;
  for (const auto& session : home.sessions) {
    if (session->held_bytes() > 0) waiting.push_back(session.get());
  }
  std::sort(waiting.begin(), waiting.end(), [](const Session* a, const Session* b) {
    return a->writing_since() < b->writing_since();
  });
  for (std::size_t i = 0; i + 1 < waiting.size() && held > most; ++i) {
    const std::size_t bytes = waiting[i]->held_bytes();
    if (bytes == 0) continue;  // closed with those below
    held -= std::min(held, bytes);
    // A body that is shared is gone when all who share it are.
    const void* const body = waiting[i]->body();
    for (std::size_t k = i; k + 1 < waiting.size(); ++k) {
      if (waiting[k]->body() == body) waiting[k]->give_up();
    }
  }
}

}  // namespace lodestar::server
