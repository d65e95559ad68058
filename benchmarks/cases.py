"""The gathers that are measured: one list, which the tests run at small sizes for correctness."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


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
    target : float
        Time over that of the fastest peer: the figure this project goes for.
    dtype, index_dtype : numpy type names
    elementwise : bool
        Indices shaped like the output.
    raise_target : float, optional
        The same over NumPy's take with its default mode, "raise".
    speedup : float, optional
        What two threads are to gain over one.
    """

    name: str
    shape: tuple[int, ...]
    axis: int
    count: int
    target: float
    dtype: str = "float32"
    index_dtype: str = "int64"
    elementwise: bool = False
    raise_target: float | None = None
    speedup: float | None = None

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
        output = np.zeros(result, self.dtype)
        return table, indices, output


M = 1_000_000
SQUARE = (4096, 4096)

# Groups B to G. Group A, the cost of a call on eight values, is what call_cost.py measures.
CASES = (
    Case("B 1e3 from 1e3", (1000,), 0, 1000, 0.70),
    Case("B 1e3 from 1e3, int32", (1000,), 0, 1000, 0.70, index_dtype="int32"),
    Case("B 1e6 from 1e6", (M,), 0, M, 1.00, raise_target=0.70),
    Case("B 1e6 from 1e6, int32", (M,), 0, M, 1.00, index_dtype="int32", raise_target=0.70),
    Case("B 1e7 from 3e7", (30 * M,), 0, 10 * M, 0.60, speedup=1.8),
    Case("C 4096 rows of 768", (50_000, 768), 0, 4096, 0.70),
    Case("C 4096 rows of 768, float16", (50_000, 768), 0, 4096, 0.70, "float16"),
    Case("C 65536 rows of 64", (M, 64), 0, 65_536, 0.65),
    Case("C 1e6 rows of 1", (M, 1), 0, M, 1.00),
    Case("C 1e6 rows of 2", (M, 2), 0, M, 0.60),
    Case("C 1e6 rows of 3", (M, 3), 0, M, 0.20),
    Case("C 1e6 rows of 4", (M, 4), 0, M, 0.42),
    Case("C 1e6 rows of 8", (M, 8), 0, M, 0.50),
    Case("D last axis of 4096x4096", SQUARE, 1, 1024, 0.30),
    Case("E axis 1", SQUARE, 1, 4096, 0.60, elementwise=True, speedup=1.5),
    Case("E axis 1, int32", SQUARE, 1, 4096, 0.60, "float32", "int32", True, speedup=1.5),
    Case("E axis 0", SQUARE, 0, 4096, 0.20, elementwise=True, speedup=1.5),
    Case("F 1e7 uint8", (10 * M,), 0, 10 * M, 0.55, "uint8", speedup=1.8),
    Case("F 1e7 bool", (10 * M,), 0, 10 * M, 0.55, "bool", speedup=1.8),
    Case("F 1e7 float64", (10 * M,), 0, 10 * M, 0.55, "float64", speedup=1.8),
    Case("F 4e6 complex128", (4 * M,), 0, 4 * M, 0.55, "complex128", speedup=1.8),
    Case("F 1e6 float16", (M,), 0, M, 1.00, "float16"),
    Case("G (8,64,56,56) axis 1", (8, 64, 56, 56), 1, 32, 0.90),
    Case("G (8,64,56,56) axis 2", (8, 64, 56, 56), 2, 32, 0.90),
    Case("G (8,64,56,56) axis 3", (8, 64, 56, 56), 3, 32, 0.45),
)
