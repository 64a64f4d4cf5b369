"""Potentials and indexes: training, Ctrl-C, files and pickles."""

import os
import pickle
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import lodestar


def test_fitted_answers_are_exact_and_cheaper(road):
    potentials = lodestar.fit(road, rounds=8)
    assert potentials.count == 16 and potentials.nodes == road.nodes and potentials.expansions > 0
    plain, fitted = lodestar.Router(road), lodestar.Router(road, potentials)
    rng = np.random.default_rng(1)
    s, t = rng.integers(0, road.nodes, (2, 100))
    truth = plain.costs(s, t)
    assert fitted.costs(s, t, threads=2).tolist() == truth.tolist()
    dijkstra = lodestar.Router(road, algorithm="dijkstra")
    assert sum(p.expansions for p in fitted.paths(s, t)) < 0.3 * sum(
        p.expansions for p in dijkstra.paths(s, t))


def test_potentials_are_feasible(road):
    potentials = lodestar.fit(road, seconds=0.2, per_node=4)
    first, heads, weights = road.csr()
    tails = np.repeat(np.arange(road.nodes), np.diff(first))
    for i in range(4):
        y = potentials.column(i)
        assert (y[heads] - y[tails] <= weights).all()
    with pytest.raises(lodestar.Error, match="potential 4"):
        potentials.column(4)


def test_save_load_and_pickle(tmp_path, road):
    potentials = lodestar.landmarks(road, per_node=4)
    potentials.save(tmp_path / "road.lsp")
    again = lodestar.Potentials.load(tmp_path / "road.lsp")
    assert again.column(0).tolist() == potentials.column(0).tolist()
    sent = pickle.dumps(again)
    assert len(sent) < 500 and b"road.lsp" in sent
    assert pickle.loads(sent).count == 4
    in_memory = lodestar.landmarks(road, per_node=2)
    assert pickle.loads(pickle.dumps(in_memory)).column(1).tolist() == in_memory.column(1).tolist()
    r = lodestar.Router(road, tmp_path / "road.lsp")
    assert pickle.loads(pickle.dumps(r)).path(0, 99).cost == r.path(0, 99).cost


def test_an_index_is_exact_and_is_customized(tmp_path, road):
    index = lodestar.index(road, rounds=2, search=True)
    assert isinstance(index, lodestar.Index) and index.nodes == road.nodes
    assert 0 < index.core < road.nodes and index.per_node == 16 and index.bytes > 0
    plain, fast = lodestar.Router(road), lodestar.Router(road, index)
    rng = np.random.default_rng(6)
    s, t = rng.integers(0, road.nodes, (2, 200))
    truth = plain.costs(s, t).tolist()
    assert fast.costs(s, t, threads=2).tolist() == truth
    assert fast.algorithm == "core" and fast.note == ""
    assert [p.cost for p in fast.paths(s, t)] == truth
    index.save(tmp_path / "road.lsi")
    assert index.file == str(tmp_path / "road.lsi")
    by_file = lodestar.Router(road, tmp_path / "road.lsi")
    assert by_file.costs(s, t).tolist() == truth
    again = lodestar.Index.open(tmp_path / "road.lsi", road)
    assert lodestar.Router(road, again).costs(s, t).tolist() == truth

    rush = road.with_weights(np.where(rng.random(road.arcs) < 0.1, 3, 1) * road.csr()[2])
    truth = lodestar.Router(rush).costs(s, t).tolist()
    assert lodestar.Router(rush, index.customized(rush)).costs(s, t).tolist() == truth
    by_itself = lodestar.Router(rush, index)
    assert by_itself.costs(s, t).tolist() == truth and "customized" in by_itself.note
    with pytest.raises(lodestar.Error):
        lodestar.Index.open(tmp_path / "road.lsi", rush)
    with pytest.raises(lodestar.Error):
        lodestar.Router(lodestar.generate("road", 600, seed=9), index)
    with pytest.raises(lodestar.Error):
        index.customized(lodestar.generate("road", 600, seed=9))


