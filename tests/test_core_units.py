"""The C core by itself: its unit tests, its warnings, its symbols; no Python header is needed."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from proving.build import core, units, without_probed

HEADERS = ("bnns/bnns.h", "bnnspy.h")
PARTS = (
    *("layouts", "data_sizes", "fold", "overlap", "bounds", "errors", "outcomes", "gather"),
    *("faults", "quota", "environment", "narrow", "take", "changed"),
    *("turn", "runs", "copies", "copy_plan", "transpose_pages"),
)
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]


def compiler() -> list[str]:
    """cc, or what CC names."""
    words = shlex.split(os.environ.get("CC", "cc"))
    if shutil.which(words[0]) is None:
        pytest.skip(f"{words[0]} is not installed")
    return words


def run(arguments: list[str], directory: Path) -> subprocess.CompletedProcess[str]:
    """Runs a program, without what was put in front of this Python (a sanitizer, say)."""
    kept = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    return subprocess.run(
        arguments, cwd=directory, env=kept, capture_output=True, text=True, timeout=300, check=False
    )


def command(repository: Path, *flags: str) -> list[str]:
    """The compiler as the documents name it, with the core's folders."""
    folders = [f"-I{repository / 'include'}", f"-I{repository / 'src'}"]
    return [*compiler(), "-std=c11", *folders, *flags]


def sources(repository: Path) -> list[str]:
    """All of the core."""
    found = sorted(map(str, (repository / "src").rglob("*.c")))
    assert len(found) > 5
    return found


# --- unit tests -----------------------------------------------------------------------------------


def sanitizers(folder: Path) -> list[str]:
    """Their flags, where this compiler has them and the program they make runs."""
    source, program = folder / "probe.c", folder / "probe"
    source.write_text("int main(void) { return 0; }\n", "utf-8")
    built = run([*compiler(), *SANITIZERS, str(source), "-o", str(program)], folder)
    if built.returncode == 0 and run([str(program)], folder).returncode == 0:
        return SANITIZERS
    return []


@pytest.fixture(scope="module")
def program(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The unit tests and their probes, compiled with the rest of the core's own sources."""
    folder = tmp_path_factory.mktemp("units")
    tests = units()
    files = [*map(str, tests), *map(str, without_probed(core(), tests))]
    flags = ["-O1", "-g", "-Wall", "-Wextra", "-Werror", *sanitizers(folder)]
    target = folder / "units"
    line = [*command(repository, *flags), *files, "-pthread"]
    built = run([*line, "-o", str(target)], folder)
    assert built.returncode == 0, built.stderr
    return target


@pytest.mark.parametrize("part", PARTS)
def test_part(part: str, program: Path, tmp_path: Path) -> None:
    ran = run([str(program), part], tmp_path)
    assert ran.returncode == 0, ran.stderr
    checks = re.fullmatch(rf"{part}: (\d+) checks\n", ran.stdout)
    assert checks is not None
    assert int(checks[1]) > 10


def test_every_part_is_run(program: Path, tmp_path: Path) -> None:
    ran = run([str(program)], tmp_path)
    assert tuple(re.findall(r"^(\w+): ", ran.stdout, re.MULTILINE)) == PARTS
    assert run([str(program), "no such part"], tmp_path).returncode == 2


# --- the build that the documents promise ---------------------------------------------------------


def test_core_compiles_with_strict_warnings(repository: Path, tmp_path: Path) -> None:
    flags = ["-Wall", "-Wextra", "-Wconversion", "-Werror", "-c"]
    built = run([*command(repository, *flags), *sources(repository)], tmp_path)
    assert built.returncode == 0, built.stderr
    assert len(list(tmp_path.glob("*.o"))) == len(sources(repository))


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


def test_exported_symbols_are_the_declared_functions(repository: Path, tmp_path: Path) -> None:
    if shutil.which("nm") is None:
        pytest.skip("nm is not installed")
    library = tmp_path / "libbnns.so"
    flags = ["-O1", "-fvisibility=hidden", "-shared", "-fPIC", "-o", str(library)]
    built = run([*command(repository, *flags), *sources(repository), "-pthread"], tmp_path)
    assert built.returncode == 0, built.stderr
    mac = sys.platform == "darwin"
    options = ["-gU"] if mac else ["-D", "--defined-only"]
    listed = run(["nm", *options, str(library)], tmp_path)
    assert listed.returncode == 0, listed.stderr
    names = {
        line.split()[-1].removeprefix("_" if mac else "") for line in listed.stdout.splitlines()
    }
    # What a linker adds begins with an underscore.
    exported = {name for name in names if not name.startswith("_")}
    expected = declared(repository)
    assert {"BNNSGather", "bnnspy_last_error"} <= expected
    assert exported == expected
