"""Queries with preferences: costs are those of networkx on graphs with changed weights."""

import datetime
import json
import math
import pickle

import networkx as nx
import numpy as np
import pytest

import lodestar
from lodestar import Preferences

CLASSES = ["motorway", "toll", "ferry"]


def random_graph(seed, nodes=30):
    """Arrays of a graph with two metrics, classes and coordinates; parallel arcs included."""
    rng = np.random.default_rng(seed)
    m = 4 * nodes
    u, v = rng.integers(0, nodes, m), rng.integers(0, nodes, m)
    time = rng.integers(1, 50, m).astype(float)
    length = rng.integers(1, 90, m).astype(float)
    classes = [[name for name in CLASSES if rng.random() < 0.2] for _ in range(m)]
    xy = rng.random((nodes, 2)) * 10
    graph = lodestar.from_edges(u, v, time, xy=xy, metrics={"length": length}, classes=classes,
                                weight_name="time", nodes=nodes)
    return graph, u, v, time, length, classes, xy


def oracle(nodes, u, v, weights):
    """A networkx graph with the cheapest of parallel arcs; closed arcs are left out."""
    G = nx.DiGraph()
    G.add_nodes_from(range(nodes))
    for a, b, w in zip(u.tolist(), v.tolist(), weights):
        if math.isfinite(w) and w < G.get_edge_data(a, b, {"weight": math.inf})["weight"]:
            G.add_edge(a, b, weight=w)
    return G


def distance(G, s, t):
    try:
        return nx.dijkstra_path_length(G, s, t)
    except nx.NetworkXNoPath:
        return math.inf


def touches_circle(p, q, centre, radius):
    """Whether the segment from p to q comes as near as the radius, by sampling its foot point."""
    d = q - p
    share = np.clip(np.dot(centre - p, d) / max(np.dot(d, d), 1e-300), 0, 1)
    return np.hypot(*(p + share * d - centre)) <= radius


def test_blends_classes_circles_and_arcs_cost_what_networkx_finds():
    checked = 0
    for seed in range(25):
        g, u, v, time, length, classes, xy = random_graph(seed)
        rng = np.random.default_rng(seed + 1000)
        potentials = lodestar.fit(g, metrics=["time", "length"], rounds=1, per_node=4, knots=3)
        routers = [lodestar.Router(g), lodestar.Router(g, potentials=potentials)]
        a, b = rng.random(2)
        closed, dear = rng.permutation(CLASSES)[:2]
        centre, radius = rng.random(2) * 10, rng.random() * 2
        wish = Preferences(blend={"time": a, "length": b},
                           avoid=[closed, (dear, 2.5), ((*centre, radius), 3)])
        weights = a * time + b * length
        for i, names in enumerate(classes):
            if closed in names:
                weights[i] = math.inf
            if dear in names:
                weights[i] *= 2.5
            if touches_circle(xy[u[i]], xy[v[i]], centre, radius):
                weights[i] *= 3
        G = oracle(30, u, v, weights)
        s, t = rng.integers(0, 30, 20), rng.integers(0, 30, 20)
        expected = np.array([distance(G, x, y) for x, y in zip(s.tolist(), t.tolist())])
        for r in routers:
            np.testing.assert_allclose(r.costs(s, t, preferences=wish), expected, rtol=1e-5)
            np.testing.assert_allclose(r.costs(s, t, preferences=wish, threads=2), expected,
                                       rtol=1e-5)
            for path, cost in zip(r.paths(s, t, preferences=wish), expected):
                assert path.optimal and path.reached == math.isfinite(cost)
                assert path.potentials is (r is routers[1])
                checked += 1
            one = r.path(s[0], t[0], preferences=wish)
            assert one.cost == r.costs(s[:1], t[:1], preferences=wish)[0]
    assert checked == 1000


