#include <algorithm>
#include <map>
#include <optional>

#include "turns.h"

namespace lodestar::osm {
namespace {

constexpr std::uint32_t kNoRoad = UINT32_MAX;

// Road arcs in the order of travel, and the arc that must not follow, or alone may.
struct Chain {
  std::vector<std::uint32_t> arcs;
  std::uint32_t to;
  bool only;
};

class ChainFinder {
 public:
  ChainFinder(const RawRoads& raw, const Roads& roads, const std::vector<RoadArc>& arcs)
      : arcs_(arcs), arc_of_(2 * roads.segments.size(), kNoRoad) {
    for (std::uint32_t a = 0; a < arcs.size(); ++a) arc_of_[arcs[a].segment] = a;
    for (const RawRestriction& said : raw.restrictions) {
      if (!said.via_ways) continue;
      for (const std::int64_t way : said.via) segments_[way];
      segments_[said.from];
      segments_[said.to];
    }
    for (std::uint32_t s = 0; s < roads.segments.size(); ++s) {
      const auto known = segments_.find(raw.ways[roads.segments[s].way].id);
      if (known != segments_.end()) known->second.push_back(s);
    }
  }

  // Nothing if some member is no road, or cannot be travelled that way.
  std::optional<Chain> find(const RawRestriction& said, bool* ambiguous) const {
    std::vector<Chain> found;
    for (const bool against : {false, true}) follow(said, 0, against, {}, found);
    *ambiguous = found.size() > 1;
    if (found.size() != 1) return std::nullopt;
    return std::move(found[0]);
  }

 private:
  // The arcs of a whole way in one direction; empty if it cannot be travelled so.
  std::vector<std::uint32_t> along(std::int64_t way, bool against) const {
    std::vector<std::uint32_t> out;
    const std::vector<std::uint32_t>& segments = segments_.at(way);
    for (std::size_t i = 0; i < segments.size(); ++i) {
      const std::uint32_t s = segments[against ? segments.size() - 1 - i : i];
      const std::uint32_t arc = arc_of_[2 * s + against];
      if (arc == kNoRoad || (!out.empty() && arcs_[out.back()].head != arcs_[arc].tail)) return {};
      out.push_back(arc);
    }
    return out;
  }

  void follow(const RawRestriction& said, std::size_t i, bool against,
              std::vector<std::uint32_t> before, std::vector<Chain>& found) const {
    const std::vector<std::uint32_t> via = along(said.via[i], against);
    if (via.empty()) return;
    if (!before.empty() && arcs_[before.back()].head != arcs_[via.front()].tail) return;
    before.insert(before.end(), via.begin(), via.end());
    if (i + 1 < said.via.size()) {
      for (const bool next : {false, true}) follow(said, i + 1, next, before, found);
      return;
    }
    const NodeId begin = arcs_[before.front()].tail, end = arcs_[before.back()].head;
    for (const std::uint32_t from : meeting(said.from, begin, true)) {
      for (const std::uint32_t to : meeting(said.to, end, false)) {
        Chain chain{{from}, to, said.only};
        chain.arcs.insert(chain.arcs.end(), before.begin(), before.end());
        found.push_back(std::move(chain));
      }
    }
  }

  // The arcs of a way that arrive at a node, or leave it.
  std::vector<std::uint32_t> meeting(std::int64_t way, NodeId node, bool arrive) const {
    std::vector<std::uint32_t> out;
    for (const std::uint32_t s : segments_.at(way)) {
      for (const std::uint32_t arc : {arc_of_[2 * s], arc_of_[2 * s + 1]}) {
        if (arc == kNoRoad) continue;
        if ((arrive ? arcs_[arc].head : arcs_[arc].tail) == node) out.push_back(arc);
      }
    }
    return out;
  }

  const std::vector<RoadArc>& arcs_;
  std::vector<std::uint32_t> arc_of_;                            // by segment and direction
  std::map<std::int64_t, std::vector<std::uint32_t>> segments_;  // of ways, in their order
};

// The automaton of Aho and Corasick over the chains: a state is the longest beginning of a chain
// that the last road arcs are. Beginnings of one arc are the road arcs themselves.
class Automaton {
 public:
  explicit Automaton(std::uint32_t arcs) : arcs_(arcs) {}

