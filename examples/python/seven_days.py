"""Seven days in the life of a user, each in at most twelve lines, with the time beside other packages.

    python3 seven_days.py [--small] [DAY …]

A function is the user's code of one day; below it is what scipy, igraph or networkx need for the same.
Where these would take minutes, they do a part, and their time is multiplied.
"""

import sys
import time

import numpy as np

import lodestar

SMALL = "--small" in sys.argv


def size(large, small):
    return small if SMALL else large


# Day 1: a street graph as OSMnx makes it, and 100,000 pairs.


def day_1(G, origins, destinations):
    g = lodestar.from_networkx(G, weight="length")
    router = lodestar.Router(g, lodestar.index(g))
    costs = router.costs(origins, destinations, threads=2)
    route = router.path(origins[0], destinations[0])
    metres = sum(G.edges[edge]["length"] for edge in route.edges)   # with the keys of G
    assert abs(metres - costs[0]) < 1e-6 * metres
    return costs


def others_1(G, origins, destinations):
    import igraph
    import networkx as nx

    few = 5
    yield "networkx", len(origins) / few, lambda: [
        nx.dijkstra_path_length(G, s, t, weight="length")
        for s, t in zip(origins[:few], destinations[:few])]
    numbers = {v: i for i, v in enumerate(G)}
    lengths = [d for _, _, d in G.edges(data="length")]
    I = igraph.Graph([(numbers[u], numbers[v]) for u, v in G.edges()], directed=True)
    yield "igraph", len(origins) / few, lambda: [
        I.distances(numbers[s], numbers[t], weights=lengths)[0][0]
        for s, t in zip(origins[:few], destinations[:few])]


# Day 2: what is within 200,000 of a place, and how many people live there.


def day_2(G, home, people):
    g = lodestar.from_networkx(G, weight="length")
    router = lodestar.Router(g)
    nodes, costs = router.isochrone(home, 200_000)
    near = router.reach([people[v] for v in g.labels], 200_000, sources=g.labels[:200])
    assert nodes[0] == home and near[g.labels.index(home)] == sum(people[v] for v in nodes)
    return len(nodes)


def others_2(G, home, people):
    import networkx as nx

    few = 2
    yield "networkx", 201 / few, lambda: [
        len(nx.ego_graph(G, v, 200_000, distance="length")) for v in list(G)[:few]]


# Day 3: a scipy matrix with 200,000 rows, 1,000 pairs.


def day_3(matrix, sources, targets):
    g = lodestar.from_csr(matrix)
    router = lodestar.Router(g, lodestar.index(g))
    return router.costs(sources, targets)


def others_3(matrix, sources, targets):
    import igraph
    from scipy.sparse.csgraph import dijkstra

    few = 2
    yield "scipy", len(sources) / few, lambda: [
        dijkstra(matrix, indices=s)[t] for s, t in zip(sources[:few], targets[:few])]
    entries = matrix.tocoo()
    I = igraph.Graph(np.stack([entries.row, entries.col], axis=1).tolist(), directed=True)
    weights = entries.data.tolist()
    yield "igraph", len(sources) / few, lambda: [
        I.distances(s, t, weights=weights)[0][0] for s, t in zip(sources[:few], targets[:few])]


# Day 4: a grid map of 512 x 512 cells.


def day_4(terrain, walls):
    g = lodestar.from_grid(terrain, connectivity=8, blocked=walls, labels=True)
    router = lodestar.Router(g, heuristic="geometric")
    start, goal = np.argwhere(~walls)[[0, -1]].tolist()
    path = router.path(tuple(start), tuple(goal))
    return path.cost, path.nodes[:3], path.expansions


def others_4(terrain, walls):
    import networkx as nx

    G = lodestar.from_grid(terrain, connectivity=8, blocked=walls, labels=True).to_networkx()
    ends = [tuple(end) for end in np.argwhere(~walls)[[0, -1]].tolist()]
    yield "networkx", 1, lambda: nx.astar_path_length(
        G, *ends, lambda a, b: np.hypot(a[0] - b[0], a[1] - b[1]))
    from scipy.sparse.csgraph import dijkstra

    def scipy_way():  # with a matrix of the same steps, made of the map as ours is
        steps = lodestar.from_grid(terrain, connectivity=8, blocked=walls).to_scipy()
        at = [r * walls.shape[1] + c for r, c in ends]
        return dijkstra(steps, indices=at[0])[at[1]]

    yield "scipy", 1, scipy_way


