// A request and its reply, independent of sockets.
//
//   const Reply reply = service.answer({.method = Method::kGet, .target = "/health"});
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "shared_body.h"

namespace lodestar::server {

enum class Method : std::uint8_t { kGet, kHead, kPost, kOptions, kOther };

struct Request {
  Method method = Method::kGet;
  std::string_view target;     // path and query, still percent-encoded
  std::string_view body = {};  //
  std::string_view content_type = {};
  std::string_view authorization = {};  // the header's value
  bool local = false;                   // came through the Unix socket: may change weights
};

struct Reply {
  int status = 200;
  std::string_view content_type = "application/json; charset=utf-8";
  std::string body = {};
  // Used instead of `body` for a body that replies share, or that lives as long as the program.
  std::shared_ptr<const SharedBody> shared = nullptr;
  std::string_view constant = {};
  std::string_view code = "Ok";               // OSRM's word, for log and metrics
  std::optional<std::uint64_t> version = {};  // of the weights the answer is exact for
  std::uint64_t expansions = 0;
  bool cacheable = false;  // never changes while the server runs

  std::string_view content() const {
    if (shared != nullptr) return shared->bytes();
    return constant.empty() ? std::string_view(body) : constant;
  }
};

// Ends a request. `code` is OSRM's where it has one; `status` is that of HTTP.
class Refusal : public std::runtime_error {
 public:
  Refusal(int status, std::string_view code, const std::string& message)
      : std::runtime_error(message), status_(status), code_(code) {}
  int status() const { return status_; }
  std::string_view code() const { return code_; }  // a literal

 private:
  int status_;
  std::string_view code_;
};

// For a request that is not valid.
[[noreturn]] inline void refuse(std::string_view code, const std::string& why) {
  throw Refusal(400, code, why);
}

}  // namespace lodestar::server
