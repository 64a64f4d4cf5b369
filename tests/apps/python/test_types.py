"""The stubs say what is there, and the package's own Python obeys them."""

import ast
import inspect
import os
import pickle
import shutil
import subprocess

import pytest

import lodestar
import lodestar._core as core
from conftest import SOURCE
from lodestar import networkx_backend

PACKAGE = SOURCE / "apps" / "python" / "lodestar"


def test_stubs_and_module_have_the_same_names():
    tree = ast.parse((PACKAGE / "_core.pyi").read_text())
    stubs, members = set(), {}
    for item in tree.body:
        if isinstance(item, (ast.FunctionDef, ast.ClassDef)):
            stubs.add(item.name)
        if isinstance(item, ast.ClassDef) and item.name != "Error":
            members[item.name] = {m.name for m in item.body if isinstance(m, ast.FunctionDef)}
    there = {name for name in dir(core) if not name.startswith("__")}
    assert stubs == there
    for name, stubbed in members.items():
        own = {m for m in vars(getattr(core, name)) if not m.startswith("__")}
        assert {m for m in stubbed if not m.startswith("__")} == own, name


def test_everything_public_has_an_example():
    for name in lodestar.__all__:
        thing = getattr(lodestar, name)
        if name in ("Error", "__version__"):
            continue
        assert ">>>" in thing.__doc__, name
        if isinstance(thing, type):
            for method in dir(thing):
                part = getattr(thing, method)
                if not method.startswith("_") and not isinstance(part, property):
                    assert ">>>" in part.__doc__, f"{name}.{method}"


def test_mypy():
    mypy = shutil.which("mypy", path="/usr/bin:" + os.environ.get("PATH", ""))
    if mypy is None:
        pytest.skip("mypy is not installed")
    done = subprocess.run(
        [mypy, "--strict", "--ignore-missing-imports", "--cache-dir", os.devnull, str(PACKAGE)],
        capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def _annotations():
    """Name and result of every public function, method and property."""
    for file in ("_core.pyi", "_networkx_paths.py", "_networkx_more.py", "_compare.py",
                 "_entrances.py", "_convert.py"):
        tree = ast.parse((PACKAGE / file).read_text())
        for item in tree.body:
            parts = item.body if isinstance(item, ast.ClassDef) else [item]
            for part in parts:
                if isinstance(part, ast.FunctionDef) and not part.name.startswith("_"):
                    owner = item.name + "." if isinstance(item, ast.ClassDef) else ""
                    yield f"{file}: {owner}{part.name}", ast.unparse(part.returns)


def test_results_have_types():
    found = dict(_annotations())
    assert "_core.pyi: Router.path" in found and "_networkx_paths.py: shortest_path" in found
    inside = {"_convert.py: sorted_keys", "_convert.py: to_networkx", "_convert.py: to_scipy",
              "_entrances.py: tails_of"}  # not public: the methods of Graph are
    # An alias in the place of Any would be no better.
    for file in ("_core.pyi", "_types.py"):
        for item in ast.parse((PACKAGE / file).read_text()).body:
            if isinstance(item, ast.Assign) and item.targets[0].id not in (
                    "Nodes", "Numbers", "Heuristic", "Classes"):  # arguments
                assert "Any" not in ast.unparse(item.value), ast.unparse(item)
    vague = {name: result for name, result in found.items()
             if name not in inside and any(word in result for word in ("Any", "object", "Nodes"))
             and "ReachedNodes" not in result}
    assert vague == {}


def _callables():
    for name in lodestar.__all__:
        thing = getattr(lodestar, name)
        if not callable(thing) or isinstance(thing, type) and issubclass(thing, Exception):
            continue
        yield name, thing
        for method in dir(thing) if isinstance(thing, type) else ():
            part = getattr(thing, method)
            if not method.startswith("_") and callable(part):
                yield f"{name}.{method}", part
    yield from networkx_backend.FUNCTIONS.items()


# Made by functions: the classes cannot be called.
MADE = {"Graph", "Index", "Path", "Place", "Potentials"}


def test_signatures():
    for name, thing in _callables():
        if name in MADE:
            with pytest.raises(TypeError):
                thing()
            continue
        parameters = inspect.signature(thing).parameters
        assert all(p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in parameters.values()), (
            name)
    assert list(inspect.signature(lodestar.Router).parameters)[:2] == ["graph", "index"]
    assert inspect.signature(lodestar.Router.path).parameters["bound"].default is None


def test_results_can_be_pickled():
    """Whatever a public function or method returns."""
    g = lodestar.from_edges([0, 1, 2], [1, 2, 0], [1.0, 2.0, 4.0], xy=[[0, 0], [1, 0], [1, 1]],
                            metrics={"length": [1, 1, 2]}, weight_name="time")
    index, potentials = lodestar.index(g, rounds=1), lodestar.fit(g, rounds=1)
    r = lodestar.Router(g, index)
    wish = lodestar.Preferences(blend={"time": 1, "length": 2})
    place = r.nearest((0.4, 0.1))
    results = {
        "graph": g, "index": index, "potentials": potentials, "router": r, "preferences": wish,
        "place": place, "landmarks": lodestar.landmarks(g), "path": r.path(0, 2),
        "place path": r.path(place, r.nearest((1.0, 0.9))), "no path": r.path(0, 0),
        "preferred": r.path(0, 2, preferences=wish), "paths": r.paths([0, 1], [2, 2]),
        "alternatives": r.alternatives(0, 2), "costs": r.costs([0], [2]),
        "matrix": r.matrix([0], [1, 2]), "frame": r.matrix([0], [1, 2], frame=True),
        "distances": r.distances(0, predecessors=True), "isochrone": r.isochrone(0, 2, arcs=True),
        "geojson": r.isochrone_geojson(0, [2.0], show=["arcs"]), "trace": r.trace(0, 2),
        "reach": r.reach([1, 2, 3], 2), "facilities": r.nearest_facilities([0], [2]),
        "compare": lodestar.compare(g, 3), "models": lodestar.models(),
        "algorithms": lodestar.algorithms(), "feature": r.path(0, 2).geojson(),
        "csr": g.csr(), "metrics": g.metrics, "scipy": g.to_scipy(), "networkx": g.to_networkx()}
    for name, result in results.items():
        copy = pickle.loads(pickle.dumps(result))
        assert type(copy) is type(result), name
    path = pickle.loads(pickle.dumps(results["preferred"]))
    assert path.cost == results["preferred"].cost and path.totals == results["preferred"].totals
    copied = pickle.loads(pickle.dumps(r))
    assert copied.path(0, 2).cost == r.path(0, 2).cost
    assert pickle.loads(pickle.dumps(lodestar.Error("no"))).args == ("no",)
