#include "lodestar/posthoc.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace lodestar {
namespace {

using Json = nlohmann::ordered_json;

// The size of the drawing; Posthoc's rectangles have width 1.
constexpr double kSize = 1000;

class Canvas {
 public:
  explicit Canvas(std::span<const Point> layout) : layout_(layout) {
    if (layout.empty()) return;
    low_ = high_ = layout[0];
    for (const Point& p : layout) {
      low_ = {std::min(low_.x, p.x), std::min(low_.y, p.y)};
      high_ = {std::max(high_.x, p.x), std::max(high_.y, p.y)};
    }
    const double size = std::max(high_.x - low_.x, high_.y - low_.y);
    scale_ = size > 0 ? kSize / size : 1;
  }

  Point at(NodeId v) const {
    if (v < layout_.size()) {
      return {(layout_[v].x - low_.x) * scale_, (high_.y - layout_[v].y) * scale_};
    }
    const double angle = 2.399963 * v, radius = 2 * std::sqrt(v);
    return {radius * std::cos(angle), radius * std::sin(angle)};
  }

 private:
  std::span<const Point> layout_;
  Point low_, high_;
  double scale_ = 1;
};

}  // namespace

std::string posthoc_trace(const SearchTrace& trace, Query query, std::span<const Point> layout,
                          std::size_t most_events) {
  const Canvas canvas(layout);
  Json events = Json::array();
  const auto add = [&](const char* type, NodeId v, NodeId parent, Cost g) {
    const Point p = canvas.at(v);
    Json event = {{"type", type}, {"id", std::to_string(v)}};
    event["pId"] = parent == kNoNode ? Json(nullptr) : Json(std::to_string(parent));
    event["g"] = g;
    event["f"] = g;
    event["x"] = std::round(p.x * 100) / 100;
    event["y"] = std::round(p.y * 100) / 100;
    events.push_back(std::move(event));
  };
  add("source", query.source, kNoNode, 0);
  add("destination", query.target, kNoNode, 0);
  const std::size_t steps = trace.settled.size();
  const std::size_t room = std::max<std::size_t>(most_events, 8) - 4;
  const std::size_t kept = std::min(steps, room);
  for (std::size_t i = 0; i < kept; ++i) {
    // All of them, or evenly spread ones.
    const Settled& step = trace.settled[kept == steps ? i : i * steps / kept];
    add("expanding", step.node, step.parent, step.cost);
  }
  const auto& path = trace.route.nodes;
  if (!path.empty()) {
    add("end", path.back(), path.size() > 1 ? path[path.size() - 2] : kNoNode,
        trace.route.result.cost);
  }
  const Json views = {{"main", Json::array({{{"$", "rect"},
                                             {"width", 4},
                                             {"height", 4},
                                             {"x", "{{$.event.x}}"},
                                             {"y", "{{$.event.y}}"},
                                             {"fill", "{{$.color[$.event.type]}}"}}})}};
  const Json out = {{"version", "1.4.0"}, {"views", views}, {"events", std::move(events)}};
  return out.dump() + "\n";
}

}  // namespace lodestar
