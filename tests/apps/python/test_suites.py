"""The tests of shortest paths that networkx and scipy ship, answered by lodestar."""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest


def run(suite, plugin, folder, **environment):
    """What pytest printed, after it passed."""
    try:
        found = importlib.util.find_spec(suite)
    except ImportError:
        found = None
    if found is None:
        pytest.skip(f"there is no {suite}")
    paths = [str(Path(__file__).parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", plugin, "--pyargs",
         suite],
        cwd=folder, capture_output=True, text=True, timeout=300,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), **environment})
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.mark.parametrize("how", ["backend", "drop-in"])
def test_the_suite_of_networkx_passes(how, tmp_path):
    printed = run("networkx.algorithms.shortest_paths.tests", "networkx_plugin", tmp_path,
                  LODESTAR_NETWORKX=how)
    reached, tests = map(int, re.search(r"reached lodestar: (\d+) of (\d+)", printed).groups())
    assert reached >= 0.8 * tests, printed


def test_the_suite_of_scipy_passes_but_for_negative_weights(tmp_path):
    printed = run("scipy.sparse.csgraph.tests.test_shortest_path", "csgraph_plugin", tmp_path)
    assert int(re.search(r"reached lodestar: (\d+)", printed)[1]) >= 100, printed
