#!/usr/bin/env python3
"""scipy, igraph and networkx against the package, on the same graphs and queries, in one process.

    PYTHONPATH=build/python /usr/bin/python3 bench/peers/python_peers.py [--nodes 16384] [--queries 60]

Methods take turns query by query, so that noise hits all of them alike; the table has the mean
processor time per query and how many times ours it is. Also printed: the overhead of a call, the
time per pair of a batch on one and on two threads, and the time to convert a networkx graph.
"""

import argparse
import time

import igraph
import networkx as nx
import numpy as np
from scipy.sparse import csgraph

import lodestar


def graphs(nodes):
    yield f"road-like, {nodes} nodes", lodestar.generate("road", nodes, seed=1)
    yield f"grid with obstacles, {nodes} cells", lodestar.generate("grid", nodes, seed=1)
    yield f"sparse random, {nodes} nodes", lodestar.generate("er", nodes, density="sparse", seed=1)
    yield "dense random, 256 nodes", lodestar.generate("er", 256, density="very-dense", seed=1)


def igraph_of(g):
    first, heads, weights = g.csr()
    tails = np.repeat(np.arange(g.nodes), np.diff(first))
    made = igraph.Graph(n=g.nodes, edges=np.stack([tails, heads], 1).tolist(), directed=True)
    made.es["weight"] = weights.tolist()
    return made


def methods(g, seconds):
    """Name and function (s, t) -> cost."""
    matrix, G, I = g.to_scipy(), g.to_networkx(), igraph_of(g)
    plain = lodestar.Router(g)
    learned = lodestar.Router(g, lodestar.fit(g, seconds=seconds))
    weight = "weight"

    def networkx_cost(s, t):
        try:
            return nx.bidirectional_dijkstra(G, s, t)[0]
        except nx.NetworkXNoPath:
            return np.inf

    return {
        "lodestar, learned": lambda s, t: learned.path(s, t).cost,
        "lodestar, bidirectional": lambda s, t: plain.path(s, t).cost,
        "scipy, dijkstra": lambda s, t: csgraph.dijkstra(matrix, indices=s)[t],
        "igraph, distances": lambda s, t: I.distances(s, t, weights=weight)[0][0],
        "networkx, bidirectional_dijkstra": networkx_cost,
    }


def compare(name, g, queries, seconds):
    rng = np.random.default_rng(5)
    pairs = rng.integers(0, g.nodes, (queries, 2)).tolist()
    contenders = methods(g, seconds)
    spent = dict.fromkeys(contenders, 0.0)
    wrong = 0
    for s, t in pairs:
        costs = {}
        for contender, ask in contenders.items():
            begin = time.process_time()
            costs[contender] = ask(s, t)
            spent[contender] += time.process_time() - begin
        truth = costs["lodestar, bidirectional"]
        wrong += sum(not np.isclose(cost, truth, rtol=1e-9) for cost in costs.values())
    ours = min(spent["lodestar, learned"], spent["lodestar, bidirectional"])
    print(f"\n{name}, {g.arcs} arcs; {queries} queries, {wrong} answers differ\n")
    print("| method                           |  µs/query | times ours |")
    print("|:---------------------------------|----------:|-----------:|")
    for contender, total in spent.items():
        print(f"| {contender:32} | {1e6 * total / queries:9.1f} | {total / ours:10.1f} |")


def best_of(times, work):
    return min(work() for _ in range(times))


def overheads(nodes):
    tiny = lodestar.Router(lodestar.from_edges([0], [1], [1.0]))

    def calls():
        begin = time.perf_counter()
        for _ in range(20_000):
            tiny.path(0, 1)
        return (time.perf_counter() - begin) / 20_000

    print(f"\na call of path() on two nodes: {1e6 * best_of(5, calls):.2f} µs")
    g = lodestar.generate("road", nodes, seed=1)
    r = lodestar.Router(g, lodestar.fit(g, seconds=5))
    s, t = np.random.default_rng(1).integers(0, g.nodes, (2, 100_000))

    def batch(threads):
        begin = time.perf_counter()
        r.costs(s, t, threads=threads)
        return time.perf_counter() - begin

    one, two = best_of(3, lambda: batch(1)), best_of(3, lambda: batch(2))
    print(f"costs() of 100,000 pairs, {g.nodes} nodes, learned: {10 * one:.2f} µs each on one "
          f"thread, {10 * two:.2f} on two ({one / two:.2f} times as fast)")
    big = lodestar.generate("road", 160_000, seed=1).to_networkx().to_directed()
    begin = time.perf_counter()
    made = lodestar.from_networkx(big)
    print(f"from_networkx, {made.nodes} nodes and {made.arcs} arcs: "
          f"{time.perf_counter() - begin:.2f} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--nodes", type=int, default=16_384)
    parser.add_argument("--queries", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=5, help="of training")
    options = parser.parse_args()
    print(f"lodestar {lodestar.__version__}, networkx {nx.__version__}, igraph {igraph.__version__}")
    for name, g in graphs(options.nodes):
        compare(name, g, options.queries, options.seconds)
    overheads(options.nodes)


if __name__ == "__main__":
    main()
