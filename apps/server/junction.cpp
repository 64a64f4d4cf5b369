#include <algorithm>
#include <cmath>

#include "guidance.h"
#include "lodestar/itinerary.h"

namespace lodestar::server {
namespace {

class Junction {
 public:
  explicit Junction(const GraphFile& file) : graph_(file.graph), shape_(file.shape) {}

  // Both directions of a road are one branch: a leaving arc's key is that of the arc against it.
  std::uint64_t leaving_key(NodeId head, ArcIndex arc) const {
    return shape_.empty() ? head : shape_.arc_segment[arc];
  }
  std::uint64_t arriving_key(NodeId tail, ArcIndex arc) const {
    return shape_.empty() ? tail : shape_.arc_segment[arc] ^ 1;
  }

  void add_leaving(NodeId node, bool entry) {
    const ArcIndex first = graph_.arrays().first[0][node];
    const ArcRange arcs = graph_.arcs(node);
    for (std::size_t i = 0; i < arcs.size(); ++i) {
      const ArcIndex arc = first + static_cast<ArcIndex>(i);
      const NodeId head = arcs[i].head;
      const std::vector<Point> line = line_of(node, head, arc);
      add(leaving_key(head, arc), line.front(), line[1 % line.size()], entry);
    }
  }
  void add_arriving(NodeId tail, NodeId head, ArcIndex arc) {
    const std::vector<Point> line = line_of(tail, head, arc);
    add(arriving_key(tail, arc), line.back(), line[line.size() > 1 ? line.size() - 2 : 0], false);
  }
  // Every arc into `node`, or the first: in an arc-based graph all of them are the same road.
  void add_arriving(NodeId node, bool all) {
    for (const Arc back : graph_.arcs(node, Direction::kBackward)) {
      const NodeId tail = back.head;
      const ArcIndex first = graph_.arrays().first[0][tail];
      const ArcRange arcs = graph_.arcs(tail);
      for (std::size_t i = 0; i < arcs.size(); ++i) {
        if (arcs[i].head != node) continue;
        add_arriving(tail, node, first + static_cast<ArcIndex>(i));
        if (!all) return;
      }
    }
  }

  struct Keyed {
    std::uint64_t key;
    Branch branch;
  };
  std::vector<Keyed> take() { return std::move(found_); }

 private:
  std::vector<Point> line_of(NodeId tail, NodeId head, ArcIndex arc) const {
    const Leg whole{tail, head, arc, 0, 1};
    return itinerary(graph_, shape_, {&whole, 1}).line;
  }
  void add(std::uint64_t key, Point at, Point towards, bool entry) {
    for (Keyed& known : found_) {
      if (known.key != key) continue;
      known.branch.entry = known.branch.entry || entry;
      return;
    }
    found_.push_back({key, {bearing_of(at, towards, graph_.coordinate_kind()), entry}});
  }

  const Graph& graph_;
  const Shape& shape_;
  std::vector<Keyed> found_;
};

}  // namespace

int bearing_of(Point from, Point to, CoordinateKind kind) {
  const double pi = 3.14159265358979323846;
  const double shrink = kind == CoordinateKind::kDegrees ? std::cos(from.y * pi / 180) : 1;
  const double angle = std::atan2((to.x - from.x) * shrink, to.y - from.y) * 180 / pi;
  return static_cast<int>(std::lround(angle < 0 ? angle + 360 : angle)) % 360;
}

std::vector<Branch> branches_between(const GraphFile& file, const Leg& in, const Leg& out) {
  Junction junction(file);
  const NodeId node = out.tail;
  junction.add_arriving(in.tail, in.head, in.arc);
  junction.add_leaving(node, true);
  if (file.shape.arc_based) {
    // The other nodes of the junction are those from which the same roads are entered. What they
    // lead to besides is closed to this route by a turn restriction.
    for (const Arc next : file.graph.arcs(node)) {
      for (const Arc back : file.graph.arcs(next.head, Direction::kBackward)) {
        if (back.head == node) continue;
        junction.add_leaving(back.head, false);
        junction.add_arriving(back.head, false);
      }
    }
  } else {
    junction.add_arriving(node, true);
  }
  const std::uint64_t from = junction.arriving_key(in.tail, in.arc);
  const std::uint64_t to = junction.leaving_key(out.head, out.arc);
  auto found = junction.take();
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return a.branch.bearing < b.branch.bearing;
  });
  std::vector<Branch> branches;
  for (auto& [key, branch] : found) {
    branch.in = key == from;
    branch.out = key == to;
    // Turning back counts only where the route does it.
    if (branch.in) branch.entry = branch.out;
    branches.push_back(branch);
  }
  return branches;
}

}  // namespace lodestar::server
