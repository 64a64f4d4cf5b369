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

bool is_model(Estimate e) {
  return e >= Estimate::kPaper;
}
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

// The same graph through a file of its own: arrays that are mapped, not owned.
Graph through_file(const Graph& graph) {
  const auto path =
      std::filesystem::temp_directory_path() / ("adversary-" + std::to_string(::getpid()) + ".lsg");
  lodestar::GraphFile file;
  file.graph = graph;
  file.names = lodestar::NodeNames::numbered(0, graph.node_count());
  lodestar::write_graph(file, path.string());
  Graph mapped = lodestar::read_graph(path.string()).graph;
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

// An index made for the weights before and customised to those of now, its core of any size.
std::shared_ptr<const lodestar::Index> customized_index(const Case& c, const Graph& graph,
                                                        std::uint64_t seed) {
  Rng rng(seed);
  lodestar::IndexOptions options;
  if (rng.chance(0.8)) options.core = rng.below(c.nodes + 1);
  options.guide = static_cast<lodestar::CorePotentials>(rng.below(3));
  options.potential_count = 1 + rng.below(4);
  options.rounds = 1;
  options.seed = seed;
  const auto before = lodestar::Index::build(c.graph(true), options);
  return std::make_shared<const lodestar::Index>(before.customized(graph, options));
}

double mean_weight(const Case& c) {
  double mean = 0;
  for (const CaseArc& arc : c.arcs) mean += arc.weight / static_cast<double>(c.arcs.size());
  return mean;
}

}  // namespace

std::string Way::text() const {
  char line[300];
  std::snprintf(line, sizeof line,
                "%s with %s, bound %g, weight %g%s%s, arcs by %s%s, cap %llu, %u threads, way %llu",
                std::string(algorithm->name).c_str(), kEstimateNames[static_cast<int>(estimate)],
                bound, weight, exact ? ", exact" : "",
                reopen == Reopen::kNever ? ", never re-opening" : "", by_weight ? "weight" : "head",
                from_file ? " from a file" : "", static_cast<unsigned long long>(cap), threads,
                static_cast<unsigned long long>(seed));
  return line;
}

Way draw_way(const Case& c, std::size_t algorithm, std::uint64_t seed) {
  Rng rng(lodestar::mix64(seed ^ 0xadbeef) + algorithm);
  Way way;
  way.seed = seed;
  way.algorithm = &lodestar::algorithms()[algorithm];
  const bool small = c.nodes <= 1000;
  if (way.algorithm->heuristic != HeuristicUse::kNone) {
    constexpr Estimate kSure[] = {Estimate::kZero, Estimate::kTable, Estimate::kPotential,
                                  Estimate::kGeometric, Estimate::kPotentialsGeometry};
    way.estimate = way.algorithm->heuristic == HeuristicUse::kConsistent
                       ? kSure[rng.below(5)]
                       : static_cast<Estimate>(rng.below(kEstimates));
    if (c.kind == lodestar::CoordinateKind::kNone) {
      if (way.estimate == Estimate::kGeometric) way.estimate = Estimate::kPotential;
      if (way.estimate == Estimate::kPotentialsGeometry) way.estimate = Estimate::kTable;
    }
    // Models cost a thousand times a query, and a long chain is no place for them.
    if (is_model(way.estimate) && (!small || rng.chance(0.5))) way.estimate = Estimate::kWild;
    if (!small && has_table(way.estimate)) way.estimate = Estimate::kZero;
  }
  constexpr double kBounds[] = {0, 0, 0.05, 0.5, 10, 1e308};
  if (way.algorithm->takes_bound) way.bound = kBounds[rng.below(6)];
  way.exact = is_model(way.estimate) && (rng.chance(0.5) || way.estimate == Estimate::kDeepTable);
  constexpr double kFactors[] = {0, 1, 1.5, 5, 1e6};
  way.weight = kFactors[rng.below(5)];
  if (rng.chance(0.25)) way.reopen = Reopen::kNever;
  if (way.algorithm->takes_max_expansions && rng.chance(0.15)) way.cap = 1 + rng.below(60);
  way.by_weight = rng.chance(0.4);
  way.from_file = small && rng.chance(0.01);
  way.threads = rng.chance(0.03) ? 2 : 1;
  return way;
}

Trial::Trial(const Case& c, const Way& way) : case_(c), way_(way) {
  Graph graph = c.graph();
  if (way.by_weight) graph = graph.ordered(ArcOrder::kByWeight);
  if (way.from_file) graph = through_file(graph);
  RouterOptions options;
  options.algorithm = std::string(way.algorithm->name);
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
  if (way.algorithm->name == "core" && c.nodes <= 1000 && way.seed % 4 != 0) {
    options.index = customized_index(c, graph, way.seed);
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
        const std::uint64_t draw = lodestar::mix64(seed ^ v ^ (std::uint64_t{query.target} << 32));
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
  const bool core = way.algorithm->name == "core";
  many_ = c.nodes <= 1000 && (core || way.algorithm->name == "dijkstra");
  whole_numbers_ = core && options.index && options.index->facts().whole_numbers;
}

std::string Trial::check(const std::vector<Query>& queries, Judge& judge) {
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
  NodeId source = lodestar::kNoNode;
  const std::vector<double>* truth = nullptr;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    if (queries[i].source != source) {
      source = queries[i].source;
      truth = &judge.distances(source);
    }
    std::string wrong = judge_answer(queries[i], routes[i].result, routes[i].nodes,
                                     (*truth)[queries[i].target], judge);
    if (!wrong.empty()) return wrong;
  }
  if (many_) return check_many(case_, *router_, whole_numbers_, judge, way_.seed);
  return {};
}

std::string Trial::judge_answer(Query query, const SearchResult& found,
                                const std::vector<NodeId>& path, double truth,
                                const Judge& judge) const {
  // Sums of doubles are rounded once per arc and side; whole ones are not rounded at all.
  const double slack =
      case_.exact_sums
          ? 0
          : 0x1p-51 * (8 + static_cast<double>(std::max<std::size_t>(path.size(), case_.nodes)));
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
  if (found.expansions > lodestar::most_expansions(case_.nodes) + 1) return fail("too much work");
  if (way_.cap > 0 && found.expansions > way_.cap + 1) return fail("beyond its cap");
  if (found.capped && way_.cap == 0) return fail("says it was cut short");
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

  const bool promised = router_->guarantee() >= Guarantee::kAdmissible;
  double factor = kInfinity;
  switch (router_->algorithm().proof) {
    case Proof::kOptimal:
      factor = 1;
      break;
    case Proof::kWithinBound:
      factor = 1 + way_.bound;
      break;
    case Proof::kOptimalIfPromised:
      if (router_->guarantee() == Guarantee::kConsistent ||
          (promised && way_.reopen == Reopen::kAlways)) {
        factor = 1;
      }
      break;
    case Proof::kGap:
      break;
  }
  if (found.cost > truth * factor * (1 + slack)) return fail("beyond what is promised");
  if (factor == 1 && !found.optimal()) return fail("optimal, and not said to be");
  return {};
}

}  // namespace adversary
