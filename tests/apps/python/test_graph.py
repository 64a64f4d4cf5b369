"""Making graphs, looking at them, and every way of getting it wrong."""

import pickle

import numpy as np
import pytest
from conftest import random_edges

import lodestar


def test_counts_and_views():
    g = lodestar.from_edges([0, 0, 2], [1, 2, 1], [1.5, 2.0, 0.25])
    assert (g.nodes, g.arcs, g.directed, g.xy, g.labels) == (3, 3, True, None, None)
    first, heads, weights = g.csr()
    assert first.tolist() == [0, 2, 2, 3]
    assert heads.tolist() == [1, 2, 1]
    assert weights.tolist() == [1.5, 2.0, 0.25]
    assert "3 nodes, 3 arcs, directed" in repr(g)


def test_views_are_read_only_share_memory_and_outlive_the_graph():
    g = lodestar.from_edges([0, 1], [1, 0], [1.0, 2.0], xy=[[0, 0], [3, 4]])
    first, heads, weights = g.csr()
    again = g.csr()[2]
    assert np.shares_memory(weights, again)
    xy = g.xy
    for view in (first, heads, weights, xy):
        with pytest.raises(ValueError):
            view[0] = 0
    del g
    assert weights.tolist() == [1.0, 2.0] and xy.tolist() == [[0, 0], [3, 4]]


def test_undirected_edges_count_twice_and_loops_once():
    g = lodestar.from_edges([0, 1], [1, 1], [1.0, 2.0], directed=False)
    assert g.arcs == 3 and not g.directed


def test_empty_graphs():
    assert lodestar.from_edges([], [], []).nodes == 0
    g = lodestar.from_edges([], [], [], nodes=4)
    assert (g.nodes, g.arcs) == (4, 0)
    assert [part.tolist() for part in g.csr()] == [[0, 0, 0, 0, 0], [], []]


def test_weights_are_exact():
    w = np.array([0.1, 1 / 3, 2.0**53, 5e-9, 0.0])
    g = lodestar.from_edges(np.arange(5), np.arange(1, 6), w)
    assert g.csr()[2].tolist() == w.tolist()


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.uint8, np.uint64, np.int64])
def test_any_whole_numbers_are_nodes(dtype):
    assert lodestar.from_edges(np.array([0, 1], dtype), np.array([1, 2], dtype), [1, 1]).nodes == 3


def test_strided_and_reversed_arrays():
    u = np.arange(20)[::2]
    v = np.arange(1, 21)[::2]
    w = np.linspace(1, 2, 10)[::-1]
    g = lodestar.from_edges(u, v, w)
    assert g.csr()[2].tolist() == w.tolist()


@pytest.mark.parametrize(
    "arguments, words",
    [
        (([0], [1, 2], [1.0]), "one length"),
        (([0], [1], []), "one length"),
        (([-1], [1], [1.0]), "is no node"),
        (([2**32], [1], [1.0]), "is no node"),
        ((np.array([2**63], np.uint64), [1], [1.0]), "is no node"),
        (([0.0], [1], [1.0]), "whole numbers"),
        (([True], [1], [1.0]), "whole numbers"),
        ((["a"], [1], [1.0]), "whole numbers"),
        (([[0]], [[1]], [[1.0]]), "one dimension"),
        (([0], [1], [np.nan]), "weights[0]"),
        (([0], [1], [-np.inf]), "weights[0]"),
        (([0], [1], [-1.0]), "weights[0]"),
        (([0], [1], ["x"]), "real numbers"),
        (([0], [1], [1j]), "real numbers"),
        (([0], [1], [2**60]), "2^53"),
        ((None, [1], [1.0]), "tails"),
        (({}, [1], [1.0]), "tails"),
    ],
)
def test_bad_arrays_are_errors(arguments, words):
    with pytest.raises(lodestar.Error, match=words.replace("[", r"\[").replace("^", r"\^")):
        lodestar.from_edges(*arguments)


