#include "bench/harness/curves.h"

#include <cmath>

#include "bench/harness/comparison.h"
#include "bench/harness/queries.h"

namespace lodestar::bench {
namespace {

struct Drawn {
  const Method* method;
  ReadyMethod ready;
};

std::vector<Drawn> prepare_where(bool Method::*drawn, Workshop& workshop) {
  std::vector<Drawn> all;
  for (const Method& method : all_methods()) {
    if (!(method.*drawn)) continue;
    if (auto ready = prepare_timed(method, workshop)) all.push_back({&method, std::move(*ready)});
  }
  return all;
}

void put(std::vector<Curve>& curves, const std::string& name, double x, double y) {
  for (Curve& curve : curves) {
    if (curve.name != name) continue;
    curve.x.push_back(x);
    curve.y.push_back(y);
    return;
  }
  curves.push_back({name, {x}, {y}});
}

}  // namespace

std::vector<Curve> curves_against_memory(const Graph& graph, const WorkshopOptions& options,
                                         const std::vector<Query>& queries,
                                         const std::vector<std::uint32_t>& bytes,
                                         const Workshop::Progress& progress) {
  std::vector<Curve> curves;
  for (const std::uint32_t per_node : bytes) {
    // 16-bit methods have room for twice as many values.
    for (const std::uint32_t size : {4u, 2u}) {
      WorkshopOptions sized = options;
      sized.fit.potential_count = per_node / size;
      Workshop workshop(graph, sized, progress);
      const auto where = size == 4 ? &Method::by_memory : &Method::by_memory_16;
      for (const Drawn& one : prepare_where(where, workshop)) {
        put(curves, one.method->name, per_node, mean_expansions(one.ready, queries));
      }
    }
  }
  return curves;
}

std::vector<Curve> curves_against_rank(Workshop& workshop) {
  constexpr std::size_t kPerRank = 100;
  const Graph& graph = workshop.graph();
  const std::vector<Drawn> drawn = prepare_where(&Method::by_rank, workshop);
  std::vector<Curve> curves;
  for (int exponent = 8;; ++exponent) {
    const Rng rng(mix64(workshop.seed()) + static_cast<std::uint64_t>(exponent));
    const std::vector<Query> queries = rank_pairs(graph, exponent, kPerRank, rng);
    if (queries.size() < kPerRank) break;
    const double rank = std::ldexp(1.0, exponent);
    for (const Drawn& one : drawn) {
      put(curves, one.method->name, rank, mean_expansions(one.ready, queries));
    }
    double nodes = 0;
    for (const Query& query : queries) {
      workshop.both_ends()->run(query);
      nodes += static_cast<double>(workshop.both_ends()->path().size());
    }
    put(curves, "nodes on the path", rank, nodes / kPerRank);
  }
  if (curves.empty()) throw Error("the graph is too small for ranks of 256 and above");
  return curves;
}

}  // namespace lodestar::bench
