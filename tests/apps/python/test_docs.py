"""Docstrings, the tutorial, the README and the examples run as printed."""

import doctest
import importlib.util
import os
import re
import subprocess
import sys

import pytest

import lodestar
from conftest import SOURCE, reads_openstreetmap
from lodestar import _convert, _core


@pytest.mark.parametrize("module", [lodestar, _convert, _core])
def test_docstrings(module):
    finder = doctest.DocTestFinder(exclude_empty=True)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for test in finder.find(module, globs={}):
        runner.run(test)
    # The finder does not look into compiled functions.
    for owner in (module, *(thing for thing in vars(module).values() if isinstance(thing, type))):
        for name, thing in list(vars(owner).items()):
            text = getattr(thing, "__doc__", "") or ""
            if callable(thing) and ">>>" in text:
                runner.run(doctest.DocTestParser().get_doctest(text, {}, name, None, 0))
    assert runner.failures == 0


def blocks(path):
    return re.findall(r"```python\n(.*?)```", path.read_text(encoding="utf-8"), re.S)


def test_the_tutorial_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = blocks(SOURCE / "docs/guide/python.md")
    assert len(found) >= 6
    names = {}
    for i, block in enumerate(found):
        if ".osm" in block and not reads_openstreetmap():
            continue
        if "import pandas" in block and importlib.util.find_spec("pandas") is None:
            continue
        exec(compile(block, f"docs/guide/python.md, block {i + 1}", "exec"), names)


@pytest.mark.parametrize("page", ["README.md", "docs/guide/set-weights-per-request.md"])
def test_the_examples_of_a_page_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = blocks(SOURCE / page)
    assert found
    for block in found:
        exec(compile(block, page, "exec"), {})


@pytest.mark.parametrize("name", ["seven_days.py", "game_map.py", "learned_heuristics.py",
                                  "foreign_astar.py", "dask_matrix.py"])
def test_examples(name, tmp_path):
    pytest.importorskip("networkx")
    pytest.importorskip("matplotlib")
    if name == "seven_days.py":
        for other in ("pandas", "scipy", "igraph"):
            pytest.importorskip(other)
    if name == "dask_matrix.py":
        pytest.importorskip("dask.array")
    done = subprocess.run([sys.executable, SOURCE / "examples" / "python" / name, "--small"],
                          cwd=tmp_path, capture_output=True, text=True, timeout=120,
                          env={**os.environ, "MPLBACKEND": "Agg"})
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_a_day_has_at_most_twelve_lines():
    text = (SOURCE / "examples/python/seven_days.py").read_text(encoding="utf-8")
    days = re.findall(r"^def day_\d\(.*?\):\n(.*?)\n\n\n", text, re.S | re.M)
    assert len(days) == 7
    assert all(len([line for line in day.splitlines() if line.strip()]) <= 12 for day in days)
