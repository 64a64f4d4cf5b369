// One graph of the server: roads, weights and index, and what the viewer draws of them.
//
//   ServedGraph car("car", source, held);
//   car.live().now();
//
// A request keeps the graph that it started with, so a graph can be replaced while requests run.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "live_weights.h"
#include "methods.h"
#include "request_context.h"
#include "shared_body.h"

namespace lodestar::server {

// An area or line that the viewer draws below the roads; points as those of the graph.
struct BaseArea {
  std::string kind;  // "water", "green", "wood", "sea", "stream"
  std::vector<std::vector<Point>> lines;
};

struct GraphSource {
  GraphFile file;
  LiveOptions live = {};
  std::shared_ptr<const std::vector<BaseArea>> areas = nullptr;
};

// A graph by the name that URLs have for it. `load` reads it again; without, it cannot be reloaded.
struct NamedGraph {
  std::string name;
  GraphSource source;
  std::function<GraphSource()> load = {};
};

class ServedGraph {
 public:
  // `held` counts replaced bodies (shared_body.h) and must outlive all of them.
  ServedGraph(std::string name, GraphSource source, HeldBytes& held);
  ~ServedGraph();

  const std::string& name() const { return name_; }
  const World& world() const { return world_; }
  LiveWeights& live() { return live_; }
  const LiveWeights& live() const { return live_; }
  Methods& methods() { return methods_; }
  const std::vector<Point>& layout();  // made at the first call
  // The viewer's graph, made once for each version of the weights.
  std::shared_ptr<const SharedBody> graph_body(const Snapshot& snapshot);
  // The viewer's base map, made at the first call.
  std::shared_ptr<const SharedBody> map_body();

 private:
  std::string name_;
  HeldBytes& held_;
  World world_;
  LiveWeights live_;
  Methods methods_;
  std::shared_ptr<const std::vector<BaseArea>> areas_;
  std::once_flag layout_once_;
  std::vector<Point> layout_;
  std::mutex body_mutex_;  // of what follows
  std::shared_ptr<SharedBody> map_body_;
  std::shared_ptr<SharedBody> graph_body_;
  std::uint64_t graph_version_ = 0;
  bool graph_has_index_ = false;
};

}  // namespace lodestar::server
