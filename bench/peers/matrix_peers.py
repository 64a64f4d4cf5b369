#!/usr/bin/env python3
"""Matrices, one-to-all and limits: scipy and igraph (if installed) against the package.

    PYTHONPATH=build/python /usr/bin/python3 bench/peers/matrix_peers.py [--nodes 262144] [--sizes 10,100]

Methods take turns on the same fresh random nodes; the tables have the median processor time. Every
matrix is compared with scipy's.
"""

import argparse
import statistics
import time

import numpy as np
from scipy.sparse import csgraph

import lodestar
from igraph_graph import igraph_of

try:
    import igraph
except ImportError:
    igraph = None


def timed(work):
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--nodes", type=int, default=262144)
    parser.add_argument("--sizes", default="10,100")
    parser.add_argument("--turns", type=int, default=3)
    arguments = parser.parse_args()
    g = lodestar.generate("road", arguments.nodes, seed=1)
    n, matrix = g.nodes, g.to_scipy()
    routers = {
        "lodestar, labels": lodestar.Router(g, lodestar.index(g, labels=True)),
        "lodestar, core": lodestar.Router(g, lodestar.index(g, rounds=8)),
        "lodestar, no index": lodestar.Router(g),
    }
    methods = {name: r.matrix for name, r in routers.items()}
    methods["scipy"] = lambda s, t: csgraph.dijkstra(matrix, indices=s)[:, t]
    if igraph is not None:
        I = igraph_of(g)
        methods["igraph"] = lambda s, t: np.array(
            I.distances(s.tolist(), t.tolist(), weights="weight"))
    rng = np.random.default_rng(1)
    print(f"road-like, {n} nodes\n\n| ns per cell | method | wrong |\n|:--|:--|--:|")
    for size in map(int, arguments.sizes.split(",")):
        times, wrong = {name: [] for name in methods}, 0
        for _ in range(arguments.turns):
            s = rng.choice(n, size, replace=False)  # igraph refuses repeated targets
            t = rng.choice(n, size, replace=False)
            results = {}
            for name, work in methods.items():
                seconds, results[name] = timed(lambda: work(s, t))
                times[name].append(seconds)
            wrong += sum((r != results["scipy"]).sum() for r in results.values())
        for name in methods:
            ns = 1e9 * statistics.median(times[name]) / size**2
            print(f"| {size} × {size}: {ns:.1f} | {name} | {wrong} |")
    print("\n| one-to-all, ms | 500 nodes within a limit, ms | method |\n|--:|--:|:--|")
    for name in [*routers, "scipy"]:
        every, near = [], []
        for _ in range(5):
            s = int(rng.integers(n))
            limit = float(np.partition(routers["lodestar, labels"].distances(s), 500)[500])
            if name == "scipy":
                every.append(timed(lambda: csgraph.dijkstra(matrix, indices=s))[0])
                near.append(timed(lambda: csgraph.dijkstra(matrix, indices=s, limit=limit))[0])
            else:
                every.append(timed(lambda: routers[name].distances(s))[0])
                near.append(timed(lambda: routers[name].isochrone(s, limit))[0])
        print(f"| {1e3 * statistics.median(every):.2f} | {1e3 * statistics.median(near):.3f} | {name} |")


main()
