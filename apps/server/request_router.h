// The router of requests with weights of their own, for one version of the weights.
//
//   const Router& router = snapshot->requests->get();  // prepared by the first caller
//
// Preparing takes O(m): potentials are checked, and repaired where weights have fallen. Requests
// without preferences never wait for it.
#pragma once

#include <mutex>
#include <optional>

#include "lodestar/router.h"

namespace lodestar::server {

class RequestRouter {
 public:
  RequestRouter(Graph graph, RouterOptions options)
      : graph_(std::move(graph)), options_(std::move(options)) {}

  // Throws Error if potentials, metrics or travel times do not fit the graph.
  const Router& get() const {
    std::call_once(once_, [this] {
      router_.emplace(graph_, options_);
      static_cast<void>(router_->requests({}));
    });
    return *router_;
  }

  bool has_travel_times() const { return options_.travel_times != nullptr; }
  bool has_potentials() const { return options_.family != nullptr; }

 private:
  Graph graph_;
  RouterOptions options_;
  mutable std::once_flag once_;
  mutable std::optional<Router> router_;
};

}  // namespace lodestar::server
