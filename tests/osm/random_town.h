// Random towns with one-way streets and turn restrictions, and what routes through them cost: the
// rules of docs/guide/openstreetmap.md written down once more, slowly, over the states "on this
// road in this direction".
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "lodestar/rng.h"
#include "town.h"

namespace lodestar::osm {

class RandomTown {
 public:
  explicit RandomTown(std::uint64_t seed, bool restricted)
      : rng_(seed), extract_(lattice(kSize, kSize)) {
    for (int w = 1; w <= 14; ++w) add_way(w);
    cut();
    for (int r = 0; restricted && r < 12; ++r) add_restriction(100 + r);
    decide();
  }

  struct Road {  // in one direction
    int from, to, way, segment;
    std::vector<int> nodes;
    double weight;
  };
  struct Spot {
    Point at;       // in blocks
    int node = -1;  // on a junction
    int segment = -1;
    double share = 0;  // along the segment's first road
  };

  const Extract& extract() const { return extract_; }
  const std::vector<Road>& roads() const { return roads_; }

  Spot spot() {
    const Road& road = roads_[rng_.below(static_cast<std::uint32_t>(roads_.size()))];
    if (rng_.below(2) == 0) return {point(road.from), road.from, -1, 0};
    const Road& first = *std::find_if(roads_.begin(), roads_.end(), [&](const Road& other) {
      return other.segment == road.segment;
    });
    const Point a = point(first.nodes[0]), b = point(first.nodes[1]);
    const double part = (1 + rng_.below(8)) / 10.0;
    return {{a.x + part * (b.x - a.x), a.y + part * (b.y - a.y)},
            -1,
            first.segment,
            part / static_cast<double>(first.nodes.size() - 1)};
  }

  double cost(const Spot& from, const Spot& to) const {
    if (from.node >= 0 && from.node == to.node) return 0;
    const std::size_t n = roads_.size();
    std::vector<double> reached(n, kInfinity);  // at the end of the road
    double best = kInfinity;
    for (std::size_t a = 0; a < n; ++a) {
      if (from.node >= 0 && roads_[a].from == from.node) reached[a] = roads_[a].weight;
      if (from.node >= 0 || roads_[a].segment != from.segment) continue;
      const double behind = share(a, from);
      reached[a] = (1 - behind) * roads_[a].weight;
      if (to.segment == from.segment && share(a, to) >= behind) {
        best = std::min(best, (share(a, to) - behind) * roads_[a].weight);
      }
      if (to.node >= 0 && roads_[a].to == to.node) best = std::min(best, reached[a]);
    }
    if (from.node >= 0 && to.segment >= 0) {
      for (std::size_t b = 0; b < n; ++b) {
        if (roads_[b].segment == to.segment && roads_[b].from == from.node) {
          best = std::min(best, share(b, to) * roads_[b].weight);
        }
      }
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t a = 0; a < n; ++a) {
        for (std::size_t b = 0; b < n; ++b) {
          if (!allowed_[a][b] || reached[a] + roads_[b].weight >= reached[b]) continue;
          reached[b] = reached[a] + roads_[b].weight;
          changed = true;
        }
      }
    }
    for (std::size_t a = 0; a < n; ++a) {
      if (to.node >= 0 && roads_[a].to == to.node) best = std::min(best, reached[a]);
      for (std::size_t b = 0; to.node < 0 && b < n; ++b) {
        if (!allowed_[a][b] || roads_[b].segment != to.segment) continue;
        best = std::min(best, reached[a] + share(b, to) * roads_[b].weight);
      }
    }
    return best;
  }

 private:
  static constexpr int kSize = 4;
  static Point point(int node) { return {node % 10 * 1.0, node / 10 * 1.0}; }

  // The share of road a that lies behind a place on its segment.
  double share(std::size_t a, const Spot& place) const {
    const bool first = a == 0 || roads_[a - 1].segment != roads_[a].segment;
    return first ? place.share : 1 - place.share;
  }

  void add_way(int way) {
    const auto draw = [&](int below) {
      return static_cast<int>(rng_.below(static_cast<std::uint32_t>(below)));
    };
    std::vector<int> nodes = {draw(kSize) + 10 * draw(kSize)};
    for (int steps = 1 + draw(3); steps > 0; --steps) {
      const int u = nodes.back(), c = u % 10, r = u / 10;
      const int dc = draw(3) - 1, dr = dc == 0 ? (draw(2) == 0 ? 1 : -1) : 0;
      if (c + dc < 0 || c + dc >= kSize || r + dr < 0 || r + dr >= kSize) continue;
      const int v = c + dc + 10 * (r + dr);
      if (!used_.insert({std::min(u, v), std::max(u, v)}).second) continue;
      nodes.push_back(v);
    }
    if (nodes.size() < 2) return;
    const int kind = draw(3);
    ways_[way] = {nodes, kind};
    Tags tags = street("residential");
    if (kind > 0) tags.push_back({"oneway", kind == 1 ? "yes" : "-1"});
    extract_.way(way, {nodes.begin(), nodes.end()}, tags);
  }

