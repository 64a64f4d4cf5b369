"""Tables, grids, labels and closed arcs, in and out; against scipy and pandas."""

import collections
import inspect
import pickle

import numpy as np
import pytest

import lodestar
from cross_check import check_graph

pd = pytest.importorskip("pandas")


def towns(**columns):
    return pd.DataFrame({"from": ["Rome", "Pisa", "Rome"], "to": ["Pisa", "Turin", "Turin"],
                         "km": [354.0, 332.0, 700.0], **columns})


def test_random_graphs_agree_with_scipy():
    pytest.importorskip("scipy")
    counts = collections.Counter()
    for seed in range(25):
        check_graph(np.random.default_rng([2, seed]), counts)
    assert sum(counts.values()) > 20_000


def test_from_pandas():
    g = lodestar.from_pandas(towns(hours=[3, 3, 9]), "from", "to", "km", metrics=["hours"])
    r = lodestar.Router(g)
    assert r.path("Rome", "Turin").nodes == ["Rome", "Pisa", "Turin"]
    assert r.path("Rome", "Turin").totals == {"km": 686.0, "hours": 6.0}
    assert r.path("Turin", "Rome").reached is False
    nodes, costs = r.isochrone("Rome", 400)
    assert nodes == ["Rome", "Pisa"] and costs.tolist() == [0, 354]
    table = r.matrix(["Rome", "Pisa"], ["Turin"], frame=True)
    assert table.loc["Pisa", "Turin"] == 332
    near = r.distances(["Pisa", "Turin"], nearest=True, predecessors=True, frame=True)
    assert near.loc["Turin"].tolist() == [0.0, None, "Turin"]
    assert "Rome" not in near.index  # not reached
    assert r.distances("Rome", frame=True)["cost"].to_dict() == {
        "Pisa": 354, "Rome": 0, "Turin": 686}
    assert pickle.loads(pickle.dumps(r)).path("Rome", "Turin").cost == 686


def test_columns_that_are_missing_or_incomplete():
    with pytest.raises(lodestar.Error, match="no column 'time'"):
        lodestar.from_pandas(towns(), "from", "to", "time")
    with pytest.raises(lodestar.Error, match="'to' has missing values"):
        lodestar.from_pandas(towns().assign(to=["Pisa", None, "Turin"]), "from", "to", "km")
    table = towns().assign(km=pd.array([1, None, 3], dtype="Int64"))
    with pytest.raises(lodestar.Error, match="weights has missing values"):
        lodestar.from_pandas(table, "from", "to", "km")


@pytest.mark.parametrize("dtype", ["Int64", "UInt32", "Float64", "float32", "int16"])
def test_nullable_types(dtype):
    table = pd.DataFrame({"source": pd.array([2**40, 5], dtype="Int64"),
                          "target": pd.array([5, 7], dtype="Int64"),
                          "weight": pd.array([1, 2], dtype=dtype)})
    r = lodestar.Router(lodestar.from_pandas(table))
    assert r.path(2**40, 7).cost == 3
    assert r.costs(table["source"], table["target"]).tolist() == [1, 2]
    assert r.matrix(table["source"], table["target"], frame=True).loc[2**40, 7] == 3
    plain = lodestar.from_edges(pd.array([0, 1], dtype="Int64"), pd.array([1, 2], dtype="Int64"),
                                table["weight"])
    assert lodestar.Router(plain).path(0, 2).cost == 3


def test_labels_of_any_kind():
    g = lodestar.from_edges([("a", 1), "b"], ["b", 7.5], [1.0, 2.0], labels=True,
                            xy={("a", 1): (0, 0), "b": (1, 0), 7.5: (2, 0)})
    assert lodestar.Router(g).path(("a", 1), 7.5).nodes == [("a", 1), "b", 7.5]
    assert g.xy.tolist() == [[0, 0], [1, 0], [2, 0]]
    with pytest.raises(lodestar.Error, match="no entry for the node 'b'"):
        lodestar.from_edges(["a"], ["b"], [1.0], labels=True, xy={"a": (0, 0)})
    with pytest.raises(lodestar.Error, match="one length"):
        lodestar.from_edges(["a", "b"], ["b"], [1.0], labels=True)


