#include "turns.h"

#include <algorithm>
#include <tuple>

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
  std::vector<Rule> rules;
  for (const RawRestriction& said : raw.restrictions) {
    const auto node = std::lower_bound(node_of.begin(), node_of.end(),
                                       std::pair<std::int64_t, NodeId>{said.via, 0});
    if (node == node_of.end() || node->first != said.via ||
        !std::binary_search(arrives.begin(), arrives.end(), std::pair{node->second, said.from}) ||
        !std::binary_search(leaves.begin(), leaves.end(), std::pair{node->second, said.to})) {
      ++counts->without_road;
      continue;
    }
    ++(said.only ? counts->only : counts->no);
    rules.push_back({node->second, said.from, said.to, said.only});
  }
  std::sort(rules.begin(), rules.end());
  return rules;
}

}  // namespace

std::vector<Turn> allowed_turns(const RawRoads& raw, const Roads& roads,
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
        if (!rule->only) return true;
        named = true;
      }
      return !named;
    };
    const std::uint32_t back = from.segment ^ 1;
    bool onward = false;
    std::uint32_t back_arc = UINT32_MAX;
    for (std::uint32_t b = first[from.head]; b < first[from.head + 1]; ++b) {
      if (arcs[b].segment == back) {
        back_arc = b;
        continue;
      }
      // A no_ rule with one way on both sides means turning back, not going straight on.
      const bool u_turn_rule = begin != end && way_of(arcs[b]) == way && !only;
      if (!u_turn_rule && begin != end && forbidden(arcs[b])) continue;
      turns.push_back({a, b});
      onward = true;
    }
    if (!onward && back_arc != UINT32_MAX && (begin == end || !forbidden(arcs[back_arc]))) {
      turns.push_back({a, back_arc});
    }
  }
  return turns;
}

}  // namespace lodestar::osm