  void add(const Chain& chain) {
    std::uint32_t state = chain.arcs[0];
    for (std::size_t i = 1; i < chain.arcs.size(); ++i) {
      const auto next = static_cast<std::uint32_t>(arcs_ + arc_.size());
      const auto [entry, fresh] = child_.emplace(std::pair(state, chain.arcs[i]), next);
      if (fresh) {
        arc_.push_back(chain.arcs[i]);
        parent_.push_back(state);
      }
      state = entry->second;
    }
    (chain.only ? only_ : no_)[state].push_back(chain.to);
  }

  // By depth: the suffix of a state is found along that of its parent.
  void link() {
    std::vector<std::uint32_t> depth(arc_.size()), order(arc_.size());
    for (std::uint32_t i = 0; i < arc_.size(); ++i) {
      depth[i] = parent_[i] < arcs_ ? 1 : depth[parent_[i] - arcs_] + 1;
      order[i] = i;
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return depth[a] < depth[b]; });
    suffix_.assign(arc_.size(), kNoRoad);
    for (const std::uint32_t i : order) {
      const std::uint32_t parent = parent_[i];
      suffix_[i] = parent < arcs_ ? arc_[i] : next(suffix_[parent - arcs_], arc_[i]);
    }
  }

  std::uint32_t next(std::uint32_t state, std::uint32_t arc) const {
    while (true) {
      const auto known = child_.find({state, arc});
      if (known != child_.end()) return known->second;
      if (state < arcs_) return arc;
      state = suffix_[state - arcs_];
    }
  }

  bool allowed(std::uint32_t state, std::uint32_t arc) const {
    const auto lists = [&](const auto& rules, bool otherwise) {
      const auto found = rules.find(state);
      if (found == rules.end()) return otherwise;
      return std::find(found->second.begin(), found->second.end(), arc) != found->second.end();
    };
    for (; state >= arcs_; state = suffix_[state - arcs_]) {
      if (lists(no_, false) || !lists(only_, true)) return false;
    }
    return true;
  }

  const std::vector<std::uint32_t>& further() const { return arc_; }

 private:
  std::uint32_t arcs_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> child_;
  std::vector<std::uint32_t> arc_, parent_, suffix_;  // of further states
  std::map<std::uint32_t, std::vector<std::uint32_t>> no_, only_;
};

}  // namespace

void add_chains(const RawRoads& raw, const Roads& roads, const std::vector<RoadArc>& arcs,
                Turns& turns, TurnCounts* counts) {
  const bool any = std::any_of(raw.restrictions.begin(), raw.restrictions.end(),
                               [](const RawRestriction& said) { return said.via_ways; });
  if (!any) return;
  const ChainFinder finder(raw, roads, arcs);
  const auto base = static_cast<std::uint32_t>(arcs.size());
  Automaton states(base);
  for (const RawRestriction& said : raw.restrictions) {
    if (!said.via_ways) continue;
    bool ambiguous = false;
    const std::optional<Chain> chain = finder.find(said, &ambiguous);
    if (!chain) {
      ++(ambiguous ? counts->ambiguous : counts->without_road);
      continue;
    }
    ++(said.only ? counts->only : counts->no);
    ++counts->via_ways;
    states.add(*chain);
  }
  states.link();
  std::vector<std::size_t> first(arcs.size() + 1, 0);
  for (const Turn& turn : turns.turns) ++first[turn.from + 1];
  for (std::size_t a = 0; a < arcs.size(); ++a) first[a + 1] += first[a];
  std::vector<Turn> made;
  const auto add = [&](std::uint32_t state, std::uint32_t arc) {
    for (std::size_t i = first[arc]; i < first[arc + 1]; ++i) {
      const std::uint32_t to = turns.turns[i].to;
      if (states.allowed(state, to)) made.push_back({state, states.next(state, to)});
    }
  };
  for (std::uint32_t a = 0; a < base; ++a) add(a, a);
  for (std::uint32_t i = 0; i < states.further().size(); ++i) add(base + i, states.further()[i]);
  turns.turns = std::move(made);
  turns.further_arc = states.further();
}

}  // namespace lodestar::osm
