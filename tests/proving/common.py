"""What the parts of tests/prove share: running programs, and saying why one is left out."""

from __future__ import annotations

import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TAIL = 2500  # characters of a failing program's output that are shown


class Skipped(Exception):
    """Something that a part needs is not there."""


class Failed(Exception):
    """A promise does not hold, or what should show it could not be built."""


@dataclass
class Run:
    """How the parts are run, and where they may write."""

    folder: Path
    bounded: bool
    seconds: int = 0  # for parts that take as long as they are given; 0 is their own choice
    only: str = ""  # for parts that are a list: the rows that match this pattern
    built: dict[tuple[str, ...], Path] = field(default_factory=dict)

    def require(self, need: str) -> None:
        """Skips unless a need is met: a program, `module NAME`, `file PATH` or `linux`."""
        kind, _, name = need.partition(" ")
        if kind == "linux":
            met = sys.platform == "linux"
        elif kind == "module":
            met = importlib.util.find_spec(name) is not None
        elif kind == "file":
            met = (ROOT / name).exists()
        else:
            met = shutil.which(program(kind)[0]) is not None
        if not met:
            raise Skipped(f"{name or kind} is not there" + (" (for Linux)" if not name else ""))

    def call(
        self,
        words: Sequence[str | Path],
        timeout: float,
        environment: Mapping[str, str] | None = None,
        cwd: Path | None = None,
    ) -> subprocess.CompletedProcess[str]:
        """A program and its output, both streams together; a hang is a failure."""
        kept = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
        try:
            return subprocess.run(
                [str(word) for word in words],
                env=kept | dict(environment or {}),
                cwd=cwd or self.folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                timeout=timeout,
                check=False,
            )
        except subprocess.TimeoutExpired as late:
            shown = f"{' '.join(map(str, words))[:300]} was not done after {timeout:.0f} s"
            raise Failed(shown) from late

    def good(
        self,
        words: Sequence[str | Path],
        timeout: float = 900,
        environment: Mapping[str, str] | None = None,
        cwd: Path | None = None,
    ) -> str:
        """The output of a program that has to end with 0."""
        done = self.call(words, timeout, environment, cwd)
        if done.returncode != 0:
            command = " ".join(map(str, words))
            raise Failed(f"{command[:300]} ended with {done.returncode}\n{done.stdout[-TAIL:]}")
        return done.stdout


@dataclass(frozen=True)
class Part:
    """One part: its name, what it does, what it needs, and the function that returns its figure."""

    name: str
    does: str
    needs: tuple[str, ...]
    run: Callable[[Run], str]
    long: bool = False  # `all --bounded` leaves it out: there is no shorter way to run it


def program(name: str) -> list[str]:
    """The command for a program; cc and clang can be named by CC and CLANG."""
    variable = {"cc": "CC", "clang": "CLANG"}.get(name)
    return shlex.split(os.environ.get(variable, "") if variable else "") or [name]