def test_closed_arcs_stay_closed():
    """Arcs of infinite weight, with every kind of preferences and whatever else they avoid."""
    reached = 0
    for seed in range(12):
        _, u, v, time, length, classes, xy = random_graph(seed)
        rng = np.random.default_rng(seed)
        time = np.where(rng.random(len(u)) < 0.3, math.inf, time)
        g = lodestar.from_edges(u, v, time, xy=xy, metrics={"length": length}, classes=classes,
                                weight_name="time", nodes=30)
        routers = [lodestar.Router(g), lodestar.Router(g, lodestar.index(g, rounds=1)),
                   lodestar.Router(g, potentials=lodestar.landmarks(g, per_node=4))]
        s, t = rng.integers(0, 30, (2, 20))
        for wish, weights in (
                (Preferences(), time), (Preferences(blend={"length": 1}), length),
                (Preferences(avoid=[(CLASSES[0], 1e6)]),
                 [w * (1e6 if CLASSES[0] in c else 1) for w, c in zip(time, classes)])):
            G = oracle(30, u, v, np.where(np.isfinite(time), weights, math.inf))
            expected = [distance(G, x, y) for x, y in zip(s.tolist(), t.tolist())]
            for r in routers:
                np.testing.assert_allclose(r.costs(s, t, preferences=wish), expected, rtol=1e-5)
                for x, y, path, cost in zip(s, t, r.paths(s, t, preferences=wish), expected):
                    assert path.reached == math.isfinite(cost)
                    reached += path.reached
                    assert len(r.alternatives(x, y, preferences=wish)) >= path.reached
                    if path.reached and len(path) > 1:
                        nodes = path.nodes.tolist()
                        assert all(G.has_edge(*arc) for arc in zip(nodes, nodes[1:]))
        without = oracle(30, u, v, time)
        for x, y in zip(s.tolist(), t.tolist()):
            found = routers[0].alternatives(x, y)
            assert bool(found) == math.isfinite(distance(without, x, y))
    assert reached > 500


def test_totals_are_the_sums_of_the_metrics():
    g, u, v, time, length, _, _ = random_graph(3)
    r = lodestar.Router(g)
    for wish in (None, Preferences(blend={"length": 1}), Preferences(blend={"time": 1})):
        path = r.path(0, 9, preferences=wish)
        sums = {"time": 0.0, "length": 0.0}
        for a, b in zip(path.nodes, path.nodes[1:]):
            key = "length" if wish is not None and "length" in wish.json else "time"
            arcs = [i for i in range(len(u)) if (u[i], v[i]) == (a, b)]
            best = min(arcs, key=lambda i: {"time": time, "length": length}[key][i])
            sums["time"] += time[best]
            sums["length"] += length[best]
        assert path.totals == sums
    assert lodestar.Router(lodestar.from_edges([0], [1], [2.0])).path(0, 1).totals == {}


def test_alternatives_differ_and_are_near_the_best(road):
    r = lodestar.Router(road)
    found = 0
    for s, t in [(0, 1500), (7, 900), (1999, 3), (500, 1200)]:
        routes = r.alternatives(s, t, k=3, stretch=0.3)
        best = r.path(s, t).cost
        assert routes[0].cost == best and routes[0].optimal
        assert len({tuple(route.nodes.tolist()) for route in routes}) == len(routes)
        for route in routes:
            assert route.nodes[0] == s and route.nodes[-1] == t
            assert best <= route.cost <= 1.3 * best and route.lower_bound == best
            csr = road.to_scipy()
            assert sum(csr[a, b] for a, b in zip(route.nodes, route.nodes[1:])) == pytest.approx(
                route.cost)
        found += len(routes)
    assert found > 4
    lonely = lodestar.Router(lodestar.from_edges([0], [1], [2.0]))
    assert lonely.alternatives(1, 0) == [] and len(lonely.alternatives(0, 1)) == 1
    for bad in ({"k": 0}, {"k": 101}, {"stretch": -1}, {"sharing": math.nan}):
        with pytest.raises(lodestar.Error):
            lonely.alternatives(0, 1, **bad)


class Square:
    """What shapely's polygons look like to others."""

    def __init__(self, low, high):
        (a, b), (c, d) = low, high
        self.__geo_interface__ = {"type": "Polygon",
                                  "coordinates": (((a, b), (c, b), (c, d), (a, d), (a, b)),)}


def test_areas_in_every_form_mean_the_same():
    xy = [[0, 0], [5, 0], [10, 0], [5, 5]]
    g = lodestar.from_edges([0, 1, 0, 3], [1, 2, 3, 2], [5.0, 5.0, 8.0, 8.0], xy=xy)
    r = lodestar.Router(g)
    assert r.path(0, 2).cost == 10
    square = Square((4, -1), (6, 1))
    ring = [[4, -1], [6, -1], [6, 1], [4, 1]]
    feature = {"type": "Feature", "geometry": square.__geo_interface__, "properties": {}}
    for area in (square, ring, np.array(ring), square.__geo_interface__, feature,
                 {"type": "Feature", "geometry": square, "properties": None},
                 {"type": "FeatureCollection", "features": [feature]}, (5, 0, 1), "5,0,1",
                 {"circle": (5, 0, 1)}):
        assert r.path(0, 2, preferences=Preferences(avoid=[area])).cost == 16
        dearer = Preferences(avoid=[(area, 1.25)])
        assert r.path(0, 2, preferences=dearer).cost == 12.5
        assert r.path(0, 2, preferences=Preferences(avoid=[(area, math.inf)])).cost == 16
    both = Preferences(avoid=[square, (5, 5, 1)])
    assert not r.path(0, 2, preferences=both).reached
    first = int(np.flatnonzero(g.csr()[1] == 1)[0])
    assert r.path(0, 2, preferences=Preferences(avoid=[{"arc": first, "extra": 4}])).cost == 14
    assert r.path(0, 2, preferences=Preferences(avoid=[{"arc": first}])).cost == 16