def test_bad_coordinates_and_counts_are_errors():
    with pytest.raises(lodestar.Error, match="shape"):
        lodestar.from_edges([0], [1], [1.0], xy=[[0, 0]], nodes=2)
    with pytest.raises(lodestar.Error, match="shape"):
        lodestar.from_edges([0], [1], [1.0], xy=[[0, 0, 0], [1, 1, 1]])
    with pytest.raises(lodestar.Error, match="not finite"):
        lodestar.from_edges([0], [1], [1.0], xy=[[0, 0], [np.nan, 1]])
    with pytest.raises(lodestar.Error, match="coordinates"):
        lodestar.from_edges([0], [1], [1.0], xy=[[0, 0], [1, 1]], coordinates="polar")
    with pytest.raises(lodestar.Error, match="nodes"):
        lodestar.from_edges([0], [5], [1.0], nodes=3)


def test_an_error_is_a_value_error():
    assert issubclass(lodestar.Error, ValueError)


def test_save_and_read(tmp_path):
    n, u, v, w = random_edges(1, nodes=30, decimals=3)
    g = lodestar.from_edges(u, v, w, nodes=n, xy=np.random.default_rng(1).random((n, 2)))
    for name in ("g.lsg", "g.lsg.gz", "g.csv"):
        path = tmp_path / name
        with np.testing.suppress_warnings() as quiet:
            quiet.filter(UserWarning)
            g.save(path)
        back = lodestar.read(path)
        assert back.arcs == g.arcs
        if name != "g.csv":
            for one, other in zip(g.csr(), back.csr()):
                assert one.tolist() == other.tolist()
            assert back.xy.tolist() == g.xy.tolist()


def test_names_of_a_file(tmp_path):
    path = tmp_path / "towns.csv"
    path.write_text("from,to,weight\nRome,Pisa,3\nPisa,Bari,4\n")
    g = lodestar.read(path)
    rome, bari = g.find("Rome"), g.find("Bari")
    assert g.name(rome) == "Rome"
    assert lodestar.Router(g).path(rome, bari).cost == 7
    with pytest.raises(lodestar.Error, match="Oslo"):
        g.find("Oslo")


def test_reading_what_is_not_there(tmp_path):
    with pytest.raises(lodestar.Error, match="nowhere.gr"):
        lodestar.read(tmp_path / "nowhere.gr")
    bad = tmp_path / "bad.gr"
    bad.write_text("p sp 2 1\na 1 9 3\n")
    with pytest.raises(lodestar.Error, match="bad.gr:2"):
        lodestar.read(bad)


def test_other_weights():
    g = lodestar.from_edges([0, 0, 1], [1, 2, 2], [1.0, 5.0, 1.0])
    h = g.with_weights([9.0, 5.0, 9.0])
    assert lodestar.Router(g).path(0, 2).cost == 2
    assert lodestar.Router(h).path(0, 2).cost == 5
    for wrong in ([1.0], [1.0, np.nan, 1.0], [1.0, -1.0, 1.0]):
        with pytest.raises(lodestar.Error):
            g.with_weights(wrong)


def test_pickle_by_file_and_by_content(tmp_path):
    n, u, v, w = random_edges(2, nodes=25)
    g = lodestar.from_edges(u, v, w, nodes=n)
    by_content = pickle.loads(pickle.dumps(g))
    assert [a.tolist() for a in by_content.csr()] == [a.tolist() for a in g.csr()]
    g.save(tmp_path / "g.lsg")
    bytes_ = pickle.dumps(g)
    assert len(bytes_) < 500 and b"g.lsg" in bytes_
    by_file = pickle.loads(bytes_)
    assert by_file.file == g.file and by_file.arcs == g.arcs


@pytest.mark.parametrize("ids", [[0, 2**31], [10**9, 4_000_000_000], [240_000_000, 1]])
def test_sparse_ids_are_refused_with_what_to_do(ids):
    """Memory went by the largest id: two arcs could take all there is."""
    with pytest.raises(lodestar.Error, match=r"numpy\.unique"):
        lodestar.from_edges([ids[0]], [ids[1]], [1.0])


