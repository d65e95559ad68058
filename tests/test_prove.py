"""tests/prove: it lists its parts, says why it leaves one out, and counts in its last line."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from proving.common import Failed
from proving.mutants import changed
from proving.plants import PLANTS
from running import run

ROOT = Path(__file__).resolve().parents[1]
# They need no tools.
WITHOUT_TOOLS = ("rss", "race", "suite", "size", "stateful", "conformance", "strict")
PARTS = {
    *("c", "asan", "tsan", "musl", "valgrind", "compilers", "fuzz", "fuzz-plant"),
    *("aarch64", "s390x", "armhf", "i386"),
    *("rss", "race", "suite", "size", "stateful", "conformance", "strict"),
    *("wheel", "pythons", "free-threaded", "abi3audit"),
    "mutants",
}


def prove(repository: Path, *arguments: str, **environment: str) -> CompletedProcess[str]:
    """The script, run by this Python."""
    return run(
        [sys.executable, repository / "tests" / "prove", *arguments], environment=environment
    )


def test_list_has_every_part_with_its_needs(repository: Path) -> None:
    done = prove(repository, "--list")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert {line.split()[0] for line in lines} == PARTS
    assert all(re.fullmatch(r"\S+ +\S.* \(.+\)", line) for line in lines)


def test_unknown_part_is_named(repository: Path) -> None:
    done = prove(repository, "no-such-part")
    assert done.returncode == 2
    assert "no-such-part" in done.stderr


def test_missing_tools_are_skipped_with_the_reason(repository: Path, tmp_path: Path) -> None:
    done = prove(repository, "valgrind", "s390x", PATH=str(tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    first, second, counted, last = done.stdout.splitlines()
    assert first.startswith("valgrind: skipped: valgrind is not there")
    assert second.startswith("s390x: skipped: ")
    assert counted == "0 parts run, 2 skipped (valgrind, s390x)"
    assert last == "0 passed, 0 failed, 2 skipped"


def test_every_planted_fault_fits_the_core() -> None:
    """Each text stands exactly once where it is to be replaced: changed() says which does not."""
    assert len(PLANTS) >= 60
    assert len(set(PLANTS)) == len(PLANTS)
    for plant in PLANTS:
        assert changed(plant) != (ROOT / "src" / plant.file).read_text("utf-8")


def test_a_fault_that_fits_no_more_is_named() -> None:
    gone = PLANTS[0]._replace(right="no such line")
    twice = PLANTS[0]._replace(right="INVALID")
    for plant, found in ((gone, "has 0 times"), (twice, r"has \d+ times, not once")):
        with pytest.raises(Failed, match=rf"src/{plant.file} {found}"):
            changed(plant)


def test_long_parts_are_no_bounded_ones(repository: Path, tmp_path: Path) -> None:
    """Without any tool there is nothing to run: only what would have been is of interest."""
    every = prove(repository, "all", "--without", ",".join(WITHOUT_TOOLS), PATH=str(tmp_path))
    assert "\nmutants: skipped: cc is not there" in every.stdout
    bounded = prove(
        repository, "all", "--bounded", "--without", ",".join(WITHOUT_TOOLS), PATH=str(tmp_path)
    )
    assert "mutants" not in bounded.stdout
    named = prove(repository, "mutants", "--bounded", PATH=str(tmp_path))
    assert named.stdout.startswith("mutants: skipped: cc is not there")


def test_failure_is_shown_and_counted(repository: Path, tmp_path: Path) -> None:
    compiler = tmp_path / "cc"
    compiler.write_text("#!/bin/sh\necho no such thing as C here\nexit 3\n", "utf-8")
    compiler.chmod(0o755)
    done = prove(repository, "c", CC=str(compiler))
    assert done.returncode == 1
    assert "c: FAILED: " in done.stdout
    assert "no such thing as C here" in done.stdout
    assert done.stdout.splitlines()[-1] == "0 passed, 1 failed, 0 skipped"
