"""Runs pytest on this folder, or says in one line why it cannot. ctest reads 77 as skipped."""

import sys


def main() -> int:
    missing = []
    for name in ("numpy", "pytest"):
        try:
            __import__(name)
        except ImportError:
            missing.append(name)
    if missing:
        print("Python tests skipped: no", ", ".join(missing), "for", sys.executable)
        return 77
    import pytest

    return int(pytest.main(["-q", "-p", "no:cacheprovider", *sys.argv[1:]]))


# Worker processes that the tests spawn import this file again and must not run them.
if __name__ == "__main__":
    sys.exit(main())
