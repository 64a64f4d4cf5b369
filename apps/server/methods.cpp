#include "methods.h"

#include <algorithm>

#include "lodestar/fit.h"
#include "lodestar/landmarks.h"
#include "message.h"

namespace lodestar::serve {

std::vector<std::string_view> Methods::names(const Snapshot& snapshot) const {
  std::vector<std::string_view> out;
  for (const MethodRow& row : kMethods) {
    if (row.name == "geometric" && !file_.graph.has_coordinates()) continue;
    if (row.name == "core" && snapshot.index == nullptr) continue;
    out.push_back(row.name);
  }
  return out;
}

std::shared_ptr<const PotentialTable> Methods::table(std::string_view name) {
  const std::lock_guard lock(mutex_);
  const auto known = tables_.find(name);
  if (known != tables_.end()) return known->second;
  std::shared_ptr<const PotentialTable> made;
  if (name == "alt") {
    LandmarkOptions options;
    options.method = LandmarkMethod::kFarthest;
    made = std::make_shared<const PotentialTable>(landmark_table(file_.graph, options));
  } else if (name == "learned") {
    FitOptions options;
    options.seconds = seconds_;
    options.start = FitStart::kLandmarks;
    made = std::make_shared<const PotentialTable>(fit(file_.graph, options).table);
  } else {
    throw Refusal(400, "InvalidOptions", "potentials are those of alt and learned");
  }
  tables_.emplace(name, made);
  return made;
}

Router Methods::router(const Snapshot& snapshot, std::string_view name) {
  const auto known = names(snapshot);
  if (std::find(known.begin(), known.end(), name) == known.end()) {
    throw Refusal(400, "InvalidOptions", "this graph has no method of that name");
  }
  if (name == "core") return snapshot.router;
  RouterOptions options;
  if (name == "alt" || name == "learned") options.table = table(name);
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

}  // namespace lodestar::serve
