// A body that many replies share, and the count of bytes kept for clients that have not read them.
//
//   auto body = std::make_shared<SharedBody>(graph_bytes(…));
//   reply.shared = body;                 // any number of replies
//   body->retire(held);                  // a newer one replaces it; it counts until it is freed
#pragma once

#include <atomic>
#include <cstddef>
#include <string>
#include <utility>

namespace lodestar::server {

// Bytes of bodies kept only for clients that are still to read them.
using HeldBytes = std::atomic<std::size_t>;

class SharedBody {
 public:
  explicit SharedBody(std::string bytes) : bytes_(std::move(bytes)) { bytes_.shrink_to_fit(); }
  ~SharedBody() {
    if (held_ != nullptr) *held_ -= bytes_.capacity();
  }
  SharedBody(const SharedBody&) = delete;
  SharedBody& operator=(const SharedBody&) = delete;

  const std::string& bytes() const { return bytes_; }
  bool retired() const { return held_ != nullptr; }
  // Once, by a holder. `held` must outlive it.
  void retire(HeldBytes& held) {
    held += bytes_.capacity();
    held_ = &held;
  }

 private:
  std::string bytes_;
  std::atomic<HeldBytes*> held_ = nullptr;
};

}  // namespace lodestar::server
