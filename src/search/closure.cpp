#include "lodestar/closure.h"

#include <algorithm>
#include <cmath>

#include "base/simd.h"
#include "lodestar/detail/stop.h"

namespace lodestar {
namespace {

struct TrueWeight {
  template <class W>
  double operator()(W weight) const {
    return static_cast<double>(weight);
  }
};

struct IntegerWeight {
  double per_unit;
  template <class W>
  double operator()(W weight) const {
    return std::floor(static_cast<double>(weight) * per_unit);
  }
};

// Branch-free, so that it compiles to gathers and compares. A node of a dense graph has hundreds of
// arcs, and hardly ever a violated one.
template <class W>
[[gnu::always_inline]] inline std::size_t count_among(std::span<const StoredArc<W>> arcs,
                                                      const double* y, double y_tail) {
  std::size_t count = 0;
  for (const StoredArc<W>& arc : arcs) {
    count += y[arc.head] > y_tail + static_cast<double>(arc.weight) ? 1 : 0;
  }
  return count;
}

LODESTAR_AVX2_CLONE
std::size_t count_violated(const Adjacency<float>& adjacency, NodeId u, const double* y) {
  return count_among(adjacency.of(u), y, y[u]);
}
LODESTAR_AVX2_CLONE
std::size_t count_violated(const Adjacency<double>& adjacency, NodeId u, const double* y) {
  return count_among(adjacency.of(u), y, y[u]);
}

constexpr std::size_t kFewArcs = 8;  // below this the plain loop is as fast as the wide one

template <class W>
bool surely_feasible(const Adjacency<W>& adjacency, NodeId u, const double* y, TrueWeight) {
  return adjacency.of(u).size() > kFewArcs && count_violated(adjacency, u, y) == 0;
}
template <class W>
bool surely_feasible(const Adjacency<W>&, NodeId, const double*, IntegerWeight) {
  return false;
}

template <class W, class WeightOf>
ClosureResult close(Adjacency<W> adjacency, ArcOrder order, std::span<double> y,
                    ClosureScratch& scratch, WeightOf weight_of) {
  ClosureResult result;
  NodeHeap& queue = scratch.queue;
  const auto nodes = static_cast<NodeId>(y.size());
  // No arc that leads above the largest value is violated. With arcs by weight a node's scan ends
  // there: on a dense graph, whose potentials span little, after a few arcs.
  const bool by_weight = order == ArcOrder::kByWeight;
  const double ceiling = by_weight && nodes > 0 ? *std::max_element(y.begin(), y.end()) : kInfinity;

  // Step 1. Find the violated arcs, without changing values.
  const auto each_violated = [&](NodeId u, double y_u, auto&& use) {
    for (const StoredArc<W>& arc : adjacency.of(u)) {
      const double bound = y_u + weight_of(arc.weight);
      if (bound >= ceiling) {
        if (by_weight) break;
        continue;  // a bound that overflowed; the next arc may be light
      }
      if (bound < y[arc.head]) use(arc.head, bound);
    }
  };
  const auto lower = [&](NodeId v, double bound) {
    const HeapEntry entry{bound, 0, v};
    if (!queue.contains(v)) {
      queue.push(entry);
    } else if (bound < queue.entry(v).key) {
      queue.update(entry);
    }
  };
  for (NodeId u = 0; u < nodes; ++u) {
    check_stop(u);
    if (!by_weight && surely_feasible(adjacency, u, y.data(), weight_of)) continue;
    each_violated(u, y[u], [&](NodeId v, double bound) {
      ++result.violated_arcs;
      lower(v, bound);
    });
  }

  // Step 2. Settle the lowered nodes by ascending value; each value is final when settled.
  while (!queue.empty()) {
    const HeapEntry top = queue.pop();
    if (top.key >= y[top.node]) continue;
    y[top.node] = top.key;
    scratch.changed.push_back(top.node);
    check_stop(scratch.changed.size());
    each_violated(top.node, top.key, lower);
  }
  result.settled = scratch.changed.size();
  return result;
}

// Powers of two whose inverse is one too.
void check_unit(double unit) {
  if (unit >= 0x1p-1022 && unit <= 0x1p1022) return;
  throw Error("the unit of a closure is " + std::to_string(unit) +
              "; it must be between 2^-1022 and 2^1022");
}

template <class WeightOf>
ClosureResult close(const Graph& graph, Direction direction, std::span<double> y,
                    ClosureScratch& scratch, WeightOf weight_of) {
  detail::check_potentials(y.size(), graph.node_count());
  scratch.prepare(graph.node_count());
  return graph.visit(direction, [&](auto adjacency) {
    return close(adjacency, graph.arc_order(), y, scratch, weight_of);
  });
}

void negate(std::span<double> y) {
  for (double& value : y) value = -value;
}

// Closing above is closing below for -y on reversed arcs.
template <class WeightOf>
ClosureResult close_mirrored(const Graph& graph, std::span<double> y, ClosureScratch& scratch,
                             WeightOf weight_of) {
  negate(y);
  const ClosureResult result = close(graph, Direction::kBackward, y, scratch, weight_of);
  negate(y);
  return result;
}

}  // namespace

ClosureResult close_below(const Graph& graph, std::span<double> y, ClosureScratch& scratch) {
  return close(graph, Direction::kForward, y, scratch, TrueWeight{});
}

ClosureResult close_below(const Graph& graph, std::span<double> y, double unit,
                          ClosureScratch& scratch) {
  check_unit(unit);
  return close(graph, Direction::kForward, y, scratch, IntegerWeight{1 / unit});
}

ClosureResult close_above(const Graph& graph, std::span<double> y, ClosureScratch& scratch) {
  return close_mirrored(graph, y, scratch, TrueWeight{});
}

ClosureResult close_above(const Graph& graph, std::span<double> y, double unit,
                          ClosureScratch& scratch) {
  check_unit(unit);
  return close_mirrored(graph, y, scratch, IntegerWeight{1 / unit});
}

std::size_t count_violated_arcs(const Graph& graph, std::span<const double> y) {
  detail::check_potentials(y.size(), graph.node_count());
  std::size_t count = 0;
  graph.visit(Direction::kForward, [&](auto adjacency) {
    for (NodeId u = 0; u < graph.node_count(); ++u) {
      count += adjacency.of(u).size() > kFewArcs ? count_violated(adjacency, u, y.data())
                                                 : count_among(adjacency.of(u), y.data(), y[u]);
    }
  });
  return count;
}

}  // namespace lodestar
