"""Shared libraries with the BNNS interface: our core, and copies of it with one thing wrong.

conformance/mutant.c stands before the core, which is compiled as it is but for the name of its
BNNSGather, so that no change to the core's inside touches these tests.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from proving.build import core

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "tests" / "conformance" / "mutant.c"
NAMES = ("same", "wraps", "swaps", "overreads", "spoils", "strays", "crashes", "hangs")
FLAGS = ("-std=c11", "-O1", "-fPIC", "-D_DEFAULT_SOURCE")
INCLUDE = (f"-I{ROOT / 'include'}", f"-I{ROOT / 'src'}")


def compiler() -> str | None:
    """The C compiler, if there is one."""
    return shutil.which("cc")


def run(*command: str | Path) -> None:
    """A command that has to succeed; an AssertionError with what it said otherwise."""
    done = subprocess.run(
        list(map(str, command)),
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"


def build(folder: Path) -> dict[str, Path]:
    """All libraries by their names, and "plain": the unmodified core."""
    cc = compiler()
    assert cc is not None
    sources = core()
    objects = []
    for name, renamed in (("plain", ()), ("real", ("-DBNNSGather=real_BNNSGather",))):
        for source in sources:
            target = folder / f"{name}-{'-'.join(source.relative_to(ROOT).parts)}.o"
            run(cc, *FLAGS, *INCLUDE, *renamed, "-c", source, "-o", target)
            if name == "real":
                objects.append(target)
    libraries = {"plain": folder / "plain.so"}
    run(cc, "-shared", *folder.glob("plain-*.o"), "-lpthread", "-o", libraries["plain"])
    for name in NAMES:
        libraries[name] = folder / f"{name}.so"
        given = [*FLAGS, *INCLUDE, f"-DMUTANT={name}", "-shared", SOURCE, *objects, "-lpthread"]
        run(cc, *given, "-o", libraries[name])
    return libraries