def test_an_index_is_pickled_by_its_file_or_its_bytes(tmp_path, road):
    road = pickle.loads(pickle.dumps(road))  # without a file
    index = lodestar.index(road, rounds=1)
    s, t = np.random.default_rng(7).integers(0, road.nodes, (2, 50))
    truth = lodestar.Router(road).costs(s, t).tolist()
    r = pickle.loads(pickle.dumps(lodestar.Router(road, index)))
    assert r.algorithm == "core" and r.costs(s, t).tolist() == truth
    road.save(tmp_path / "road.lsg")
    index.save(tmp_path / "road.lsi")
    sent = pickle.dumps(lodestar.Router(road, index))
    assert len(sent) < 1000 and b"road.lsi" in sent and b"road.lsg" in sent
    assert pickle.loads(sent).costs(s, t).tolist() == truth


def test_an_index_can_be_fixed_in_size_or_without_paths(road):
    s, t = np.random.default_rng(8).integers(0, road.nodes, (2, 50))
    truth = lodestar.Router(road).costs(s, t).tolist()
    for options in ({"core": 0}, {"core": 100}, {"paths": False}, {"seconds": 0}):
        index = lodestar.index(road, **{"rounds": 1, **options})
        assert lodestar.Router(road, index).costs(s, t).tolist() == truth
        if "core" in options:
            assert index.core <= options["core"]


def test_potentials_of_another_graph_are_refused(road, grid):
    with pytest.raises(lodestar.Error):
        lodestar.Router(grid, lodestar.landmarks(road, per_node=2))


@pytest.mark.parametrize("make", [lodestar.fit, lodestar.index])
def test_queries_to_train_on(road, make):
    rng = np.random.default_rng(3)
    log = rng.integers(0, 50, (2, 300))
    made = make(road, rounds=1, queries=(log[0], log[1]), per_node=4)
    assert (made.count if make is lodestar.fit else made.per_node) == 4
    truth = lodestar.Router(road).costs(log[0], log[1]).tolist()
    assert lodestar.Router(road, made).costs(log[0], log[1]).tolist() == truth
    for bad in (([0], [1, 2]), ([], []), ([0],), ([0], [10**9])):
        with pytest.raises(lodestar.Error):
            make(road, seconds=0.1, queries=bad)


def test_progress_is_told_and_may_stop_by_raising(road):
    seen = []
    lodestar.index(road, rounds=12, search=True, progress=lambda *values: seen.append(values))
    assert seen[0][0] == 0 and seen[-1][0] >= 8  # contraction counts as round 0
    seen = []
    lodestar.fit(road, rounds=12, progress=lambda *values: seen.append(values))
    assert seen[-1][0] == 12  # the race of starts took the first of them
    assert all(len(values) == 3 for values in seen)

    def enough(*_):
        raise RuntimeError("enough")

    for make in (lodestar.fit, lodestar.index):
        with pytest.raises(RuntimeError, match="enough"):
            make(road, rounds=12, progress=enough)


@pytest.mark.parametrize("how", [{}, {"search": True, "rounds": 2}, {"labels": True}, {"core": 0}])
def test_every_kind_of_index_is_exact(road, how):
    rng = np.random.default_rng(8)
    s, t = rng.integers(0, road.nodes, (2, 100))
    truth = lodestar.Router(road).costs(s, t).tolist()
    r = lodestar.Router(road, lodestar.index(road, **how))
    assert r.costs(s, t).tolist() == truth
    assert r.path(int(s[0]), int(t[0])).cost == truth[0]


@pytest.mark.parametrize("make", [lodestar.fit, lodestar.index])
def test_bad_options(road, make):
    for bad in ({"seconds": -1}, {"seconds": float("nan")}, {"per_node": 0}, {"threads": -1}):
        with pytest.raises(lodestar.Error):
            make(road, **bad)
    with pytest.raises(TypeError, match="unexpected keyword argument 'nonsense'"):
        make(road, nonsense=1)


