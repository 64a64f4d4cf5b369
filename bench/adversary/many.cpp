// Matrices, one-to-all, several roots, limits, facilities and reach, against the oracle.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "lodestar/index.h"
#include "lodestar/rng.h"
#include "trial.h"

namespace adversary {
namespace {

using lodestar::Cost;
using lodestar::Direction;
using lodestar::kInfinity;
using lodestar::kNoNode;
using lodestar::NodeId;
using lodestar::Rng;
using lodestar::Router;

class Many {
 public:
  Many(const Case& c, const Router& router, Judge& judge, std::uint64_t seed)
      : nodes_(c.nodes),
        router_(router),
        rng_(lodestar::mix64(seed ^ 0x3a3a)),
        slack_(c.exact_sums ? 0 : 0x1p-51 * (8 + static_cast<double>(c.nodes))) {
    // Few nodes, so that lists have them twice.
    for (auto* list : {&sources_, &targets_}) {
      list->resize(1 + rng_.below(rng_.chance(0.2) ? 40 : 6));
      for (NodeId& v : *list) v = rng_.below(std::min<NodeId>(nodes_, 1 + rng_.below(nodes_)));
    }
    for (const NodeId s : sources_) truth_.push_back(judge.distances(s));
  }

  std::uint64_t checked() const { return checked_; }

  std::string check() {
    check_matrices();
    if (wrong_.empty()) check_roots();
    if (wrong_.empty()) check_facilities();
    return wrong_;
  }

 private:
  bool same(Cost a, Cost b) const {
    return a == b || (b < kInfinity && std::abs(a - b) <= slack_ * b);
  }
  void fail(const char* what, NodeId from, NodeId to, Cost cost, Cost truth) {
    char line[300];
    std::snprintf(line, sizeof line, "%s, %u -> %u: %.17g instead of %.17g", what, from, to, cost,
                  truth);
    wrong_ = line;
  }
  void expect(const char* what, NodeId from, NodeId to, Cost cost, Cost truth) {
    ++checked_;
    if (!same(cost, truth)) fail(what, from, to, cost, truth);
  }

  void check_matrices() {
    const lodestar::BatchOptions batch{.threads = 1 + rng_.below(2)};
    const auto costs = router_.matrix(sources_, targets_, batch);
    const std::size_t width = targets_.size();
    std::vector<std::uint32_t> wholes(costs.size());
    bool narrow = true;
    try {
      router_.matrix(sources_, targets_, std::span<std::uint32_t>(wholes), batch);
    } catch (const lodestar::Error&) {
      narrow = false;
    }
    bool fits = true;
    for (std::size_t i = 0; i < costs.size(); ++i) {
      const NodeId s = sources_[i / width], t = targets_[i % width];
      expect("matrix", s, t, costs[i], truth_[i / width][t]);
      const bool none = costs[i] == kInfinity;
      fits = fits && (none || (costs[i] < 4294967295.0 && costs[i] == std::floor(costs[i])));
      if (narrow) {
        expect("matrix of integers", s, t, wholes[i] == 0xffffffffu ? kInfinity : wholes[i],
               costs[i]);
      }
    }
    if (fits != narrow) fail("whether integers hold the matrix", 0, 0, narrow, fits);
    for (const auto by : {lodestar::MatrixBy::kSource, lodestar::MatrixBy::kTarget}) {
      router_.matrix(
          sources_, targets_,
          [&](std::size_t line, std::span<const Cost> cells) {
            for (std::size_t k = 0; k < cells.size(); ++k) {
              const bool row = by == lodestar::MatrixBy::kSource;
              const std::size_t i = row ? line : k, j = row ? k : line;
              expect("line of a matrix", sources_[i], targets_[j], cells[k],
                     truth_[i][targets_[j]]);
            }
          },
          by, batch);
    }
  }

  // From the nearest of all sources.
  Cost nearest_truth(NodeId v) const {
    Cost least = kInfinity;
    for (const auto& row : truth_) least = std::min(least, row[v]);
    return least;
  }

