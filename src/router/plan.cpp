
#include <algorithm>
#include <cmath>

#include "lodestar/certificate.h"
#include "lodestar/model.h"
#include "router/engine.h"

namespace lodestar::detail {
namespace {

constexpr const char* kHeuristics[] = {"zero",   "geometric", "learned", "constant",
                                       "random", "potential", "function"};

void check_array(const PotentialArray& array, const Graph& graph, const std::string& what) {
  if (array.values.size() != graph.node_count()) {
    throw Error("the " + what + " has " + std::to_string(array.values.size()) +
                " values, but the graph has " + std::to_string(graph.node_count()) +
                " nodes; give one value per node");
  }
  const auto bad = std::find_if(array.values.begin(), array.values.end(),
                                [](double y) { return !std::isfinite(y); });
  if (bad != array.values.end()) {
    throw Error("the " + what + " is not finite at node " +
                std::to_string(bad - array.values.begin()));
  }
}

// Sets the heuristic to "potential" or "function" if one of them is given.
void settle_heuristic(RouterPlan& plan) {
  RouterOptions& options = plan.options;
  const bool known = std::any_of(std::begin(kHeuristics), std::end(kHeuristics),
                                 [&](const char* name) { return options.heuristic == name; });
  if (!known) {
    throw Error("unknown heuristic '" + options.heuristic +
                "'; choose zero, geometric, learned, constant, random, potential or function");
  }
  const bool has_potential = options.potential.values.data() != nullptr;
  const bool has_function = static_cast<bool>(options.function);
  if (has_potential && has_function) {
    throw Error("give either a potential or a heuristic function, not both");
  }
  const std::string given = has_potential ? "potential" : has_function ? "function" : "";
  if (!given.empty() && options.heuristic == "zero") options.heuristic = given;
  if (!given.empty() && options.heuristic != given) {
    throw Error("a " + given + " conflicts with the heuristic '" + options.heuristic +
                "'; omit one of them");
  }
  if (given != options.heuristic &&
      (options.heuristic == "potential" || options.heuristic == "function")) {
    throw Error("the heuristic '" + options.heuristic + "' requires the option " +
                options.heuristic);
  }
}

void check_numbers(const RouterOptions& options) {
  if (!(options.bound >= 0) || options.bound == kInfinity) {
    throw Error("the bound must be finite and at least 0; 0.05 allows 5 % above the optimum");
  }
  if (!(options.weight >= 0) || options.weight == kInfinity) {
    throw Error("the weight of weighted A* must be finite and at least 0");
  }
  if (!std::isfinite(options.constant)) throw Error("the constant heuristic must be finite");
}

bool has_potentials(const RouterOptions& options) {
  return options.potentials != nullptr || options.family != nullptr ||
         !options.potentials_file.empty();
}

bool has_index(const RouterOptions& options) {
  return options.index != nullptr || !options.index_file.empty();
}

void choose_algorithm(RouterPlan& plan) {
  const RouterOptions& options = plan.options;
  // Beside an index, potentials serve requests with preferences alone.
  const bool plain =
      options.heuristic == "zero" && (!has_potentials(options) || has_index(options));
  if (options.algorithm == "auto") {
    plan.row = find_algorithm(has_index(options)  ? "core"
                              : plain             ? "bidirectional"
                              : options.bound > 0 ? "focal"
                                                  : "astar");
  } else {
    plan.row = find_algorithm(options.algorithm);
  }
  if (plan.row == nullptr) {
    throw Error("unknown algorithm '" + options.algorithm + "'; choose one of auto, " +
                algorithm_names());
  }
  const std::string name(plan.row->name);
  if (plan.row->heuristic == HeuristicUse::kNone && !plain) {
    throw Error("'" + name +
                "' does not use a heuristic; choose astar, or omit the heuristic and " +
                "the potentials");
  }
  if (has_index(options) && name != "core") {
    throw Error("an index requires the algorithm core, not '" + name + "'; omit one of them");
  }
  if (options.bound > 0 && !plan.row->takes_bound) {
    throw Error("'" + name + "' does not support a bound; choose focal or bidirectional");
  }
  if (options.max_expansions != std::numeric_limits<std::uint64_t>::max() &&
      !plan.row->takes_max_expansions) {
    throw Error("'" + name + "' does not support max_expansions; choose dijkstra, astar or focal");
  }
  if (options.prover.values.data() != nullptr && plan.row->name != "focal") {
    throw Error("'" + name + "' does not support a prover; choose focal");
  }
}

// The knot of the graph's own weights, which serves queries without preferences.
std::shared_ptr<const Potentials> own_knot(const RouterPlan& plan) {
  const Metrics& metrics = plan.options.metrics;
  for (const Knot& knot : plan.family->knots()) {
    bool own = true;
    for (std::size_t i = 0; i < knot.blend.size(); ++i) {
      // Without names, the first of the family is the graph's own.
      const std::string& name = plan.family->metrics()[i];
      const bool first = metrics.empty() || name.empty() ? i == 0 : name == metrics.metrics[0].name;
      own = own && knot.blend[i] == (first ? 1 : 0);
    }
    if (own) return knot.potentials;
  }
  throw Error("the potentials have no knot for the weights of the graph; fit them again");
}

void load_potentials(RouterPlan& plan) {
  const RouterOptions& options = plan.options;
  if (int{options.potentials != nullptr} + int{options.family != nullptr} +
          int{!options.potentials_file.empty()} >
      1) {
    throw Error("give either potentials or their file, not both");
  }
  if (options.potentials != nullptr) {
    plan.potentials = options.potentials;
    return;
  }
  plan.family =
      options.family != nullptr
          ? options.family
          : std::make_shared<const PotentialFamily>(PotentialFamily::load(options.potentials_file));
  plan.potentials = own_knot(plan);
}

void prepare_potentials(RouterPlan& plan) {
  const RouterOptions& options = plan.options;
  load_potentials(plan);
  plan.potentials->require_fit(plan.given);
  const bool joins = options.heuristic == "zero" || options.heuristic == "geometric" ||
                     (options.heuristic == "learned" && options.exact);
  if (!joins) {
    throw Error(
        "potentials cannot be combined with the heuristic '" + options.heuristic +
        "', which is not admissible; combine them with geometric, or with learned and exact");
  }
  // Potentials stay feasible where weights rose and are repaired where weights fell.
  if (options.trust || plan.potentials->verify(plan.given).feasible()) return;
  Potentials repaired = *plan.potentials;
  const PotentialsRepair repair = repaired.repair(plan.given);
  plan.potentials = std::make_shared<const Potentials>(std::move(repaired));
  plan.note =
      "some weights fell since " +
      (options.potentials_file.empty() ? "the potentials were" : options.potentials_file + " was") +
      " made: " + std::to_string(repair.changed_values) + " values were repaired";
}

void prepare_learned(RouterPlan& plan) {
  const RouterOptions& options = plan.options;
  if (!plan.row->takes_model) {
    throw Error("a learned heuristic requires astar, weighted, greedy or focal");
  }
  if (options.exact && plan.row->name != "astar") {
    throw Error("exact requires the algorithm astar without a bound");
  }
  if (plan.potentials && plan.potentials->guarantee() != Guarantee::kConsistent) {
    throw Error("potentials with 16 bits cannot be combined with a model; use 32 bits");
  }
  plan.graph = ordered_for_queries(plan.graph);  // once, for all threads
  const NetOptions net{.steps = options.steps, .scale = options.scale};
  if (options.model_object != nullptr) {
    plan.net.emplace(*options.model_object, plan.graph, net);
  } else {
    plan.net.emplace(load_model(options.model), plan.graph, net);
  }
  plan.guarantee = options.exact ? Guarantee::kConsistent : Guarantee::kNone;
}

void prepare_potential(RouterPlan& plan) {
  const RouterOptions& options = plan.options;
  check_array(options.potential, plan.given, "potential");
  if (options.guarantee) {
    plan.guarantee = *options.guarantee;
  } else {
    const bool feasible = check_potential(plan.given, options.potential.values).consistent();
    plan.guarantee = feasible ? Guarantee::kConsistent : Guarantee::kNone;
  }
}

}  // namespace

ErasedHeuristic erased(const AnyHeuristic& heuristic) {
  return std::visit(
      [](auto h) {
        const Guarantee promised = guarantee_of(h);
        return ErasedHeuristic{[h](NodeId v) mutable { return static_cast<Cost>(h(v)); }, promised};
      },
      heuristic);
}

AnyHeuristic RouterPlan::to_target(Query query) const {
  const NodeId target = query.target;
  if (potentials) {
    if (geometry) return MaxOf(potentials->to(target), geometry->to(target));
    return potentials->to(target);
  }
  if (geometry) return geometry->to(target);
  if (options.potential.values.data() != nullptr) {
    return PotentialHeuristic(options.potential.values, target, guarantee);
  }
  if (options.function) return FunctionHeuristic{&options.function, query, guarantee};
  if (options.heuristic == "constant") return Constant{target, options.constant};
  if (options.heuristic == "random") return Random{target, options.seed};
  return Zero{};
}

void prepare(RouterPlan& plan) {
  RouterOptions& options = plan.options;
  check_numbers(options);
  settle_heuristic(plan);
  choose_algorithm(plan);
  if (options.exact && options.heuristic != "learned") {
    throw Error("exact applies only to the heuristic learned; choose it, or omit exact");
  }
  plan.graph = plan.given;
  if (has_potentials(options)) {
    prepare_potentials(plan);
    if (!has_index(options)) plan.guarantee = plan.potentials->guarantee();
  }
  if (options.heuristic == "geometric") {
    plan.geometry.emplace(plan.given);
  } else if (options.heuristic == "learned") {
    prepare_learned(plan);
  } else if (options.heuristic == "potential") {
    prepare_potential(plan);
  } else if (options.heuristic == "function") {
    plan.guarantee = options.guarantee.value_or(Guarantee::kNone);
  } else if (options.heuristic == "constant") {
    plan.guarantee = Constant{0, options.constant}.guarantee();
  } else if (options.heuristic == "random") {
    plan.guarantee = Guarantee::kNone;
  }
  if (options.prover.values.data() != nullptr) {
    check_array(options.prover, plan.given, "prover");
    if (!options.trust && !check_potential(plan.given, options.prover.values).consistent()) {
      throw Error(
          "the prover is not feasible on this graph; make it feasible with close_above first");
    }
  }
  if (plan.row->heuristic == HeuristicUse::kConsistent) {
    if (plan.guarantee != Guarantee::kConsistent) {
      throw Error("'" + std::string(plan.row->name) +
                  "' requires a consistent heuristic, and this one is not known to be consistent; "
                  "choose astar");
    }
    if (options.heuristic == "function") {
      throw Error("'" + std::string(plan.row->name) +
                  "' requires forward and backward estimates, and a function has only forward "
                  "ones; choose astar");
    }
  }
  prepare_engines(*plan.row, plan);
}

}  // namespace lodestar::detail
