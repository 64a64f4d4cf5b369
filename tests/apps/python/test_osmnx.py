"""Street graphs to and from OSMnx."""

import pytest

import lodestar
from conftest import reads_openstreetmap

TOWN = """<osm version="0.6">
<node id="11" lon="9.500" lat="47.100"/><node id="12" lon="9.505" lat="47.101"/>
<node id="13" lon="9.510" lat="47.100"/><node id="14" lon="9.505" lat="47.102"/>
<way id="7"><nd ref="11"/><nd ref="12"/><nd ref="13"/>
<tag k="highway" v="residential"/><tag k="name" v="Main Street"/></way>
<way id="8"><nd ref="11"/><nd ref="14"/><nd ref="13"/>
<tag k="highway" v="residential"/><tag k="name" v="Upper Street"/></way></osm>"""


def test_roads_become_a_graph_as_osmnx_has_it(tmp_path):
    pytest.importorskip("networkx")
    if not reads_openstreetmap():
        pytest.skip("built without OpenStreetMap")
    file = tmp_path / "town.osm"
    file.write_text(TOWN)
    g = lodestar.read(file, profile="car", weight="length")
    G = g.to_networkx()
    assert G.is_multigraph() and G.is_directed() and G.graph["crs"] == "epsg:4326"
    assert set(G) == {11, 13} and G.number_of_edges() == 4  # two parallel streets, both ways
    assert [g.name(v) for v in range(2)] == ["11", "13"] and g.find("13") == 1
    assert {d["osmid"] for *_, d in G.edges(data=True)} == {7, 8}
    for unknown in ("12", "1", "x", "", "11 "):  # 12 is on a road, but no junction
        with pytest.raises(lodestar.Error):
            g.find(unknown)
    assert {d["name"] for *_, d in G.edges(data=True)} == {"Main Street", "Upper Street"}
    line = next(d["geometry"] for *_, d in G.edges(data=True) if d["name"] == "Upper Street")
    assert [9.505, 47.102] in [list(point) for point in getattr(line, "coords", line)]
    back = lodestar.from_networkx(G, weight="length", metrics=["time"])
    assert back.coordinates == "degrees"
    p = lodestar.Router(back).path(11, 13)
    assert p.cost == pytest.approx(lodestar.Router(g).path(0, 1).distance, rel=1e-3)
    assert p.totals["time"] == pytest.approx(lodestar.Router(g).path(0, 1).duration, rel=1e-3)
    (edge,) = p.edges
    assert G.edges[edge]["name"] == "Main Street" and len(edge) == 3
    turns = lodestar.read(file, turns=True, all=True)  # nodes are road arcs: several have one id
    H = turns.to_networkx()
    assert len(H) == turns.nodes > 2 and {11, 13, (11, 1)} <= set(H)
    assert turns.name(turns.find("13")) == "13"


def test_keys_of_parallel_edges():
    nx = pytest.importorskip("networkx")
    for kind in (nx.MultiDiGraph, nx.MultiGraph):
        G = kind()
        G.add_edge("a", "b", key="slow", length=9.0)
        G.add_edge("a", "b", key="fast", length=4.0)
        G.add_edge("b", "c", key="only", length=1.0)
        G.add_edge("c", "c", key="loop", length=1.0)
        g = lodestar.from_networkx(G, weight="length")
        p = lodestar.Router(g).path("a", "c")
        assert p.edges == [("a", "b", "fast"), ("b", "c", "only")]
        assert sum(G.edges[edge]["length"] for edge in p.edges) == p.cost
        import pickle

        assert pickle.loads(pickle.dumps(p)).edges == p.edges
        g = pickle.loads(pickle.dumps(g))
        weights = g.csr()[2].copy()
        weights[weights == 9.0] = 2.0  # the slow one becomes the fastest
        assert lodestar.Router(g.with_weights(weights)).path("a", "c").edges[0][2] == "slow"
    plain = lodestar.Router(lodestar.from_edges([0, 1], [1, 2], [1.0, 1.0])).path(0, 2)
    assert plain.edges == [(0, 1), (1, 2)]


@pytest.mark.parametrize("value, hint", [("12.5", "is a text"), ([1, 2], "is a list")])
def test_weights_of_other_types_get_a_hint(value, hint):
    nx = pytest.importorskip("networkx")
    G = nx.MultiDiGraph()
    G.add_edge(1, 2, length=value)
    with pytest.raises(lodestar.Error, match=hint):
        lodestar.from_networkx(G, weight="length")


def test_osmnx():
    """Its own functions take our routes."""
    try:
        import osmnx as ox
    except Exception as error:  # some versions fail to import beside others of their packages
        pytest.skip(f"no OSMnx: {error!r}"[:80])
    nx = pytest.importorskip("networkx")
    G = nx.MultiDiGraph(crs="epsg:4326")
    for node, x, y in ((1, 9.0, 47.0), (2, 9.001, 47.001), (3, 9.002, 47.0)):
        G.add_node(node, x=x, y=y, street_count=2)
    for u, v, length in ((1, 2, 76.0), (2, 3, 76.0), (1, 3, 200.0)):
        G.add_edge(u, v, length=length, osmid=u, highway="residential", maxspeed="50")
    G = ox.add_edge_travel_times(ox.add_edge_speeds(G))
    r = lodestar.Router(lodestar.from_networkx(G, weight="travel_time", metrics=["length"]))
    p = r.path(1, 3)
    assert p.nodes == ox.shortest_path(G, 1, 3, weight="travel_time")
    assert p.totals["length"] == sum(G.edges[edge]["length"] for edge in p.edges) == 152
    assert r.nearest((9.0011, 47.001)).node == 2
