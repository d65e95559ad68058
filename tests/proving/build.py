"""Building the C core and its tests in many ways, each object once for a set of flags."""

from __future__ import annotations

from pathlib import Path

from building import Builder, core, without_probed

from .common import ROOT, Failed, Run

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


def promises() -> list[Path]:
    """The tests of the promises."""
    return sorted((ROOT / "tests/c/promises").glob("*.c"))


def fuzzer() -> list[Path]:
    """The fuzzing harness, and what it makes calls and judges them with."""
    helpers = [ROOT / "tests/c/promises" / name for name in ("generate.c", "reference.c")]
    return [ROOT / "tests/fuzz/gather_fuzzer.c", *helpers]


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
    core_flags = flags if core_flags is None else core_flags
    library = without_probed(core() if library is None else library, files)
    builder = Builder(run.folder)
    objects = builder.objects(files, flags, compiler)
    objects += builder.objects(library, core_flags, compiler)
    return builder.link(name, objects, (*flags, *link), compiler)


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
