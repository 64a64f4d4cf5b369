"""Graphs the tests share. `pytest tests/apps/python` works with an installed package and without
one: then the one in build/python is used."""

import importlib.util
import os
import sys
from pathlib import Path

import numpy as np
import pytest

SOURCE = Path(__file__).resolve().parents[3]
if importlib.util.find_spec("lodestar") is None:
    sys.path.insert(0, str(SOURCE / "build" / "python"))
    os.environ["PYTHONPATH"] = os.pathsep.join(  # for processes that tests start
        [str(SOURCE / "build" / "python"), *filter(None, [os.environ.get("PYTHONPATH")])])

import lodestar


def random_edges(seed, nodes=None, decimals=None):
    """A random graph as arrays: parallel arcs, self-loops, zeros and unreachable nodes included."""
    rng = np.random.default_rng(seed)
    n = nodes or int(rng.integers(1, 40))
    m = int(rng.integers(0, 4 * n + 1))
    u = rng.integers(0, n, m)
    v = rng.integers(0, n, m)
    w = rng.random(m) if decimals is None else np.round(rng.random(m), decimals)
    w[rng.random(m) < 0.1] = 0
    return n, u, v, w


def cheapest_matrix(n, u, v, w):
    """Dense weights with the cheapest of parallel arcs; infinite where there is none."""
    dense = np.full((n, n), np.inf)
    np.minimum.at(dense, (u, v), w)
    np.fill_diagonal(dense, 0)
    return dense


def all_distances(dense):
    """Floyd and Warshall: shares nothing with the package."""
    d = dense.copy()
    for k in range(len(d)):
        d = np.minimum(d, d[:, k, None] + d[None, k, :])
    return d


@pytest.fixture(scope="session")
def road():
    return lodestar.generate("road", 2000, seed=3)


@pytest.fixture(scope="session")
def grid():
    return lodestar.generate("grid", 900, seed=5)


def reads_openstreetmap():
    """Whether the package was built with libosmium."""
    try:
        lodestar.read("no-such-file.osm.pbf")
    except lodestar.Error as error:
        return "unknown format" not in str(error)
    return True
