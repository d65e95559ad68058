"""tests/prove: it lists its parts, says why it leaves one out, and counts in its last line."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from subprocess import CompletedProcess

from running import run

PARTS = {
    *("c", "asan", "tsan", "valgrind", "compilers", "fuzz", "fuzz-plant"),
    *("aarch64", "s390x", "armhf", "i386"),
    *("rss", "race", "size", "stateful", "conformance", "strict"),
    *("pythons", "free-threaded", "abi3audit"),
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


def test_failure_is_shown_and_counted(repository: Path, tmp_path: Path) -> None:
    compiler = tmp_path / "cc"
    compiler.write_text("#!/bin/sh\necho no such thing as C here\nexit 3\n", "utf-8")
    compiler.chmod(0o755)
    done = prove(repository, "c", CC=str(compiler))
    assert done.returncode == 1
    assert "c: FAILED: " in done.stdout
    assert "no such thing as C here" in done.stdout
    assert done.stdout.splitlines()[-1] == "0 passed, 1 failed, 0 skipped"