def test_old_names_give_errors_with_the_new_ones(road):
    for keyword in ("core", "labels", "paths", "search", "whole"):
        with pytest.raises(TypeError, match="lodestar.index"):
            lodestar.fit(road, **{keyword: True})
    with pytest.raises(TypeError, match="lodestar.fit"):
        lodestar.index(road, whole=True)
    for make in (lodestar.fit, lodestar.index, lodestar.landmarks):
        with pytest.raises(TypeError, match="per_node"):
            make(road, potentials=4)
    with pytest.raises(AttributeError, match="lodestar.Potentials"):
        lodestar.Table
    with pytest.raises(AttributeError, match="'lodestar' has no attribute 'nonsense'$"):
        lodestar.nonsense
    path = lodestar.Router(road).path(0, 9)
    made = lodestar.landmarks(road, per_node=2)
    index = lodestar.index(road, rounds=1)
    for thing, old, new in ((path, "proven", "optimal"), (path, "length", "distance"),
                            (made, "potentials", "count"), (index, "potentials", "per_node")):
        with pytest.raises(AttributeError, match=f"'{old}'; it is called {new}$"):
            getattr(thing, old)
        assert not hasattr(thing, old)
        with pytest.raises(AttributeError, match="no attribute 'nonsense'$"):
            thing.nonsense


def test_zero_threads_are_all_cores(road):
    s, t = np.random.default_rng(2).integers(0, road.nodes, (2, 40))
    for make in (lodestar.fit, lodestar.index):
        r = lodestar.Router(road, make(road, rounds=1, threads=0))
        assert r.costs(s, t, threads=0).tolist() == r.costs(s, t).tolist()
        assert [p.cost for p in r.paths(s, t, threads=0)] == r.costs(s, t).tolist()
        assert (r.matrix(s[:5], t[:5], threads=0) == r.matrix(s[:5], t[:5])).all()


@pytest.mark.parametrize("call", ["fit(g, seconds=60)", "index(g, seconds=60, search=True)"])
def test_ctrl_c_keeps_the_best_so_far(call):
    program = textwrap.dedent(f"""
        import lodestar, os, signal, threading
        g = lodestar.generate("road", 3000, seed=1)
        threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        made = lodestar.{call}
        assert lodestar.Router(g, made).path(0, 9).optimal
        print("kept", type(made).__name__)
    """)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                          timeout=40, env=os.environ)
    kind = "Potentials" if call.startswith("fit") else "Index"
    assert done.stdout == f"kept {kind}\n", done.stderr


def test_ctrl_c_ends_a_batch():
    program = textwrap.dedent("""
        import lodestar, os, signal, threading
        import numpy as np
        g = lodestar.generate("road", 20000, seed=1)
        s, t = np.random.default_rng(1).integers(0, g.nodes, (2, 10**6))
        threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        try:
            lodestar.Router(g).costs(s, t)
        except KeyboardInterrupt:
            print("stopped")
    """)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                          timeout=60, env=os.environ)
    assert done.stdout == "stopped\n", done.stderr


def test_models():
    g = lodestar.generate("er", 64, seed=3)
    model = lodestar.Model("deep")
    assert model.parameters > 0 and "deep" in repr(model)
    exact = lodestar.Router(g)
    for s, t in ((0, 9), (5, 60)):
        y = model.potentials(g, s, t, exact=True)
        p = lodestar.Router(g, potential=y, guarantee="consistent").path(s, t)
        assert p.cost == exact.path(s, t).cost
        assert model.potentials(g, s, t).shape == (64,)
    learned = lodestar.Router(g, heuristic="learned", exact=True)
    assert learned.path(0, 9).cost == exact.path(0, 9).cost
    assert pickle.loads(pickle.dumps(model)).parameters == model.parameters
    with pytest.raises(lodestar.Error, match="nonsense"):
        lodestar.Model("nonsense")
    assert any(name.startswith("deep") for name in lodestar.models())
