"""Calls of BNNSGather for the entries that are its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

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
    out,
    picks,
    shows,
    vector,
)
from bnnspy.constants import DataLayout, DataType

TENSORS = ("input", "indices", "output")


def gather(
    name: str,
    axis: int,
    tensors: Sequence[T | None],
    decides: str = "",
    parameters: Parameters | None = None,
    buffers: dict[str, bytes] | None = None,
) -> Call:
    """A call of BNNSGather; the tensors are input, indices and output."""
    given = dict(zip(TENSORS, tensors, strict=True))
    return make("BNNSGather", name, given, {"axis": axis}, decides, parameters, buffers)


@shows("gather-vector-indices", "status-success")
def vector_indices(entry: str) -> Cases:
    for indices in ([2], [3, 0, 1], [0, 1, 1, 3, 2, 0, 3]):
        yield gather("", 0, [vector(), picks(*indices), out(VECTOR, len(indices))], entry)
        tensors = [matrix(), picks(*indices), out(FIRST, len(indices), 3)]
        yield gather("rows", 0, tensors, entry)


@shows("gather-elementwise-indices")
def elementwise_indices(entry: str) -> Cases:
    index = T(ROWS, [2, 3], I32, [0, 1, 2, 0, 1, 1])
    yield gather("", 1, [matrix(ROWS, (3, 3)), index, out(ROWS, 2, 3)], entry)
    index = T(FIRST, [2, 3], I32, [0, 3, 1, 2, 2, 0])
    yield gather("", 0, [matrix(), index, out(FIRST, 2, 3)], entry)


@shows("gather-index-out-of-range")
def index_out_of_range(entry: str) -> Cases:
    for bad in (4, 5, 2**31 - 1):
        yield gather(f"index {bad}", 0, [vector(), picks(bad), out(VECTOR, 1)], entry)


@shows("gather-negative-indices")
def negative_indices(entry: str) -> Cases:
    for bad in (-1, -4, -5, -(2**31)):
        yield gather(f"index {bad}", 0, [vector(), picks(bad), out(VECTOR, 1)], entry)
    yield gather("rows", 0, [matrix(), picks(1, -1), out(FIRST, 2, 3)], entry)


@shows("gather-index-types")
def index_types(entry: str) -> Cases:
    for kind in INDEX_TYPES:
        bits = kind & 0xFF
        good = picks(3, 0, 2, kind=kind)
        yield gather(kind.name, 0, [vector(), good, out(VECTOR, 3)], entry)
        largest = 2 ** (bits - bool(kind & DataType.IntBit)) - 1
        huge = picks(largest, kind=kind)
        yield gather(f"{kind.name} {largest}", 0, [vector(), huge, out(VECTOR, 1)], entry)
    upper = picks(2**63 + 1, kind=DataType.UInt64)
    yield gather("UInt64 2^63 + 1", 0, [vector(), upper, out(VECTOR, 1)], entry)
    least = picks(-(2**63), kind=DataType.Int64)
    yield gather("Int64's minimum", 0, [vector(), least, out(VECTOR, 1)], entry)
    cut = picks(2**32 + 1, kind=DataType.Int64)
    yield gather("Int64 2^32 + 1", 0, [vector(), cut, out(VECTOR, 1)], entry)
    for index in (199, 200):
        tensors = [vector(200), picks(index, kind=DataType.UInt8), out(VECTOR, 1)]
        yield gather(f"UInt8 {index}", 0, tensors, entry)


@shows("gather-index-types-refused")
def index_types_refused(entry: str) -> Cases:
    for kind in ELEMENT_TYPES:
        if kind not in INDEX_TYPES:
            zeros = T(VECTOR, [1], kind, bytes(8))
            yield gather(kind.name, 0, [vector(), zeros, out(VECTOR, 1)], entry)


@shows("gather-value-types")
def value_types(entry: str) -> Cases:
    for kind in ELEMENT_TYPES:
        if kind & 0xFF >= 8:
            tensors = [vector(4, kind), picks(3, 0, 1), out(VECTOR, 3, kind=kind)]
            yield gather(kind.name, 0, tensors, entry)
    for kind in (DataType.Int32, DataType.Float16, DataType.UInt8):
        tensors = [vector(), picks(3, 0, 1), out(VECTOR, 3, kind=kind)]
        yield gather(f"Float32 to {kind.name}", 0, tensors, entry)


@shows("gather-stored-bits-move")
def stored_bits_move(entry: str) -> Cases:
    patterns = (0x7FC12345, 0x7FA00001, 0x80000000, 0xFFFFFFFF, 0x00000001)
    bits = b"".join(element(DataType.UInt32, pattern) for pattern in patterns)
    odd = T(VECTOR, [5], F32, bits)
    yield gather("NaN, -0, least", 0, [odd, picks(4, 3, 2, 1, 0), out(VECTOR, 5)], entry)


@shows("gather-subbyte-runs")
def subbyte_runs(entry: str) -> Cases:
    for kind in (t for t in ELEMENT_TYPES if t & 0xFF < 8):
        source = numbered(FIRST, [3, 8], kind)
        whole = [source, picks(2, 0), out(FIRST, 2, 8, kind=kind)]
        yield gather(f"{kind.name} rows", 0, whole, entry)
        cut = [source, picks(2, 0), out(FIRST, 3, 2, kind=kind)]
        yield gather(f"{kind.name} columns", 1, cut, entry)


@shows("gather-shape-mismatch")
def shape_mismatch(entry: str) -> Cases:
    three = DataLayout.Tensor3DFirstMajor
    wrong = [out(FIRST, 2, 4), out(FIRST, 3, 3), out(VECTOR, 6), out(three, 2, 3, 1)]
    for output in wrong:
        name = " by ".join(str(n) for n in output.size)
        yield gather(f"to {name}", 0, [matrix(), picks(1, 0), output], entry)
    index = T(FIRST, [4, 2], I32, [0] * 8)
    yield gather("indices of another shape", 1, [matrix(), index, out(FIRST, 4, 3)], entry)


@shows("gather-indices-rank")
def indices_rank(entry: str) -> Cases:
    three = DataLayout.Tensor3DFirstMajor
    cube = numbered(three, [4, 3, 1], F32)
    for size in ([2, 1], [1, 2]):
        index = T(FIRST, size, I32, [1, 0])
        yield gather(f"{size}", 0, [cube, index, out(three, 2, 3, 1)], entry)
    index = T(three, [2, 3, 1], I32, [0] * 6)
    yield gather("more than output's", 0, [matrix(), index, out(FIRST, 2, 3)], entry)


@shows("gather-layouts")
def layouts(entry: str) -> Cases:
    seen = {VECTOR, ROWS, DataLayout.MHA_DHK, DataLayout.ConvolutionWeightsIOHrWr}
    for layout in DataLayout:
        name = layout.name
        if layout in seen or name.endswith("Major") or layout in OPAQUE:
            continue
        yield from every_axis(entry, layout, [2, 3, 4, 5][: layout >> 16])


def every_axis(
    entry: str, layout: DataLayout, size: list[int], stride: Sequence[int] = ()
) -> Cases:
    """Along each axis of a layout one gather that turns it round, with other sizes of size[]."""
    source = numbered(layout, size, F32, stride)
    view = source.view()
    assert view is not None
    for axis, n in enumerate(view.size):
        turned = list(range(n - 1, -1, -1))
        tensors = [source, picks(*turned), source._replace(data=b"")]
        yield gather(f"{layout.name} axis {axis}", axis, tensors, entry)


@shows("gather-mixed-layouts")
def mixed_layouts(entry: str) -> Cases:
    index = T(FIRST, [3, 2], I32, [0, 2, 1, 1, 2, 0])
    for layout in (LAST, ROWS, DataLayout.ColumnMajorMatrix):
        tensors = [matrix(FIRST, (3, 4)), index, out(layout, *slots(layout, 3, 2))]
        yield gather(f"elements to {layout.name}", 1, tensors, entry)
        tensors = [matrix(), picks(2, 0), out(layout, *slots(layout, 2, 3))]
        yield gather(f"rows to {layout.name}", 0, tensors, entry)
    index = T(LAST, [3, 2], I32, [0, 2, 1, 1, 2, 0])
    tensors = [matrix(FIRST, (3, 4)), index, out(FIRST, 3, 2)]
    yield gather("indices in Tensor2DLastMajor", 1, tensors, entry)


def slots(layout: int, rows: int, columns: int) -> tuple[int, int]:
    """(rows, columns) as the size[] of a layout."""
    return (columns, rows) if layout == ROWS else (rows, columns)


@shows("gather-axis-out-of-range")
def axis_out_of_range(entry: str) -> Cases:
    for axis in (2, 3, 8, 2**63 - 1, 2**64 - 1):
        yield gather(f"axis {axis}", axis, [matrix(), picks(1, 0), out(FIRST, 2, 3)], entry)


@shows("gather-zero-size")
def zero_size(entry: str) -> Cases:
    for null in (False, True):
        data = None if null else b""
        note = "NULL" if null else "memory"
        none = T(VECTOR, [0], I32, data)
        yield gather(note, 0, [vector(), none, T(VECTOR, [0], F32, data)], entry)
        empty = T(FIRST, [3, 0], F32, data)
        tensors = [empty, picks(2, 0), T(FIRST, [2, 0], F32, data)]
        yield gather(f"columns, {note}", 0, tensors, entry)


@shows("gather-bad-index-beside-empty")
def bad_index_beside_empty(entry: str) -> Cases:
    empty = T(FIRST, [3, 0], F32)
    yield gather("", 0, [empty, picks(1, 7), T(FIRST, [2, 0], F32)], entry)


@shows("gather-empty-axis")
def empty_axis(entry: str) -> Cases:
    empty = T(FIRST, [0, 3], F32)
    yield gather("an index", 0, [empty, picks(0), out(FIRST, 1, 3)], entry)
    none = T(VECTOR, [0], I32)
    yield gather("no index", 0, [empty, none, T(FIRST, [0, 3], F32)], entry)


@shows("gather-filter-parameters")
def filter_parameters(entry: str) -> Cases:
    for flags in (0, 1):
        for threads in (0, 1, 2, 7):
            call = gather(
                f"flags {flags}, {threads} threads",
                0,
                [matrix(FIRST, (4, 40)), picks(*[n % 4 for n in range(60)]), out(FIRST, 60, 40)],
                entry,
                {"flags": flags, "n_threads": threads},
            )
            yield call


@shows("no-allocation")
def no_allocation(entry: str) -> Cases:
    counting: Any = {"flags": 0, "n_threads": 1, "allocator": True}
    for kind in (F32, DataType.UInt8):
        source = numbered(FIRST, [10, 100], kind)
        rows = [source, picks(*[n % 10 for n in range(20)]), out(FIRST, 20, 100, kind=kind)]
        yield gather(f"{kind.name} rows", 0, rows, entry, counting)
