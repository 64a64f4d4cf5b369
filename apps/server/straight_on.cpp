#include "responses.h"

namespace lodestar::server {
namespace {

// A waypoint as it is reached along one road, or left.
struct Gate {
  Stop stop;
  std::uint32_t road;  // of those it is left by, the one along which it was reached; or its segment
};
struct Gates {
  std::vector<Gate> entries, exits;
  bool any_but_back = false;  // roads are segments: any may follow any but itself, turned round
  bool fit(const Gate& entry, const Gate& exit) const {
    return any_but_back ? entry.road != (exit.road ^ 1) : entry.road == exit.road;
  }
};

Stop with_side(const Stop& stop, const PlaceSide& side) {
  Stop one = stop;
  one.place.nodes.clear();
  one.place.side[0] = side;
  one.place.sides = 1;
  return one;
}

// A place on a road is passed in one direction. A junction of an arc-based graph is passed at the
// node of the road that ends there, and another junction by any two roads.
Gates gates_of(const RequestContext& context, const Stop& stop) {
  const Shape& shape = context.world.file.shape;
  const Graph& graph = context.world.file.graph;
  Gates out;
  out.any_but_back = !stop.place.nodes.empty() && !shape.arc_based;
  for (const PlaceSide& side : stop.place.exits()) {
    if (!stop.place.nodes.empty()) break;
    Stop one = with_side(stop, side);
    std::erase_if(one.place.also, [&](const PlaceSide& other) {
      return shape.arc_segment[other.arc] != shape.arc_segment[side.arc];
    });
    out.entries.push_back({one, shape.arc_segment[side.arc]});
    out.exits.push_back(out.entries.back());
  }
  for (const NodeId node : stop.place.nodes) {
    if (shape.arc_based) {
      Stop one = stop;
      one.place.nodes = {node};
      out.entries.push_back({one, node});
      out.exits.push_back({std::move(one), node});
      continue;
    }
    const auto add = [&](NodeId tail, NodeId head, std::size_t i, double share) {
      const auto arc = static_cast<ArcIndex>(graph.arrays().first[0][tail] + i);
      const PlaceSide side{tail, head, arc, context.weights()[arc], share, share};
      (share > 0 ? out.entries : out.exits)
          .push_back({with_side(stop, side), shape.arc_segment[arc]});
    };
    const ArcRange leaving = graph.arcs(node);
    for (std::size_t i = 0; i < leaving.size(); ++i) add(node, leaving[i].head, i, 0);
    for (const Arc back : graph.arcs(node, Direction::kBackward)) {
      const ArcRange arcs = graph.arcs(back.head);
      for (std::size_t i = 0; i < arcs.size(); ++i) {
        if (arcs[i].head == node) add(back.head, node, i, 1);
      }
    }
  }
  return out;
}

bool turns_back(const Shape& shape, const Section& before, const Section& after) {
  if (before.legs.empty() || after.legs.empty()) return false;
  return shape.arc_segment[before.legs.back().arc] ==
         (shape.arc_segment[after.legs.front().arc] ^ 1);
}

}  // namespace

Onward straight_on(RequestContext& context, Section& before, const Stop& from, const Stop& via,
                   const Stop& to) {
  const Shape& shape = context.world.file.shape;
  Section after = context.section(via, to, true);
  const bool restricted = shape.arc_based && !via.place.nodes.empty();
  if (!after.found.reached() || (!restricted && !turns_back(shape, before, after))) {
    return {std::move(after), via};
  }
  const Gates gates = gates_of(context, via);
  std::vector<Section> first, second;
  for (const Gate& gate : gates.entries) first.push_back(context.section(from, gate.stop, true));
  for (const Gate& gate : gates.exits) second.push_back(context.section(gate.stop, to, true));
  Cost best = kInfinity;
  std::size_t in = 0, out = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    for (std::size_t k = 0; k < second.size(); ++k) {
      const Cost cost = first[i].found.cost + second[k].found.cost;
      if (!(cost < best) || !gates.fit(gates.entries[i], gates.exits[k])) continue;
      if (turns_back(shape, first[i], second[k])) continue;
      best = cost;
      in = i;
      out = k;
    }
  }
  if (best == kInfinity) return {std::move(after), via};
  before = std::move(first[in]);
  return {std::move(second[out]), gates.exits[out].stop};
}

}  // namespace lodestar::server
