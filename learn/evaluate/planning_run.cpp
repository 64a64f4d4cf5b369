// The planners of the benchmark of learned planners, query by query.
#include <algorithm>
#include <map>

#include "bench/harness/exact_potential.h"
#include "bench/harness/stopwatch.h"
#include "learn/evaluate/planning.h"
#include "lodestar/learned.h"
#include "lodestar/search.h"

namespace lodestar::evaluate {
namespace {

struct PlannerRow {
  Planner planner;
  const char* name;
  bool exact;  // promises shortest paths
};
constexpr PlannerRow kPlanners[] = {
    {Planner::kDijkstra, "Dijkstra", true},
    {Planner::kAStar, "A*", true},
    {Planner::kWeighted, "weighted A*, 2", false},
    {Planner::kGreedy, "greedy best-first", false},
    {Planner::kLearned, "learned, closed", true},
    {Planner::kPerfect, "backward search, then A*", true},
};
constexpr std::size_t kAStarRow = 1;

struct Outcome {
  SearchResult found;
  double prepared = 0;
  double seconds = 0;
};

struct TaskMethods {
  TaskMethods(const PlanningTask& t, const Model& model)
      : task(t),
        searcher(t.graph()),
        backward(t.graph()),
        net(model, t.graph()),
        learned(t.graph(), net, {.promise = Promise::kExact}) {
    for (NodeId v = 0; v < t.graph().node_count(); ++v) plain.push_back(-t.chebyshev(v));
  }

  Outcome run(Planner planner, Query query, const LearnedSearcher::OnSettle& on_settle) {
    struct Teller {
      const LearnedSearcher::OnSettle& tell;
      void on_settle(NodeId v, Cost g, NodeId parent) { tell(v, g, parent); }
    } teller{on_settle};
    Outcome out;
    const bench::Stopwatch watch;
    const PotentialHeuristic chebyshev(plain, query.target, Guarantee::kConsistent);
    switch (planner) {
      case Planner::kDijkstra:
        out.found = searcher.run(query, Zero{}, {}, teller);
        break;
      case Planner::kAStar:
        out.found = searcher.run(query, chebyshev, {}, teller);
        break;
      case Planner::kWeighted:
        out.found = searcher.run(query, chebyshev, {.weight = 2}, teller);
        break;
      case Planner::kGreedy:
        out.found = searcher.run(query, chebyshev, {.greedy = true}, teller);
        break;
      case Planner::kLearned:
        out.found = learned.run(query, on_settle);
        out.prepared = static_cast<double>(learned.closed_nodes());
        break;
      case Planner::kPerfect: {
        exact.resize(plain.size());
        const SearchResult found = bench::exact_potential(backward, query.target, exact);
        out.prepared = static_cast<double>(found.expansions);
        out.found = searcher.run(
            query, PotentialHeuristic(exact, query.target, Guarantee::kConsistent), {}, teller);
        break;
      }
    }
    out.seconds = watch.seconds();
    return out;
  }

  const PlanningTask& task;
  Searcher searcher, backward;
  PotentialNet net;
  LearnedSearcher learned;
  std::vector<double> plain, exact;
};

void add(PlanningRow& row, const Outcome& out, double optimum, double astar) {
  const auto expansions = static_cast<double>(out.found.expansions);
  ++row.queries;
  row.optimal += out.found.cost == optimum ? 1 : 0;
  row.cost_ratio += out.found.cost / optimum;
  row.expansions += expansions;
  row.expansion_ratio += expansions / astar;
  row.prepared += out.prepared;
  row.saved += std::max(0.0, 1 - expansions / astar);
  row.saved_in_all += std::max(0.0, 1 - (expansions + out.prepared) / astar);
  row.microseconds += 1e6 * out.seconds;
}

void divide(PlanningRow& row) {
  const auto count = static_cast<double>(std::max<std::size_t>(row.queries, 1));
  for (double* sum : {&row.optimal, &row.saved, &row.cost_ratio, &row.expansions,
                      &row.expansion_ratio, &row.prepared, &row.saved_in_all, &row.microseconds}) {
    *sum /= count;
  }
}

}  // namespace

PlanningReport run_planning(const std::vector<PlanningMap>& maps, const std::string& model_name,
                            std::uint64_t seed) {
  const Model model = load_model(model_name);
  PlanningReport report;
  std::map<std::string, std::size_t> first_row;
  for (std::size_t i = 0; i < maps.size(); ++i) {
    const PlanningMap& map = maps[i];
    const auto [found, is_new] = first_row.emplace(map.family, report.rows.size());
    if (is_new) {
      for (const PlannerRow& planner : kPlanners) {
        PlanningRow row;
        row.family = map.family;
        row.planner = planner.planner == Planner::kLearned ? model_name + " + closure"
                                                           : std::string(planner.name);
        report.rows.push_back(std::move(row));
      }
    }
    Rng rng(mix64(mix64(seed) + i));
    const PlanningTask task(map);
    TaskMethods methods(task, model);
    PlanningPicture picture;
    for (const NodeId start : task.starts(rng)) {
      const Query query{start, task.goal()};
      const double optimum = task.distance(start);
      std::vector<Outcome> outcomes;
      picture = {map, task.cell(start), {}, {}, {}};
      for (const PlannerRow& planner : kPlanners) {
        std::vector<NodeId>& expanded = picture.expanded.emplace_back();
        picture.planners.push_back(report.rows[found->second + outcomes.size()].planner);
        const auto note = [&](NodeId v, Cost, NodeId) { expanded.push_back(task.cell(v)); };
        outcomes.push_back(methods.run(planner.planner, query, note));
        if (planner.exact && outcomes.back().found.cost != optimum) {
          throw Error(map.family + ": a path of " + planner.name +
                      " is not the shortest: a defect");
        }
      }
      for (const NodeId v : methods.searcher.path()) picture.path.push_back(task.cell(v));
      const auto astar = static_cast<double>(outcomes[kAStarRow].found.expansions);
      for (std::size_t k = 0; k < outcomes.size(); ++k) {
        add(report.rows[found->second + k], outcomes[k], optimum, astar);
      }
    }
    if (is_new) report.pictures.push_back(std::move(picture));
  }
  for (PlanningRow& row : report.rows) divide(row);
  return report;
}

}  // namespace lodestar::evaluate
