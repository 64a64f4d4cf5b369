"""Builds the extension with the project's own CMake; everything else is in pyproject.toml."""

import os
import re
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).parent.resolve()


def version() -> str:
    """The one place that knows the version is CMakeLists.txt."""
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    found = re.search(r"project\(lodestar VERSION ([0-9.]+)", text)
    if found is None:
        raise RuntimeError("CMakeLists.txt names no version")
    return found.group(1)


class CMakeBuild(build_ext):
    """Compiles `lodestar._core` by the target lodestar_python."""

    def build_extension(self, ext: Extension) -> None:
        target = Path(self.get_ext_fullpath(ext.name)).resolve()
        # .ci/run chooses a folder beside build/, in which ccache knows what ./test compiled.
        work = Path(os.environ.get("LODESTAR_WHEEL_BUILD", self.build_temp)).resolve()
        work.mkdir(parents=True, exist_ok=True)
        arguments = [
            "cmake", "-S", str(ROOT), "-B", str(work),
            "-DCMAKE_BUILD_TYPE=Release",
            "-DCMAKE_UNITY_BUILD=ON",  # nobody builds here twice
            "-DCMAKE_UNITY_BUILD_BATCH_SIZE=0",
            f"-DPython_EXECUTABLE={sys.executable}",
            f"-DLODESTAR_PYTHON_OUTPUT={target.parent}",
            "-DLODESTAR_PYTHON=ON",
        ] + [f"-DLODESTAR_{part}=OFF" for part in ("TESTS", "BENCH", "TORCH", "FUZZ")]
        arguments += os.environ.get("CMAKE_ARGS", "").split()
        jobs = str(os.cpu_count() or 1)
        subprocess.run(arguments, check=True)
        subprocess.run(
            ["cmake", "--build", str(work), "--target", "lodestar_python", "-j", jobs], check=True
        )
        if not target.exists():
            raise RuntimeError(f"CMake built no {target.name}; is pybind11-dev installed?")


setup(
    version=version(),
    ext_modules=[Extension("lodestar._core", sources=[])],
    cmdclass={"build_ext": CMakeBuild},
)
