#include "turns.h"

#include <algorithm>
#include <tuple>

#include "lodestar/graph_stats.h"

namespace lodestar::osm {
namespace {

// A restriction with places instead of ids.
struct Rule {
  NodeId via;
  std::int64_t from;
  std::int64_t to;
  bool only;
  auto key() const { return std::tie(via, from, to, only); }
  bool operator<(const Rule& other) const { return key() < other.key(); }
};

std::vector<Rule> rules_of(const RawRoads& raw, const Roads& roads,
                           const std::vector<RoadArc>& arcs, TurnCounts* counts) {
  if (raw.restrictions.empty()) return {};
  std::vector<std::pair<std::int64_t, NodeId>> node_of;  // by OSM id
  for (NodeId v = 0; v < roads.node_id.size(); ++v) {
    if (roads.barrier[v] == 0) node_of.emplace_back(roads.node_id[v], v);
  }
  std::sort(node_of.begin(), node_of.end());
  // (node, way) where a road arc arrives and where one leaves.
  std::vector<std::pair<NodeId, std::int64_t>> arrives, leaves;
  for (const RoadArc& arc : arcs) {
    const std::int64_t way = raw.ways[roads.segments[arc.segment / 2].way].id;
    arrives.emplace_back(arc.head, way);
    leaves.emplace_back(arc.tail, way);
  }
  std::sort(arrives.begin(), arrives.end());
  std::sort(leaves.begin(), leaves.end());
  const auto count = [](const std::vector<std::pair<NodeId, std::int64_t>>& pairs, NodeId node,
                        std::int64_t way) {
    const auto [begin, end] =
        std::equal_range(pairs.begin(), pairs.end(), std::pair<NodeId, std::int64_t>{node, way});
    return end - begin;
  };
  std::vector<Rule> rules;
  for (const RawRestriction& said : raw.restrictions) {
    if (said.via_ways) continue;
    const auto node = std::lower_bound(node_of.begin(), node_of.end(),
                                       std::pair<std::int64_t, NodeId>{said.via[0], 0});
    const bool known = node != node_of.end() && node->first == said.via[0];
    const auto in = known ? count(arrives, node->second, said.from) : 0;
    const auto out = known ? count(leaves, node->second, said.to) : 0;
    if (in == 0 || out == 0) {
      ++counts->without_road;
      continue;
    }
    // A way that goes on beyond the node does not say which of its two sides is meant. Within one
    // way it is clear: turning back, or going straight on.
    const bool within = said.from == said.to && said.only != said.u_turn;
    if ((in > 1 || out > 1) && !within) {
      ++counts->ambiguous;
      continue;
    }
    ++(said.only ? counts->only : counts->no);
    rules.push_back({node->second, said.from, said.to, said.only});
  }
  std::sort(rules.begin(), rules.end());
  return rules;
}

bool turns_back(const RoadArc& from, const RoadArc& to) {
  return to.segment == (from.segment ^ 1);
}

// The strong components of the turns, by road arc.
std::vector<std::uint32_t> components_of(const std::vector<Turn>& turns, std::size_t arcs) {
  GraphBuilder builder(static_cast<NodeId>(arcs));
  builder.reserve(turns.size());
  for (const Turn& turn : turns) builder.add_arc(turn.from, turn.to, 1);
  return strong_components(builder.build()).of;
}

std::vector<Turn> all_turns(const RawRoads& raw, const Roads& roads,
                            const std::vector<RoadArc>& arcs, TurnCounts* counts) {
  const std::vector<Rule> rules = rules_of(raw, roads, arcs, counts);
  std::vector<std::uint32_t> first(roads.node_id.size() + 1, 0);
  for (const RoadArc& arc : arcs) ++first[arc.tail + 1];
  for (std::size_t v = 0; v < roads.node_id.size(); ++v) first[v + 1] += first[v];
  const auto way_of = [&](const RoadArc& arc) {
    return raw.ways[roads.segments[arc.segment / 2].way].id;
  };
  std::vector<Turn> turns;
  for (std::uint32_t a = 0; a < arcs.size(); ++a) {
    const RoadArc& from = arcs[a];
    const std::int64_t way = way_of(from);
    const auto begin =
        std::lower_bound(rules.begin(), rules.end(), Rule{from.head, way, INT64_MIN, false});
    auto end = begin;
    bool only = false;
    for (; end != rules.end() && end->via == from.head && end->from == way; ++end) {
      only = only || end->only;
    }
    const auto forbidden = [&](const RoadArc& to) {
      const std::int64_t into = way_of(to);
      bool named = !only;
      for (auto rule = begin; rule != end; ++rule) {
        if (rule->to != into) continue;
        if (rule->only) {
          named = true;
        } else if (into != way || turns_back(from, to)) {
          // A no_ rule with one way on both sides means turning back, not going straight on.
          return true;
        }
      }
      return !named;
    };
    for (std::uint32_t b = first[from.head]; b < first[from.head + 1]; ++b) {
      if (begin == end || !forbidden(arcs[b])) turns.push_back({a, b});
    }
  }
  return turns;
}

}  // namespace

Turns allowed_turns(const RawRoads& raw, const Roads& roads, const std::vector<RoadArc>& arcs,
                    TurnCounts* counts) {
  std::vector<Turn> turns = all_turns(raw, roads, arcs, counts);
  // Whether a road leads back is known only when all turns are: it may end in a one-way street that
  // leaves the extract, three junctions farther on.
  const std::vector<std::uint32_t> component = components_of(turns, arcs.size());
  std::vector<std::uint8_t> onward(arcs.size()), entered(arcs.size());
  for (const Turn& turn : turns) {
    if (turns_back(arcs[turn.from], arcs[turn.to])) continue;
    if (component[turn.from] == component[turn.to]) onward[turn.from] = entered[turn.to] = 1;
  }
  std::erase_if(turns, [&](const Turn& turn) {
    return onward[turn.from] != 0 && entered[turn.to] != 0 &&
           turns_back(arcs[turn.from], arcs[turn.to]);
  });
  Turns out{std::move(turns), {}};
  add_chains(raw, roads, arcs, out, counts);
  return out;
}

}  // namespace lodestar::osm
