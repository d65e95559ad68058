"""Calls of BNNSScatter: for its entries, and random ones."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import ClassVar

from bnnspy.conformance.calls import Call, Parameters, T, element, make, numbered
from bnnspy.conformance.functions.common import (
    ELEMENT_TYPES,
    F32,
    FIRST,
    I32,
    INDEX_TYPES,
    LAST,
    OPAQUE,
    ROWS,
    VECTOR,
    Cases,
    matrix,
    picks,
    shows,
    vector,
)
from bnnspy.conformance.functions.drawing import LAYOUTS, Draw
from bnnspy.conformance.functions.gather import slots
from bnnspy.constants import DataLayout, DataType, ReduceFunction

NONE, SUM = ReduceFunction.None_, ReduceFunction.Sum
TENSORS = ("input", "indices", "output")
NO_SUM = (DataType.Indexed1, DataType.Indexed2, DataType.Indexed4, DataType.Indexed8)


def scatter(
    name: str,
    op: int,
    tensors: Sequence[T | None],
    decides: str = "",
    axis: int = 0,
    parameters: Parameters | None = None,
) -> Call:
    """A call of BNNSScatter; the tensors are input, indices and output."""
    given = dict(zip(TENSORS, tensors, strict=True))
    return make("BNNSScatter", name, given, {"axis": axis, "op": op}, decides, parameters)


def held(*size: int, layout: int = FIRST, kind: int = F32) -> T:
    """An output whose elements can be told apart before the call, and from an input's."""
    count = prod(size)
    return T(layout, size, kind, [(2 * n + 50) % 125 for n in range(count)])


@shows("scatter-vector-indices", "scatter-keeps-the-rest")
def vector_indices(entry: str) -> Cases:
    for op in (NONE, SUM):
        tensors = [vector(3), picks(4, 0, 2), held(6, layout=VECTOR)]
        yield scatter(f"{op.name}", op, tensors, entry)
        tensors = [matrix(size=(2, 3)), picks(3, 1), held(4, 3)]
        yield scatter(f"{op.name} rows", op, tensors, entry)


@shows("scatter-elementwise-indices")
def elementwise_indices(entry: str) -> Cases:
    index = T(ROWS, [3, 3], I32, [4, 2, 3, 0, 0, 0, 2, 4, 4])
    for op in (NONE, SUM):
        tensors = [matrix(ROWS, (3, 3)), index, held(3, 5, layout=ROWS)]
        yield scatter(f"{op.name}", op, tensors, entry)


@shows("scatter-ops")
def ops(entry: str) -> Cases:
    for op in (*ReduceFunction, 17, 2**32 - 1):
        name = op.name if isinstance(op, ReduceFunction) else f"{op:#x}"
        yield scatter(name, op, [vector(3), picks(0, 2, 1), held(4, layout=VECTOR)], entry)


@shows("scatter-sum-types")
def sum_types(entry: str) -> Cases:
    for kind in ELEMENT_TYPES:
        if kind & 0xFF >= 8 and kind not in NO_SUM:
            tensors = [vector(4, kind), picks(1, 1, 0, 2), held(4, layout=VECTOR, kind=kind)]
            yield scatter(kind.name, SUM, tensors, entry)


@shows("scatter-sum-types-refused")
def sum_types_refused(entry: str) -> Cases:
    for kind in ELEMENT_TYPES:
        if kind in NO_SUM or kind & 0xFF < 8:
            source = numbered(FIRST, [2, 8], kind)
            target = numbered(FIRST, [3, 8], kind)
            yield scatter(kind.name, SUM, [source, picks(2, 0), target], entry)


@shows("scatter-sum-rounding")
def sum_rounding(entry: str) -> Cases:
    for kind, large in ((DataType.Float16, 2048), (DataType.BFloat16, 256), (F32, 2**24)):
        ones = T(VECTOR, [3], kind, [1, 1, 1])
        target = T(VECTOR, [2], kind, [large, 5])
        yield scatter(kind.name, SUM, [ones, picks(0, 0, 0), target], entry)


@shows("scatter-sum-wraps")
def sum_wraps(entry: str) -> Cases:
    for kind in INDEX_TYPES:
        bits = kind & 0xFF
        most = 2 ** (bits - bool(kind & DataType.IntBit)) - 1
        target = T(VECTOR, [2], kind, [most, 5])
        yield scatter(kind.name, SUM, [T(VECTOR, [2], kind, [1, 1]), picks(0, 0), target], entry)


