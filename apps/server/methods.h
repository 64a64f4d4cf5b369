// The methods that the viewer compares, each ready to search a snapshot.
//
//   const Router router = methods.router(*snapshot, "alt");
//
// Potentials are computed for the weights of the file at the first request, which may take seconds,
// and kept. Where weights have fallen since, the Router repairs a copy.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "live_weights.h"
#include "lodestar/potentials.h"

namespace lodestar::server {

struct MethodRow {
  std::string_view name;
  std::string_view title;    // shown in the viewer
  std::string_view summary;  // one line
};

inline constexpr std::array<MethodRow, 6> kMethods = {{
    {"dijkstra", "Dijkstra", "no heuristic"},
    {"bidirectional", "Bidirectional", "from both ends, no heuristic"},
    {"geometric", "Geometric A*", "straight-line distance"},
    {"alt", "ALT", "distances to 16 landmarks"},
    {"learned", "Learned", "16 potentials, trained for this graph"},
    {"core", "Index", "contraction; core distances or learned potentials"},
}};

class Methods {
 public:
  // `file` must outlive it. seconds: training time of the learned potentials.
  explicit Methods(const GraphFile& file, double seconds = 3) : file_(file), seconds_(seconds) {}

  // Throws Refusal when there is no such method, or the graph has no coordinates for it.
  Router router(const Snapshot& snapshot, std::string_view name);
  std::vector<std::string_view> names(const Snapshot& snapshot) const;
  // The potentials of "alt" or "learned" as made for the file's weights.
  std::shared_ptr<const Potentials> potentials(std::string_view name);

 private:
  const GraphFile& file_;
  double seconds_;
  std::mutex mutex_;  // of what follows
  std::map<std::string, std::shared_ptr<const Potentials>, std::less<>> potentials_;
  std::uint64_t version_ = 0;
  std::map<std::string, Router, std::less<>> routers_;  // for this version
};

}  // namespace lodestar::server
