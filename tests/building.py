"""The C core, libraries and programs of it: a run compiles each source once for its flags."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from running import good, program

ROOT = Path(__file__).resolve().parents[1]
INCLUDE = (f"-I{ROOT / 'include'}", f"-I{ROOT / 'src'}")
WARNINGS = ("-Wall", "-Wextra", "-Werror")
JOBS = min(os.cpu_count() or 1, 8)

# The core as tests link it, with the warnings that it may not have. Only what the headers declare
# is exported, as from the package; compilers look further into functions then.
CORE = ("-O1", "-fPIC", "-fvisibility=hidden", *WARNINGS, "-Wconversion")
TESTS = ("-O1", "-fPIC", *WARNINGS)  # what is linked with it


def core() -> list[Path]:
    """The sources of the library."""
    return sorted((ROOT / "src").rglob("*.c"))


PROBES = ROOT / "tests/c/probe"


def units() -> list[Path]:
    """The unit tests, and the probes that they look into the core with."""
    return [*sorted((ROOT / "tests/c").glob("*.c")), *sorted(PROBES.rglob("*.c"))]


def without_probed(library: Sequence[Path], files: Sequence[Path]) -> list[Path]:
    """A probe among the files stands in place of the core's file of the same name."""
    probed = {ROOT / "src" / file.relative_to(PROBES) for file in files if PROBES in file.parents}
    return [file for file in library if file not in probed]


@dataclass(frozen=True)
class Builder:
    """Compiles into a folder, and takes from there what it has compiled before."""

    folder: Path

    def objects(
        self, files: Sequence[Path], flags: Sequence[str], compiler: Sequence[str] | None = None
    ) -> list[Path]:
        """The object of each source, compiled with these flags, on all processors."""
        command = [*(compiler or program("cc")), "-std=c11", *INCLUDE, *flags]

        def one(file: Path) -> Path:
            key = hashlib.sha256("\0".join([*command, str(file)]).encode()).hexdigest()
            target = self.folder / f"{file.stem}-{key[:16]}.o"
            if not target.exists():
                good([*command, "-c", file, "-o", target])
            return target

        with ThreadPoolExecutor(JOBS) as pool:
            return list(pool.map(one, files))

    def core(self) -> list[Path]:
        """The objects of the core that most tests share."""
        return self.objects(core(), CORE)

    def link(
        self,
        name: str,
        objects: Sequence[Path],
        flags: Sequence[str] = (),
        compiler: Sequence[str] | None = None,
    ) -> Path:
        """The program of that name; what has the same name has to be the same."""
        target = self.folder / name
        if not target.exists():
            good([*(compiler or program("cc")), *objects, *flags, "-pthread", "-o", target])
        return target

    def library(self) -> Path:
        """The core as a shared library."""
        return self.link("libcore.so", self.core(), ["-shared"])