def test_departures(tmp_path):
    city = lodestar.generate("city", 400, seed=4)  # its weights are times
    times = tmp_path / "times.csv"
    times.write_text("class,from,to,factor\n*,08:00,09:00,3\n")
    r = lodestar.Router(city, travel_times=times)
    quiet = r.path(0, 300, preferences=Preferences(depart="03:00"))
    busy = r.path(0, 300, preferences=Preferences(depart="08:10"))
    assert quiet.cost == pytest.approx(r.path(0, 300).cost, rel=1e-6)
    assert 2 * quiet.cost < busy.cost <= 3 * quiet.cost * (1 + 1e-6)
    assert busy.totals["time"] == pytest.approx(3 * quiet.totals["time"], rel=1e-3)
    for same in (datetime.time(8, 10), datetime.datetime(2026, 1, 5, 8, 10), 8 * 3600 + 600):
        assert r.path(0, 300, preferences=Preferences(depart=same)).cost == busy.cost
    again = pickle.loads(pickle.dumps(r))
    assert again.path(0, 300, preferences=Preferences(depart="08:10")).cost == busy.cost
    with pytest.raises(lodestar.Error, match="travel times"):
        lodestar.Router(city).path(0, 1, preferences=Preferences(depart="08:10"))
    for content, words in [("nonsense", "times.csv:1"), ("class,from,to,factor\nx,1,2,3", "times.csv:2"),
                           ("class,from,to,factor\ndragons,01:00,02:00,3", "dragons")]:
        times.write_text(content)
        with pytest.raises(lodestar.Error, match=words):
            lodestar.Router(city, travel_times=times)
    with pytest.raises(lodestar.Error, match="none.csv"):
        lodestar.Router(city, travel_times=tmp_path / "none.csv")


def test_families_are_saved_loaded_and_pickled(tmp_path):
    g = lodestar.generate("road", 2000, seed=3)
    names = list(g.metrics)
    assert len(names) >= 2
    potentials = lodestar.fit(g, metrics=names[1:2], rounds=2, per_node=8, bits=16)
    assert len(potentials.knots) >= 2 and potentials.knots[0] == {names[0]: 1.0}
    potentials.save(tmp_path / "road.lsp")
    wish = Preferences(blend={names[0]: 1, names[1]: 0.1})
    expected = lodestar.Router(g).path(0, 1500, preferences=wish)
    assert expected.potentials is False
    for given in (potentials, lodestar.Potentials.load(tmp_path / "road.lsp"),
                  pickle.loads(pickle.dumps(potentials)), str(tmp_path / "road.lsp")):
        for r in (lodestar.Router(g, given), lodestar.Router(g, potentials=given),
                  lodestar.Router(g, lodestar.index(g, rounds=1), potentials=given)):
            path = r.path(0, 1500, preferences=wish)
            assert path.cost == expected.cost and path.potentials is True
            assert r.path(0, 1500).cost == lodestar.Router(g).path(0, 1500).cost
    assert lodestar.fit(g, rounds=1, per_node=4).knots == []


def test_paths_with_preferences_survive_pickling():
    g, *_ = random_graph(5)
    path = lodestar.Router(g).path(0, 9, preferences=Preferences(blend={"length": 2}))
    copy = pickle.loads(pickle.dumps(path))
    assert copy.totals == path.totals and copy.potentials is False and copy.cost == path.cost
    assert copy.distance == path.distance


def test_preferences_are_values():
    wish = Preferences(blend={"time": 1}, avoid=["toll", (9.5, 47.1, 500)], vehicle={"height": 3.8},
                       depart="08:30")
    assert json.loads(wish.json) == {"blend": {"time": 1}, "vehicle": {"height": 3.8},
                                     "avoid": ["toll", {"circle": [9.5, 47.1, 500]}],
                                     "depart": "08:30"}
    assert pickle.loads(pickle.dumps(wish)) == wish == Preferences.from_json(wish.json)
    assert hash(wish) == hash(Preferences.from_json(wish.json)) and wish != Preferences()
    assert Preferences().json == "{}" and "toll" in repr(wish)
    assert wish != "toll"


