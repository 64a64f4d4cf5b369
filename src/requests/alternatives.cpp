#include <algorithm>
#include <cmath>

#include "requests/engine.h"

namespace lodestar::requests {
namespace {

constexpr double kPenalty = 1.4;
// Searches for one alternative before it is given up.
constexpr int kTries = 8;

void check(const AlternativeOptions& options) {
  if (options.count < 1 || options.count > 100) {
    throw Error("the number of alternatives must be from 1 to 100");
  }
  for (const double share : {options.stretch, options.sharing, options.local}) {
    if (!(share >= 0) || !std::isfinite(share)) {
      throw Error("stretch, sharing and local must be finite and not negative");
    }
  }
}

class Search {
 public:
  Search(RequestEngine& engine, Query query, const AlternativeOptions& options)
      : engine_(engine), query_(query), options_(options) {}

  std::vector<RequestRoute> run() {
    engine_.weights().forgive();
    RequestRoute best = found(engine_.run(query_));
    if (!best.result.reached()) return {best};
    optimum_ = best.result.cost;
    keep(std::move(best));
    for (int failures = 0; routes_.size() < options_.count && failures < kTries;) {
      penalise(last_);
      SearchResult result = engine_.run(query_);  // penalties close nothing
      const std::vector<ArcIndex> arcs = engine_.arcs();
      if (arcs == last_) {
        ++failures;
        continue;
      }
      last_ = arcs;
      engine_.weights().hide_penalties(true);
      result.cost = engine_.cost(arcs);
      result.lower_bound = optimum_;
      const bool kept = acceptable(result.cost, arcs);
      if (kept) {
        RequestRoute route;
        route.result = result;
        route.arcs = arcs;
        route.nodes = nodes_of(arcs);
        route.totals = totals(engine_, arcs);
        route.potentials = engine_.has_potentials();
        keep(std::move(route));
        failures = 0;
      } else {
        ++failures;
      }
      engine_.weights().hide_penalties(false);
    }
    engine_.weights().forgive();
    std::sort(routes_.begin() + 1, routes_.end(), [](const RequestRoute& a, const RequestRoute& b) {
      return a.result.cost < b.result.cost;
    });
    return std::move(routes_);
  }

 private:
  RequestRoute found(const SearchResult& result) {
    RequestRoute route{result, {}, {}, {}, engine_.has_potentials()};
    if (!result.reached()) return route;
    route.nodes = engine_.path();
    route.arcs = engine_.arcs();
    route.totals = totals(engine_, route.arcs);
    return route;
  }

  std::vector<NodeId> nodes_of(std::span<const ArcIndex> arcs) const {
    std::vector<NodeId> nodes = {query_.source};
    engine_.weights().data().graph().visit(Direction::kForward, [&](auto rows) {
      for (const ArcIndex arc : arcs) nodes.push_back(rows.arcs[arc].head);
    });
    return nodes;
  }

  void keep(RequestRoute route) {
    last_ = route.arcs;
    std::vector<ArcIndex> sorted = route.arcs;
    std::sort(sorted.begin(), sorted.end());
    used_.push_back(std::move(sorted));
    routes_.push_back(std::move(route));
  }

  void penalise(std::span<const ArcIndex> arcs) {
    for (const ArcIndex arc : arcs) engine_.weights().penalise(arc, kPenalty);
  }

  bool acceptable(Cost cost, std::span<const ArcIndex> arcs) {
    if (!(cost <= (1 + options_.stretch) * optimum_)) return false;
    for (const std::vector<ArcIndex>& used : used_) {
      Cost common = 0;
      for (const ArcIndex arc : arcs) {
        if (std::binary_search(used.begin(), used.end(), arc)) common += engine_.cost({&arc, 1});
      }
      if (common > options_.sharing * optimum_) return false;
    }
    return has_no_detour(arcs);
  }

  // Windows of 2 · local · optimum, so that every part up to local · optimum is in one of them.
  bool has_no_detour(std::span<const ArcIndex> arcs) {
    const Cost window = 2 * options_.local * optimum_;
    if (!(window > 0)) return true;
    const std::vector<NodeId> nodes = nodes_of(arcs);
    std::vector<Cost> at = {0};
    for (const ArcIndex arc : arcs) at.push_back(at.back() + engine_.cost({&arc, 1}));
    std::size_t begin = 0;
    while (begin + 1 < nodes.size()) {
      // The longest part from here that fits the window, at least one arc.
      std::size_t end = begin + 1;
      while (end + 1 < nodes.size() && at[end + 1] - at[begin] <= window) ++end;
      const SearchResult direct = engine_.run({nodes[begin], nodes[end]});
      if (direct.cost < at[end] - at[begin]) return false;
      if (end + 1 == nodes.size()) return true;
      // The next window begins half a window before the end of this one.
      std::size_t next = begin + 1;
      while (next < end && at[end + 1] - at[next] > window / 2) ++next;
      begin = next;
    }
    return true;
  }

  RequestEngine& engine_;
  Query query_;
  AlternativeOptions options_;
  Cost optimum_ = 0;
  std::vector<RequestRoute> routes_;
  std::vector<std::vector<ArcIndex>> used_;  // the arcs of the routes, sorted
  std::vector<ArcIndex> last_;
};

}  // namespace

std::vector<double> totals(const RequestEngine& engine, std::span<const ArcIndex> arcs) {
  const RequestData& data = engine.weights().data();
  std::vector<double> sums;
  for (std::size_t i = 0; i < data.metrics().metrics.size(); ++i) {
    double sum = 0;
    for (const ArcIndex arc : arcs) sum += data.metrics().weight(data.graph(), i, arc);
    if (i == 0 && engine.departs()) sum = engine.cost(arcs);
    sums.push_back(sum * data.metrics().metrics[i].scale);
  }
  return sums;
}

std::vector<RequestRoute> alternatives(RequestEngine& engine, Query query,
                                       const AlternativeOptions& options) {
  check(options);
  if (engine.departs()) {
    throw Error("alternatives cannot be combined with a time of departure");
  }
  return Search(engine, query, options).run();
}

}  // namespace lodestar::requests