def test_the_remedy_for_sparse_ids_works():
    tails, heads = np.array([4_000_000_000, 7]), np.array([7, 10**9])
    ids, ends = np.unique([tails, heads], return_inverse=True)
    tails, heads = ends.reshape(2, -1)
    path = lodestar.Router(lodestar.from_edges(tails, heads, [1.0, 2.0])).path(2, 1)
    assert ids[path.nodes].tolist() == [4_000_000_000, 7, 10**9]


@pytest.mark.parametrize("nodes", [2**31, 2**32, 2**40, 2.5, -1, "3", None.__class__, True, 10**30])
def test_bad_numbers_of_nodes_are_errors(nodes):
    with pytest.raises(lodestar.Error, match="nodes"):
        lodestar.from_edges([0], [1], [1.0], nodes=nodes)


def test_whole_numbers_are_checked_by_name(road):
    r = lodestar.Router(road)
    for bad in (-1, 2.5, "two", 10**30, True, None):
        for name, call in {
            "threads": lambda: r.costs([0], [1], threads=bad),
            "threads must": lambda: r.paths([0], [1], threads=bad),
            "threads must be": lambda: r.matrix([0], [1], threads=bad),
            "per_node": lambda: lodestar.landmarks(road, per_node=bad),
            "seed": lambda: lodestar.generate("road", 50, seed=bad),
            "nodes": lambda: lodestar.generate("road", bad),
            "rounds": lambda: lodestar.index(road, rounds=bad),
        }.items():
            with pytest.raises(lodestar.Error, match=name):
                call()
    with pytest.raises(lodestar.Error, match="max_expansions"):
        lodestar.Router(road, max_expansions=-1)
    with pytest.raises(lodestar.Error, match="core"):
        lodestar.index(road, core=-1)
    assert r.costs([0], [1], threads=np.int64(2)).shape == (1,)


def test_masked_elements_are_errors():
    masked = np.ma.array([1, 2], mask=[False, True])
    for arrays in ((masked, [0, 1], [1.0, 1.0]), ([0, 1], masked, [1.0, 1.0]),
                   ([0, 1], [1, 0], masked)):
        with pytest.raises(lodestar.Error, match="masked"):
            lodestar.from_edges(*arrays)
    with pytest.raises(lodestar.Error, match="masked"):
        lodestar.from_edges([0], [1], [1.0], xy=np.ma.array([[0, 0], [1, 1]], mask=[[1, 0], [0, 0]]))
    assert lodestar.from_edges([0], [1], np.ma.array([1.0], mask=[False])).arcs == 1


def test_an_object_made_by_new_alone_is_an_error_and_no_crash(road):
    for kind in (lodestar.Graph, lodestar.Index, lodestar.Model, lodestar.Path, lodestar.Place,
                 lodestar.Router, lodestar.Potentials):
        empty = kind.__new__(kind)
        for name in dir(kind):
            part = getattr(kind, name)
            if isinstance(part, property):
                with pytest.raises(TypeError, match="__new__"):
                    getattr(empty, name)
        for use in (repr, lambda thing: thing.__reduce__()):
            if kind is not lodestar.Model or use is repr:
                with pytest.raises(TypeError, match="__new__"):
                    use(empty)
    r = lodestar.Router(road)
    for call in (lambda: lodestar.Router(lodestar.Graph.__new__(lodestar.Graph)),
                 lambda: lodestar.Router(road, lodestar.Index.__new__(lodestar.Index)),
                 lambda: lodestar.Router(road, lodestar.Potentials.__new__(lodestar.Potentials)),
                 lambda: lodestar.index(lodestar.Graph.__new__(lodestar.Graph)),
                 lambda: r.path(lodestar.Place.__new__(lodestar.Place),
                                lodestar.Place.__new__(lodestar.Place)),
                 lambda: lodestar.Model("deep").potentials(
                     lodestar.Graph.__new__(lodestar.Graph), 0, 1)):
        with pytest.raises(TypeError, match="__new__"):
            call()