# Day 5: a researcher's table.


def day_5(graph):
    xy = graph.xy

    def half_way(v, target):
        return 0.5 * np.hypot(*(xy[v] - xy[target]))

    table = lodestar.compare(graph, 20, {
        "no heuristic": None, "mine": half_way, "deep": "deep",
        "ALT": lodestar.landmarks(graph), "potentials": lodestar.fit(graph, seconds=1)})
    print(table)
    return table["potentials"].expansions


def others_5(graph):
    return iter(())


# Day 6: weights that change every minute.


def day_6(graph, minutes):
    router = lodestar.Router(graph)           # for thousands of queries a minute: with an index
    costs = []
    for arcs, weights in minutes:
        router.update(arcs, weights)          # an infinite weight closes an arc
        costs.append(router.path(0, graph.nodes - 1).cost)
    return costs


def others_6(graph, minutes):
    from scipy.sparse.csgraph import dijkstra

    matrix = graph.to_scipy()

    def scipy_way():
        for arcs, weights in minutes:
            matrix.data[arcs] = weights
            dijkstra(matrix, indices=0)

    yield "scipy", 1, scipy_way


# Day 7: a table of arcs in pandas; a table of costs comes back.


def day_7(table, places):
    g = lodestar.from_pandas(table, "from", "to", "minutes")
    router = lodestar.Router(g, lodestar.index(g))
    costs = router.matrix(places, places, frame=True)       # a DataFrame with names
    nearest = router.distances(places[:3], nearest=True, frame=True)
    assert costs.loc[places[0], places[1]] >= nearest.loc[places[1], "cost"]
    return float(costs.to_numpy().mean())


def others_7(table, places):
    import networkx as nx

    G = nx.from_pandas_edgelist(table, "from", "to", "minutes", create_using=nx.DiGraph)
    few = 2
    yield "networkx", len(places) / few, lambda: [
        nx.single_source_dijkstra_path_length(G, s, weight="minutes") for s in places[:few]]


# What the days are given.


def street_graph(nodes):
    """A MultiDiGraph with ids, coordinates and lengths; or osmnx.graph_from_place(…)."""
    import networkx as nx

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


def given(day):
    rng = np.random.default_rng(day)
    if day in (1, 2):
        G = street_graph(size(40_000, 1_000))
        if day == 1:
            return (G, *rng.choice(list(G), (2, size(100_000, 500))).tolist())
        return G, list(G)[7], dict(zip(G, rng.integers(0, 50, len(G)).tolist()))
    if day == 3:
        matrix = lodestar.generate("road", size(200_000, 1_000), seed=3).to_scipy()
        return (matrix, *rng.integers(0, matrix.shape[0], (2, size(1_000, 20))).tolist())
    if day == 4:
        shape = (size(512, 40),) * 2
        walls = rng.random(shape) < 0.2
        walls[0] = walls[:, -1] = False  # a way around
        return 1 + rng.integers(0, 3, shape).astype(float), walls
    if day == 5:
        return (lodestar.generate("road", size(2_000, 300), seed=5),)
    if day == 6:
        g = lodestar.generate("road", size(40_000, 1_000), seed=6)
        return g, [(arcs, 3 * g.csr()[2][arcs]) for arcs in rng.integers(0, g.arcs, (10, 20))]
    import pandas as pd

    g = lodestar.generate("road", size(20_000, 500), seed=7)
    first, heads, weights = g.csr()
    names = np.array([f"stop {v}" for v in range(g.nodes)])
    table = pd.DataFrame({"from": names[np.repeat(np.arange(g.nodes), np.diff(first))],
                          "to": names[heads], "minutes": weights})
    return table, rng.choice(names, size(500, 10), replace=False).tolist()


def main():
    days = [int(day) for day in sys.argv[1:] if day.isdigit()] or range(1, 8)
    for day in days:
        arguments = given(day)
        start = time.perf_counter()
        globals()[f"day_{day}"](*arguments)
        times = [f"lodestar {time.perf_counter() - start:.2f} s, index and conversion included"]
        for name, factor, work in globals()[f"others_{day}"](*arguments):
            start = time.perf_counter()
            work()
            seconds = factor * (time.perf_counter() - start)
            times.append(f"{name} {seconds:.2f} s" + (f" ({factor:g} times a part)" if factor > 1
                                                      else ""))
        print(f"day {day}:", "; ".join(times), flush=True)


if __name__ == "__main__":
    main()
