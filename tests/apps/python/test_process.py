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
    index = lodestar.fit(road, rounds=1)
    index.save(tmp_path / "road.lsi")
    r = lodestar.Router(road, index)
    pairs = np.random.default_rng(1).integers(0, road.nodes, (2, 60))
    parts = [(r, part) for part in np.array_split(pairs, 3, axis=1)]
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        found = sum(pool.map_async(ask, parts).get(timeout=60), [])
    assert found == r.costs(pairs[0], pairs[1]).tolist()


def is_mapped(path):
    with open("/proc/self/maps", encoding="utf-8") as maps:
        return any(line.rstrip().endswith(str(path)) for line in maps)


def test_what_comes_by_path_is_mapped_and_survives_replacement(tmp_path, road):
    graph_file, index_file = tmp_path / "road.lsg", tmp_path / "road.lsi"
    road.save(graph_file)
    index = lodestar.fit(road, rounds=1)
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
            p.nodes, p.geojson(), p.xy, p.length, repr(p)
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