@shows("scatter-sum-boolean")
def sum_boolean(entry: str) -> Cases:
    kind = DataType.Boolean
    for values, held_before in (((0, 1, 0, 1), (0, 0, 1, 1)), ((1, 1, 0, 0), (1, 0, 0, 1))):
        source = T(VECTOR, [4], kind, list(values))
        target = T(VECTOR, [4], kind, list(held_before))
        yield scatter(f"{values}", SUM, [source, picks(0, 1, 2, 3), target], entry)


@shows("scatter-duplicates-in-order")
def duplicates(entry: str) -> Cases:
    for op in (NONE, SUM):
        tensors = [vector(5), picks(1, 1, 0, 1, 1), held(3, layout=VECTOR)]
        yield scatter(f"{op.name}", op, tensors, entry)
        tensors = [matrix(size=(4, 3)), picks(2, 2, 0, 2), held(3, 3)]
        yield scatter(f"{op.name} rows", op, tensors, entry)


@shows("scatter-index-out-of-range")
def index_out_of_range(entry: str) -> Cases:
    for bad in (4, 5, 2**31 - 1, -1, -4, -(2**31)):
        tensors = [vector(2), picks(0, bad), held(4, layout=VECTOR)]
        yield scatter(f"index {bad}", NONE, tensors, entry)


@shows("scatter-index-types")
def index_types(entry: str) -> Cases:
    for kind in INDEX_TYPES:
        tensors = [vector(3), picks(3, 0, 2, kind=kind), held(4, layout=VECTOR)]
        yield scatter(kind.name, NONE, tensors, entry)


@shows("scatter-value-types")
def value_types(entry: str) -> Cases:
    for kind in ELEMENT_TYPES:
        if kind & 0xFF >= 8:
            tensors = [vector(3, kind), picks(3, 0, 2), held(4, layout=VECTOR, kind=kind)]
            yield scatter(kind.name, NONE, tensors, entry)
    tensors = [vector(3), picks(3, 0, 2), held(4, layout=VECTOR, kind=I32)]
    yield scatter("Float32 to Int32", NONE, tensors, entry)


@shows("scatter-subbyte-runs")
def subbyte_runs(entry: str) -> Cases:
    for kind in (t for t in ELEMENT_TYPES if t & 0xFF < 8):
        source = numbered(FIRST, [2, 8], kind)
        whole = [source, picks(2, 0), numbered(FIRST, [3, 8], kind)]
        yield scatter(f"{kind.name} rows", NONE, whole, entry)
        cut = [numbered(FIRST, [8, 2], kind), picks(2, 0), numbered(FIRST, [8, 3], kind)]
        yield scatter(f"{kind.name} columns", NONE, cut, entry, axis=1)


@shows("scatter-layouts")
def layouts(entry: str) -> Cases:
    for layout in DataLayout:
        if layout in OPAQUE:
            continue
        size = [2, 3, 2, 2, 1, 2, 1, 2][: layout >> 16]
        source = numbered(layout, size, F32)
        view = source.view()
        assert view is not None
        index = picks(*[n % 2 for n in range(view.size[0])])
        target = T(layout, size, F32, [(2 * n + 50) % 125 for n in range(view.elements)])
        yield scatter(layout.name, SUM, [source, index, target], entry)


@shows("scatter-mixed-layouts")
def mixed_layouts(entry: str) -> Cases:
    for layout in (LAST, ROWS, DataLayout.ColumnMajorMatrix):
        target = held(*slots(layout, 4, 3), layout=layout)
        yield scatter(f"to {layout.name}", NONE, [matrix(size=(2, 3)), picks(3, 0), target], entry)


@shows("scatter-axis-out-of-range")
def axis_out_of_range(entry: str) -> Cases:
    for axis in (2, 8, 2**64 - 1):
        tensors = [matrix(size=(2, 3)), picks(3, 0), held(4, 3)]
        yield scatter(f"axis {axis}", NONE, tensors, entry, axis)


