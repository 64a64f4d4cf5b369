#include "trial.h"

#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <filesystem>

#include "lodestar/graph_io.h"
#include "lodestar/index.h"
#include "lodestar/landmarks.h"
#include "lodestar/model.h"
#include "lodestar/rng.h"

namespace adversary {

using lodestar::ArcOrder;
using lodestar::Cost;
using lodestar::Graph;
using lodestar::Guarantee;
using lodestar::HeuristicUse;
using lodestar::kInfinity;
using lodestar::NodeId;
using lodestar::Potentials;
using lodestar::Proof;
using lodestar::Query;
using lodestar::Reopen;
using lodestar::Rng;
using lodestar::Router;
using lodestar::RouterOptions;
using lodestar::SearchResult;

namespace {

constexpr const char* kEstimateNames[] = {"zero",
                                          "geometric",
                                          "constant",
                                          "random",
                                          "table",
                                          "16-bit table",
                                          "table and geometric",
                                          "a feasible potential",
                                          "a wild function",
                                          "paper",
                                          "deep",
                                          "swift",
                                          "deep and table"};

bool has_table(Estimate e) {
  return (e >= Estimate::kTable && e <= Estimate::kPotentialsGeometry) || e == Estimate::kDeepTable;
}

std::shared_ptr<const lodestar::Model> model_of(Estimate e) {
  static const std::shared_ptr<const lodestar::Model> models[] = {
      std::make_shared<const lodestar::Model>(lodestar::load_model("paper")),
      std::make_shared<const lodestar::Model>(lodestar::load_model("deep")),
      std::make_shared<const lodestar::Model>(lodestar::load_model("swift"))};
  return models[e == Estimate::kPaper ? 0 : e == Estimate::kSwift ? 2 : 1];
}

std::string temporary_file(const char* ending) {
  const std::string name = "adversary-" + std::to_string(::getpid()) + ending;
  return (std::filesystem::temp_directory_path() / name).string();
}

// The same graph through a file of its own: arrays that are mapped, not owned.
Graph through_file(const Graph& graph) {
  const std::string path = temporary_file(".lsg");
  lodestar::GraphFile file;
  file.graph = graph;
  file.names = lodestar::NodeNames::numbered(0, graph.node_count());
  lodestar::write_graph(file, path);
  Graph mapped = lodestar::read_graph(path).graph;
  std::filesystem::remove(path);
  return mapped;
}

// Distances from a node, infinite ones replaced by the largest: feasible, as nothing leads there,
// but for rounding. The Router looks whether it is.
std::vector<double> feasible_potential(const Case& c, std::uint64_t seed) {
  Judge judge(c);
  std::vector<double> y = judge.distances(static_cast<std::uint32_t>(seed % c.nodes));
  double largest = 0;
  for (const double value : y) {
    if (value < kInfinity) largest = std::max(largest, value);
  }
  for (double& value : y) value = std::min(value, largest);
  return y;
}

double mean_weight(const Case& c) {
  double mean = 0;
  for (const CaseArc& arc : c.arcs) mean += arc.weight / static_cast<double>(c.arcs.size());
  return mean;
}

class RouterTrial : public Trial {
 public:
  RouterTrial(const Case& c, const Way& way) : Trial(c, way) {
    Graph graph = c.graph();
    if (way.by_weight) graph = graph.ordered(ArcOrder::kByWeight);
    if (way.from_file) graph = through_file(graph);
    RouterOptions options;
    options.algorithm = std::string(way.method->algorithm->name);
    options.bound = way.bound;
    options.weight = way.weight;
    options.reopen = way.reopen;
    options.seed = way.seed;
    options.exact = way.exact;
    if (way.cap > 0) options.max_expansions = way.cap;
    if (has_table(way.estimate)) {
      lodestar::LandmarkOptions landmarks;
      landmarks.potential_count = 3;
      landmarks.seed = way.seed;
      auto potentials = lodestar::landmark_potentials(c.graph(true), landmarks);
      if (way.estimate == Estimate::kTable16) potentials = potentials.in_16_bits(graph);
      options.potentials = std::make_shared<const Potentials>(std::move(potentials));
    }
    // One in four of the plain configurations lets the Router build its index.
    if (options.algorithm == "core" && c.small() &&
        (way.method->door != Door::kAlgorithm || way.seed % 4 != 0)) {
      options.index = make_index(c, graph, way);
    }
    const double unit = mean_weight(c);
    switch (way.estimate) {
      case Estimate::kGeometric:
      case Estimate::kPotentialsGeometry:
        options.heuristic = "geometric";
        break;
      case Estimate::kConstant:
        options.heuristic = "constant";
        options.constant = 2 * unit;
        break;
      case Estimate::kRandom:
        options.heuristic = "random";
        break;
      case Estimate::kPotential:
        options.potential = lodestar::PotentialArray(feasible_potential(c, way.seed));
        break;
      case Estimate::kWild: {
        const double amplitude = unit * static_cast<double>(1 + way.seed % 30);
        options.function = [amplitude, seed = way.seed](NodeId v, Query query) {
          const std::uint64_t draw =
              lodestar::mix64(seed ^ v ^ (std::uint64_t{query.target} << 32));
          return amplitude * static_cast<double>(draw >> 11) * 0x1p-53;
        };
        break;
      }
      case Estimate::kPaper:
      case Estimate::kDeep:
      case Estimate::kSwift:
      case Estimate::kDeepTable:
        options.heuristic = "learned";
        options.model_object = model_of(way.estimate);
        break;
      default:
        break;
    }
    router_ = std::make_unique<Router>(graph, options);
  }

