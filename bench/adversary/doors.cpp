// Customizable contraction hierarchies and requests with weights of their own.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <tuple>

#include "lodestar/cch.h"
#include "request_family.h"
#include "trial.h"

namespace adversary {
namespace {

using lodestar::kInfinity;
using lodestar::NodeId;
using lodestar::Query;
using lodestar::Rng;
using lodestar::Router;
using lodestar::SearchResult;
namespace testing = lodestar::testing;

class CchTrial : public Trial {
 public:
  CchTrial(const Case& c, const Way& way)
      : Trial(c, way), metric_(make_metric(c, way)), searcher_(metric_) {}

  std::string check(const std::vector<Query>& queries, Judge& judge) override {
    std::vector<NodeId> path;
    for (const Query query : queries) {
      const SearchResult found = searcher_.run(query);
      searcher_.path(path);
      const double truth = judge.distances(query.source)[query.target];
      std::string wrong = judge_answer(case_, query, found, path, truth, judge, {});
      if (!wrong.empty()) return wrong;
      ++answers_;
    }
    return {};
  }

 private:
  static lodestar::CchMetric make_metric(const Case& c, const Way& way) {
    Rng rng(way.seed);
    const lodestar::Graph now = c.graph(), before = c.graph(true);
    std::vector<NodeId> order(c.nodes);
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t i = order.size(); i > 1; --i) {
      std::swap(order[i - 1], order[rng.below(static_cast<std::uint32_t>(i))]);
    }
    // In half of the cases any order: shortcuts are many, and must be right all the same.
    const lodestar::Cch cch = rng.chance(0.5) ? lodestar::Cch(now) : lodestar::Cch(now, order);
    const lodestar::CchCustomizing customizing{way.threads};
    if (way.method->door == Door::kCch) return {cch, now, customizing};
    const lodestar::CchMetric old(cch, before, customizing);
    return old.changed(before, now, customizing);
  }

  lodestar::CchMetric metric_;
  lodestar::CchSearcher searcher_;
};

// The weights of the request are compared with their definition, arc by arc. Costs are compared
// with those of the oracle on these weights.
class RequestTrial : public Trial {
 public:
  RequestTrial(const Case& c, const Way& way)
      : Trial(c, way), rng_(way.seed), graph_(with_metrics(c)), wish_(draw_wish(c)) {
    lodestar::RouterOptions options{.metrics = graph_.metrics};
    if (way.method->door == Door::kGuidedRequest) {
      options.family = testing::family_of(graph_, 2 + way.seed % 3, way.seed % 2 == 0 ? 32 : 16);
      if (!options.family) throw lodestar::Error("no two nodes are connected");
    }
    router_ = std::make_unique<Router>(graph_.graph, options);
    requests_ = std::make_unique<Router::Requests>(router_->requests(wish_));
    weighted_.nodes = c.nodes;
    for (lodestar::ArcIndex a = 0; a < graph_.arcs.size(); ++a) {
      const double weight = requests_->weight(a);
      const testing::MetricArc& arc = graph_.arcs[a];
      if (weight < kInfinity) weighted_.arcs.push_back({arc.tail, arc.head, weight, weight});
    }
    weighted_.exact_sums = sums_are_exact();
  }

  std::string check(const std::vector<Query>& queries, Judge&) override {
    std::string wrong = check_weights();
    if (!wrong.empty()) return wrong;
    Judge judge(weighted_);
    for (const Query query : queries) {
      const double truth = judge.distances(query.source)[query.target];
      if (way_.method->door == Door::kAlternatives) {
        wrong = check_alternatives(query, truth, judge);
      } else {
        const lodestar::RequestRoute route = requests_->route(query);
        wrong = judge_answer(weighted_, query, route.result, route.nodes, truth, judge, {});
      }
      if (!wrong.empty()) return wrong;
      ++answers_;
    }
    return {};
  }

