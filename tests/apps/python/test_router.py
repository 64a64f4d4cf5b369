"""Answers against oracles that share nothing with the package."""

import threading

import numpy as np
import pytest
from conftest import all_distances, cheapest_matrix, random_edges

import lodestar


def check_path(dense, found, source, target, distance):
    """The nodes make a way from source to target that costs what it says."""
    if not np.isfinite(distance):
        assert not found.reached and found.optimal and len(found.nodes) == 0
        return
    assert found.cost == pytest.approx(distance, rel=1e-12, abs=1e-15)
    assert found.optimal and found.gap == 0
    nodes = found.nodes.tolist()
    assert nodes[0] == source and nodes[-1] == target
    assert sum(dense[a, b] for a, b in zip(nodes, nodes[1:])) == pytest.approx(distance, abs=1e-12)


@pytest.mark.parametrize("seed", range(150))
def test_against_floyd_and_warshall(seed):
    n, u, v, w = random_edges(seed, decimals=[None, 1, 2][seed % 3])
    dense = cheapest_matrix(n, u, v, w)
    truth = all_distances(dense)
    r = lodestar.Router(lodestar.from_edges(u, v, w, nodes=n))
    s, t = (part.ravel() for part in np.meshgrid(np.arange(n), np.arange(n), indexing="ij"))
    assert np.allclose(r.costs(s, t).reshape(n, n), truth, rtol=1e-12, atol=1e-15)
    assert np.allclose(r.matrix(np.arange(n), np.arange(n)), truth, rtol=1e-12, atol=1e-15)
    rng = np.random.default_rng(seed)
    for _ in range(5):
        a, b = map(int, rng.integers(0, n, 2))
        check_path(dense, r.path(a, b), a, b, truth[a, b])
        assert np.allclose(r.distances(a), truth[a], rtol=1e-12, atol=1e-15)
        assert np.allclose(r.distances(b, reverse=True), truth[:, b], rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("seed", range(40))
def test_against_scipy(seed):
    csgraph = pytest.importorskip("scipy.sparse.csgraph")
    n, u, v, w = random_edges(1000 + seed)
    w = np.maximum(w, 1e-3)  # scipy may take a stored zero for no arc
    g = lodestar.from_edges(u, v, w, nodes=n)
    truth, before = csgraph.dijkstra(g.to_scipy(), indices=0, return_predecessors=True)
    mine, parents = lodestar.Router(g).distances(0, predecessors=True)
    assert np.allclose(mine, truth)
    assert ((parents == -1) == (before == -9999)).all()
    for x in range(n):
        if parents[x] >= 0:
            step = g.to_scipy()[parents[x], x]
            assert mine[parents[x]] + step == pytest.approx(mine[x])


@pytest.mark.parametrize("name", sorted(set(lodestar.algorithms()) - {"greedy", "weighted"}))
def test_every_algorithm_is_exact(name, road):
    plain = lodestar.Router(road)
    try:
        r = lodestar.Router(road, algorithm=name)
    except lodestar.Error:
        r = lodestar.Router(road, algorithm=name, heuristic="geometric")
    rng = np.random.default_rng(9)
    s, t = rng.integers(0, road.nodes, (2, 40))
    assert r.costs(s, t).tolist() == plain.costs(s, t).tolist()


def test_bounds_hold(grid):
    exact = lodestar.Router(grid)
    r = lodestar.Router(grid, heuristic="geometric")
    rng = np.random.default_rng(4)
    for s, t in rng.integers(0, grid.nodes, (50, 2)).tolist():
        truth = exact.path(s, t).cost
        for bound in (0.0, 0.05, 0.5):
            p = r.path(s, t, bound=bound)
            assert p.cost <= (1 + bound) * truth * (1 + 1e-12)
            assert p.lower_bound <= truth * (1 + 1e-12)
            assert p.gap <= bound + 1e-12
    with pytest.raises(lodestar.Error, match="bound"):
        r.path(0, 1, bound=-1)
    with pytest.raises(lodestar.Error, match="bound"):
        r.path(0, 1, bound=float("nan"))


def test_heuristics_as_arrays_and_functions(road):
    exact = lodestar.Router(road)
    target = road.nodes - 1
    h = exact.distances(target, reverse=True)
    y = -np.where(np.isfinite(h), h, 0)
    by_array = lodestar.Router(road, potential=y)
    by_function = lodestar.Router(road, heuristic=lambda v, t: h[v], guarantee="consistent")
    for s in (0, 17, 900):
        truth = exact.path(s, target)
        for r in (by_array, by_function):
            p = r.path(s, target)
            assert p.cost == truth.cost
            assert p.expansions <= 3 * len(truth)
    with pytest.raises(lodestar.Error, match="one number per node"):
        lodestar.Router(road, potential=y[:-1])


def test_a_function_that_raises_or_returns_nonsense(road):
    def broken(v, t):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        lodestar.Router(road, heuristic=broken).path(0, 100)
    with pytest.raises(TypeError):
        lodestar.Router(road, heuristic=lambda v, t: "far").path(0, 100)
    with pytest.raises(lodestar.Error):
        lodestar.Router(road, heuristic=lambda v, t: float("nan")).path(0, 100)
    # The router is as good as before.
    r = lodestar.Router(road, heuristic=lambda v, t: 0.0)
    assert r.path(0, 100).cost == lodestar.Router(road).path(0, 100).cost


def test_traces(road):
    r = lodestar.Router(road, algorithm="dijkstra")
    t = r.trace(3, 700)
    assert t["node"][0] == 3 and t["parent"][0] == -1 and t["node"][-1] == 700
    assert (np.diff(t["cost"]) >= 0).all()
    assert len(t) == r.path(3, 700).expansions


def test_limits_are_said(road):
    p = lodestar.Router(road, algorithm="dijkstra", max_expansions=5).path(0, road.nodes - 1)
    assert p.capped and not p.optimal and p.expansions == 5


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda r: r.path(0, 10**9), "no node"),
        (lambda r: r.path(-1, 0), "no node"),
        (lambda r: r.path(0.5, 0), "whole number"),
        (lambda r: r.path(True, 0), "whole number"),
        (lambda r: r.path("a", 0), "whole number"),
        (lambda r: r.path(None, 0), "whole number"),
        (lambda r: r.path(2**70, 0), "no node"),
        (lambda r: r.costs([0, 1], [1]), "one length"),
        (lambda r: r.costs([0], [10**9]), "no node"),
        (lambda r: r.costs([[0]], [[1]]), "one dimension"),
        (lambda r: r.costs([0.5], [1]), "whole numbers"),
        (lambda r: r.matrix([0], [-1]), "no node"),
        (lambda r: r.distances(10**9), "no node"),
        (lambda r: r.trace(0, 10**9), "no node"),
        (lambda r: lodestar.Router(r.graph, algorithm="magic"), "magic"),
        (lambda r: lodestar.Router(r.graph, heuristic="magic"), "magic"),
        (lambda r: lodestar.Router(r.graph, guarantee="sure"), "sure"),
        (lambda r: lodestar.Router(r.graph, "nowhere.lsp"), "nowhere.lsp"),
    ],
)
def test_bad_questions_are_errors(call, words, road):
    with pytest.raises(lodestar.Error, match=words):
        call(lodestar.Router(road))


