"""lodestar.astar_path beside networkx.astar_path, from the second call on, as a table in Markdown.

    python3 bench/peers/python_astar.py [--pairs 40] [--seed 1]

Calls of both take turns for each pair; times are medians. A ratio above 1 means that ours is faster.
"""

import argparse
import random
import time

import networkx as nx
import numpy as np

import lodestar


def graphs():
    yield "grid, 225 nodes", nx.grid_2d_graph(15, 15)
    yield "grid, 2,500 nodes", nx.grid_2d_graph(50, 50)
    yield "road-like, 2,000 nodes", lodestar.generate("road", 2_000, seed=1).to_networkx()
    yield "road-like, 20,000 nodes", lodestar.generate("road", 20_000, seed=1).to_networkx()
    yield "random, 300 nodes, degree 30", nx.gnp_random_graph(300, 0.1, seed=1)
    yield "random, 5,000 nodes, degree 6", nx.gnm_random_graph(5_000, 15_000, seed=1)
    yield "path of 250 nodes", nx.path_graph(250)
    yield "star of 250 nodes", nx.star_graph(249)
    yield "complete, 205 nodes", nx.complete_graph(205)


def heuristic_of(G):
    """Written in Python: distances on grids and roads, 0 elsewhere."""
    node = next(iter(G))
    if isinstance(node, tuple):
        return lambda a, b: abs(a[0] - b[0]) + abs(a[1] - b[1])
    if "x" in G.nodes[node]:
        at = {v: (d["x"], d["y"]) for v, d in G.nodes(data=True)}
        speed = min((d["time"] / max(1e-9, np.hypot(*np.subtract(at[u], at[v])))
                     for u, v, d in G.edges(data=True)))

        def straight(a, b):
            (x, y), (p, q) = at[a], at[b]
            return speed * ((x - p) ** 2 + (y - q) ** 2) ** 0.5
        return straight
    return lambda a, b: 0


def pairs_of(G, kind, count, rng):
    nodes, pairs = list(G), []
    for _ in range(50 * count):
        source = target = rng.choice(nodes)
        if kind == "random":
            target = rng.choice(nodes)
        for _ in range({"same": 0, "neighbours": 1, "three steps": 3, "random": 0}[kind]):
            target = rng.choice(list(G[target]) or [target])
        if (kind == "same" or source != target) and nx.has_path(G, source, target):
            pairs.append((source, target))
        if len(pairs) == count:
            break
    return pairs


def ratio(G, source, target, guess, weight):
    times = {nx.astar_path: [], lodestar.astar_path: []}
    begin = time.perf_counter()
    lodestar.astar_path(G, source, target, guess, weight)
    nx.astar_path(G, source, target, guess, weight)
    repeat = max(1, min(20, int(2e-4 / (time.perf_counter() - begin))))
    for _ in range(9):
        for function, spent in times.items():
            begin = time.perf_counter()
            for _ in range(repeat):
                function(G, source, target, guess, weight)
            spent.append(time.perf_counter() - begin)
    theirs, ours = (np.median(spent) for spent in times.values())
    return theirs / ours


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pairs", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    print("| graph | pairs | heuristic | least | median | largest | slower |")
    print("|:--|:--|:--|--:|--:|--:|--:|")
    for name, G in graphs():
        weight = "time" if "road" in name else "weight"
        if weight == "weight" and "grid" not in name:
            for _, _, data in G.edges(data=True):
                data["weight"] = rng.randint(1, 9)
        for kind in ("same", "neighbours", "three steps", "random"):
            pairs = pairs_of(G, kind, options.pairs if kind != "same" else 3, rng)
            for guess in (None, heuristic_of(G)):
                found = [ratio(G, s, t, guess, weight) for s, t in pairs]
                if found:
                    slower = sum(r < 1 for r in found)
                    print(f"| {name} | {kind} | {'none' if guess is None else 'Python'} | "
                          f"{min(found):.2f} | {np.median(found):.2f} | {max(found):.1f} | "
                          f"{slower} of {len(found)} |", flush=True)


if __name__ == "__main__":
    main()