  std::string check(const std::vector<Query>& queries, Judge& judge) override {
    std::vector<lodestar::Route> routes;
    if (way_.threads > 1) {
      routes = router_->paths(queries, {.threads = way_.threads});
    } else {
      Router::Lease lease = router_->lease();
      for (const Query query : queries) {
        const SearchResult found = lease.run(query);
        routes.push_back({found, lease.path()});
      }
    }
    const Promise promise{factor(), way_.cap};
    for (std::size_t i = 0; i < queries.size(); ++i) {
      const double truth = judge.distances(queries[i].source)[queries[i].target];
      std::string wrong =
          judge_answer(case_, queries[i], routes[i].result, routes[i].nodes, truth, judge, promise);
      if (!wrong.empty()) return wrong;
      ++answers_;
    }
    return {};
  }

 private:
  double factor() const {
    const bool promised = router_->guarantee() >= Guarantee::kAdmissible;
    switch (router_->algorithm().proof) {
      case Proof::kOptimal:
        return 1;
      case Proof::kWithinBound:
        return 1 + way_.bound;
      case Proof::kOptimalIfPromised:
        if (router_->guarantee() == Guarantee::kConsistent ||
            (promised && way_.reopen == Reopen::kAlways)) {
          return 1;
        }
        break;
      case Proof::kGap:
        break;
    }
    return kInfinity;
  }

