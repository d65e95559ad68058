"""mypy and pyright, run on a file: the faults that they find, and those that its marks say."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Faults = set[tuple[int, str]]  # line and mypy's code of the error, "" in what pyright finds

MARK = re.compile(r"# wrong( for mypy)?: ([a-z-]+)$")


def run(*command: str, folder: Path) -> str:
    """Standard output of a type checker; they end with 1 where there are errors."""
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=folder,
        env=os.environ | {"PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"},  # or it asks for newer versions
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode in (0, 1), f"{' '.join(command)}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def found_by_mypy(file: Path, python: str) -> Faults:
    """Line and code of each error in strict mode, for the packages of an interpreter."""
    printed = run(
        *("mypy", "--strict", "--no-error-summary", "--hide-error-context", "--no-pretty"),
        *("--config-file=", f"--cache-dir={file.parent / 'cache'}"),
        *("--python-executable", python, file.name),
        folder=file.parent,
    )
    found = re.findall(r"^([^:\n]+):(\d+): error: .*\[([a-z-]+)\]$", printed, re.MULTILINE)
    assert all(name == file.name for name, _, _ in found), printed
    return {(int(line), code) for _, line, code in found}


def found_by_pyright(file: Path, python: str) -> Faults:
    """The line of each error, for the packages of an interpreter."""
    printed = run(
        *("pyright", "--outputjson", "--pythonpath", python, file.name), folder=file.parent
    )
    told = json.loads(printed)["generalDiagnostics"]
    return {(one["range"]["start"]["line"] + 1, "") for one in told if one["severity"] == "error"}


def marked(file: Path) -> tuple[Faults, Faults]:
    """What mypy has to find in a file, and what pyright."""
    lines = enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
    marks = [(number, found) for number, line in lines if (found := MARK.search(line))]
    by_mypy = {(number, found[2]) for number, found in marks}
    return by_mypy, {(number, "") for number, found in marks if not found[1]}


CHECKERS: dict[str, Callable[[Path, str], Faults]] = {
    "mypy": found_by_mypy,
    "pyright": found_by_pyright,
}


def check(checker: str, file: Path, python: str) -> None:
    """A checker finds the marked faults and no others; skips where it is not installed."""
    if importlib.util.find_spec(checker) is None:
        pytest.skip(f"{checker} is not installed; it comes with the extra dev")
    wanted = dict(zip(CHECKERS, marked(file), strict=True))[checker]
    assert wanted, "a file without a fault shows nothing"
    found = CHECKERS[checker](file, python)
    assert sorted(wanted - found) == [], "faults that are not found"
    assert sorted(found - wanted) == [], "faults that are none"
