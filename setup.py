"""Builds the extension with the project's own CMake; everything else is in pyproject.toml.

An installed liblodestar-dev of the same version is used if there is one; then only the bindings are
compiled. LODESTAR_INSTALLED=0 compiles the library in any case.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).parent.resolve()
# As in docs/guide/python.md; tools/check_pip installs these in an empty system and tries them.
PACKAGES = ("build-essential cmake pybind11-dev python3-dev python3-numpy python3-venv "
            "python3-setuptools python3-wheel zlib1g-dev liblzma-dev libpugixml-dev "
            "nlohmann-json3-dev")


def version() -> str:
    """The one place that knows the version is CMakeLists.txt."""
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    found = re.search(r"project\(lodestar VERSION ([0-9.]+)", text)
    if found is None:
        raise RuntimeError("CMakeLists.txt names no version")
    return found.group(1)


class Terminal:
    """Pip shows what a build prints only when it fails. Minutes of silence look like a hang, so
    progress goes to the terminal itself, if there is one."""

    def __init__(self) -> None:
        self._shown = -10
        try:
            self._out = open("/dev/tty", "w", encoding="utf-8")
        except OSError:
            self._out = None

    def tell(self, text: str) -> None:
        if self._out is not None:
            print("\n  lodestar:", text, end="", file=self._out, flush=True)

    def follow(self, line: str) -> None:
        """Lines of Ninja, [3/40], and of Make, [ 12%]."""
        of, percent = re.match(r"\[(\d+)/(\d+)\]", line), re.match(r"\[ *(\d+)%\]", line)
        done = int(percent[1]) if percent else 100 * int(of[1]) // int(of[2]) if of else -1
        if done >= self._shown + 10:
            self._shown = done - done % 10
            self.tell(f"{self._shown} % compiled")


def run(arguments, terminal) -> None:
    """Passes the output on, for pip -v and for logs."""
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace") as process:
        for line in process.stdout:
            sys.stdout.write(line)
            sys.stdout.flush()
            terminal.follow(line)
    if process.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, arguments[:6]))} … failed; see above. "
                           f"On Debian and Ubuntu the build needs: {PACKAGES}")


def installed() -> bool:
    """Whether CMake finds a library of this version."""
    if os.environ.get("LODESTAR_INSTALLED") == "0":
        return False
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.22)\nproject(find LANGUAGES C CXX)\n"
            f"find_package(lodestar {version()} EXACT REQUIRED)\n", encoding="utf-8")
        return subprocess.run(["cmake", "-S", folder, "-B", folder + "/build"],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              check=False).returncode == 0


# Libraries that every system has, as manylinux lists them.
ANYWHERE = re.compile(r"(lib(c|m|pthread|dl|rt|gcc_s|stdc\+\+)|ld-linux.*|linux-vdso)\.so")


def bundle(module: Path) -> None:
    """Copies shared libraries that another system may not have to the module, as auditwheel does."""
    listed = subprocess.run(["ldd", str(module)], stdout=subprocess.PIPE, text=True, check=False)
    for name, path in re.findall(r"(\S+) => (/\S+)", listed.stdout):
        if not ANYWHERE.match(name):
            print(f"bundled: {name}")
            shutil.copy(path, module.parent / name)


class CMakeBuild(build_ext):
    """Compiles `lodestar._core` by the target lodestar_python."""

    def build_extension(self, ext: Extension) -> None:
        if shutil.which("cmake") is None:
            raise RuntimeError(f"cmake is missing. On Debian and Ubuntu: apt-get install {PACKAGES}")
        terminal = Terminal()
        target = Path(self.get_ext_fullpath(ext.name)).resolve()
        # .ci/run chooses a folder beside build/, in which ccache knows what ./test compiled.
        work = Path(os.environ.get("LODESTAR_WHEEL_BUILD", self.build_temp)).resolve()
        work.mkdir(parents=True, exist_ok=True)
        found = installed()
        arguments = [
            "cmake", "-S", str(ROOT / "apps" / "python" if found else ROOT), "-B", str(work),
            "-DCMAKE_BUILD_TYPE=Release",
            "-DCMAKE_UNITY_BUILD=ON",  # each build starts afresh
            "-DCMAKE_UNITY_BUILD_BATCH_SIZE=0",
            f"-DPython_EXECUTABLE={sys.executable}",
            f"-DLODESTAR_PYTHON_OUTPUT={target.parent}",
            "-DLODESTAR_PYTHON=ON",
        ]
        if shutil.which("ninja"):
            arguments += ["-G", "Ninja"]
        arguments += [f"-DLODESTAR_{part}=OFF" for part in ("PROGRAM", "TESTS", "BENCH", "TORCH",
                                                          "FUZZ", "SERVE")]
        arguments += os.environ.get("CMAKE_ARGS", "").split()
        terminal.tell("compiling the bindings for the installed library" if found else
                      "compiling, which takes one to three minutes")
        run(arguments, terminal)
        run(["cmake", "--build", str(work), "--target", "lodestar_python", "-j",
             str(os.cpu_count() or 1)], terminal)
        if not target.exists():
            raise RuntimeError(f"CMake built no {target.name}; is pybind11-dev installed?")
        bundle(target)


setup(
    version=version(),
    ext_modules=[Extension("lodestar._core", sources=[])],
    cmdclass={"build_ext": CMakeBuild},
)
