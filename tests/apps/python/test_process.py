"""Many processes, many calls: one copy of the graph, no growth."""

import multiprocessing
import pickle
import resource

import numpy as np
import pytest

import lodestar


def ask(job):
    router, pairs = job
    return router.costs(pairs[0], pairs[1]).tolist()


def test_workers_share_the_files(tmp_path, road):
    road.save(tmp_path / "road.lsg")
    index = lodestar.index(road, rounds=1)
    index.save(tmp_path / "road.lsi")
    r = lodestar.Router(road, index)
    pairs = np.random.default_rng(1).integers(0, road.nodes, (2, 60))
    parts = [(r, part) for part in np.array_split(pairs, 3, axis=1)]
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        found = sum(pool.map_async(ask, parts).get(timeout=60), [])
    assert found == r.costs(pairs[0], pairs[1]).tolist()


def ask_for_paths(job):
    router, pairs = job
    place = router.nearest((5, 5))
    return [router.path(*pair) for pair in pairs.T.tolist()], place, router.path(place, place)


def same_path(one, other):
    names = ("cost", "lower_bound", "gap", "optimal", "reached", "expansions", "reopened", "pushes",
             "capped", "distance", "duration", "streets")
    return (all(getattr(one, name) == getattr(other, name) for name in names)
            and list(one.nodes) == list(other.nodes) and np.array_equal(one.xy, other.xy)
            and one.geojson() == other.geojson() and repr(one) == repr(other)
            and len(one) == len(other))


def test_workers_return_paths_and_places(tmp_path, road):
    road = pickle.loads(pickle.dumps(road))  # without a file
    r = lodestar.Router(road)
    pairs = np.random.default_rng(1).integers(0, road.nodes, (2, 20))
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        paths, place, there = pool.map_async(ask_for_paths, [(r, pairs)]).get(timeout=60)[0]
    for found, pair in zip(paths, pairs.T.tolist()):
        assert same_path(found, r.path(*pair))
        assert same_path(pickle.loads(pickle.dumps(found)), found)
    mine = r.nearest((5, 5))
    assert place.xy == mine.xy and place.distance == mine.distance and place.node == mine.node
    far = r.nearest(tuple(road.xy[77]))
    assert r.path(place, far).cost == r.path(mine, far).cost and there.cost == 0
    other = lodestar.Router(lodestar.generate("road", 500, seed=8))
    with pytest.raises(lodestar.Error, match="another"):
        other.path(place, place)


def test_a_pickled_path_is_small_and_keeps_labels_and_the_lack_of_coordinates():
    nx = pytest.importorskip("networkx")
    g = lodestar.from_networkx(nx.path_graph(["a", "b", "c"]), weight=None)
    p = lodestar.Router(g).path("a", "c")
    again = pickle.loads(pickle.dumps(p))
    assert again.nodes == ["a", "b", "c"] and again.xy is None and again.cost == 2
    for found in (p, again):
        with pytest.raises(lodestar.Error, match="coordinates"):
            found.geojson()
        with pytest.raises(lodestar.Error, match="coordinates"):
            found.distance
    large = lodestar.generate("road", 20000, seed=1)
    assert len(pickle.dumps(lodestar.Router(large).path(0, 1))) < 10_000
    none = lodestar.Router(lodestar.from_edges([0], [1], [1.0], xy=[[0, 0], [1, 1]])).path(1, 0)
    assert same_path(pickle.loads(pickle.dumps(none)), none)


def test_a_graph_whose_file_was_replaced_is_not_another_graph(tmp_path, road):
    file = tmp_path / "road.lsg"
    road.save(file)
    sent = pickle.dumps(road)
    assert pickle.loads(sent).arcs == road.arcs
    changes = {
        "another": lodestar.generate("road", 500, seed=8),
        "weights": road.with_weights(2 * road.csr()[2]),
    }
    for other in changes.values():
        other.save(file)
        with pytest.raises(lodestar.Error, match="replaced"):
            pickle.loads(sent)
    road.save(file)
    assert pickle.loads(sent).arcs == road.arcs
    weighted = road.with_weights(3 * road.csr()[2])  # its memo of the fingerprint is its own
    assert weighted._fingerprint != road._fingerprint
    assert lodestar.generate("road", 2000, seed=3)._fingerprint == road._fingerprint


def is_mapped(path):
    with open("/proc/self/maps", encoding="utf-8") as maps:
        return any(line.rstrip().endswith(str(path)) for line in maps)


def test_what_comes_by_path_is_mapped_and_survives_replacement(tmp_path, road):
    graph_file, index_file = tmp_path / "road.lsg", tmp_path / "road.lsi"
    road.save(graph_file)
    index = lodestar.index(road, rounds=1)
    index.save(index_file)
    pairs = np.random.default_rng(4).integers(0, road.nodes, (2, 60))
    truth = lodestar.Router(road).costs(*pairs).tolist()
    for asked in (lodestar.Router(road, index), lodestar.Router(road, index_file)):
        sent = pickle.dumps(asked)
        assert not is_mapped(graph_file) and not is_mapped(index_file)
        r = pickle.loads(sent)
        assert is_mapped(graph_file) and is_mapped(index_file)
        assert r.costs(*pairs).tolist() == truth
        del r
    r = pickle.loads(sent)
    lodestar.generate("road", 50, seed=9).save(graph_file)
    index_file.unlink()
    assert r.costs(*pairs).tolist() == truth
    with pytest.raises(lodestar.Error):
        lodestar.read(tmp_path / "road.gr", map=True)


def test_dask(tmp_path, road):
    distributed = pytest.importorskip("distributed")
    road.save(tmp_path / "road.lsg")
    r = lodestar.Router(road)
    pairs = np.random.default_rng(2).integers(0, road.nodes, (2, 60))
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None,
                                  processes=True, silence_logs=50) as cluster:
        with distributed.Client(cluster) as client:
            found = sum(client.gather(client.map(ask, [(r, p) for p in np.array_split(pairs, 4, axis=1)])), [])
    assert found == r.costs(pairs[0], pairs[1]).tolist()


def test_memory_does_not_grow():
    g = lodestar.from_edges([0, 1, 2], [1, 2, 0], [1.0, 2.0, 3.0], xy=np.array([[0, 0], [0, 1], [1, 1]]))
    r = lodestar.Router(g, heuristic=lambda v, t: 0)

    def use(times):
        for _ in range(times):
            p = r.path(0, 2)
            p.nodes, p.geojson(), p.xy, p.distance, repr(p)
            r.path(r.nearest((0, 0)), r.nearest((0, 1)))
            r.costs([0, 1], [2, 0])
            r.distances(0, predecessors=True)
            r.trace(0, 2)
            g.csr()
            try:
                r.path(0, 99)
            except lodestar.Error:
                pass

    use(2000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    use(15000)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 4000  # kB
