"""Random graphs, all methods, against scipy.

    python3 cross_check.py [--checks 1000000] [--seed 1]

A check is the cost of one pair by one method. Graphs have parallel arcs, loops, zeros, closed arcs
and unreachable nodes; weights are whole numbers or multiples of 1/8, so that sums are exact and costs
must be equal. Prints the number of checks by method; the first difference is an error.
"""

import argparse
import collections
import pickle

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import dijkstra

import lodestar


def random_graph(rng):
    """Arrays of arcs, and the cheapest weights as scipy's matrix."""
    n = int(rng.integers(2, 60))
    m = int(rng.integers(1, 5 * n))
    tails, heads = rng.integers(0, n, (2, m))
    weights = rng.integers(0, 9, m) / rng.choice([1, 8])
    weights[rng.random(m) < 0.05] = np.inf
    directed = bool(rng.random() < 0.7)
    dense = np.full((n, n), np.inf)
    np.minimum.at(dense, (tails, heads), weights)
    if not directed:
        dense = np.minimum(dense, dense.T)
    u, v = np.nonzero(np.isfinite(dense))
    return n, tails, heads, weights, directed, csr_matrix((dense[u, v], (u, v)), shape=(n, n))


def routers(g, rng):
    """By name, whatever answers exactly."""
    y = np.zeros(g.nodes)
    yield "bidirectional", lodestar.Router(g)
    for name in ("dijkstra", "astar"):
        yield name, lodestar.Router(g, algorithm=name)
    yield "h(v) = 0", lodestar.Router(g, heuristic=y)
    yield "function", lodestar.Router(g, heuristic=lambda v, t: 0.0)
    yield "index", lodestar.Router(g, lodestar.index(g, rounds=1))
    if rng.random() < 0.3:
        yield "labels", lodestar.Router(g, lodestar.index(g, labels=True, rounds=1))
        yield "core 5", lodestar.Router(g, lodestar.index(g, core=5, search=True, rounds=1))
        yield "pickled", pickle.loads(pickle.dumps(lodestar.Router(g)))
    yield "landmarks", lodestar.Router(g, lodestar.landmarks(g, per_node=2))
    first, heads, weights = g.csr()
    tails = np.repeat(np.arange(g.nodes), np.diff(first))
    if ((tails != heads) & np.isfinite(weights)).any():  # otherwise there is nothing to train
        yield "potentials", lodestar.Router(g, lodestar.fit(g, rounds=1, per_node=2))


def check_graph(rng, counts, pairs=64):
    n, tails, heads, weights, directed, matrix = random_graph(rng)
    labelled = rng.random() < 0.3
    offset = 10**9 if labelled else 0  # labels are ids with a gap
    g = lodestar.from_edges(tails + offset, heads + offset, weights, directed=directed,
                            labels=True) if labelled else lodestar.from_edges(
        tails, heads, weights, directed=directed, nodes=n)
    names = np.array(g.labels) - offset if labelled else np.arange(n)
    truth = dijkstra(matrix)
    s, t = rng.choice(names, (2, pairs))
    expected = truth[s, t]

    def same(method, found, right):
        assert np.array_equal(found, right), (method, n, tails, heads, weights, directed)
        counts[method] += np.size(right)

    for method, router in routers(g, rng):
        same(method, router.costs(s + offset, t + offset), expected)
        few = slice(0, 8)
        same(method + ", path", [router.path(int(a), int(b)).cost
                                 for a, b in zip(s[few] + offset, t[few] + offset)], expected[few])
        same(method + ", matrix", router.matrix(s[few] + offset, t + offset), truth[s[few]][:, t])
        root = int(s[0])
        same(method + ", distances", router.distances(root + offset), truth[root][names])
        limit = float(np.median(truth[np.isfinite(truth)]))
        nodes, costs = router.isochrone(root + offset, limit)
        within = truth[root][names]
        same(method + ", isochrone", np.sort(costs), np.sort(within[within <= limit]))


def main(checks=1_000_000, seed=1):
    counts, number = collections.Counter(), 0
    while sum(counts.values()) < checks:
        check_graph(np.random.default_rng([seed, number]), counts)
        number += 1
    return counts, number


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--checks", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    found, graphs = main(options.checks, options.seed)
    for method, count in sorted(found.items()):
        print(f"{method:30} {count:9}")
    print(f"{sum(found.values())} checks on {graphs} graphs, 0 different")
