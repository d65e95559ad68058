"""Measures the thresholds of src/take/thresholds.h again, on this machine.

    python benchmarks/tune.py
    python benchmarks/tune.py --only FETCH_ELEMENTS --rounds 31

The core is built with cc once for each value of a threshold; gathers that the threshold decides
about are timed on all builds in turn, on the CPU time of one thread. What is printed for each value
is its time over that of the value in the header; for a size from which a strategy is used, the time
with it over that without. Values that would be better by more than the noise stand at the end.
Nothing is changed.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from pathlib import Path
from statistics import geometric_mean
from typing import Any

import numpy as np
import timing
import variants
from numpy.typing import NDArray

ROUNDS = 15
GAIN = 0.97  # a change is proposed below this ratio
KB, MB = 1 << 10, 1 << 20
NEVER = 1 << 40

Arrays = tuple[int, NDArray[Any], NDArray[Any], NDArray[Any]]


@dataclass(frozen=True)
class Gather:
    """A gather of float32 whose time a threshold decides about."""

    shape: tuple[int, ...]
    axis: int
    count: int
    elementwise: bool = False

    def __str__(self) -> str:
        kind = "elementwise " if self.elementwise else ""
        return f"{kind}{self.count} of {self.shape}, axis {self.axis}"

    def make(self) -> Arrays:
        """Axis, table, indices, output."""
        rng = np.random.default_rng(0)
        result = (*self.shape[: self.axis], self.count, *self.shape[self.axis + 1 :])
        table = np.arange(prod(self.shape), dtype=np.float32).reshape(self.shape)
        where = result if self.elementwise else (self.count,)
        indices = rng.integers(0, self.shape[self.axis], where)
        return self.axis, table, indices, np.zeros(result, np.float32)


def elements(table: int, count: int = 1_000_000) -> Gather:
    """Single floats from a table of so many bytes."""
    return Gather((table // 4,), 0, count)


def rows(table: int, row: int, count: int) -> Gather:
    """Rows of so many bytes."""
    return Gather((table // row, row // 4), 0, count)


def tables(each: int) -> Gather:
    """The last axis of a matrix of 32 MB, whose rows have so many bytes."""
    return Gather((32 * MB // each, each // 4), 1, each // 8)


def columns(height: int, width: int) -> Gather:
    """An elementwise gather along the slow axis."""
    return Gather((height, width), 0, height, elementwise=True)


OWN_INDICES = Gather((4096, 4096), 1, 4096, elementwise=True)


@dataclass(frozen=True)
class Question:
    """A threshold, the values to try, and the gathers that it decides about.

    last_cache stands for the machine's, where the plan looks at that too: 1 counts as none.
    """

    threshold: str
    values: tuple[int, ...]
    gathers: tuple[Gather, ...]
    last_cache: int = 1


@dataclass(frozen=True)
class Border:
    """A size from which (or up to which) a strategy is used: it is timed against doing without."""

    threshold: str
    sizes: tuple[int, ...]
    gather: Callable[[int], Gather]
    use: dict[str, int]
    leave: dict[str, int]
    upwards: bool = True


QUESTIONS = (
    Question(
        "FETCH_ELEMENTS",
        (16, 32, 64, 128, 256),
        (elements(128 * MB), rows(64 * MB, 16, 1_000_000)),
    ),
    Question(
        "FETCH_BYTES",
        (1 * KB, 2 * KB, 3 * KB, 6 * KB),
        (rows(128 * MB, 3072, 4096), rows(256 * MB, 256, 65536)),
    ),
    Question("TABLE_PART", (32, 64, 128, 256), (Gather((4096, 4096), 1, 1024),)),
    Question("FETCH_PART", (64, 128, 256), (elements(128 * MB), rows(32 * MB, 32, 1_000_000))),
    Question("INDICES_AHEAD", (2 * KB, 4 * KB, 8 * KB), (OWN_INDICES,)),
    Question("OUTPUT_AHEAD", (1 * KB, 2 * KB, 4 * KB), (OWN_INDICES,)),
    Question("TABLE_AHEAD", (1 * KB, 2 * KB, 4 * KB), (Gather((28_672, 56), 1, 32),)),
    Question("COLUMN_BYTES", (128, 256, 512), (columns(2048, 2048),)),
    Question("ROWS_AHEAD", (2, 4, 8, 16), (columns(2048, 2048),)),
)

BORDERS = (
    Border(
        "COPY_FROM",
        (256, 512, 1 * KB, 2 * KB, 4 * KB, 64 * KB),
        lambda size: rows(32 * size, size, 16),
        {"COPY_FROM": 128},
        {"COPY_FROM": NEVER},
    ),
    Border(
        "FETCH_FROM",
        (1 * MB, 2 * MB, 4 * MB, 8 * MB, 16 * MB, 32 * MB, 64 * MB),
        elements,
        {"FETCH_FROM": 1, "FETCH_CACHES": 0},
        {"FETCH_FROM": NEVER},
    ),
    Border(
        "TABLE_LEAST",
        (1 * KB, 2 * KB, 4 * KB, 8 * KB),
        tables,
        {"TABLE_LEAST": 1},
        {"TABLE_LEAST": NEVER},
    ),
    Border(
        "TABLE_MOST",
        (16 * KB, 32 * KB, 64 * KB, 128 * KB),
        tables,
        {"TABLE_MOST": NEVER},
        {"TABLE_MOST": 1},
        upwards=False,
    ),
    Border(
        "COLUMNS_FROM",
        (256 * KB, 512 * KB, 1 * MB, 2 * MB, 4 * MB),
        lambda size: columns(size // 4096, 1024),
        {"COLUMNS_FROM": 1},
        {"COLUMNS_FROM": NEVER},
    ),
    Border(
        "STREAM_FROM",
        (4 * MB, 16 * MB, 64 * MB),
        lambda size: rows(128 * MB, 2048, size // 2048),
        {"STREAM_FROM": 1},
        {"STREAM_FROM": NEVER},
    ),
)


def shown(number: int) -> str:
    """A count of bytes or indices, short."""
    for unit, name in ((MB, "M"), (KB, "K")):
        if number >= unit and number % unit == 0:
            return f"{number // unit}{name}"
    return str(number)


class Bench:
    """Builds and timings of one run."""

    def __init__(self, folder: Path, rounds: int) -> None:
        self.folder = folder
        self.rounds = rounds
        self.builds = 0

    def library(self, defines: dict[str, int], last_cache: int) -> Any:
        """A build that takes the last cache for so large; it looks at its first call."""
        os.environ["BNNSPY_LAST_CACHE"] = str(last_cache)
        self.builds += 1
        library = variants.build(self.folder, f"core{self.builds}", defines)
        small = np.zeros(1, np.float32)
        variants.gather(library, 0, small, np.zeros(1, np.int64), small.copy())()
        return library

    def times(self, libraries: dict[int, Any], gather: Gather) -> dict[int, float]:
        """Median seconds of a gather on each build."""
        axis, table, indices, output = gather.make()
        calls = {
            str(key): variants.gather(library, axis, table, indices, output)
            for key, library in libraries.items()
        }
        variants.compare(axis, table, indices, output)
        medians = timing.medians(list(timing.rounds(calls, self.rounds, 1)))
        return {int(key): seconds for key, seconds in medians.items()}

    def answer(self, question: Question) -> int:
        """The value that is best by more than the noise, else the one that stands."""
        now = variants.thresholds()[question.threshold]
        values = sorted({*question.values, now})
        libraries = {
            value: self.library({question.threshold: value}, question.last_cache)
            for value in values
        }
        ratios: dict[int, list[float]] = {value: [] for value in values}
        for gather in question.gathers:
            seconds = self.times(libraries, gather)
            for value in values:
                ratios[value].append(seconds[value] / seconds[now])
            figures = "  ".join(f"{shown(v)} {seconds[v] / seconds[now]:.2f}" for v in values)
            print(f"{question.threshold:15} {gather!s:45} {figures}", flush=True)
        means = {value: geometric_mean(found) for value, found in ratios.items()}
        best = min(means, key=means.__getitem__)
        return best if means[best] < GAIN else now

    def border(self, border: Border) -> int:
        """The size from which on (or up to which) the strategy pays, on the sizes tried."""
        now = variants.thresholds()[border.threshold]
        libraries = {0: self.library(border.leave, 1), 1: self.library(border.use, 1)}
        pays: dict[int, float] = {}
        for size in border.sizes:
            seconds = self.times(libraries, border.gather(size))
            pays[size] = seconds[1] / seconds[0]
        figures = "  ".join(f"{shown(size)} {ratio:.2f}" for size, ratio in pays.items())
        print(f"{border.threshold:15} {'with the strategy over without, by size':45} {figures}")
        used = [size for size in border.sizes if (size >= now) == border.upwards or size == now]
        wrong = [
            size
            for size, ratio in pays.items()
            if (ratio > 1 / GAIN if size in used else ratio < GAIN)
        ]
        if not wrong:
            return now
        good = [size for size, ratio in pays.items() if ratio < GAIN]
        if not good:
            return NEVER if border.upwards else 0
        return min(good) if border.upwards else max(good)

    def threads(self) -> None:
        """From how many elements on two threads are faster than one; wall time."""
        library = self.library({}, 1)
        figures = []
        for count in (50_000, 100_000, 200_000, 400_000, 800_000):
            axis, table, indices, output = elements(4 * MB, count).make()
            calls = {
                str(n): variants.gather(library, axis, table, indices, output, n) for n in (1, 2)
            }
            seconds = timing.medians(list(timing.rounds(calls, self.rounds, 2)))
            figures.append(f"{count} {seconds['2'] / seconds['1']:.2f}")
        print(f"{'THREAD_MOVES':15} {'two threads over one, by elements':45} {'  '.join(figures)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", help="thresholds whose name has this in it")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    options = parser.parse_args()
    now = variants.thresholds()
    proposed: dict[str, int] = {}
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder), options.rounds)
        for each in (*QUESTIONS, *BORDERS):
            if options.only and options.only not in each.threshold:
                continue
            ask = bench.answer if isinstance(each, Question) else bench.border
            found = ask(each)  # type: ignore[arg-type]
            if found != now[each.threshold]:
                proposed[each.threshold] = found
        if not options.only or options.only in "THREAD_MOVES":
            bench.threads()
    for threshold, value in proposed.items():
        wanted = {NEVER: "never", 0: "never"}.get(value, shown(value))
        print(f"would change {threshold}: {shown(now[threshold])} -> {wanted}")
    if not proposed:
        print("would change nothing")


if __name__ == "__main__":
    main()
