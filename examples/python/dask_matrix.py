"""A matrix of 10^10 costs as a Dask array: blocks are computed where and when they are needed.

    python3 dask_matrix.py [--small]

Every worker maps the same graph and index files, so their memory is shared. A block of costs is the
only memory that grows. Nothing here holds the whole matrix, which would take 40 GB as uint32.
"""

import functools
import os
import sys
import tempfile
import time

import dask.array
import numpy as np

import lodestar


@functools.lru_cache(maxsize=1)  # once per process
def router(graph, index):
    g = lodestar.read(graph)
    return lodestar.Router(g, index)


def costs_of_block(rows, columns, graph, index):
    """The costs between two arrays of nodes, (rows, 1) and (1, columns)."""
    return router(graph, index).matrix(rows.ravel(), columns.ravel(), dtype="uint32")


def main():
    small = "--small" in sys.argv
    nodes, side, block = (2_000, 1_000, 256) if small else (262_144, 100_000, 10_000)
    with tempfile.TemporaryDirectory() as folder:
        graph, index = os.path.join(folder, "roads.lsg"), os.path.join(folder, "roads.lsi")
        g = lodestar.generate("road", nodes, seed=1)
        g.save(graph)
        lodestar.index(g, labels=True).save(index)

        rng = np.random.default_rng(1)
        sources, targets = rng.integers(0, g.nodes, (2, side))
        rows = dask.array.from_array(sources[:, None], chunks=(block, 1))
        columns = dask.array.from_array(targets[None, :], chunks=(1, block))
        costs = dask.array.map_blocks(
            costs_of_block, rows, columns, graph, index, dtype=np.uint32,
            chunks=(rows.chunks[0], columns.chunks[1]),
        )
        start = time.perf_counter()
        nearest = costs.min(axis=1).compute(scheduler="threads", num_workers=2)
        seconds = time.perf_counter() - start
        print(f"{costs.size:.0e} cells in {seconds:.1f} s, {1e9 * seconds / costs.size:.1f} ns each;"
              f" the farthest source is {nearest.max()} from its nearest target")
        check = lodestar.Router(g).distances(int(sources[0]))
        assert nearest[0] == check[targets].min()


if __name__ == "__main__":
    main()
