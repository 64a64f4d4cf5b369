// Bytes on a socket, for tests: polite requests and rude ones.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

namespace lodestar::server {

// Whether the condition holds within ten seconds.
template <class F>
bool comes_true(F&& condition) {
  for (int i = 0; i < 400; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(25));
  }
  return false;
}

class Client {
 public:
  // receive_buffer: bytes the kernel takes for a client that does not read; 0: as many as it likes.
  explicit Client(std::uint16_t port, int receive_buffer = 0)
      : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    if (receive_buffer > 0) {
      ::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    }
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_port = htons(port);
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ = ::connect(socket_, reinterpret_cast<sockaddr*>(&at), sizeof at) == 0;
  }
  explicit Client(const std::string& path) : socket_(::socket(AF_UNIX, SOCK_STREAM, 0)) {
    sockaddr_un at{};
    at.sun_family = AF_UNIX;
    path.copy(at.sun_path, sizeof at.sun_path - 1);
    connected_ = ::connect(socket_, reinterpret_cast<sockaddr*>(&at), sizeof at) == 0;
  }
  Client(Client&& other) noexcept
      : socket_(std::exchange(other.socket_, -1)), connected_(other.connected_) {}
  ~Client() {
    if (socket_ >= 0) ::close(socket_);
  }

  bool connected() const { return connected_; }
  // False once the server has hung up.
  bool send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t n = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (n <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
  }
  void finish() { ::shutdown(socket_, SHUT_WR); }

  // One whole answer, or what came until the end or the time was up.
  std::string receive(double seconds = 10) {
    const auto end = std::chrono::steady_clock::now() +
                     std::chrono::milliseconds(static_cast<int>(seconds * 1000));
    for (;;) {
      const std::size_t head = left_.find("\r\n\r\n");
      if (head != std::string::npos) {
        const std::size_t at = left_.find("Content-Length: ");
        if (at < head) {
          const std::size_t size = head + 4 + std::stoul(left_.substr(at + 16));
          if (left_.size() >= size) {
            std::string one = left_.substr(0, size);
            left_.erase(0, size);
            return one;
          }
        }
      }
      const auto rest = std::chrono::duration_cast<std::chrono::milliseconds>(
          end - std::chrono::steady_clock::now());
      pollfd wait{socket_, POLLIN, 0};
      char buffer[65536];
      if (rest.count() <= 0 || ::poll(&wait, 1, static_cast<int>(rest.count())) <= 0) break;
      const ssize_t n = ::recv(socket_, buffer, sizeof buffer, 0);
      if (n <= 0) {
        ended_ = true;
        break;
      }
      left_.append(buffer, static_cast<std::size_t>(n));
    }
    return std::exchange(left_, {});
  }
  // Whether the server hangs up within this time.
  bool ends_within(double seconds) {
    while (!ended_) {
      if (receive(seconds).empty() && !ended_) return false;
    }
    return true;
  }

  std::string ask(const std::string& request) {
    send(request);
    return receive();
  }
  std::string get(const std::string& target) {
    return ask("GET " + target + " HTTP/1.1\r\nHost: x\r\n\r\n");
  }

 private:
  int socket_;
  bool connected_ = false;
  bool ended_ = false;
  std::string left_;
};

inline int status_of(const std::string& answer) {
  return answer.size() > 12 ? std::atoi(answer.c_str() + 9) : 0;
}

}  // namespace lodestar::server
