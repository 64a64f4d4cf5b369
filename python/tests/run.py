"""Runs pytest on this folder, or says in one line why it cannot. ctest reads 77 as skipped."""

import sys

missing = []
for name in ("numpy", "pytest"):
    try:
        __import__(name)
    except ImportError:
        missing.append(name)
if missing:
    print("Python tests skipped: no", ", ".join(missing), "for", sys.executable)
    sys.exit(77)

import pytest

sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", *sys.argv[1:]]))
