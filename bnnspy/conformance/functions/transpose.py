"""Calls of BNNSTranspose: for its entries, and random ones."""

from __future__ import annotations

from typing import ClassVar

from bnnspy.conformance.calls import Call, T, make, numbered
from bnnspy.conformance.functions.common import (
    ELEMENT_TYPES,
    F32,
    FIRST,
    LAST,
    ROWS,
    VECTOR,
    Cases,
    matrix,
    out,
    shows,
    vector,
)
from bnnspy.conformance.functions.drawing import Draw
from bnnspy.constants import DataLayout, DataType


def transpose(name: str, dest: T | None, src: T | None, axes: tuple[int, int], entry: str) -> Call:
    """A call of BNNSTranspose."""
    numbers = {"axis0": axes[0], "axis1": axes[1]}
    return make("BNNSTranspose", name, {"dest": dest, "src": src}, numbers, entry)


@shows("transpose-swaps-axes")
def swaps_axes(entry: str) -> Cases:
    for layout in (FIRST, LAST):
        yield transpose(layout.name, out(layout, 3, 4), matrix(layout), (0, 1), entry)
    yield transpose("RowMajorMatrix", out(ROWS, 3, 4), matrix(ROWS), (0, 1), entry)
    cube = numbered(DataLayout.Tensor3DFirstMajor, [2, 3, 4], F32)
    for axes, size in (((0, 2), (4, 3, 2)), ((1, 2), (2, 4, 3))):
        target = out(DataLayout.Tensor3DFirstMajor, *size)
        yield transpose(f"3-D {axes}", target, cube, axes, entry)


@shows("transpose-equal-axes")
def equal_axes(entry: str) -> Cases:
    yield transpose("", out(FIRST, 4, 3), matrix(), (1, 1), entry)
    yield transpose("vector", out(VECTOR, 4), vector(), (0, 0), entry)


@shows("transpose-value-types")
def value_types(entry: str) -> Cases:
    for kind in (t for t in ELEMENT_TYPES if t & 0xFF >= 8):
        yield transpose(kind.name, out(FIRST, 3, 4, kind=kind), numbered(FIRST, [4, 3], kind),
                        (0, 1), entry)  # fmt: skip
    target = out(FIRST, 3, 4, kind=DataType.Int32)
    yield transpose("Float32 to Int32", target, matrix(), (0, 1), entry)


@shows("transpose-axis-out-of-range")
def axis_out_of_range(entry: str) -> Cases:
    for axes in ((0, 2), (2, 0), (8, 8), (0, 2**64 - 1)):
        yield transpose(f"{axes}", out(FIRST, 3, 4), matrix(), axes, entry)


@shows("transpose-shape-mismatch")
def shape_mismatch(entry: str) -> Cases:
    for target in (out(FIRST, 4, 3), out(FIRST, 3, 5), out(VECTOR, 12)):
        name = " by ".join(str(n) for n in target.size)
        yield transpose(f"to {name}", target, matrix(), (0, 1), entry)


class TransposeDraw(Draw):
    """A random transposition."""

    function = "BNNSTranspose"
    faults: ClassVar = {
        "no_such_axis": "transpose-axis-out-of-range",
        "other_size": "transpose-shape-mismatch",
        "other_type": "transpose-value-types",
        "falling_strides": "stride-order",
        "output_overlaps": "output-internal-overlap",
    }

    def lay_out(self) -> None:
        kind = self.kind()
        sizes = self.sizes(kind)
        one, other = self.random.randrange(len(sizes)), self.random.randrange(len(sizes))
        turned = list(sizes)
        turned[one], turned[other] = sizes[other], sizes[one]
        layout, output_layout = self.layouts(len(sizes))
        self.numbers = {"axis0": one, "axis1": other}
        self.tensors = {
            "dest": self.tensor(output_layout, turned, kind),
            "src": self.values(layout, sizes, kind),
        }
