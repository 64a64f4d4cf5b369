"""Matrices, one-to-all, isochrones and facilities, with and without an index."""

import numpy as np
import pytest

import lodestar

csgraph = pytest.importorskip("scipy.sparse.csgraph")


@pytest.fixture(scope="module")
def setting():
    g = lodestar.generate("road", 1500, seed=4)
    truth = csgraph.dijkstra(g.to_scipy())
    indexes = [None, lodestar.index(g, rounds=1), lodestar.index(g, labels=True)]
    return g, truth, [lodestar.Router(g, index) for index in indexes]


def test_matrix_agrees_with_scipy(setting):
    g, truth, routers = setting
    rng = np.random.default_rng(1)
    for rows, columns in [(1, 1), (3, 400), (400, 3), (150, 200)]:
        s, t = rng.integers(0, g.nodes, rows), rng.integers(0, g.nodes, columns)
        for r in routers:
            assert np.allclose(r.matrix(s, t, threads=2), truth[np.ix_(s, t)], rtol=1e-12)


def test_matrix_into_an_array(setting, tmp_path):
    g, truth, routers = setting
    s, t = np.arange(50), np.arange(100, 220)
    for r in routers:
        out = np.lib.format.open_memmap(tmp_path / "m.npy", "w+", np.float64, (50, 120))
        assert r.matrix(s, t, out=out) is out
        assert np.allclose(np.load(tmp_path / "m.npy"), truth[np.ix_(s, t)], rtol=1e-12)
        for bad in [np.empty((50, 119)), np.empty((50, 120), np.int64), np.empty((120, 50)).T, 7]:
            with pytest.raises(lodestar.Error, match="out must be"):
                r.matrix(s, t, out=bad)


def test_distances_of_several_nodes_within_a_limit(setting):
    g, truth, routers = setting
    roots = [5, 700, 701, 1400]
    least = truth[roots].min(axis=0)
    limit = float(np.median(least))
    for r in routers:
        assert np.allclose(r.distances(roots), least, rtol=1e-12)
        costs, before, nearest = r.distances(
            np.array(roots), predecessors=True, nearest=True, limit=limit
        )
        inside = least <= limit
        assert np.allclose(costs[inside], least[inside], rtol=1e-12)
        assert np.isinf(costs[~inside]).all() and (nearest[~inside] == -1).all()
        assert np.allclose(truth[np.array(roots)[nearest[inside]], np.flatnonzero(inside)], least[inside])
        assert (before[roots] == -1).all()
        back = r.distances(range(3), reverse=True)
        assert np.allclose(back, truth[:, :3].min(axis=1), rtol=1e-12)


def test_isochrone(setting):
    g, truth, routers = setting
    limit = float(np.quantile(truth[9], 0.2))
    for r in routers:
        nodes, costs, arcs = r.isochrone(9, limit, arcs=True)
        assert sorted(nodes) == np.flatnonzero(truth[9] <= limit).tolist()
        assert np.allclose(costs, truth[9][nodes], rtol=1e-12) and (np.diff(costs) >= 0).all()
        reached = truth[9][arcs["tail"]] + arcs["share"] * arcs["weight"]
        assert (reached <= limit * (1 + 1e-12)).all()
        assert len(r.isochrone([9, 10], 0.0)[0]) == 2
        with pytest.raises(lodestar.Error, match="limit"):
            r.isochrone(9, -1.0)


def test_nearest_facilities(setting):
    g, truth, routers = setting
    facilities = [3, 33, 333, 1333]
    order = np.argsort(truth[:, facilities], axis=1, kind="stable")[:, :2]
    for r in routers:
        positions, costs = r.nearest_facilities(np.arange(g.nodes), facilities, 2, threads=2)
        assert np.allclose(costs, np.take_along_axis(truth[:, facilities], order, 1), rtol=1e-12)
        assert (positions == order).mean() > 0.99  # ties
        assert r.nearest_facilities([1], facilities, k=9)[0].shape == (1, 4)


def test_matrix_in_narrow_types(setting):
    g, truth, routers = setting
    s, t = np.arange(30), np.arange(40, 90)
    exact = np.array_equal(truth, np.floor(truth))
    for r in routers:
        if exact:
            for dtype in (np.float32, "uint32"):
                cells = r.matrix(s, t, dtype=dtype)
                assert cells.dtype == dtype
                assert np.array_equal(cells, truth[np.ix_(s, t)])
            out = np.empty((30, 50), np.uint32)
            assert r.matrix(s, t, out=out) is out
        with pytest.raises(lodestar.Error, match="dtype"):
            r.matrix(s, t, dtype=np.int64)
    thirds = lodestar.Router(lodestar.from_edges([0, 1], [1, 0], [1 / 3, 1 / 3]))
    with pytest.raises(lodestar.Error, match="exact"):
        thirds.matrix([0], [1], dtype="float32")


def test_matrix_with_lengths(setting):
    g, truth, routers = setting
    s, t = np.arange(5), np.arange(40, 60)
    for r in routers:
        costs, lengths = r.matrix(s, t, lengths=True)
        assert np.allclose(costs, truth[np.ix_(s, t)], rtol=1e-12)
        for i in range(len(s)):
            path = r.path(int(s[i]), int(t[0]))
            straight = np.hypot(*(g.xy[s[i]] - g.xy[t[0]]))
            assert lengths[i, 0] >= straight * (1 - 1e-9)
            assert path.cost == pytest.approx(costs[i, 0])


def test_costs_of_all_pairs_are_those_of_the_matrix(setting):
    g, truth, routers = setting
    s, t = np.arange(40), np.arange(100, 140)
    for r in routers:
        pairs = r.costs(np.repeat(s, 40), np.tile(t, 40))
        assert np.array_equal(pairs.reshape(40, 40), r.matrix(s, t))


def test_isochrone_as_geojson(setting):
    g, truth, routers = setting
    limit = float(np.sort(truth[7])[200])
    for r in routers:
        found = r.isochrone_geojson(7, [limit, 0.0], show=["arcs", "nodes"])
        assert found["type"] == "FeatureCollection" and len(found["features"]) == 4
        nodes = found["features"][1]["properties"]
        assert nodes["kind"] == "nodes" and len(nodes["nodes"]) == (truth[7] <= limit).sum()
        place = r.nearest(tuple(g.xy[7]))
        assert r.isochrone_geojson(place, [limit], show=["nodes"], reverse=True)["features"]
    with pytest.raises(lodestar.Error, match="show"):
        routers[0].isochrone_geojson(7, [limit], show=["hexagons"])
