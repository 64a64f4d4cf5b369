"""Origin-destination costs on a street graph as OSMnx makes it.

    python3 od_costs.py [--small]

With osmnx installed, `G = osmnx.graph_from_place(…)` takes the place of `street_graph`.
"""

import sys
import time

import networkx as nx
import numpy as np

import lodestar


def street_graph(nodes):
    """A MultiDiGraph with OSM-like ids, coordinates and lengths."""
    g = lodestar.generate("road", nodes, seed=1)
    first, heads, weights = g.csr()
    ids = (np.arange(g.nodes) * 7919 + 10**9).tolist()
    G = nx.MultiDiGraph(crs="epsg:3857")
    for node, (x, y) in zip(ids, g.xy.tolist()):
        G.add_node(node, x=x, y=y)
    tails = np.repeat(np.arange(g.nodes), np.diff(first))
    G.add_edges_from((ids[u], ids[v], {"length": w})
                     for u, v, w in zip(tails.tolist(), heads.tolist(), weights.tolist()))
    return G


def main():
    small = "--small" in sys.argv
    G = street_graph(2_000 if small else 40_000)
    start = time.perf_counter()
    g = lodestar.from_networkx(G, weight="length")
    print(f"{g} converted in {time.perf_counter() - start:.2f} s")

    index = lodestar.index(g, seconds=0.5 if small else 10)
    router = lodestar.Router(g, index)
    rng = np.random.default_rng(1)
    labels = np.array(g.labels)
    origins, destinations = rng.choice(labels, (2, 1_000 if small else 100_000))
    start = time.perf_counter()
    costs = router.costs(origins, destinations, threads=2)
    seconds = time.perf_counter() - start
    print(f"{len(costs)} pairs in {seconds:.2f} s, {1e6 * seconds / len(costs):.1f} µs each")

    for i in range(3):  # networkx agrees
        truth = nx.dijkstra_path_length(G, origins[i], destinations[i], weight="length")
        assert abs(truth - costs[i]) <= 1e-9 * truth
    print(f"mean cost {costs.mean():.1f}, three of them checked with networkx")


if __name__ == "__main__":
    main()
