#!/usr/bin/env python3
"""scipy, igraph and networkx against the package, on the same graphs and queries, in one process.

    PYTHONPATH=build/python /usr/bin/python3 bench/peers/python_peers.py [--nodes 16384] [--queries 60]

Methods take turns, twenty queries each, so that noise hits all of them alike and none finds its
memory swept by another at every query; the table has the mean processor time per query and how many
times that of the index it is. Also printed: the overhead of a call, the time per pair of a batch on
one and on two threads, the same batch in C++ (--native), the time to convert a networkx graph and to
import the package.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import igraph
import networkx as nx
import numpy as np
from scipy.sparse import csgraph

import lodestar
from igraph_graph import igraph_of

BLOCK = 20  # queries of a turn


def graphs(nodes):
    yield f"road-like, {nodes} nodes", lodestar.generate("road", nodes, seed=1)
    yield f"grid with obstacles, {nodes} cells", lodestar.generate("grid", nodes, seed=1)
    yield f"sparse random, {nodes} nodes", lodestar.generate("er", nodes, density="sparse", seed=1)
    yield "dense random, 256 nodes", lodestar.generate("er", 256, density="very-dense", seed=1)


def methods(g, seconds):
    """Name and function (s, t) -> cost."""
    matrix, G, I = g.to_scipy(), g.to_networkx(), igraph_of(g)
    plain = lodestar.Router(g)
    learned = lodestar.Router(g, lodestar.index(g, seconds=seconds))
    potentials = lodestar.Router(g, lodestar.fit(g, seconds=seconds))
    weight = "weight"

    def networkx_cost(s, t):
        try:
            return nx.bidirectional_dijkstra(G, s, t)[0]
        except nx.NetworkXNoPath:
            return np.inf

    return {
        "lodestar, index": lambda s, t: learned.path(s, t).cost,
        "lodestar, potentials": lambda s, t: potentials.path(s, t).cost,
        "lodestar, bidirectional": lambda s, t: plain.path(s, t).cost,
        "scipy, dijkstra": lambda s, t: csgraph.dijkstra(matrix, indices=s)[t],
        "igraph, distances": lambda s, t: I.distances(s, t, weights=weight)[0][0],
        "networkx, bidirectional_dijkstra": networkx_cost,
    }


def compare(name, g, queries, seconds):
    rng = np.random.default_rng(5)
    pairs = rng.integers(0, g.nodes, (queries, 2)).tolist()
    methods = methods(g, seconds)
    spent = dict.fromkeys(methods, 0.0)
    wrong = 0
    for at in range(0, len(pairs), BLOCK):
        costs = {}
        for method, ask in methods.items():
            begin = time.process_time()
            costs[method] = [ask(s, t) for s, t in pairs[at:at + BLOCK]]
            spent[method] += time.process_time() - begin
        truth = costs["lodestar, bidirectional"]
        wrong += sum(int((~np.isclose(found, truth, rtol=1e-9)).sum()) for found in costs.values())
    ours = spent["lodestar, index"]
    print(f"\n{name}, {g.arcs} arcs; {queries} queries, {wrong} answers differ\n")
    print("| method                           |  µs/query | times index |")
    print("|:---------------------------------|----------:|------------:|")
    for method, total in spent.items():
        print(f"| {method:32} | {1e6 * total / queries:9.1f} | {total / ours:11.1f} |")


def best_of(times, work):
    return min(work() for _ in range(times))


def timed(clock, work):
    begin = clock()
    work()
    return clock() - begin


def overheads(nodes, native):
    tiny = lodestar.Router(lodestar.from_edges([0], [1], [1.0]))

    def calls():
        for _ in range(20_000):
            tiny.path(0, 1)

    each = best_of(7, lambda: timed(time.process_time, calls)) / 20_000
    print(f"\na call of path() on two nodes: {1e6 * each:.2f} µs")
    g = lodestar.generate("road", nodes, seed=1)
    index = lodestar.index(g, seconds=3)
    r = lodestar.Router(g, index)
    pairs = np.random.default_rng(1).integers(0, g.nodes, (2, 100_000)).astype(np.uint32)
    one, two, shares, processor = [], [], [], []
    for _ in range(7):
        processor.append(timed(time.process_time, lambda: one.append(
            timed(time.perf_counter, lambda: r.costs(*pairs)))))
        used = timed(time.process_time, lambda: two.append(
            timed(time.perf_counter, lambda: r.costs(*pairs, threads=2))))
        shares.append(used / processor[-1])
    print(f"costs() of 100,000 pairs, {g.nodes} nodes, index: {10 * min(processor):.2f} µs each; on two "
          f"threads {min(one) / min(two):.2f} times as fast by the clock, with "
          f"{np.median(shares):.3f} times the processor time")
    if native:
        against_native(native, g, index, pairs)
    big = lodestar.generate("road", 170_000, seed=1).to_networkx().to_directed()
    took = timed(time.process_time, lambda: lodestar.from_networkx(big))
    print(f"from_networkx, {len(big)} nodes and {big.number_of_edges()} edges: {took:.2f} s")
    command = [sys.executable, "-c", "import time, numpy; a = time.process_time(); import lodestar; "
               "print(time.process_time() - a)"]
    took = best_of(5, lambda: float(subprocess.run(command, capture_output=True).stdout))
    print(f"import lodestar, beyond numpy: {1000 * took:.0f} ms")


def against_native(native, g, index, pairs):
    """The same batch in C++ and in Python, taking turns."""
    with tempfile.TemporaryDirectory() as folder:
        graph, made, file = (str(Path(folder, name)) for name in ("g.lsg", "g.lsi", "pairs"))
        g.save(graph)
        index.save(made)
        pairs.tofile(file)
        r = lodestar.Router(lodestar.read(graph), made)
        ratios = []
        for _ in range(5):
            ours = best_of(3, lambda: timed(time.process_time, lambda: r.costs(*pairs)))
            said = subprocess.run([native, graph, made, file, "3"], capture_output=True, text=True,
                                  check=True).stdout.split("\n")
            ratios.append(ours / min(map(float, said[:3])))
        same = np.isclose(float(said[3].split()[1]), r.costs(*pairs).sum(), rtol=1e-12)
        print(f"… over the same batch in C++: {np.median(ratios):.3f} times its processor time "
              f"({min(ratios):.3f} to {max(ratios):.3f}; {'same' if same else 'OTHER'} costs)")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--nodes", type=int, default=16_384)
    parser.add_argument("--queries", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=3, help="of training")
    parser.add_argument("--native", help="build/bench/batch_bench, to compare with C++")
    options = parser.parse_args()
    print(f"lodestar {lodestar.__version__}, networkx {nx.__version__}, igraph {igraph.__version__}")
    for name, g in graphs(options.nodes):
        compare(name, g, options.queries, options.seconds)
    overheads(options.nodes, options.native)


if __name__ == "__main__":
    main()
