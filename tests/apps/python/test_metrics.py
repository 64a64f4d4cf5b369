"""Further weights, classes: in, out, kept by files, pickles and new weights."""

import pickle

import numpy as np
import pytest

import lodestar


def sample(**options):
    # a→b 5 and 3 (parallel), b→c 2, c→c 1
    return lodestar.from_edges([1, 0, 0, 2], [2, 1, 1, 2], [2.0, 5.0, 3.0, 1.0],
                               weight_name="time", metrics={"length": [20, 50, 30, 10],
                                                            "toll": [0.1, 0, 0, 0]},
                               classes=["motorway toll", None, ["ferry"], ""], **options)


def as_lists(arrays):
    return {name: values.tolist() for name, values in arrays.items()}


def test_metrics_and_classes_follow_the_arcs():
    g = sample()
    assert g.csr()[2].tolist() == [3, 5, 2, 1]
    assert as_lists(g.metrics) == {"time": [3, 5, 2, 1], "length": [30, 50, 20, 10],
                                   "toll": [0, 0, 0.1, 0]}
    assert as_lists(g.classes) == {"motorway": [False, False, True, False],
                                   "toll": [False, False, True, False],
                                   "ferry": [True, False, False, False]}
    assert g.metrics["length"].dtype == np.float32 and g.metrics["toll"].dtype == np.float64
    with pytest.raises(ValueError):
        g.metrics["length"][0] = 1


def test_undirected_edges_have_them_in_both_directions():
    g = sample(directed=False)
    first, heads, weights = g.csr()
    assert g.arcs == 7 and not g.directed
    assert g.metrics["length"].tolist() == [10 * w for w in weights.tolist()]


def test_graphs_without_metrics():
    g = lodestar.from_edges([0], [1], [1.0])
    assert g.metrics == {} and g.classes == {}


@pytest.mark.parametrize("name", ["g.lsg", "g.graphml"])
def test_files_keep_them(tmp_path, name):
    g = sample()
    g.save(tmp_path / name)
    back = lodestar.read(tmp_path / name)
    assert as_lists(back.metrics) == as_lists(g.metrics)
    assert as_lists(back.classes) == {name: as_lists(g.classes)[name] for name in back.classes}
    one = lodestar.read(tmp_path / name, metrics=["toll"])
    assert list(one.metrics) == ["time", "toll"]
    assert list(pickle.loads(pickle.dumps(one)).metrics) == ["time", "toll"]


def test_csv_by_name(tmp_path):
    (tmp_path / "g.csv").write_text("from,to,time,km,class\na,b,3,30,toll\nb,a,4,40,\n")
    g = lodestar.read(tmp_path / "g.csv", weight="time", metrics=["km"])
    assert as_lists(g.metrics) == {"time": [3, 4], "km": [30, 40]}
    assert as_lists(g.classes) == {"toll": [True, False]}
    with pytest.raises(lodestar.Error, match="there is no column 'x'"):
        lodestar.read(tmp_path / "g.csv", weight="time", metrics=["x"])


def test_pickles_keep_them(tmp_path):
    g = sample()
    for made in (g, lodestar.from_edges([], [], [], nodes=2, metrics={"length": []})):
        back = pickle.loads(pickle.dumps(made))
        assert as_lists(back.metrics) == as_lists(made.metrics)
        assert as_lists(back.classes) == as_lists(made.classes)
    g.save(tmp_path / "g.lsg")
    packed = pickle.dumps(g)  # the path of the file
    assert as_lists(pickle.loads(packed).metrics) == as_lists(g.metrics)
    other = lodestar.from_edges([1, 0, 0, 2], [2, 1, 1, 2], [2.0, 5.0, 3.0, 1.0])
    other.save(tmp_path / "g.lsg")
    with pytest.raises(lodestar.Error, match="replaced"):
        pickle.loads(packed)


def test_new_weights_keep_the_others():
    g = sample()
    changed = g.with_weights([9, 5, 2, 1])  # the parallel arcs change places
    assert as_lists(changed.metrics) == {"time": [5, 9, 2, 1], "length": [50, 30, 20, 10],
                                         "toll": [0, 0, 0.1, 0]}
    assert changed.classes["ferry"].tolist() == [False, True, False, False]


@pytest.mark.parametrize("options, message", [
    ({"metrics": [1]}, "must be a dict"),
    ({"metrics": {1: [1.0]}}, "must be texts"),
    ({"metrics": {"length": [1.0, 2.0]}}, r"metrics\['length'\] has 2 entries for 1 arcs"),
    ({"metrics": {"length": [-1.0]}}, "finite and not negative"),
    ({"metrics": {"length": [float("nan")]}}, "finite and not negative"),
    ({"metrics": {"length": ["x"]}}, "length"),
    ({"metrics": {"weight": [1.0]}}, "two metrics named 'weight'"),
    ({"metrics": {"": [1.0]}}, "no name"),
    ({"classes": "motorway"}, "one entry for each arc"),
    ({"classes": ["a", "b"]}, "classes has 2 entries for 1 arcs"),
    ({"classes": [[1]]}, "must be texts"),
    ({"classes": [["a b"]]}, "is no class"),
    ({"classes": [[str(i) for i in range(65)]]}, "at most 64 classes"),
    ({"classes": [5]}, ""),
])
def test_bad_input_is_an_error(options, message):
    with pytest.raises((lodestar.Error, TypeError), match=message):
        lodestar.from_edges([0], [1], [1.0], **options)


def test_csr_matrices():
    scipy = pytest.importorskip("scipy.sparse")
    matrix = scipy.csr_matrix(([2.0, 4.0], ([0, 1], [1, 0])), shape=(2, 2))
    g = lodestar.from_csr(matrix, metrics={"length": [20, 40]}, classes=["a", "b"],
                          weight_name="time")
    assert as_lists(g.metrics) == {"time": [2, 4], "length": [20, 40]}
    with pytest.raises(lodestar.Error, match="CSR"):
        lodestar.from_csr(matrix.tocoo(), metrics={"length": [20, 40]})


def test_networkx():
    nx = pytest.importorskip("networkx")
    G = nx.MultiGraph()
    G.add_edge("a", "b", time=3, length=30, kind="toll bridge")
    G.add_edge("a", "b", time=2, length=40)
    g = lodestar.from_networkx(G, weight="time", metrics=["length"], classes="kind")
    assert as_lists(g.metrics) == {"time": [2, 3, 2, 3], "length": [40, 30, 40, 30]}
    assert g.classes["bridge"].tolist() == [False, True, False, True]
    weighed = lodestar.from_networkx(G, weight=lambda u, v, edges: 1.0, metrics=["length"])
    assert list(weighed.metrics) == ["weight", "length"]
    with pytest.raises(lodestar.Error, match="no attribute 'x'"):
        lodestar.from_networkx(G, weight="time", metrics=["x"])
    with pytest.raises(lodestar.Error, match="list of names"):
        lodestar.from_networkx(G, weight="time", metrics="length")


def test_igraph():
    igraph = pytest.importorskip("igraph")
    G = igraph.Graph(edges=[(0, 1), (1, 2)], directed=True,
                     edge_attrs={"time": [1, 2], "length": [10, 20], "kind": ["a", None]})
    g = lodestar.from_igraph(G, weight="time", metrics=["length"], classes="kind")
    assert as_lists(g.metrics) == {"time": [1, 2], "length": [10, 20]}
    assert as_lists(g.classes) == {"a": [True, False]}
    with pytest.raises(lodestar.Error, match="no attribute 'x'"):
        lodestar.from_igraph(G, weight="time", metrics=["x"])
