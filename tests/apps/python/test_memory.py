"""Memory that runs out at any allocation: an exception reaches the caller, and later work succeeds.

Each call is a test. A sample of its allocations fails, all of them with LODESTAR_EVERY_FAILURE=1 in the
environment, or the second fifth with LODESTAR_EVERY_FAILURE=2/5.
"""

import os
import re
import shutil
import subprocess
import sys
import textwrap

import pytest

# Replaces operator new of the process, and lets the n-th call from now on fail once. Calls for 24
# bytes are left out: pybind11's table of objects makes them, and frees an object twice if one fails.
SHIM = r"""
#include <atomic>
#include <cstdlib>
#include <new>
static std::atomic<long> left{-1};
extern "C" void fail_after(long n) { left = n; }
extern "C" long allocations_left() { return left; }
void* operator new(std::size_t size) {
  if (left >= 0 && size != 24 && left-- == 0) throw std::bad_alloc();
  if (void* made = std::malloc(size)) return made;
  throw std::bad_alloc();
}
void* operator new[](std::size_t size) { return operator new(size); }
void operator delete(void* made) noexcept { std::free(made); }
void operator delete[](void* made) noexcept { std::free(made); }
void operator delete(void* made, std::size_t) noexcept { std::free(made); }
void operator delete[](void* made, std::size_t) noexcept { std::free(made); }
"""

PROGRAM = r"""
import ctypes, os, sys
import numpy as np
import lodestar

shim = ctypes.CDLL(os.environ["LD_PRELOAD"])
shim.allocations_left.restype = ctypes.c_long
shim.fail_after.argtypes = [ctypes.c_long]
EVERY = os.environ.get("LODESTAR_EVERY_FAILURE")
NEVER = 1 << 60

g = lodestar.generate("road", 60, seed=1)
index = lodestar.index(g, rounds=1)
router = lodestar.Router(g)
by_index = lodestar.Router(g, index)
wish = lodestar.Preferences(blend={"time": 1, "length": 0.02})
folder = sys.argv[1]
index.save(folder + "/g.lsi")

WORK = {
    "generate": lambda: lodestar.generate("road", 60, seed=1),
    "index": lambda: lodestar.index(g, rounds=1),
    "labels": lambda: lodestar.index(g, labels=True),
    "fit": lambda: lodestar.fit(g, rounds=1),
    "router": lambda: lodestar.Router(g, index),
    "path": lambda: router.path(0, 40).cost,
    "index path": lambda: by_index.path(0, 40).cost,
    "costs": lambda: by_index.costs([0, 1], [40, 41]),
    "matrix": lambda: by_index.matrix(range(9), range(9)),
    "preferences": lambda: router.path(0, 40, preferences=wish).cost,
    "alternatives": lambda: router.alternatives(0, 40, k=3, preferences=wish),
    "save": lambda: index.save(folder + "/g.lsi"),
    "open": lambda: lodestar.Index.open(folder + "/g.lsi", g),
    "customized": lambda: index.customized(g),
    "distances": lambda: by_index.distances(0),
    "isochrone": lambda: router.isochrone(0, 1000),
}
usual = router.path(0, 40).cost
tried = raised = 0
for name, work in WORK.items():
    if name != sys.argv[2]:
        continue
    work()
    shim.fail_after(NEVER)
    work()
    count = NEVER - shim.allocations_left()
    piece, step = 1, max(1, count // 20)
    if EVERY:
        piece, step = map(int, EVERY.split("/")) if "/" in EVERY else (1, 1)
    for n in range(piece - 1, count, step):
        shim.fail_after(n)
        try:
            work()
        except (MemoryError, lodestar.Error):
            raised += 1
        finally:
            shim.fail_after(-1)
        tried += 1
    assert router.path(0, 40).cost == usual, name
    assert by_index.path(0, 40).cost == usual, name
leftovers = [f for f in os.listdir(folder) if f != "g.lsi"]
print(tried, raised, leftovers)
"""


CALLS = re.findall(r'^    "([a-z ]+)": lambda', PROGRAM, re.M)


@pytest.fixture(scope="module")
def shim(tmp_path_factory):
    compiler = shutil.which("c++") or shutil.which("g++")
    if compiler is None:
        pytest.skip("no compiler for the shim")
    folder = tmp_path_factory.mktemp("shim")
    source, library = folder / "shim.cpp", folder / "shim.so"
    source.write_text(SHIM)
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, source], check=True)
    return library


@pytest.mark.parametrize("call", CALLS)
def test_any_allocation_may_fail(shim, tmp_path, call):
    files = tmp_path / "files"
    files.mkdir()
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(PROGRAM), files, call],
                          capture_output=True, text=True, timeout=1200,
                          env=dict(os.environ, LD_PRELOAD=str(shim)))
    assert done.returncode == 0, done.stderr[-2000:]
    tried, raised, leftovers = done.stdout.split(maxsplit=2)
    print(f"{call}: {tried} allocations failed, {raised} exceptions")
    assert int(tried) > 0 and int(raised) > int(tried) // 2
    assert leftovers.strip() == "[]"