@shows("scatter-shape-mismatch")
def shape_mismatch(entry: str) -> Cases:
    wrong = {
        "columns": [matrix(size=(2, 3)), picks(3, 0), held(4, 4)],
        "rank": [matrix(size=(2, 3)), picks(3, 0), held(12, layout=VECTOR)],
        "indices": [matrix(size=(2, 3)), picks(3, 0, 1), held(4, 3)],
        "indices' shape": [matrix(size=(2, 3)), T(FIRST, [2, 2], I32, [0] * 4), held(4, 3)],
    }
    for name, tensors in wrong.items():
        yield scatter(name, NONE, tensors, entry)


@shows("scatter-zero-size")
def zero_size(entry: str) -> Cases:
    none = T(VECTOR, [0], I32, None)
    yield scatter("no index", SUM, [T(FIRST, [0, 3], F32, None), none, held(4, 3)], entry)
    empty = T(FIRST, [2, 0], F32, None)
    nothing = T(FIRST, [4, 0], F32, None)
    yield scatter("no columns", SUM, [empty, picks(3, 0), nothing], entry)
    yield scatter("bad index", SUM, [empty, picks(3, 4), nothing], entry)
    yield scatter("empty axis", NONE, [vector(1), picks(0), T(VECTOR, [0], F32, None)], entry)


@shows("scatter-input-windows")
def input_windows(entry: str) -> Cases:
    signal = b"".join(element(F32, n) for n in (1, 2, 3, 4))
    windows = T(FIRST, [3, 2], F32, signal, (1, 1))
    yield scatter("", SUM, [windows, picks(2, 0, 2), held(4, 2)], entry)


@shows("scatter-filter-parameters")
def filter_parameters(entry: str) -> Cases:
    for threads in (0, 1, 2, 7):
        tensors = [matrix(size=(60, 40)), picks(*[n % 7 for n in range(60)]), held(7, 40)]
        two: Parameters = {"flags": 0, "n_threads": threads}
        yield scatter(f"{threads} threads", SUM, tensors, entry, parameters=two)


class ScatterDraw(Draw):
    """A random scatter."""

    function = "BNNSScatter"
    faults: ClassVar = {
        "index_outside": "scatter-index-out-of-range",
        "other_op": "scatter-ops",
        "no_such_axis": "scatter-axis-out-of-range",
        "other_size": "scatter-shape-mismatch",
        "other_type": "scatter-value-types",
        "falling_strides": "stride-order",
        "output_overlaps": "output-internal-overlap",
    }

    def lay_out(self) -> None:
        choose = self.random.choice
        kind = self.kind()
        op = choose([NONE, NONE if kind & 0xFF < 8 or kind in NO_SUM else SUM])
        sizes = self.sizes(kind)
        rank = len(sizes)
        axis = choose(range(rank))
        self.numbers = {"axis": axis, "op": op}
        self.bound = sizes[axis]
        along = choose([1, 2, 3, 7]) if self.bound else 0
        outer = [along if k == axis else n for k, n in enumerate(sizes)]
        layout, other = self.layouts(rank)
        full = rank > 1 and choose([True, False])
        index_layout = layout if self.usual and full else choose(LAYOUTS[rank if full else 1])
        index_kind = DataType.Int32 if self.usual else choose(INDEX_TYPES)
        indices = self.tensor(index_layout, outer if full else [along], index_kind)
        count = prod(outer) if full else along
        picked = [self.random.randrange(max(self.bound, 1)) for _ in range(count)]
        # Sound, but for packed elements that may not be whole bytes: that is an entry of its own.
        self.tensors = {
            "input": self.values(layout, outer, kind),
            "indices": indices._replace(data=picked),
            "output": self.values(other, sizes, kind),
        }

    def index_outside(self) -> bool:
        picked = list(self.tensors["indices"].data or [])
        signed = self.tensors["indices"].data_type & DataType.IntBit
        outside = [self.bound, self.bound + 1, *([-1, -self.bound - 1] if signed else [])]
        if picked:
            picked[self.random.randrange(len(picked))] = self.random.choice(outside)
        self.change("indices", data=picked)
        return bool(picked)

    def other_op(self) -> bool:
        self.numbers["op"] = self.random.choice([op for op in ReduceFunction if op not in (6, 15)])
        return True

    # What is refused needs no elements that can be told apart: any bytes, as many as it asks for.

    def other_size(self) -> bool:
        return super().other_size() and self.change("output", data=b"")

    def other_type(self) -> bool:
        return super().other_type() and self.change("output", data=b"")
