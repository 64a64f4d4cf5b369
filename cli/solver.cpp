#include "solver.h"

#include "lodestar/detail/timed_heuristic.h"

namespace lodestar::cli {
namespace {

struct NamedAlgorithm {
  const char* name;
  Algorithm algorithm;
};
constexpr NamedAlgorithm kAlgorithms[] = {
    {"auto", Algorithm::kAuto},
    {"dijkstra", Algorithm::kDijkstra},
    {"astar", Algorithm::kAStar},
    {"weighted", Algorithm::kWeighted},
    {"greedy", Algorithm::kGreedy},
    {"focal", Algorithm::kFocal},
    {"bidirectional", Algorithm::kBidirectional},
    {"bidirectional-textbook", Algorithm::kBidirectionalTextbook},
    {"bidirectional-sorted", Algorithm::kBidirectionalSorted},
    {"bidirectional-astar", Algorithm::kBidirectionalAStar},
};

}  // namespace

Algorithm parse_algorithm(const std::string& name) {
  for (const auto& entry : kAlgorithms) {
    if (name == entry.name) return entry.algorithm;
  }
  throw Error("unknown algorithm '" + name + "'; choose one of " + algorithm_names());
}

std::string algorithm_names() {
  std::string names;
  for (const auto& entry : kAlgorithms)
    names += (names.empty() ? "" : ", ") + std::string(entry.name);
  return names;
}

SolverPlan::SolverPlan(Graph graph, SolverOptions options)
    : graph_(std::move(graph)),
      options_(std::move(options)),
      algorithm_(parse_algorithm(options_.algorithm)) {
  const auto start = Clock::now();
  if (!(options_.bound >= 0) || options_.bound == kInfinity) {
    throw Error("the bound must be a number of at least 0; 0.05 allows 5 % more than the optimum");
  }
  if (!(options_.weight >= 0) || options_.weight == kInfinity) {
    throw Error("the weight of weighted A* must be a finite number of at least 0");
  }
  const bool plain = options_.heuristic == "zero" && options_.potentials.empty();
  if (algorithm_ == Algorithm::kAuto) {
    algorithm_ = plain                ? Algorithm::kBidirectional
                 : options_.bound > 0 ? Algorithm::kFocal
                                      : Algorithm::kAStar;
  }
  if (options_.exact && options_.heuristic != "learned") {
    throw Error("--exact makes a learned heuristic consistent; add --heuristic learned");
  }
  if (!options_.potentials.empty()) prepare_table();
  if (options_.heuristic == "geometric") {
    geometry_.emplace(graph_);
  } else if (options_.heuristic == "learned") {
    prepare_learned();
  } else if (options_.heuristic != "zero" && options_.heuristic != "constant" &&
             options_.heuristic != "random") {
    throw Error("unknown heuristic '" + options_.heuristic +
                "'; choose zero, geometric, learned, constant or random");
  }
  const bool ignores_heuristic = algorithm_ == Algorithm::kDijkstra ||
                                 algorithm_ == Algorithm::kBidirectional ||
                                 algorithm_ == Algorithm::kBidirectionalTextbook ||
                                 algorithm_ == Algorithm::kBidirectionalSorted;
  if (ignores_heuristic && !plain) {
    throw Error("'" + options_.algorithm +
                "' uses no heuristic; choose astar, or leave out --heuristic and --potentials");
  }
  const bool takes_bound =
      algorithm_ == Algorithm::kFocal || algorithm_ == Algorithm::kBidirectional ||
      algorithm_ == Algorithm::kBidirectionalTextbook ||
      algorithm_ == Algorithm::kBidirectionalSorted || algorithm_ == Algorithm::kBidirectionalAStar;
  if (options_.bound > 0 && !takes_bound) {
    throw Error("'" + options_.algorithm + "' takes no bound; choose focal or bidirectional");
  }
  if (algorithm_ == Algorithm::kBidirectionalSorted) {
    graph_ = graph_.ordered(ArcOrder::kByWeight);
  }
  if (algorithm_ == Algorithm::kBidirectional || algorithm_ == Algorithm::kBidirectionalSorted) {
    look_ahead_ = std::make_shared<const LookAhead>(graph_);
  }
  preparation_seconds_ = seconds_since(start);
}

void SolverPlan::prepare_table() {
  table_ = PotentialTable::load(options_.potentials);
  table_->require_fit(graph_);
  const bool joins_with_none = options_.heuristic == "constant" || options_.heuristic == "random" ||
                               (options_.heuristic == "learned" && !options_.exact);
  if (joins_with_none) {
    throw Error("--potentials proves its answers, the " + options_.heuristic +
                " heuristic promises nothing; join it with geometric, or with learned --exact");
  }
  // Weights may have risen since the table was made, which harms nothing. Where they fell it is
  // mended, and is then as sure as before.
  if (table_->verify(graph_).feasible()) return;
  const TableRepair repair = table_->repair(graph_);
  table_note_ = "some weights fell below what " + options_.potentials +
                " was made for: " + std::to_string(repair.changed_values) +
                " of its values were lowered";
}

void SolverPlan::prepare_learned() {
  LearnedOptions& learned = learned_options_;
  learned.search = {.reopen = options_.reopen, .max_expansions = options_.max_expansions};
  learned.times = options_.times;
  learned.bound = options_.bound;
  if (table_) {
    if (table_->guarantee() != Guarantee::kConsistent) {
      throw Error("a 16-bit table cannot be joined with a model; use one of 32 bits");
    }
    learned.table = &*table_;
  }
  switch (algorithm_) {
    case Algorithm::kAStar:
      if (options_.exact) learned.promise = Promise::kExact;
      break;
    case Algorithm::kFocal:
      learned.promise = Promise::kBound;
      break;
    case Algorithm::kWeighted:
      learned.search.weight = options_.weight;
      break;
    case Algorithm::kGreedy:
      learned.search.greedy = true;
      break;
    default:
      throw Error("a learned heuristic goes with astar, weighted, greedy or focal");
  }
  if (options_.exact && algorithm_ != Algorithm::kAStar) {
    throw Error("--exact goes with astar and without a bound: its answer is the optimum");
  }
  graph_ = ordered_for_queries(graph_);  // once, for all threads
  net_.emplace(load_model(options_.model), graph_,
               NetOptions{.steps = options_.steps, .scale = options_.scale});
}

AnyHeuristic SolverPlan::towards(NodeId node, Direction direction) const {
  if (table_) {
    const TableHeuristic h =
        direction == Direction::kForward ? table_->to(node) : table_->from(node);
    if (geometry_) return MaxOf(h, geometry_->to(node));
    return h;
  }
  if (geometry_) return geometry_->to(node);
  if (options_.heuristic == "constant") return Constant{node, options_.constant};
  if (options_.heuristic == "random") return Random{node, options_.seed};
  return Zero{};
}

AnyHeuristic SolverPlan::to_target(Query query) const {
  return towards(query.target, Direction::kForward);
}
// Coordinates look the same from both ends.
AnyHeuristic SolverPlan::from_source(Query query) const {
  return towards(query.source, Direction::kBackward);
}

Solver::Solver(const SolverPlan& plan) : plan_(plan) {
  if (plan.net_) {
    learned_ = std::make_unique<LearnedSearcher>(plan.graph(), *plan.net_, plan.learned_options_);
    return;
  }
  switch (plan.algorithm()) {
    case Algorithm::kFocal:
      searcher_.emplace<FocalSearcher>(plan.graph());
      break;
    case Algorithm::kBidirectional:
    case Algorithm::kBidirectionalTextbook:
    case Algorithm::kBidirectionalSorted:
    case Algorithm::kBidirectionalAStar:
      searcher_.emplace<BidirectionalSearcher>(plan.graph(), plan.look_ahead_);
      break;
    default:
      searcher_.emplace<Searcher>(plan.graph());
  }
}

SearchResult Solver::solve(Query query) {
  if (learned_) return learned_->run(query);
  const auto start = Clock::now();
  double heuristic_seconds = 0;
  SearchResult found = dispatch(query, plan_.options().times ? &heuristic_seconds : nullptr);
  const double total = seconds_since(start);
  found.heuristic_seconds = std::min(heuristic_seconds, total);
  found.search_seconds = total - found.heuristic_seconds;
  return found;
}

SearchResult Solver::dispatch(Query query, double* heuristic_seconds) {
  const SolverOptions& options = plan_.options();
  SearchOptions astar{.reopen = options.reopen, .max_expansions = options.max_expansions};
  switch (plan_.algorithm()) {
    case Algorithm::kBidirectionalTextbook:
      return std::get<BidirectionalSearcher>(searcher_).run(query, BidirectionalKeys::kTextbook,
                                                            options.bound);
    case Algorithm::kBidirectional:
    case Algorithm::kBidirectionalSorted:
      return std::get<BidirectionalSearcher>(searcher_).run(query, BidirectionalKeys::kLookAhead,
                                                            options.bound);
    case Algorithm::kBidirectionalAStar:
      return std::visit(
          [&](auto to) {
            auto from = std::get<decltype(to)>(plan_.from_source(query));
            return std::get<BidirectionalSearcher>(searcher_).run(query, to, from, options.bound);
          },
          plan_.to_target(query));
    case Algorithm::kFocal:
      return std::visit(
          [&](auto h) {
            TimedHeuristic order(h, heuristic_seconds);
            FocalOptions focal{.bound = options.bound, .max_expansions = options.max_expansions};
            auto& searcher = std::get<FocalSearcher>(searcher_);
            // What promises nothing may order but not prove.
            if (guarantee_of(h) == Guarantee::kNone)
              return searcher.run(query, order, Zero{}, focal);
            return searcher.run(query, order, h, focal);
          },
          plan_.to_target(query));
    case Algorithm::kWeighted:
      astar.weight = options.weight;
      break;
    case Algorithm::kGreedy:
      astar.greedy = true;
      break;
    default:
      break;
  }
  return std::visit(
      [&](auto h) {
        auto& searcher = std::get<Searcher>(searcher_);
        if constexpr (std::is_same_v<decltype(h), Zero>) return searcher.run(query, h, astar);
        TimedHeuristic sampled(h, heuristic_seconds);
        return searcher.run(query, sampled, astar);
      },
      plan_.to_target(query));
}

std::vector<NodeId> Solver::path() const {
  if (learned_) return learned_->path();
  return std::visit(
      [](const auto& searcher) -> std::vector<NodeId> {
        if constexpr (requires { searcher.path(); }) {
          return searcher.path();
        } else {
          return {};
        }
      },
      searcher_);
}

}  // namespace lodestar::cli
