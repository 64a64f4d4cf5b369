#include "served_graph.h"

#include "viewer_data.h"

namespace lodestar::server {

ServedGraph::ServedGraph(std::string name, GraphSource source, HeldBytes& held)
    : name_(std::move(name)),
      held_(held),
      world_(std::move(source.file)),
      live_(world_.file, std::move(source.live)),
      methods_(world_.file),
      areas_(std::move(source.areas)) {}

// Clients that still read a body keep it; it counts for them.
ServedGraph::~ServedGraph() {
  for (const auto& body : {map_body_, graph_body_}) {
    if (body != nullptr) body->retire(held_);
  }
}

const std::vector<Point>& ServedGraph::layout() {
  std::call_once(layout_once_, [this] { layout_ = layout_of(world_.file, methods_); });
  return layout_;
}

// The body says which methods there are, and that depends on whether there is an index.
std::shared_ptr<const SharedBody> ServedGraph::graph_body(const Snapshot& snapshot) {
  const std::lock_guard lock(body_mutex_);
  const bool has_index = snapshot.index != nullptr;
  if (graph_body_ == nullptr || graph_version_ != snapshot.version ||
      graph_has_index_ != has_index) {
    auto made = std::make_shared<SharedBody>(graph_bytes(world_, snapshot, layout(), methods_));
    if (graph_body_ != nullptr) graph_body_->retire(held_);
    graph_body_ = std::move(made);
    graph_version_ = snapshot.version;
    graph_has_index_ = has_index;
  }
  return graph_body_;
}

std::shared_ptr<const SharedBody> ServedGraph::map_body() {
  const std::lock_guard lock(body_mutex_);
  if (map_body_ == nullptr) {
    static const std::vector<BaseArea> kNone;
    map_body_ = std::make_shared<SharedBody>(map_json(world_, areas_ == nullptr ? kNone : *areas_));
  }
  return map_body_;
}

}  // namespace lodestar::server
