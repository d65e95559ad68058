"""The build: one cffi module, one wheel for CPython 3.10 and newer. See also pyproject.toml."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

from setuptools import setup
from setuptools.command.editable_wheel import editable_wheel

# What compiles, and so needs a compiler; a source archive is made without one.
COMPILING = {"build", "build_ext", "bdist_wheel", "editable_wheel", "install", "develop"}

COMPILER = """\
bnnspy is compiled from C when it is installed, and {why}.
Debian, Ubuntu: apt-get install build-essential    Fedora: dnf install gcc
Alpine: apk add build-base    macOS: xcode-select --install
The environment variable CC names another compiler."""

HEADERS = """\
bnnspy is compiled from C when it is installed, against this Python's headers, and {why}.
Debian, Ubuntu: apt-get install python3-dev    Fedora: dnf install python3-devel
Alpine: apk add python3-dev    macOS: the python.org and Homebrew ones have it"""


def compiler() -> list[str]:
    """The command that setuptools will compile with: CC, or the one that Python was made with."""
    return shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")


def fault(program: str, *flags: str) -> str:
    """Why the compiler makes no shared library of a C program; "" when it does."""
    given = [word for name in ("CFLAGS", "CPPFLAGS") for word in shlex.split(os.getenv(name, ""))]
    with tempfile.TemporaryDirectory(prefix="bnnspy-") as folder:
        source, target = Path(folder, "probe.c"), Path(folder, "probe.so")
        source.write_text(program, encoding="utf-8")
        command = [*compiler(), *given, *flags, "-shared", "-fPIC", str(source), "-o", str(target)]
        try:
            done = subprocess.run(command, capture_output=True, check=False)
        except OSError as error:
            return f"{command[0]} can't be run ({error.strerror})"
        if done.returncode == 0 and target.is_file():
            return ""
        said = (done.stderr + done.stdout).decode(errors="replace").strip()
        return f"{command[0]} can't compile {program.splitlines()[0]} ({said or 'saying nothing'})"


def why_not() -> str:
    """What is missing for a build, and where it is to be had; "" when nothing is."""
    try:
        if why := fault("#include <stdlib.h>\nint probe(void) { return EXIT_SUCCESS; }\n"):
            return COMPILER.format(why=why)
    except ValueError as error:
        return COMPILER.format(why=f"CC, CFLAGS or CPPFLAGS is no list of words ({error})")
    folders = {sysconfig.get_path(name) for name in ("include", "platinclude")}
    include = [f"-I{folder}" for folder in sorted(folders)]
    if why := fault(
        "#include <Python.h>\nint probe(void) { return PY_MAJOR_VERSION; }\n", *include
    ):
        return HEADERS.format(why=why)
    return ""


if sys.platform == "win32":
    sys.exit("bnnspy is for Linux and macOS: its core stands on C11 with POSIX threads.")
asked = COMPILING.intersection(sys.argv) and not {"-h", "--help"}.intersection(sys.argv)
# Here and not where setuptools begins to compile: by then it has printed a page.
if asked and (missing := why_not()):
    sys.exit(missing)

# The limited API has no free-threaded variant before CPython 3.15; there the wheel is per version.
free_threaded = bool(sysconfig.get_config_var("Py_GIL_DISABLED")) and sys.version_info < (3, 15)


class PathOfTheTree(editable_wheel):
    """An editable install that type checkers find: this folder's path, in a .pth file.

    Since include/ and src/ lie under bnnspy/ in the wheel, and not in the tree, setuptools would
    write an import hook, and type checkers run none. Nothing imports those two, and
    bnnspy.get_include() knows where they are.
    """

    def finalize_options(self) -> None:
        super().finalize_options()
        self.package_dir = {"": "."}


setup(
    cffi_modules=["cffi_build.py:ffi"],
    cmdclass={"editable_wheel": PathOfTheTree},
    options={} if free_threaded else {"bdist_wheel": {"py_limited_api": "cp310"}},
)