def test_empty_questions(road):
    r = lodestar.Router(road)
    assert r.costs([], []).shape == (0,)
    assert r.paths([], []) == []
    assert r.matrix([], [1, 2]).shape == (0, 2)
    assert r.matrix([1], []).shape == (1, 0)


def test_numpy_numbers_are_nodes(road):
    r = lodestar.Router(road)
    assert r.path(np.int64(1), np.uint8(9)).cost == r.path(1, 9).cost


def test_one_router_for_many_threads(road):
    r = lodestar.Router(road, heuristic="geometric")
    rng = np.random.default_rng(2)
    s, t = rng.integers(0, road.nodes, (2, 200))
    truth = r.costs(s, t)
    assert (r.costs(s, t, threads=4) == truth).all()
    wrong = []

    def work(part):
        for i in range(part, len(s), 8):
            if r.path(int(s[i]), int(t[i])).cost != truth[i]:
                wrong.append(i)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_paths_have_geometry(road):
    p = lodestar.Router(road).path(0, 300)
    feature = p.geojson()
    assert feature["geometry"]["type"] == "LineString"
    assert np.allclose(feature["geometry"]["coordinates"], p.xy)
    bare = lodestar.from_edges([0], [1], [1.0])
    with pytest.raises(lodestar.Error, match="coordinates"):
        lodestar.Router(bare).path(0, 1).geojson()


def test_no_path_is_valid_json():
    import json

    g = lodestar.from_edges([0], [1], [1.0], xy=[[0, 0], [1, 1]])
    feature = lodestar.Router(g).path(1, 0).geojson()
    assert json.loads(json.dumps(feature, allow_nan=False)) == feature
    assert feature["properties"]["cost"] is None and feature["geometry"] is None


def test_a_search_that_was_capped_does_not_say_that_there_is_no_path(road):
    found = lodestar.Router(road, algorithm="dijkstra", max_expansions=3).path(0, 1500)
    assert found.capped and not found.reached and not found.optimal
    assert repr(found) == "<lodestar.Path: none found within 3 expansions; there may be one>"
    assert repr(lodestar.Router(lodestar.from_edges([0], [1], [1.0])).path(1, 0)) == (
        "<lodestar.Path: no path>")
