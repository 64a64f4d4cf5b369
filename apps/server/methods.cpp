#include "methods.h"

#include <algorithm>

#include "lodestar/fit.h"
#include "lodestar/landmarks.h"
#include "message.h"

namespace lodestar::server {

std::vector<std::string_view> Methods::names(const Snapshot& snapshot) const {
  std::vector<std::string_view> out;
  for (const MethodRow& row : kMethods) {
    if (row.name == "geometric" && !file_.graph.has_coordinates()) continue;
    if (row.name == "core" && snapshot.index == nullptr) continue;
    out.push_back(row.name);
  }
  return out;
}

std::shared_ptr<const Potentials> Methods::potentials(std::string_view name) {
  const std::lock_guard lock(mutex_);
  const auto known = potentials_.find(name);
  if (known != potentials_.end()) return known->second;
  std::shared_ptr<const Potentials> made;
  if (name == "alt") {
    LandmarkOptions options;
    options.method = LandmarkMethod::kFarthest;
    made = std::make_shared<const Potentials>(landmark_potentials(file_.graph, options));
  } else if (name == "learned") {
    FitOptions options;
    options.seconds = seconds_;
    options.start = FitStart::kLandmarks;
    made = std::make_shared<const Potentials>(fit(file_.graph, options).potentials);
  } else {
    refuse("InvalidOptions", "potentials are those of alt and learned");
  }
  potentials_.emplace(name, made);
  return made;
}

Router Methods::router(const Snapshot& snapshot, std::string_view name) {
  const auto known = names(snapshot);
  if (std::find(known.begin(), known.end(), name) == known.end()) {
    refuse("InvalidOptions", "this graph has no method of that name");
  }
  if (name == "core") return snapshot.router;
  RouterOptions options;
  if (name == "alt" || name == "learned") options.potentials = potentials(name);
  const std::lock_guard lock(mutex_);
  if (version_ != snapshot.version) {
    routers_.clear();
    version_ = snapshot.version;
  }
  const auto made = routers_.find(name);
  if (made != routers_.end()) return made->second;
  options.algorithm = name == "dijkstra" || name == "bidirectional" ? name : "astar";
  if (name == "geometric") options.heuristic = "geometric";
  return routers_.emplace(name, Router(snapshot.router.graph(), std::move(options))).first->second;
}

}  // namespace lodestar::server
