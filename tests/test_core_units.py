"""The C core by itself: its unit tests, its warnings, its symbols; no Python header is needed."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

import pytest
from building import CORE, TESTS, Builder, core, units, without_probed
from running import FULL, good, program, run

HEADERS = ("bnns/bnns.h", "bnnspy.h")
PARTS = (
    *("layouts", "data_sizes", "fold", "overlap", "bounds", "errors", "outcomes", "gather"),
    *("faults", "quota", "environment", "narrow", "take", "changed"),
    *("turn", "runs", "copies", "copy_plan", "transpose_pages"),
)
SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")


# --- unit tests -----------------------------------------------------------------------------------


def sanitizers(folder: Path) -> tuple[str, ...]:
    """Their flags, where this compiler has them and the program they make runs."""
    source, probe = folder / "probe.c", folder / "probe"
    source.write_text("int main(void) { return 0; }\n", "utf-8")
    built = run([*program("cc"), *SANITIZERS, source, "-o", probe])
    return SANITIZERS if built.returncode == 0 and run([probe]).returncode == 0 else ()


@pytest.fixture(scope="module")
def tests(builder: Builder) -> Path:
    """The unit tests and their probes with the rest of the core; sanitized in the full suite."""
    more = ("-g", *sanitizers(builder.folder)) if FULL else ()
    objects = builder.objects(units(), (*TESTS, *more))
    objects += builder.objects(without_probed(core(), units()), (*CORE, *more))
    return builder.link("units", objects, more)


@pytest.mark.parametrize("part", PARTS)
def test_part(part: str, tests: Path) -> None:
    checks = re.fullmatch(rf"{part}: (\d+) checks\n", good([tests, part]))
    assert checks is not None
    assert int(checks[1]) > 10


def test_every_part_is_run(tests: Path) -> None:
    assert tuple(re.findall(r"^(\w+): ", good([tests]), re.MULTILINE)) == PARTS
    assert run([tests, "no such part"]).returncode == 2


# --- the build that the documents promise ---------------------------------------------------------


def test_core_compiles_with_strict_warnings(builder: Builder) -> None:
    assert {"-Wall", "-Wextra", "-Wconversion", "-Werror"} <= set(CORE)
    objects = builder.core()
    assert len({*objects}) == len(core()) > 5
    assert all(path.is_file() for path in objects)


def test_core_knows_no_python(repository: Path) -> None:
    """No header of Python's or cffi's, wherever the compiler might find one."""
    files = [p for folder in ("src", "include") for p in (repository / folder).rglob("*.[ch]")]
    for path in files:
        included = re.findall(r'#\s*include\s+["<]([^">]+)', path.read_text("utf-8"))
        assert not {"Python.h", "ffi.h"} & set(included), path


def declared(repository: Path) -> set[str]:
    """The functions of the public headers."""
    names: set[str] = set()
    for header in HEADERS:
        text = (repository / "include" / header).read_text("utf-8")
        text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
        names |= set(re.findall(r"^[a-z][\w \t*]*?\b(\w+)\([^;{]*\);", text, re.MULTILINE))
    return names


def test_exported_symbols_are_the_declared_functions(repository: Path, builder: Builder) -> None:
    if shutil.which("nm") is None:
        pytest.skip("nm is not installed")
    assert "-fvisibility=hidden" in CORE
    mac = sys.platform == "darwin"
    options = ["-gU"] if mac else ["-D", "--defined-only"]
    listed = good(["nm", *options, builder.library()])
    names = {line.split()[-1].removeprefix("_" if mac else "") for line in listed.splitlines()}
    # What a linker adds begins with an underscore.
    exported = {name for name in names if not name.startswith("_")}
    expected = declared(repository)
    assert {"BNNSGather", "bnnspy_last_error"} <= expected
    assert exported == expected
