"""The tests of shortest paths that networkx ships, answered by lodestar."""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("networkx")
SUITE = "networkx.algorithms.shortest_paths.tests"


@pytest.mark.parametrize("how", ["backend", "drop-in"])
def test_the_suite_of_networkx_passes(how, tmp_path):
    try:
        found = importlib.util.find_spec(SUITE)
    except ImportError:
        found = None
    if found is None:
        pytest.skip("this networkx comes without its tests")
    paths = [str(Path(__file__).parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "networkx_plugin",
         "--pyargs", SUITE],
        cwd=tmp_path, capture_output=True, text=True, timeout=300,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), "LODESTAR_NETWORKX": how})
    assert done.returncode == 0, done.stdout
    assert int(re.search(r"reached lodestar: (\d+)", done.stdout)[1]) >= 60, done.stdout
