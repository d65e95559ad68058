"""BNNSTranspose: its oracle and its sample."""

from __future__ import annotations

from typing import Any

import numpy as np

from oracle.base import Outcome, Tensor, oracle, require
from oracle.rearrange import rearranged


def sample(rank: int) -> dict[str, Any]:
    """The first axis and the last, all axes of one size, so that src and dest have one shape."""
    values = np.arange(1, 3**rank + 1, dtype=np.float32).reshape((3,) * rank)
    return {"dest": np.zeros_like(values), "src": values, "axis0": 0, "axis1": rank - 1}


@oracle("BNNSTranspose", sample)
def transpose(dest: Tensor, src: Tensor, axis0: int, axis1: int) -> Outcome:
    """BNNSTranspose."""

    def order(rank: int) -> list[int]:
        require(axis0 < rank and axis1 < rank, "axis")
        axes = list(range(rank))
        axes[axis0], axes[axis1] = axis1, axis0
        return axes

    return rearranged(dest, src, order)
