"""Other programs, run one way by all tests and by the parts of tests/prove."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

# Whether all of the suite is run, as the gate does it, and not the part that is quick.
FULL = os.environ.get("BNNSPY_TEST_FULL", "") not in ("", "0")
TAIL = 2500  # characters of a failing program's output that are shown


class Failed(Exception):
    """A program did not do what it has to, or what should show it could not be built."""


def program(name: str) -> list[str]:
    """The command for a program; cc and clang can be named by CC and CLANG."""
    variable = {"cc": "CC", "clang": "CLANG"}.get(name)
    return shlex.split(os.environ.get(variable, "") if variable else "") or [name]


def run(
    words: Sequence[str | Path],
    *,
    timeout: float = 600,
    environment: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    together: bool = False,
) -> subprocess.CompletedProcess[str]:
    """A program without input, and its output, both streams `together` or each alone.

    What was put in front of this Python (a sanitizer, say) is for Python alone. A hang is a
    failure.
    """
    command = [str(word) for word in words]
    kept = dict(os.environ)
    if command[0] != sys.executable:
        kept.pop("LD_PRELOAD", None)
    try:
        return subprocess.run(
            command,
            env=kept | dict(environment or {}),
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if together else subprocess.PIPE,
            text=True,
            errors="replace",
            timeout=timeout,
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        shown = " ".join(command)[:300]
        raise Failed(f"{shown} was not done after {timeout:.0f} s") from late


def good(
    words: Sequence[str | Path],
    *,
    timeout: float = 900,
    environment: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    together: bool = False,
) -> str:
    """What a program prints that has to end with 0."""
    done = run(words, timeout=timeout, environment=environment, cwd=cwd, together=together)
    if done.returncode != 0:
        command = " ".join(map(str, words))
        said = (done.stdout + (done.stderr or ""))[-TAIL:]
        raise Failed(f"{command[:300]} ended with {done.returncode}\n{said}")
    return done.stdout
