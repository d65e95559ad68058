"""The C core as a plain shared library, without Python: `python -m bnnspy build-library PATH`.

The sources are those of the package: src/ in a checkout, bnnspy/src/ in a wheel.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from bnnspy import get_include
from bnnspy._bnns import lib
from bnnspy.command_line import CannotRun
from bnnspy.errors import text

PACKAGE = Path(__file__).resolve().parent
MAC = sys.platform == "darwin"
NAME = "libbnnspy.dylib" if MAC else "libbnnspy.so"


class BuildError(CannotRun):
    """Why there is no library."""


def source_folder() -> Path | None:
    """The folder of the C sources; None where they were left out."""
    for folder in (PACKAGE / "src", PACKAGE.parent / "src"):
        if (folder / "tensor.c").is_file():
            return folder
    return None


def build(path: Path) -> str:
    """Compiles the library to path, or into the folder path.

    Returns
    -------
    str
        Flags for compiling and linking a program that uses it, for one line of cc.

    Raises
    ------
    BuildError
        The sources or the compiler are missing, the library can't be written, or the compiler
        failed. What was at path is then as it was.
    """
    sources = source_folder()
    if sources is None:
        raise BuildError(
            "the C sources are not beside the package; install bnnspy from its wheel or its "
            "source archive, or build in a checkout"
        )
    try:
        target = (path / NAME if path.is_dir() else path).absolute()
        if not target.parent.is_dir():
            raise BuildError(f"{target.parent} is no folder")
        if target.exists() and not target.is_file():
            raise BuildError(f"{target} is there already, and is no file")
        compile_to(target, sources)
    except OSError as error:
        raise BuildError(f"{path} can't be written: {error.strerror}") from None
    return usage(target)


def compile_to(target: Path, sources: Path) -> None:
    """The library, made beside target: an older one stays when the compiler writes none."""
    command = [*compiler(), *flags(sources), *own_name(target)]
    with tempfile.TemporaryDirectory(prefix=".bnnspy-", dir=target.parent) as folder:
        made = Path(folder) / target.name
        run([*command, "-o", str(made)])
        if not made.is_file():
            raise BuildError(f"{command[0]} wrote no library; CC names another compiler")
        made.replace(target)


def compiler() -> list[str]:
    """cc, or what the environment variable CC names."""
    given = os.environ.get("CC", "")
    try:
        return shlex.split(given) or ["cc"]
    except ValueError as error:
        raise BuildError(f"CC is {given!r}, which is no command: {error}") from None


def flags(sources: Path) -> list[str]:
    """Flags and files of the core. Only what the headers declare is exported."""
    version = text(lib.bnnspy_version())
    return [
        *("-std=c11", "-O3", "-fPIC", "-fvisibility=hidden", "-shared"),
        f'-DBNNSPY_VERSION="{version}"',
        f"-I{get_include()}",
        f"-I{sources}",
        *map(str, sorted(sources.rglob("*.c"))),
        "-pthread",
    ]


def own_name(target: Path) -> list[str]:
    """The name by which programs will look for the library."""
    if MAC:
        return [f"-Wl,-install_name,@rpath/{target.name}"]
    return [f"-Wl,-soname,{target.name}"]


def run(command: list[str]) -> None:
    """Runs the compiler; what it says goes into the error."""
    try:
        done = subprocess.run(command, capture_output=True, check=False)
    except OSError as error:
        raise BuildError(
            f"{command[0]} can't be run ({error}); CC names another compiler"
        ) from None
    if done.returncode != 0:
        said = done.stderr.decode(errors="replace").strip()
        raise BuildError(f"{command[0]} failed\n{said}")


def usage(target: Path) -> str:
    """The flags for a program: -I, and the library with the folder where it is looked for."""
    include = shlex.quote(f"-I{get_include()}")
    rpath = shlex.quote(f"-Wl,-rpath,{target.parent}")
    return f"{include} {shlex.quote(str(target))} {rpath} -pthread"