 private:
  // The case with a second metric, whose weights are those of other arcs, and classes.
  testing::RequestCase with_metrics(const Case& c) {
    testing::RequestCase out;
    out.nodes = c.nodes;
    for (const CaseArc& arc : c.arcs) {
      testing::MetricArc one{arc.tail, arc.head, {arc.weight}, {}};
      one.weights.push_back(c.arcs[rng_.below(static_cast<std::uint32_t>(c.arcs.size()))].weight);
      for (const char* name : {"toll", "ferry", "track"}) {
        if (rng_.below(5) == 0) one.classes.emplace_back(name);
      }
      if (rng_.below(6) == 0) one.max_height = 2 + static_cast<double>(rng_.below(4));
      out.arcs.push_back(std::move(one));
    }
    std::stable_sort(out.arcs.begin(), out.arcs.end(), [](const auto& a, const auto& b) {
      return std::tie(a.tail, a.head, a.weights[0]) < std::tie(b.tail, b.head, b.weights[0]);
    });
    lodestar::GraphBuilder builder(c.nodes);
    for (const auto& arc : out.arcs) builder.add_arc(arc.tail, arc.head, arc.weights[0]);
    out.points = c.points;
    out.points.resize(c.nodes);
    if (c.kind == lodestar::CoordinateKind::kPlane) builder.set_points(c.kind, c.points);
    out.graph = builder.build();
    lodestar::MetricsBuilder metrics({"time", "s", 0.5});
    std::vector<lodestar::Weight> lengths;
    for (const auto& arc : out.arcs) lengths.push_back(arc.weights[1]);
    metrics.add({"length", "m", 2}, std::move(lengths));
    for (const auto& arc : out.arcs) {
      const std::vector<std::string_view> names(arc.classes.begin(), arc.classes.end());
      lodestar::ArcKind limits;
      if (arc.max_height < kInfinity) limits.max_height = static_cast<float>(arc.max_height);
      metrics.add_arc(names, limits);
    }
    out.metrics = std::move(metrics).build(out.graph);
    return out;
  }

  lodestar::Preferences draw_wish(const Case& c) {
    lodestar::Preferences wish = testing::random_preferences(rng_, graph_);
    if (c.kind != lodestar::CoordinateKind::kPlane) wish.circles.clear(), wish.polygons.clear();
    for (auto& circle : wish.circles) {
      if (rng_.chance(0.5)) circle.centre = c.points[rng_.below(c.nodes)];
    }
    if (graph_.metrics.arc_kind.empty()) wish.vehicle = {};
    return wish;
  }

  // Whether all weights are multiples of a unit of which a double counts as many as a path has.
  bool sums_are_exact() const {
    int unit = 2000;
    double largest = 0;
    for (const CaseArc& arc : weighted_.arcs) {
      if (arc.weight == 0) continue;
      int exponent = 0;
      const auto bits =
          static_cast<std::uint64_t>(std::ldexp(std::frexp(arc.weight, &exponent), 53));
      unit = std::min(unit, exponent - 53 + std::countr_zero(bits));
      largest = std::max(largest, arc.weight);
    }
    return largest == 0 || std::ilogb(largest * case_.nodes) - unit < 52;
  }

  std::string check_weights() const {
    const double rounding =
        std::max(testing::largest_rounding(graph_, wish_), lodestar::kLeastWeight);
    for (lodestar::ArcIndex a = 0; a < graph_.arcs.size(); ++a) {
      const double expected = testing::plain_weight(graph_, wish_, a);
      const double weight = requests_->weight(a);
      if (weight == expected) continue;
      if (weight < expected * (1 - 1e-12) || weight > expected * (1 + 1e-12) + rounding) {
        char line[200];
        std::snprintf(line, sizeof line, "arc %u -> %u weighs %.17g instead of %.17g",
                      graph_.arcs[a].tail, graph_.arcs[a].head, weight, expected);
        return line;
      }
    }
    return {};
  }

  std::string check_alternatives(Query query, double truth, const Judge& judge) {
    const lodestar::AlternativeOptions options{.count = 1 + rng_.below(4),
                                               .stretch = rng_.uniform(0, 0.5)};
    const auto routes = requests_->alternatives(query, options);
    if (routes.size() > options.count) return "too many alternatives";
    if (truth < kInfinity && routes.empty()) return "no alternative, not even the best";
    for (std::size_t i = 0; i < routes.size(); ++i) {
      // The first one is optimal; the others say what the best costs.
      const double stretch = i == 0 ? 1 : 1 + options.stretch + 1e-9;
      const SearchResult& found = routes[i].result;
      std::string wrong =
          judge_answer(weighted_, query, found, routes[i].nodes, truth, judge, {stretch, 0});
      if (!wrong.empty()) return "alternative " + std::to_string(i) + ": " + wrong;
    }
    return {};
  }

  Rng rng_;
  testing::RequestCase graph_;
  lodestar::Preferences wish_;
  std::unique_ptr<Router> router_;
  std::unique_ptr<Router::Requests> requests_;
  Case weighted_;  // the graph of the request: the arcs that are open, with its weights
};

}  // namespace

std::unique_ptr<Trial> make_cch_trial(const Case& c, const Way& way) {
  return std::make_unique<CchTrial>(c, way);
}

std::unique_ptr<Trial> make_request_trial(const Case& c, const Way& way) {
  return std::make_unique<RequestTrial>(c, way);
}

}  // namespace adversary
