"""Other programs, run one way by all tests and by the parts of tests/prove."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import textwrap
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


def in_children(
    before: str, program: str, environments: Sequence[Mapping[str, str]], timeout: float = 600
) -> list[str]:
    """What a Python program prints in each environment, in a process of its own for each.

    They are children of one new Python that has run `before`, so that imports are paid for once.
    """
    code = f"""
import os, sys
{textwrap.dedent(before)}
for environment in {[dict(environment) for environment in environments]!r}:
    sys.stdout.flush()
    if os.fork() == 0:
        os.environ.update(environment)
        exec({textwrap.dedent(program)!r})
        sys.stdout.flush()
        os._exit(0)
    assert os.wait()[1] == 0, environment
    print(end="\\0")
"""
    return good([sys.executable, "-c", code], timeout=timeout).split("\0")[:-1]
