"""The gathers that are measured: one list, which the tests run at small sizes for correctness."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

PAGE = 4096


def at_page(size: int, offset: int) -> NDArray[np.uint8]:
    """So many zero bytes, the first of them `offset` bytes behind the beginning of a page."""
    block = np.zeros(size + 2 * PAGE, np.uint8)
    start = -block.ctypes.data % PAGE + offset
    return block[start : start + size]


@dataclass(frozen=True)
class Case:
    """One gather.

    Attributes
    ----------
    name : str
        The letter of its group, and what it is.
    shape : tuple of int
        Of the data.
    axis : int
    count : int
        How many indices along the axis; for an elementwise gather they have the data's shape.
    dtype, index_dtype : numpy type names
    elementwise : bool
        Indices shaped like the output.
    behind : int, optional
        How many bytes the output lies behind the table, modulo 4096; else wherever NumPy puts it.
    """

    name: str
    shape: tuple[int, ...]
    axis: int
    count: int
    dtype: str = "float32"
    index_dtype: str = "int64"
    elementwise: bool = False
    behind: int | None = None

    def small(self, limit: int = 40) -> Case:
        """The same with no size above `limit`."""
        shape = tuple(min(n, limit) for n in self.shape)
        values = {**self.__dict__, "shape": shape, "count": min(self.count, limit)}
        return Case(**values)

    def make(self, seed: int = 0) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Data, indices, and an output to be filled."""
        rng = np.random.default_rng(seed)
        n = int(np.prod(self.shape))
        data = rng.integers(0, 2 if self.dtype == "bool" else 100, n, dtype=np.uint8)
        table = data.astype(self.dtype).reshape(self.shape)
        where = list(self.shape) if self.elementwise else [self.count]
        bound = self.shape[self.axis]
        indices = rng.integers(0, bound, where).astype(self.index_dtype)
        result = list(self.shape)
        result[self.axis] = self.shape[self.axis] if self.elementwise else self.count
        if self.behind is None:
            return table, indices, np.zeros(result, self.dtype)
        placed = at_page(table.size * table.itemsize, 0).view(self.dtype).reshape(self.shape)
        placed[...] = table
        bytes_out = int(np.prod(result)) * table.itemsize
        output = at_page(bytes_out, self.behind).view(self.dtype).reshape(result)
        return placed, indices, output


M = 1_000_000
SQUARE = (4096, 4096)

# Groups B to H. Group A, the cost of a call on eight values, is what call_cost.py measures.
CASES = (
    Case("B 1e3 from 1e3", (1000,), 0, 1000),
    Case("B 1e3 from 1e3, int32", (1000,), 0, 1000, index_dtype="int32"),
    Case("B 1e6 from 1e6", (M,), 0, M),
    Case("B 1e6 from 1e6, int32", (M,), 0, M, index_dtype="int32"),
    Case("B 1e7 from 3e7", (30 * M,), 0, 10 * M),
    Case("C 4096 rows of 768", (50_000, 768), 0, 4096),
    Case("C 4096 rows of 768, float16", (50_000, 768), 0, 4096, "float16"),
    Case("C 65536 rows of 64", (M, 64), 0, 65_536),
    Case("C 1e6 rows of 1", (M, 1), 0, M),
    Case("C 1e6 rows of 2", (M, 2), 0, M),
    Case("C 1e6 rows of 3", (M, 3), 0, M),
    Case("C 1e6 rows of 4", (M, 4), 0, M),
    Case("C 1e6 rows of 8", (M, 8), 0, M),
    Case("D last axis of 4096x4096", SQUARE, 1, 1024),
    Case("E axis 1", SQUARE, 1, 4096, elementwise=True),
    Case("E axis 1, int32", SQUARE, 1, 4096, index_dtype="int32", elementwise=True),
    Case("E axis 1 of 1000x1000", (1000, 1000), 1, 1000, elementwise=True),
    Case("E axis 0", SQUARE, 0, 4096, elementwise=True),
    Case("F 1e7 uint8", (10 * M,), 0, 10 * M, "uint8"),
    Case("F 1e7 bool", (10 * M,), 0, 10 * M, "bool"),
    Case("F 1e7 float64", (10 * M,), 0, 10 * M, "float64"),
    Case("F 4e6 complex128", (4 * M,), 0, 4 * M, "complex128"),
    Case("F 1e6 float16", (M,), 0, M, "float16"),
    Case("G (8,64,56,56) axis 1", (8, 64, 56, 56), 1, 32),
    Case("G (8,64,56,56) axis 2", (8, 64, 56, 56), 2, 32),
    Case("G (8,64,56,56) axis 3", (8, 64, 56, 56), 3, 32),
    # Where the output lies matters to some copies of long rows: see copy.c.
    Case("H 16 rows of 1024, output at 0", (32, 1024), 0, 16, behind=0),
    Case("H 16 rows of 1024, output at 16", (32, 1024), 0, 16, behind=16),
    Case("H 16 rows of 1024, output at 48", (32, 1024), 0, 16, behind=48),
)
