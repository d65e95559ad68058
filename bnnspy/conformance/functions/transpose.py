"""Calls of BNNSTranspose: for its entries, and random ones."""

from __future__ import annotations

from typing import ClassVar

from bnnspy.conformance.calls import Call, T, element, make, numbered
from bnnspy.conformance.functions.common import (
    ELEMENT_TYPES,
    F32,
    FIRST,
    LAST,
    OPAQUE,
    ROWS,
    VECTOR,
    Cases,
    matrix,
    out,
    shows,
    vector,
)
from bnnspy.conformance.functions.drawing import Draw, slot_order
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


@shows("transpose-subbyte-runs")
def subbyte_runs(entry: str) -> Cases:
    three = DataLayout.Tensor3DFirstMajor
    for kind in (t for t in ELEMENT_TYPES if t & 0xFF < 8):
        source = numbered(three, [2, 3, 8], kind)
        rows = out(three, 3, 2, 8, kind=kind)
        yield transpose(f"{kind.name} rows", rows, source, (0, 1), entry)
        cut = out(three, 2, 8, 3, kind=kind)
        yield transpose(f"{kind.name} columns", cut, source, (1, 2), entry)


@shows("transpose-layouts")
def layouts(entry: str) -> Cases:
    for layout in DataLayout:
        if layout in OPAQUE:
            continue
        source = numbered(layout, [2, 3, 2, 2, 1, 2, 1, 2][: layout >> 16], F32)
        view = source.view()
        assert view is not None
        last = len(view.size) - 1
        size = list(source.size)
        slots = [source_slot(layout, axis) for axis in (0, last)]
        size[slots[0]], size[slots[1]] = size[slots[1]], size[slots[0]]
        yield transpose(layout.name, T(layout, size, F32), source, (0, last), entry)


def source_slot(layout: int, axis: int) -> int:
    """The slot of size[] that a tuple axis has."""
    return slot_order(T(layout, [1] * (layout >> 16), F32))[0][axis]


@shows("transpose-mixed-layouts")
def mixed_layouts(entry: str) -> Cases:
    for target in (out(LAST, 3, 4), out(ROWS, 4, 3), out(DataLayout.ColumnMajorMatrix, 3, 4)):
        yield transpose(f"to {target.layout:#x}", target, matrix(), (0, 1), entry)


@shows("transpose-zero-size")
def zero_size(entry: str) -> Cases:
    for data in (b"", None):
        note = "NULL" if data is None else "memory"
        source, target = T(FIRST, [0, 3], F32, data), T(FIRST, [3, 0], F32, data)
        yield transpose(note, target, source, (0, 1), entry)


@shows("transpose-input-windows")
def input_windows(entry: str) -> Cases:
    signal = b"".join(element(F32, n) for n in (1, 2, 3, 4))
    windows = T(FIRST, [3, 2], F32, signal, (1, 1))
    yield transpose("", out(FIRST, 2, 3), windows, (0, 1), entry)


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
