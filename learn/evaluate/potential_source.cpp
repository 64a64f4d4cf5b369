#include <algorithm>

#include "bench/harness/exact_potential.h"
#include "bench/harness/stopwatch.h"
#include "learn/evaluate/measure.h"
#include "lodestar/infer.h"

namespace lodestar::evaluate {
namespace {

void fill_random(std::uint64_t seed, std::vector<double>& y) {
  Rng rng(seed);
  for (double& value : y) value = rng.uniform();
}

// Minus V, where V(v) is the minimum cost of k arcs from v, or of a path to t with fewer arcs. V is
// never above the distance, and consistent because it never falls from round to round.
void fill_value_iteration(const Instance& instance, int rounds, std::vector<double>& y) {
  const Graph& graph = instance.graph;
  std::vector<double> next(y.size());
  for (int round = 0; round < rounds; ++round) {
    graph.visit(Direction::kForward, [&](auto adjacency) {
      for (NodeId u = 0; u < graph.node_count(); ++u) {
        double best = kInfinity;
        for (const auto& arc : adjacency.of(u)) {
          best = std::min(best, static_cast<double>(arc.weight) - y[arc.head]);
        }
        // A node without arcs reaches nothing and keeps its value.
        next[u] = best < kInfinity ? -best : y[u];
      }
    });
    next[instance.query.target] = 0;
    y.swap(next);
  }
}

}  // namespace

SourceSeconds PotentialSource::fill(const Method& method, const Instance& instance,
                                    std::uint64_t number, std::vector<double>& y) {
  y.assign(instance.graph.node_count(), 0.0);
  SourceSeconds seconds;
  const bench::Stopwatch watch;
  switch (method.source) {
    case Source::kZero:
    case Source::kBidirectional:
      return seconds;
    case Source::kRandom:
      fill_random(mix64(number) + method.trial, y);
      break;
    case Source::kConstant:
      y[instance.query.target] = method.parameter;
      break;
    case Source::kValueIteration:
      fill_value_iteration(instance, static_cast<int>(method.parameter), y);
      break;
    case Source::kExact: {
      Searcher searcher(instance.graph);
      bench::exact_potential(searcher, instance.query.target, y);
      break;
    }
    case Source::kModel: {
      const PotentialNet net(*method.model, instance.graph);
      PotentialNet::Workspace work(net);
      seconds.preparation = watch.seconds();
      net.potentials(instance.query, work, y);
      break;
    }
    case Source::kProgram: {
      auto& program = programs_[method.command];
      if (!program) program = std::make_unique<ProgramSource>(method.command);
      program->ask(instance, y);
      seconds.heuristic = watch.wall_seconds();  // another process's work
      return seconds;
    }
  }
  seconds.heuristic = watch.seconds() - seconds.preparation;
  return seconds;
}

}  // namespace lodestar::evaluate