  void cut() {
    std::map<int, int> uses;
    for (const auto& [way, drawn] : ways_) {
      for (const int node : drawn.first) ++uses[node];
      ++uses[drawn.first.front()];
      ++uses[drawn.first.back()];
    }
    int segment = 0;
    for (const auto& [way, drawn] : ways_) {
      std::vector<int> piece;
      for (const int node : drawn.first) {
        piece.push_back(node);
        if (piece.size() == 1 || uses[node] < 2) continue;
        const double weight = std::round(static_cast<double>(piece.size() - 1) * 111.19508 * 1.2);
        std::vector<int> back(piece.rbegin(), piece.rend());
        if (drawn.second != 2) {
          roads_.push_back({piece.front(), node, way, segment, piece, weight});
        }
        if (drawn.second != 1) {
          roads_.push_back({node, piece.front(), way, segment, back, weight});
        }
        ++segment;
        piece = {node};
      }
    }
  }

  struct Rule {
    bool only, u_turn;
    int from, via, to;
  };

  void add_restriction(int id) {
    const auto draw = [&] { return rng_.below(static_cast<std::uint32_t>(roads_.size())); };
    const Road& a = roads_[draw()];
    const Road& b = roads_[draw()];
    const int via = rng_.below(4) == 0 ? a.from : a.to;
    const char* values[] = {"no_left_turn", "no_u_turn", "only_straight_on", "no_turn_on_red"};
    const char* value = values[rng_.below(4)];
    extract_.restriction(id, value, a.way, via, b.way);
    const std::string word = value;
    if (word == "no_turn_on_red") return;
    int in = 0, out = 0;
    for (const Road& road : roads_) {
      in += road.way == a.way && road.to == via;
      out += road.way == b.way && road.from == via;
    }
    const Rule rule{word.starts_with("only"), word == "no_u_turn", a.way, via, b.way};
    if (in == 0 || out == 0) return;
    if ((in > 1 || out > 1) && !(a.way == b.way && rule.only != rule.u_turn)) return;
    rules_.push_back(rule);
  }

  bool back(std::size_t a, std::size_t b) const {
    return a != b && roads_[a].segment == roads_[b].segment;
  }

  bool permitted(std::size_t a, std::size_t b) const {
    if (roads_[a].to != roads_[b].from) return false;
    if (a == b) return roads_[a].to == roads_[a].from;
    bool only = false, named = false;
    for (const Rule& rule : rules_) {
      if (rule.from != roads_[a].way || rule.via != roads_[a].to) continue;
      only = only || rule.only;
      if (rule.to != roads_[b].way) continue;
      named = named || rule.only;
      const bool within = rule.from == rule.to;
      if (!rule.only && (!within || back(a, b))) return false;
    }
    return !only || named;
  }

  void decide() {
    const std::size_t n = roads_.size();
    std::vector<std::vector<bool>> reach(n, std::vector<bool>(n));
    allowed_.assign(n, std::vector<bool>(n));
    for (std::size_t a = 0; a < n; ++a) {
      for (std::size_t b = 0; b < n; ++b) reach[a][b] = allowed_[a][b] = permitted(a, b);
    }
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t a = 0; a < n; ++a) {
        for (std::size_t b = 0; reach[a][k] && b < n; ++b) {
          if (reach[k][b]) reach[a][b] = true;
        }
      }
    }
    std::vector<bool> onward(n), entered(n);
    for (std::size_t a = 0; a < n; ++a) {
      for (std::size_t b = 0; b < n; ++b) {
        if (!allowed_[a][b] || back(a, b) || !(reach[b][a] || a == b)) continue;
        onward[a] = entered[b] = true;
      }
    }
    for (std::size_t a = 0; a < n; ++a) {
      for (std::size_t b = 0; b < n; ++b) {
        if (onward[a] && entered[b] && back(a, b)) allowed_[a][b] = false;
      }
    }
  }

  Rng rng_;
  Extract extract_;
  std::set<std::pair<int, int>> used_;
  std::map<int, std::pair<std::vector<int>, int>> ways_;
  std::vector<Road> roads_;
  std::vector<Rule> rules_;
  std::vector<std::vector<bool>> allowed_;
};

}  // namespace lodestar::osm