  std::unique_ptr<Router> router_;
};

}  // namespace

std::string Way::text() const {
  char line[300];
  std::snprintf(line, sizeof line,
                "%s with %s, bound %g, weight %g%s%s, arcs by %s%s, cap %llu, %u threads, way %llu",
                method->name.c_str(), kEstimateNames[static_cast<int>(estimate)], bound, weight,
                exact ? ", exact" : "", reopen == Reopen::kNever ? ", never re-opening" : "",
                by_weight ? "weight" : "head", from_file ? " from a file" : "",
                static_cast<unsigned long long>(cap), threads,
                static_cast<unsigned long long>(seed));
  return line;
}

Way draw_way(const Case& c, std::size_t method, std::uint64_t seed) {
  Rng rng(lodestar::mix64(seed ^ 0xadbeef) + method);
  Way way;
  way.seed = seed;
  way.method = &methods()[method];
  const bool small = c.small();
  const lodestar::AlgorithmRow& row = *way.method->algorithm;
  if (row.heuristic != HeuristicUse::kNone) {
    constexpr Estimate kSure[] = {Estimate::kZero, Estimate::kTable, Estimate::kPotential,
                                  Estimate::kGeometric, Estimate::kPotentialsGeometry};
    way.estimate = row.heuristic == HeuristicUse::kConsistent
                       ? kSure[rng.below(5)]
                       : static_cast<Estimate>(rng.below(kEstimates));
    if (c.kind == lodestar::CoordinateKind::kNone) {
      if (way.estimate == Estimate::kGeometric) way.estimate = Estimate::kPotential;
      if (way.estimate == Estimate::kPotentialsGeometry) way.estimate = Estimate::kTable;
    }
    // Models cost a thousand times a query, and a long chain is no place for them.
    if (way.has_model() && (!small || rng.chance(0.5))) way.estimate = Estimate::kWild;
    if (!small && has_table(way.estimate)) way.estimate = Estimate::kZero;
  }
  constexpr double kBounds[] = {0, 0, 0.05, 0.5, 10, 1e308};
  if (row.takes_bound) way.bound = kBounds[rng.below(6)];
  way.exact = way.has_model() && (rng.chance(0.5) || way.estimate == Estimate::kDeepTable);
  constexpr double kFactors[] = {0, 1, 1.5, 5, 1e6};
  way.weight = kFactors[rng.below(5)];
  if (rng.chance(0.25)) way.reopen = Reopen::kNever;
  if (row.takes_max_expansions && rng.chance(0.15)) way.cap = 1 + rng.below(60);
  way.by_weight = rng.chance(0.4);
  way.from_file = small && rng.chance(0.01);
  way.threads = rng.chance(0.03) ? 2 : 1;
  return way;
}

std::shared_ptr<const lodestar::Index> make_index(const Case& c, const Graph& graph,
                                                  const Way& way) {
  using lodestar::Index;
  Rng rng(way.seed);
  lodestar::IndexOptions options;
  const Door door = way.method->door;
  if (rng.chance(0.8)) options.core = rng.below(c.nodes + 1);
  options.guide = static_cast<lodestar::CorePotentials>(rng.below(3));
  options.crossing = static_cast<lodestar::Crossing>(rng.below(3));
  options.potential_count = 1 + rng.below(4);
  options.rounds = 1;
  options.seed = way.seed;
  options.threads = way.threads;
  options.labels =
      door == Door::kLabels || door == Door::kCustomizedLabels || door == Door::kManyByLabels;
  const bool other =
      door == Door::kCustomized || door == Door::kQuick || door == Door::kCustomizedLabels;
  Index index = Index::build(other ? c.graph(true) : graph, options);
  if (door == Door::kQuick) {
    options.quick = true;
    // To the weights of now, back, and again: few and many changes.
    index = index.customized(graph, options);
    if (rng.chance(0.5)) {
      index = index.customized(c.graph(true), options).customized(graph, options);
    }
  } else if (other) {
    index = index.customized(graph, options);
  }
  if (way.from_file && door != Door::kQuick) {
    const std::string path = temporary_file(".lsi");
    index.save(path);
    index = Index::open(path, graph, rng.chance(0.5));
    std::filesystem::remove(path);
  }
  return std::make_shared<const Index>(std::move(index));
}

std::unique_ptr<Trial> make_trial(const Case& c, const Way& way) {
  switch (way.method->door) {
    case Door::kCch:
    case Door::kChangedCch:
      return make_cch_trial(c, way);
    case Door::kRequest:
    case Door::kGuidedRequest:
    case Door::kAlternatives:
      return make_request_trial(c, way);
    case Door::kMany:
    case Door::kManyByIndex:
    case Door::kManyByLabels:
      return make_many_trial(c, way);
    default:
      return std::make_unique<RouterTrial>(c, way);
  }
}

std::span<const Method> methods() {
  static const std::vector<Method> all = [] {
    std::vector<Method> rows;
    for (const lodestar::AlgorithmRow& row : lodestar::algorithms()) {
      rows.push_back({std::string(row.name), Door::kAlgorithm, &row, 1});
    }
    const lodestar::AlgorithmRow* core = lodestar::find_algorithm("core");
    const lodestar::AlgorithmRow* dijkstra = lodestar::find_algorithm("dijkstra");
    rows.push_back({"core, customized", Door::kCustomized, core, 1});
    rows.push_back({"core, quickly customized", Door::kQuick, core, 1});
    rows.push_back({"labels", Door::kLabels, core, 1});
    rows.push_back({"labels, customized", Door::kCustomizedLabels, core, 1});
    rows.push_back({"CCH", Door::kCch, dijkstra, 1});
    rows.push_back({"CCH, changed weights", Door::kChangedCch, dijkstra, 1});
    rows.push_back({"request", Door::kRequest, dijkstra, 1});
    rows.push_back({"request with potentials", Door::kGuidedRequest, dijkstra, 8});
    rows.push_back({"alternatives", Door::kAlternatives, dijkstra, 4});
    rows.push_back({"many, by searches", Door::kMany, dijkstra, 2});
    rows.push_back({"many, by the core", Door::kManyByIndex, core, 2});
    rows.push_back({"many, by labels", Door::kManyByLabels, core, 2});
    return rows;
  }();
  return all;
}

std::string judge_answer(const Case& c, Query query, const SearchResult& found,
                         const std::vector<NodeId>& path, double truth, const Judge& judge,
                         const Promise& promise) {
  // Sums of doubles are rounded once per arc and side; whole ones are not rounded at all.
  const double slack =
      c.exact_sums
          ? 0
          : 0x1p-51 * (8 + static_cast<double>(std::max<std::size_t>(path.size(), c.nodes)));
  const auto fail = [&](const char* what) {
    char line[300];
    std::snprintf(line, sizeof line,
                  "%u -> %u: %s; cost %.17g, lower bound %.17g, truth %.17g, %llu expansions",
                  query.source, query.target, what, found.cost, found.lower_bound, truth,
                  static_cast<unsigned long long>(found.expansions));
    return std::string(line);
  };
  if (std::isnan(found.cost) || std::isnan(found.lower_bound)) return fail("not a number");
  if (found.lower_bound > truth * (1 + slack)) return fail("the lower bound is above the optimum");
  if (found.cost < truth * (1 - slack)) return fail("cheaper than the optimum");
  if (found.expansions > lodestar::most_expansions(c.nodes) + 1) return fail("too much work");
  if (promise.cap > 0 && found.expansions > promise.cap + 1) return fail("beyond its cap");
  if (found.capped && promise.cap == 0) return fail("says it was cut short");
  if (!found.reached()) {
    if (!path.empty()) return fail("a path without a cost");
    if (!found.capped && truth < kInfinity) return fail("a path was missed");
    return {};
  }
  if (path.empty() || path.front() != query.source || path.back() != query.target) {
    return fail("the path does not lead from source to target");
  }
  const double walked = judge.cost_of(path);
  if (walked > found.cost * (1 + slack) || walked < found.cost * (1 - slack)) {
    return fail("the path does not cost what is said");
  }
  if (found.optimal() && found.cost > truth * (1 + slack)) return fail("a false proof");
  if (found.capped) return {};

  if (found.cost > truth * promise.factor * (1 + slack)) return fail("beyond what is promised");
  if (promise.factor == 1 && !found.optimal()) return fail("optimal, and not said to be");
  return {};
}

}  // namespace adversary
