"""What the parts of tests/prove share: running programs, and saying why one is left out."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import running
from running import Failed as Failed
from running import program

ROOT = Path(__file__).resolve().parents[2]


class Skipped(Exception):
    """Something that a part needs is not there."""


@dataclass
class Run:
    """How the parts are run, and where they may write."""

    folder: Path
    bounded: bool
    seconds: int = 0  # for parts that take as long as they are given; 0 is their own choice
    only: str = ""  # for parts that are a list: the rows that match this pattern

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
        return running.run(
            words, timeout=timeout, environment=environment, cwd=cwd or self.folder, together=True
        )

    def good(
        self,
        words: Sequence[str | Path],
        timeout: float = 900,
        environment: Mapping[str, str] | None = None,
        cwd: Path | None = None,
    ) -> str:
        """The output of a program that has to end with 0."""
        return running.good(
            words, timeout=timeout, environment=environment, cwd=cwd or self.folder, together=True
        )


@dataclass(frozen=True)
class Part:
    """One part: its name, what it does, what it needs, and the function that returns its figure."""

    name: str
    does: str
    needs: tuple[str, ...]
    run: Callable[[Run], str]
    long: bool = False  # `all --bounded` leaves it out: there is no shorter way to run it
