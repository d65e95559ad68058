"""Building the C core and its tests in many ways, each object once for a set of flags."""

from __future__ import annotations

import hashlib
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .common import ROOT, Failed, Run

WARNINGS = ("-Wall", "-Wextra", "-Werror")
JOBS = min(os.cpu_count() or 1, 8)

# Thresholds at which small problems take every strategy that large ones take: see thresholds.h.
SMALL = {
    "COPY_FROM": 96,
    "FETCH_FROM": 256,
    "FETCH_ELEMENTS": 4,
    "FETCH_BYTES": 256,
    "FETCH_PART": 8,
    "TABLE_LEAST": 16,
    "TABLE_MOST": 128,
    "TABLES_FROM": 256,
    "TABLE_PART": 4,
    "COLUMNS_FROM": 256,
    "COLUMN_BYTES": 128,
    "STREAMS_FROM": 64,
    "STREAM_ROW": 256,
    "STREAM_FROM": 1024,
}
SMALL_FLAGS = tuple(f"-DBNNSPY_{name}={value}" for name, value in SMALL.items())
SMALL_ENVIRONMENT = {"BNNSPY_LAST_CACHE": "1", "BNNSPY_SECOND_CACHE": "1"}


def core() -> list[Path]:
    """The sources of the library."""
    return sorted((ROOT / "src").rglob("*.c"))


PROBES = ROOT / "tests/c/probe"


def units() -> list[Path]:
    """The unit tests, and the probes that they look into the core with."""
    return [*sorted((ROOT / "tests/c").glob("*.c")), *sorted(PROBES.rglob("*.c"))]


def without_probed(library: list[Path], files: list[Path]) -> list[Path]:
    """A probe among the files stands in place of the core's file of the same name."""
    probed = {ROOT / "src" / file.relative_to(PROBES) for file in files if PROBES in file.parents}
    return [file for file in library if file not in probed]


def promises() -> list[Path]:
    """The tests of the promises."""
    return sorted((ROOT / "tests/c/promises").glob("*.c"))


def fuzzer() -> list[Path]:
    """The fuzzing harness, and what it makes calls and judges them with."""
    helpers = [ROOT / "tests/c/promises" / name for name in ("generate.c", "reference.c")]
    return [ROOT / "tests/fuzz/gather_fuzzer.c", *helpers]


def compile_all(run: Run, compiler: list[str], flags: tuple[str, ...], files: list[Path]) -> None:
    """Compiles what this run has not compiled with these flags."""

    def one(file: Path) -> None:
        target = object_of(run, compiler, flags, file)
        if not target.exists():
            folders = [f"-I{ROOT / 'include'}", f"-I{ROOT / 'src'}"]
            run.good([*compiler, "-std=c11", *folders, *flags, "-c", file, "-o", target])

    with ThreadPoolExecutor(JOBS) as pool:
        for done in [pool.submit(one, file) for file in files]:
            done.result()


def object_of(run: Run, compiler: list[str], flags: tuple[str, ...], file: Path) -> Path:
    """Where the object of a source is for these flags."""
    key = hashlib.sha256("\0".join([*compiler, *flags, str(file)]).encode()).hexdigest()
    return run.folder / f"{file.stem}-{key[:16]}.o"


def build(
    run: Run,
    name: str,
    compiler: list[str],
    flags: tuple[str, ...],
    files: list[Path],
    link: tuple[str, ...] = (),
    core_flags: tuple[str, ...] | None = None,
    library: list[Path] | None = None,
) -> Path:
    """A program of these files and the core; flags are for both, unless core_flags differ."""
    target = run.folder / name
    if target.exists():
        return target
    core_flags = flags if core_flags is None else core_flags
    library = without_probed(core() if library is None else library, files)
    compile_all(run, compiler, flags, files)
    compile_all(run, compiler, core_flags, library)
    objects = [object_of(run, compiler, flags, file) for file in files]
    objects += [object_of(run, compiler, core_flags, file) for file in library]
    run.good([*compiler, *flags, *objects, *link, "-pthread", "-o", target])
    return target


def planted(run: Run, plant: tuple[str, str, str]) -> Path:
    """A copy of one source of the core with something changed: (file, what, by what)."""
    name, right, wrong = plant
    text = (ROOT / "src" / name).read_text("utf-8")
    if right not in text:
        raise Failed(f"src/{name} has no `{right}` any more: the plant has to be another")
    target = run.folder / f"planted-{abs(hash(plant))}" / Path(name).name
    target.parent.mkdir(exist_ok=True)
    target.write_text(text.replace(right, wrong), "utf-8")
    return target
