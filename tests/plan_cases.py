"""Gathers of sizes that make the plan choose each of its strategies, and memory to run them in.

The thresholds are those of src/take/thresholds.h; that each problem really takes its strategy is
tested.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

GUARD = 64  # bytes before and after every output
FILLER = 0xA5

STRATEGIES = ("plain", "once", "fetch", "tables", "columns", "registers", "stream", "workspace")


@dataclass(frozen=True)
class Problem:
    """One gather; the output may have holes between its rows (or elements, with one dimension)."""

    strategy: str
    shape: tuple[int, ...]
    axis: int
    count: int  # indices along the axis
    dtype: str = "float32"
    index_dtype: str = "int64"
    elementwise: bool = False
    holes: bool = False

    @property
    def name(self) -> str:
        """For messages and test ids."""
        kind = "elementwise" if self.elementwise else "vector"
        holes = "-holes" if self.holes else ""
        return (
            f"{self.strategy}-{self.shape}-axis{self.axis}-{self.count}-{self.dtype}-"
            f"{self.index_dtype}-{kind}{holes}"
        ).replace(" ", "")

    @property
    def result_shape(self) -> tuple[int, ...]:
        """Of the output."""
        return (*self.shape[: self.axis], self.count, *self.shape[self.axis + 1 :])

    def inputs(self) -> tuple[Array, Array]:
        """Table and indices, the first and the last index among them."""
        rng = np.random.default_rng(abs(hash((self.shape, self.count))) % 2**32)
        size = int(np.prod(self.shape)) * np.dtype(self.dtype).itemsize
        table = rng.integers(0, 256, size, dtype=np.uint8).view(self.dtype).reshape(self.shape)
        bound = self.shape[self.axis]
        most = min(bound, int(np.iinfo(self.index_dtype).max))
        where = self.result_shape if self.elementwise else (self.count,)
        indices = rng.integers(0, most, where).astype(self.index_dtype)
        indices.flat[0], indices.flat[-1] = most - 1, 0
        return table, indices


def expected(problem: Problem, table: Array, indices: Array) -> Array:
    """What NumPy gives."""
    if problem.elementwise:
        return np.take_along_axis(table, indices.astype(np.int64), problem.axis)
    return np.take(table, indices.astype(np.int64), problem.axis)


class Output:
    """An output in the middle of guard bytes, with holes where the problem wants them.

    Attributes
    ----------
    memory : array of uint8
        All of it.
    view : array
        The elements.
    others : list of array
        Every byte that is no element's.
    """

    def __init__(self, problem: Problem, memory: Array | None = None, shift: int = 0) -> None:
        item = np.dtype(problem.dtype).itemsize
        shape = problem.result_shape
        if not problem.holes:
            pitch = shape[-1]
        elif len(shape) == 1:
            pitch = 2 * shape[0]
        else:
            pitch = shape[-1] + 3
        whole = (*shape[:-1], pitch)
        nbytes = int(np.prod(whole)) * item
        before = GUARD + shift
        self.memory = np.empty(before + nbytes + GUARD, np.uint8) if memory is None else memory
        self.memory.fill(FILLER)
        inner = self.memory[before : before + nbytes]
        elements = inner.view(problem.dtype).reshape(whole)
        bytes_of = inner.reshape(*whole, item)
        self.others = [self.memory[:before], self.memory[before + nbytes :]]
        if not problem.holes:
            self.view = elements
        elif len(shape) == 1:
            self.view = elements[::2]
            self.others.append(bytes_of[1::2])
        else:
            self.view = elements[..., : shape[-1]]
            self.others.append(bytes_of[..., shape[-1] :, :])

    def only_elements_changed(self) -> bool:
        """Whether every byte that is no element's is as it was."""
        return all(bool((part == FILLER).all()) for part in self.others)

    def untouched(self) -> bool:
        """Whether every byte is as it was."""
        return bool((self.memory == FILLER).all())


def with_holes(problem: Problem) -> list[Problem]:
    """The problem, and the same with holes."""
    return [problem, Problem(**{**problem.__dict__, "holes": True})]


def rows(strategy: str, run: int, table_bytes: int, count: int) -> Problem:
    """Rows of so many bytes from a table of at least so many."""
    return Problem(strategy, (-(-table_bytes // run), run), 0, count, "uint8")


def problems() -> list[Problem]:
    """All of them."""
    listed: list[Problem] = []
    for run in (1, 2, 3, 4, 8, 12, 16, 32, 64, 100):
        listed += with_holes(rows("once", run, 500 * run, 700))
        listed += with_holes(rows("fetch", run, 4 << 20, 2000))  # two blocks of indices
        listed.append(rows("fetch", run, 4 << 20, 20))  # fewer than are fetched ahead
    listed += with_holes(rows("fetch", 1100, 4 << 20, 1500))
    listed += with_holes(rows("once", 2200, 1 << 20, 300))  # too long for memcpy
    for dtype, n in (("float32", 2**20), ("float16", 2**21), ("int64", 2**19), ("uint8", 2**22)):
        listed += with_holes(Problem("fetch", (n,), 0, 3001, dtype, "int32"))
        listed += with_holes(Problem("plain", (5000,), 0, 3001, dtype))
        listed += with_holes(Problem("tables", (300, 4096), 1, 1024, dtype, "int32"))
        height = 2060 if dtype == "uint8" else 1030  # 1 MB at the least
        listed += with_holes(Problem("columns", (height, 530), 0, height, dtype, elementwise=True))
        listed += with_holes(Problem("workspace", (9, 3000), 1, 2077, dtype))
    for index in ("int8", "int16", "int32", "uint8", "uint16", "uint32", "uint64"):
        listed.append(Problem("columns", (1030, 530), 0, 600, "float32", index, True))
        listed.append(Problem("workspace", (9, 3000), 1, 2077, "float32", index))
        listed.append(Problem("plain", (9, 3000), 1, 2077, "float32", index, True))
    listed.append(Problem("tables", (64, 4096), 1, 1100, "float32", elementwise=True))
    listed.append(Problem("workspace", (40, 3000, 2), 1, 2077, "float32"))
    listed.append(Problem("columns", (3, 1030, 300), 1, 1030, "float32", elementwise=True))
    listed += with_holes(Problem("stream", (5000, 1100), 0, 15500, "uint8"))
    for bound in (1, 2, 15, 16, 17, 31, 32, 33, 48, 56, 63, 64):
        for count in (1, 2, 15, 16, 17, 31, 32, 33, 47, 100):
            # With one index, or one entry, there is nothing to pick.
            strategy = "registers" if min(count, bound) > 1 else "once"
            listed.append(Problem(strategy, (7, bound), 1, count, holes=bound % 2 == 0))
    listed += [Problem("registers", (5, 64), 1, count, "int32") for count in range(3, 15)]
    return listed
