"""What the makers of calls share: which entry each is for, and tensors of a few lines.

A maker's calls are as plain as they can be beside the one thing that its entry is about, so that a
difference means that thing. Every entry whose `conformance` is "generated" has a maker.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

from bnnspy.conformance.calls import Call, T, numbered
from bnnspy.constants import DataLayout, DataType

Cases: TypeAlias = Iterator[Call]
MAKERS: dict[str, Callable[[str], Cases]] = {}

F32, I32 = DataType.Float32, DataType.Int32
VECTOR, ROWS, FIRST = DataLayout.Vector, DataLayout.RowMajorMatrix, DataLayout.Tensor2DFirstMajor
LAST = DataLayout.Tensor2DLastMajor
INDEX_TYPES = [DataType[f"{u}Int{bits}"] for u in ("", "U") for bits in (8, 16, 32, 64)]
OPAQUE = (DataLayout.ConvolutionWeightsOIHW_Pack32, DataLayout.FullyConnectedSparse)
ELEMENT_TYPES = [t for t in DataType if not t.name.endswith("Bit")]


def shows(*entries: str) -> Callable[[Callable[[str], Cases]], Callable[[str], Cases]]:
    """Registers a maker of cases for these entries; it gets the entry's id."""

    def register(maker: Callable[[str], Cases]) -> Callable[[str], Cases]:
        MAKERS.update(dict.fromkeys(entries, maker))
        return maker

    return register


def picks(*values: int, kind: int = I32, **more: Any) -> T:
    """A vector of indices."""
    return T(VECTOR, [len(values)], kind, list(values), **more)


def out(layout: int, *size: int, kind: int = F32, **more: Any) -> T:
    """An output."""
    return T(layout, size, kind, **more)


def vector(n: int = 4, kind: int = F32) -> T:
    """An input of one dimension."""
    return numbered(VECTOR, [n], kind)


def matrix(layout: int = FIRST, size: Sequence[int] = (4, 3), stride: Sequence[int] = ()) -> T:
    """An input of two dimensions."""
    return numbered(layout, size, F32, stride)