@pytest.mark.parametrize("connectivity", [4, 8])
def test_grids_agree_with_an_oracle(connectivity):
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import dijkstra

    rng = np.random.default_rng(connectivity)
    costs = rng.integers(1, 5, (7, 9)).astype(float)
    walls = rng.random(costs.shape) < 0.25
    dense = np.full((63, 63), np.inf)
    for (r, c), cost in np.ndenumerate(costs):
        for dr in (-1, 0, 1):
            for dc in (-1, 0, 1):
                a, b = r + dr, c + dc
                if abs(dr) + abs(dc) == 0 or abs(dr) + abs(dc) == 2 and connectivity == 4:
                    continue
                if not (0 <= a < 7 and 0 <= b < 9) or walls[r, c] or walls[a, b]:
                    continue
                if dr and dc and (walls[r, b] or walls[a, c]):
                    continue
                dense[9 * r + c, 9 * a + b] = (cost + costs[a, b]) / 2 * (1.5 if dr and dc else 1)
    u, v = np.nonzero(np.isfinite(dense))
    truth = dijkstra(csr_matrix((dense[u, v], (u, v)), shape=(63, 63)))
    g = lodestar.from_grid(costs, connectivity=connectivity, diagonal=1.5, blocked=walls)
    assert np.array_equal(lodestar.Router(g).matrix(range(63), range(63)), truth)
    assert lodestar.from_grid(np.where(walls, np.inf, costs), diagonal=1.5,
                              connectivity=connectivity).arcs == g.arcs
    marked = lodestar.from_grid(np.where(walls, 9, costs), blocked=9, diagonal=1.5,
                                connectivity=connectivity, labels=True)
    r, c = np.argwhere(~walls)[0].tolist()
    assert lodestar.Router(marked).path((r, c), (r, c)).nodes == [(r, c)]


def test_infinite_weights_close_arcs():
    tails, heads = [0, 1, 0], [1, 2, 2]
    g = lodestar.from_edges(tails, heads, [1.0, np.inf, 5.0])
    assert g.csr()[2].tolist() == [1.0, 5.0, np.inf]
    for index in (None, lodestar.index(g, rounds=1)):
        r = lodestar.Router(g, index)
        assert r.path(0, 2).cost == 5 and not r.path(1, 2).reached and r.path(1, 2).optimal
        assert r.path(1, 2).nodes.tolist() == []
        r.update([1], [np.inf])
        assert not r.path(0, 2).reached and np.isinf(r.costs([0], [2]))
        assert np.isinf(r.matrix([0], [2])) and r.distances(0).tolist() == [0, 1, np.inf]
        assert r.distances(0, predecessors=True)[1].tolist() == [-1, 0, -1]
        assert r.isochrone(0, np.inf)[0].tolist() == [0, 1]
        assert r.nearest_facilities([0], [2])[0].tolist() == [[-1]]
        assert not pickle.loads(pickle.dumps(r)).path(0, 2).reached
        r.update([1, 2], [5.0, 1.0])
        assert r.path(0, 2).cost == 2
    assert not lodestar.Router(g).path(1, 2, preferences=lodestar.Preferences()).reached
    assert g.to_scipy().nnz == 2 and g.to_networkx().number_of_edges() == 2


def test_with_weights_of_some_arcs(road):
    rng = np.random.default_rng(1)
    weights = road.csr()[2].astype(float)
    for count in (0, 1, 50):
        arcs = rng.choice(road.arcs, count, replace=False)
        new = np.round(10 * rng.random(count), 2)
        changed = weights.copy()
        changed[arcs] = new
        some, every = road.with_weights(new, arcs=arcs), road.with_weights(changed)
        assert np.array_equal(some.csr()[2], every.csr()[2])
        s, t = rng.integers(0, road.nodes, (2, 20))
        assert np.array_equal(lodestar.Router(some).costs(s, t), lodestar.Router(every).costs(s, t))
    with pytest.raises(lodestar.Error, match="one length"):
        road.with_weights([1.0], arcs=[0, 1])
    with pytest.raises(lodestar.Error, match=r"arcs\[0\]"):
        road.with_weights([1.0], arcs=[road.arcs])


