"""The stubs say what is there, and the package's own Python obeys them."""

import ast
import os
import shutil
import subprocess

import pytest

import lodestar
import lodestar._core as core
from conftest import SOURCE

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