  void check_roots() {
    const auto one = router_.distances(sources_[0]);
    for (NodeId v = 0; v < nodes_; ++v) {
      expect("one to all", sources_[0], v, one.costs[v], truth_[0][v]);
    }
    const NodeId target = targets_[0];
    const auto back = router_.distances(target, {.direction = Direction::kBackward});
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      expect("all to one", sources_[i], target, back.costs[sources_[i]], truth_[i][target]);
    }
    const Cost some = nearest_truth(rng_.below(nodes_));
    const Cost limit = some < kInfinity && rng_.chance(0.7) ? some : kInfinity;
    const auto found =
        router_.distances(sources_, {.parents = true, .nearest = true, .limit = limit});
    std::vector<Cost> within(nodes_, kInfinity);
    if (limit < kInfinity) {
      for (const auto& node : router_.within(sources_, limit, {.arcs = true}).nodes) {
        within[node.node] = node.cost;
      }
    }
    for (NodeId v = 0; v < nodes_; ++v) {
      const Cost truth = nearest_truth(v);
      // Rounding may put a distance on either side of an equal limit.
      if (slack_ > 0 && same(truth, limit)) continue;
      const Cost expected = truth <= limit ? truth : kInfinity;
      expect("several roots", sources_[0], v, found.costs[v], expected);
      if (limit < kInfinity) expect("reach", sources_[0], v, within[v], expected);
      if (expected == kInfinity) continue;
      if (found.nearest[v] >= sources_.size()) {
        fail("no nearest root", sources_[0], v, found.costs[v], truth);
      } else {
        expect("nearest root", sources_[found.nearest[v]], v, truth_[found.nearest[v]][v], truth);
      }
      // Along the parents to a root, never to a larger cost.
      NodeId u = v, steps = 0;
      for (; found.parents[u] != kNoNode && steps <= nodes_; ++steps) {
        if (found.costs[found.parents[u]] > found.costs[u]) break;
        u = found.parents[u];
      }
      if (std::find(sources_.begin(), sources_.end(), u) == sources_.end()) {
        fail("parents lead to no root", u, v, found.costs[u], truth);
      }
    }
  }

  void check_facilities() {
    const std::size_t k = 1 + rng_.below(4), width = std::min(k, targets_.size());
    const auto found = router_.nearest(sources_, targets_, k);
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      std::vector<Cost> all;
      for (const NodeId t : targets_) all.push_back(truth_[i][t]);
      std::sort(all.begin(), all.end());
      for (std::size_t j = 0; j < width; ++j) {
        const NodeId at = found.facilities[i * width + j];
        const Cost cost = found.costs[i * width + j];
        expect("nearest facility", sources_[i], at, cost, all[j]);
        if (cost < kInfinity && at < targets_.size()) {
          expect("which facility", sources_[i], targets_[at], truth_[i][targets_[at]], cost);
        } else if (cost < kInfinity) {
          fail("no facility", sources_[i], at, cost, all[j]);
        }
      }
    }
  }

  NodeId nodes_;
  const Router& router_;
  Rng rng_;
  double slack_;
  std::vector<NodeId> sources_, targets_;
  std::vector<std::vector<double>> truth_;  // by source
  std::string wrong_;
  std::uint64_t checked_ = 0;
};

class ManyTrial : public Trial {
 public:
  ManyTrial(const Case& c, const Way& way) : Trial(c, way) {
    lodestar::RouterOptions options;
    const lodestar::Graph graph = c.graph();
    if (way.method->door == Door::kMany) {
      options.algorithm = "dijkstra";
    } else {
      options.index = make_index(c, graph, way);
    }
    router_ = std::make_unique<Router>(graph, options);
  }
  std::string check(const std::vector<lodestar::Query>&, Judge& judge) override {
    for (std::uint64_t round = 0; round < 4; ++round) {
      Many many(case_, *router_, judge, way_.seed + (round << 40));
      std::string wrong = many.check();
      if (!wrong.empty()) return wrong;
      answers_ += many.checked();
    }
    return {};
  }

 private:
  std::unique_ptr<Router> router_;
};

}  // namespace

std::unique_ptr<Trial> make_many_trial(const Case& c, const Way& way) {
  return std::make_unique<ManyTrial>(c, way);
}

}  // namespace adversary
