"""Shared libraries with the BNNS interface: our core, and copies of it with one thing wrong.

conformance/mutant.c stands before the core, which is compiled as it is but for the name of its
BNNSGather, so that no change to the core's inside touches these tests.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from building import CORE, ROOT, Builder, core
from running import program

SOURCE = ROOT / "tests" / "conformance" / "mutant.c"
NAMES = ("same", "wraps", "swaps", "overreads", "spoils", "strays", "crashes", "hangs")
FLAGS = ("-O1", "-fPIC", "-D_DEFAULT_SOURCE")


def compiler() -> str | None:
    """The C compiler, if there is one."""
    return shutil.which(program("cc")[0])


def build(builder: Builder) -> dict[str, Path]:
    """All libraries by their names, and "plain": the unmodified core."""
    naming = [file for file in core() if "BNNSGather" in file.read_text("utf-8")]
    others = [file for file in core() if file not in naming]
    renamed = ("-DBNNSGather=real_BNNSGather",)
    real = builder.objects(naming, (*CORE, *renamed)) + builder.objects(others, CORE)
    libraries = {"plain": builder.library()}
    for name in NAMES:
        mutant = builder.objects([SOURCE], (*FLAGS, f"-DMUTANT={name}"))
        libraries[name] = builder.link(f"{name}.so", [*mutant, *real], ["-shared"])
    return libraries
