"""networkx, igraph and scipy: in, out, and what must not happen on the way."""

import numpy as np
import pytest
from conftest import random_edges

import lodestar

nx = pytest.importorskip("networkx")


@pytest.mark.parametrize("kind", ["Graph", "DiGraph", "MultiGraph", "MultiDiGraph"])
@pytest.mark.parametrize("seed", range(25))
def test_networkx_agrees(kind, seed):
    n, u, v, w = random_edges(seed, nodes=20)
    G = getattr(nx, kind)()
    labels = [("x", i) if i % 2 else f"node {i}" for i in range(n)]
    G.add_nodes_from(labels)
    for a, b, cost in zip(u, v, w):
        G.add_edge(labels[a], labels[b], length=float(cost))
    r = lodestar.Router(lodestar.from_networkx(G, weight="length"))
    truth = nx.single_source_dijkstra_path_length(G, labels[0], weight="length")
    for label in labels:
        p = r.path(labels[0], label)
        assert p.cost == pytest.approx(truth.get(label, np.inf))
        if p.reached:
            assert p.nodes[0] == labels[0] and p.nodes[-1] == label
            assert nx.path_weight(G, p.nodes, "length") >= p.cost - 1e-12


def test_missing_and_bad_weights_name_the_edge():
    G = nx.Graph()
    G.add_edge("a", "b")
    with pytest.raises(lodestar.Error, match="'a' → 'b' has no attribute 'weight'"):
        lodestar.from_networkx(G)
    for bad in ("heavy", float("nan"), -1, None, [1], True):
        G["a"]["b"]["weight"] = bad
        with pytest.raises(lodestar.Error, match="'a' → 'b'"):
            lodestar.from_networkx(G)
    assert lodestar.Router(lodestar.from_networkx(G, weight=None)).path("a", "b").cost == 1
    G["a"]["b"]["weight"] = np.float32(0.5)
    assert lodestar.Router(lodestar.from_networkx(G)).path("a", "b").cost == 0.5


def test_weights_by_function_can_hide_edges():
    G = nx.DiGraph()
    G.add_edge(1, 2, time=3)
    G.add_edge(2, 3, time=4, closed=True)
    g = lodestar.from_networkx(G, weight=lambda u, v, d: None if d.get("closed") else d["time"])
    r = lodestar.Router(g)
    assert r.path(1, 2).cost == 3 and not r.path(1, 3).reached


def test_a_graph_as_osmnx_makes_them():
    G = nx.MultiDiGraph(crs="epsg:4326")
    G.add_node(5001, x=9.52, y=47.14)
    G.add_node(77, x=9.53, y=47.15)
    G.add_edge(5001, 77, key=0, length=1400.5, osmid=[1, 2])
    G.add_edge(5001, 77, key=1, length=1350.25)
    g = lodestar.from_networkx(G, weight="length")
    assert g.coordinates == "degrees" and g.arcs == 2
    assert g.notes == ["1 parallel edges; a search takes the cheapest"]
    p = lodestar.Router(g).path(5001, 77)
    assert p.cost == 1350.25 and p.nodes == [5001, 77]
    assert p.geojson()["geometry"]["coordinates"][0] == [9.52, 47.14]
    assert lodestar.Router(g).costs(np.array([5001]), [77]).tolist() == [1350.25]


def test_unknown_labels_are_errors():
    g = lodestar.from_networkx(nx.path_graph(3), weight=None)
    r = lodestar.Router(g)
    with pytest.raises(lodestar.Error, match="'zz'"):
        r.path(0, "zz")
    with pytest.raises(TypeError):
        r.path(0, [])


def test_a_function_weighs_both_directions_of_an_edge():
    """0 - 1 - 2, uphill dearer than downhill: asked once per edge, one of them was wrong."""
    for kind in (nx.Graph, nx.MultiGraph):
        G = kind([(0, 1), (1, 2)])
        r = lodestar.Router(lodestar.from_networkx(G, weight=lambda u, v, d: 10 if v > u else 1))
        assert r.path(0, 2).cost == 20 and r.path(2, 0).cost == 2
        G.add_edge(2, 2)
        one_way = lodestar.from_networkx(G, weight=lambda u, v, d: 5 if v >= u else None)
        assert one_way.arcs == 3 and not lodestar.Router(one_way).path(2, 0).reached
    G = nx.MultiGraph([(0, 1), (0, 1)])
    g = lodestar.from_networkx(G, weight=lambda u, v, d: 1)
    assert not g.directed and g.notes == ["1 parallel edges; a search takes the cheapest"]