@pytest.mark.parametrize("arguments", [
    {"avoid": "toll"}, {"avoid": [5]}, {"avoid": [None]}, {"avoid": [(1, 2)]},
    {"avoid": [[1, 2, 3, 4]]}, {"avoid": [("toll", "much")]}, {"avoid": [("toll", 0.5)]},
    {"avoid": [("toll", math.nan)]}, {"avoid": [(math.nan, 0, 1)]}, {"avoid": ["toll=x"]},
    {"avoid": [{"type": "Point", "coordinates": [1, 2]}]}, {"avoid": [{"what": 1}]},
    {"blend": {"time": math.inf}}, {"blend": {"time": "much"}}, {"blend": 5}, {"blend": ["time"]},
    {"vehicle": {"length": 3}}, {"vehicle": "truck"}, {"depart": "8.30"}, {"depart": [8]},
    {"blend": {"time": object()}},
])
def test_malformed_preferences_are_errors(arguments):
    with pytest.raises(lodestar.Error):
        Preferences(**arguments)


@pytest.mark.parametrize("arguments, words", [
    ({"blend": {"speed": 1}}, "no metric 'speed'; it has time, length"),
    ({"blend": {"time": -1}}, "at least 0"),
    ({"blend": {"time": 0}}, "above 0"),
    ({"avoid": ["dragons"]}, "no class 'dragons'"),
    ({"avoid": ["way/5"]}, "OpenStreetMap ways"),
    ({"avoid": [{"arc": 10 ** 6}]}, "out of range"),
    ({"avoid": [[[0, 0], [4, 4], [4, 0], [0, 4]]]}, "crosses"),
    ({"avoid": [[[0, 0], [1, 1]]]}, "corners"),
    ({"avoid": [(0, 0, -1)]}, "radius"),
    ({"vehicle": {"height": -1}}, "negative"),
    ({"depart": "08:00"}, "travel times"),
])
def test_preferences_that_do_not_fit_the_graph_are_errors(arguments, words):
    g, *_ = random_graph(1)
    r = lodestar.Router(g)
    wish = Preferences(**arguments)
    for ask in (lambda: r.path(0, 1, preferences=wish), lambda: r.alternatives(0, 1, preferences=wish),
                lambda: r.costs([0], [1], preferences=wish), lambda: r.trace(0, 1, preferences=wish)):
        with pytest.raises(lodestar.Error, match=words):
            ask()


def test_wrong_arguments():
    g, *_ = random_graph(1)
    r = lodestar.Router(g)
    with pytest.raises(lodestar.Error, match="lodestar.Preferences"):
        r.path(0, 1, preferences={"avoid": ["toll"]})
    with pytest.raises(lodestar.Error, match="bound"):
        r.path(0, 1, preferences=Preferences(), bound=0.1)
    with pytest.raises(lodestar.Error, match="length"):
        lodestar.fit(g, metrics=["time", "speed"])
    with pytest.raises(lodestar.Error, match="knots"):
        lodestar.fit(g, knots=3, rounds=1)
    with pytest.raises(lodestar.Error, match="no metrics"):
        lodestar.fit(lodestar.from_edges([0], [1], [2.0]), metrics=["length"], rounds=1)
    with pytest.raises(lodestar.Error, match="bits"):
        lodestar.fit(g, bits=8, rounds=1)
    with pytest.raises(TypeError):
        Preferences("toll")


def test_traces_and_places():
    xy = [[0, 0], [8, 0], [8, 8]]
    g = lodestar.from_edges([0, 1, 1, 2], [1, 0, 2, 1], [4.0, 4.0, 4.0, 4.0], xy=xy,
                            metrics={"length": [8.0, 8.0, 8.0, 8.0]}, weight_name="time")
    r = lodestar.Router(g)
    wish = Preferences(blend={"time": 1, "length": 1})
    path = r.path(r.nearest((2, 1)), r.nearest((8, 6)), preferences=wish)
    assert path.cost == pytest.approx(6 / 8 * 12 + 6 / 8 * 12)
    assert path.totals == {"time": pytest.approx(6.0), "length": pytest.approx(12.0)}
    assert r.trace(0, 2, preferences=wish)["node"].size > 0
    assert len(r.alternatives(r.nearest((2, 1)), r.nearest((8, 6)))) == 1
    closed = Preferences(avoid=[(8, 4, 1)])
    assert not r.path(r.nearest((2, 1)), r.nearest((8, 6)), preferences=closed).reached