def test_updates_are_exact(road):
    rng = np.random.default_rng(3)
    r = lodestar.Router(road, lodestar.index(road, rounds=1))
    weights = road.csr()[2].astype(float)
    s, t = rng.integers(0, road.nodes, (2, 50))
    for _ in range(4):
        arcs = rng.choice(road.arcs, 20, replace=False)
        weights[arcs] *= rng.integers(1, 4, 20)
        r.update(arcs, weights[arcs])
        fresh = lodestar.Router(road.with_weights(weights))
        assert np.array_equal(r.costs(s, t), fresh.costs(s, t))
        assert r.path(int(s[0]), int(t[0])).optimal


def test_places_are_nodes():
    g = lodestar.from_edges([0, 1], [1, 0], [4.0, 4.0], xy=[[0, 0], [8, 0]])
    r = lodestar.Router(g)
    near, far = r.nearest((1, 0)), r.nearest((7, 0))
    assert r.costs([near], [far]).tolist() == [4.0]
    assert r.matrix([near, 1], [far]).tolist() == [[4.0], [0.0]]
    assert r.distances(near).tolist() == [0.0, 4.0]
    assert r.path(near, 1).cost == 4 and r.path(near, far).cost == 3
    assert r.isochrone(near, 1)[0].tolist() == [0]


def test_reach_adds_up_what_is_near(road):
    rng = np.random.default_rng(5)
    values = rng.integers(0, 9, road.nodes).astype(float)
    values[::7] = np.nan
    r = lodestar.Router(road)
    sources = rng.integers(0, road.nodes, 10)
    for aggregate, oracle in {"sum": np.nansum, "mean": np.nanmean, "min": np.nanmin,
                              "max": np.nanmax, "count": lambda v: (v == v).sum()}.items():
        found = r.reach(values, 30_000, sources=sources, aggregate=aggregate, threads=2)
        near = [values[r.distances(int(v)) <= 30_000] for v in sources]
        assert all((part == part).any() for part in near)
        assert np.allclose(found, [oracle(part) for part in near])
    assert len(r.reach(values, 0)) == road.nodes
    with pytest.raises(lodestar.Error, match="unknown aggregate"):
        r.reach(values, 1, aggregate="median")


class Tensor:
    """What torch's tensors offer, without torch."""

    def __init__(self, values):
        self._values = values

    def detach(self):
        return self

    def cpu(self):
        return Plain(self._values)


class Plain:
    def __init__(self, values):
        self._values = values

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self._values, dtype)


def test_heuristics_are_costs_to_the_target(road):
    t = 1500
    perfect = lodestar.Router(road).distances(t, reverse=True)
    plain = lodestar.Router(road, algorithm="astar").path(3, t)
    for given in (perfect, Tensor(perfect), lambda v, target: perfect[v]):
        found = lodestar.Router(road, heuristic=given).path(3, t)
        assert found.cost == plain.cost
        assert found.optimal or callable(given)  # nothing is known about a function
        assert found.expansions < plain.expansions / 5
    same = lodestar.Router(road, potential=-perfect).path(3, t)
    assert same.expansions == lodestar.Router(road, heuristic=perfect).path(3, t).expansions
    with pytest.raises(lodestar.Error, match="not both"):
        lodestar.Router(road, heuristic=perfect, potential=perfect)
    table = lodestar.compare(road, ([3, 5], [t, t]), {"h": perfect, "geometric": "geometric"})
    assert table["h"].opt == 100 and table["h"].exp > 80 and table["dijkstra"].exp == 0
    assert pickle.loads(pickle.dumps(table)) == table and "Exp %" in str(table)
    with pytest.raises(lodestar.Error, match="one target"):
        lodestar.compare(road, [(3, 5), (4, 6)], {"h": perfect})


def test_signatures():
    assert str(inspect.signature(lodestar.Router.path)) == (
        "(self, source, target, *, bound=None, preferences=None)")
    for name in lodestar.__all__:
        thing = getattr(lodestar, name)
        if name not in ("Error", "__version__", "Graph", "Path", "Place", "Potentials", "Index"):
            assert inspect.signature(thing), name
        if isinstance(thing, type) and name != "Error":
            for method, part in vars(thing).items():
                if not method.startswith("_") and callable(part):
                    assert inspect.signature(getattr(thing, method)), (name, method)