@pytest.mark.parametrize("seed", range(30))
def test_astar_path_is_a_drop_in(seed):
    n, u, v, w = random_edges(seed, nodes=25)
    G = nx.DiGraph()
    G.add_nodes_from(range(n))
    G.add_weighted_edges_from(zip(u.tolist(), v.tolist(), w.tolist()))
    for s, t in ((0, 5), (3, 3), (7, 1)):
        try:
            truth = nx.astar_path_length(G, s, t)
        except nx.NetworkXNoPath:
            with pytest.raises(nx.NetworkXNoPath):
                lodestar.astar_path(G, s, t)
            continue
        assert nx.path_weight(G, lodestar.astar_path(G, s, t), "weight") == pytest.approx(truth)
        with_h = lodestar.astar_path(G, s, t, heuristic=lambda a, b: 0)
        assert nx.path_weight(G, with_h, "weight") == pytest.approx(truth)
    with pytest.raises(nx.NodeNotFound):
        lodestar.astar_path(G, 0, "nowhere")


def test_astar_path_on_a_converted_graph_and_without_weights():
    G = nx.path_graph(5)
    assert lodestar.astar_path(G, 0, 4) == [0, 1, 2, 3, 4]
    assert lodestar.astar_path(lodestar.from_networkx(G, weight=None), 4, 0) == [4, 3, 2, 1, 0]


@pytest.mark.parametrize("seed", range(20))
def test_to_networkx_and_back(seed):
    n, u, v, w = random_edges(seed)
    g = lodestar.from_edges(u, v, w, nodes=n, directed=bool(seed % 2))
    G = g.to_networkx()
    assert G.number_of_nodes() == n
    back = lodestar.Router(lodestar.from_networkx(G))
    mine = lodestar.Router(g)
    for t in range(n):
        assert back.path(0, t).cost == mine.path(0, t).cost


def test_igraph():
    igraph = pytest.importorskip("igraph")
    n, u, v, w = random_edges(3, nodes=30)
    G = igraph.Graph(n=n, edges=list(zip(u.tolist(), v.tolist())), directed=True)
    G.es["cost"] = w.tolist()
    r = lodestar.Router(lodestar.from_igraph(G, weight="cost"))
    truth = G.distances(source=0, weights="cost")[0]
    assert np.allclose(r.distances(0), truth)
    with pytest.raises(lodestar.Error, match="'weight'"):
        lodestar.from_igraph(G)
    G.vs["name"] = [f"v{i}" for i in range(n)]
    named = lodestar.Router(lodestar.from_igraph(G, weight="cost"))
    assert named.path("v0", "v1").cost == truth[1]


def test_scipy_keeps_parallel_arcs_apart():
    sparse = pytest.importorskip("scipy.sparse")
    # The same entry twice: 5 and 3 are two arcs, not one of 8.
    doubled = sparse.coo_matrix(([5.0, 3.0], ([0, 0], [1, 1])), shape=(2, 2))
    g = lodestar.from_csr(doubled)
    assert g.arcs == 2 and lodestar.Router(g).path(0, 1).cost == 3
    assert g.to_scipy()[0, 1] == 3
    csr = sparse.csr_matrix((np.array([5.0, 3.0]), np.array([1, 1]), np.array([0, 2, 2])))
    assert lodestar.from_csr(csr).arcs == 2
    for form in ("csc", "lil", "dok"):
        matrix = sparse.random(12, 12, 0.3, random_state=1).asformat(form)
        assert lodestar.from_csr(matrix).arcs == matrix.nnz


@pytest.mark.parametrize(
    "matrix, words",
    [
        (np.eye(3), "scipy.sparse"),
        ((1, 2), "offsets"),
        ((np.array([0, 2]), np.array([0]), np.array([1.0])), "ascend"),
        ((np.array([1, 1]), np.array([0]), np.array([1.0])), "ascend"),
        ((np.array([0, 2, 1]), np.array([0]), np.array([1.0])), "ascend"),
        ((np.array([0.0, 1.0]), np.array([0]), np.array([1.0])), "whole numbers"),
        ((np.array([]), np.array([]), np.array([])), "offsets"),
        ((np.array([0, 1]), np.array([7]), np.array([1.0])), "node"),
        ((np.array([0, 1]), np.array([0]), np.array([1.0, 2.0])), "one length"),
        ((np.array([0, 1]), np.array([0]), np.ma.array([1.0], mask=[True])), "masked"),
        ((np.ma.array([0, 1], mask=[0, 1]), np.array([0]), np.array([1.0])), "masked"),
    ],
)
def test_bad_rows_are_errors(matrix, words):
    with pytest.raises(lodestar.Error, match=words):
        lodestar.from_csr(matrix)


def test_a_matrix_that_is_not_square():
    sparse = pytest.importorskip("scipy.sparse")
    with pytest.raises(lodestar.Error, match="square"):
        lodestar.from_csr(sparse.csr_matrix((2, 3)))
