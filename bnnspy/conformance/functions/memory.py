"""Calls for the entries that hold for every function: statuses and memory, shown by gathers."""

from __future__ import annotations

from typing import Any

from bnnspy.conformance.calls import FILL, T, element
from bnnspy.conformance.functions.common import (
    F32,
    FIRST,
    I32,
    VECTOR,
    Cases,
    matrix,
    out,
    picks,
    shows,
    vector,
)
from bnnspy.conformance.functions.gather import gather
from bnnspy.conformance.functions.queries import data_size
from bnnspy.constants import DataType


@shows("status-invalid-parameter")
def status_invalid_parameter(entry: str) -> Cases:
    tensors = [vector(), picks(1), out(VECTOR, 1, kind=DataType.Int16)]
    yield gather("unequal types", 0, tensors, entry)


@shows("failure-writes-nothing")
def failure_writes_nothing(entry: str) -> Cases:
    for bad in (0, 1, 499):
        indices = [4 if n == bad else n % 4 for n in range(500)]
        tensors = [vector(), picks(*indices), out(VECTOR, 500)]
        yield gather(f"bad index at {bad}", 0, tensors, entry)
        tensors = [matrix(), picks(*indices), out(FIRST, 500, 3)]
        yield gather(f"bad row at {bad}", 0, tensors, entry)


@shows("order-of-faults")
def order_of_faults(entry: str) -> Cases:
    yield gather("axis and shape", 5, [matrix(), picks(1), out(FIRST, 2, 2)], entry)
    yield gather("shape and index", 0, [matrix(), picks(9), out(FIRST, 2, 2)], entry)
    halves = out(FIRST, 2, 2, kind=DataType.Float16)
    yield gather("type and shape", 0, [matrix(), picks(1), halves], entry)
    yield gather("axis and index", 5, [vector(), picks(9), out(VECTOR, 1)], entry)


@shows("null-descriptor")
def null_descriptor(entry: str) -> Cases:
    for role, name in enumerate(("input", "indices", "output")):
        tensors: list[T | None] = [vector(), picks(1), out(VECTOR, 1)]
        tensors[role] = None
        yield gather(name, 0, tensors, entry)
    yield data_size("BNNSNDArrayGetDataSize", None, entry)


@shows("null-data")
def null_data(entry: str) -> Cases:
    for role, name in enumerate(("input", "indices", "output")):
        tensors = [vector(), picks(1), out(VECTOR, 1)]
        tensors[role] = tensors[role]._replace(data=None)
        yield gather(name, 0, tensors, entry)


@shows("unknown-type-or-layout")
def unknown_type_or_layout(entry: str) -> Cases:
    for role, name in enumerate(("input", "indices", "output")):
        for code in (0, 3, 0x10040, 2**32 - 1):
            for field in ("data_type", "layout"):
                tensors = [vector(), picks(1), out(VECTOR, 1)]
                changed: dict[str, Any] = {"data": bytes(64), field: code}
                tensors[role] = tensors[role]._replace(**changed)
                if role != 1 and field == "data_type":  # the two have to be equal
                    tensors[2 - role] = tensors[2 - role]._replace(**changed)
                yield gather(f"{name}.{field} {code:#x}", 0, tensors, entry)


@shows("size-overflow")
def size_overflow(entry: str) -> Cases:
    sizes = [((2**32, 2**32), ()), ((2**63, 2), ()), ((2, 2), (1, 2**63))]
    for size, stride in sizes:
        huge = T(FIRST, size, F32, bytes(64), stride)
        target = out(FIRST, 2, size[1], data=bytes(64))
        yield gather(f"input {size}", 0, [huge, picks(1, 0), target], entry)


@shows("input-windows")
def input_windows(entry: str) -> Cases:
    signal = b"".join(element(F32, n) for n in (1, 2, 3, 4))
    windows = T(FIRST, [3, 2], F32, signal, (1, 1))
    yield gather("", 0, [windows, picks(2, 0), out(FIRST, 2, 2)], entry)


@shows("output-internal-overlap")
def output_internal_overlap(entry: str) -> Cases:
    for stride in ((1, 1), (1, 2), (2, 2)):
        target = T(FIRST, [2, 3], F32, bytes([FILL]) * 64, stride)
        yield gather(f"strides {stride}", 0, [matrix(), picks(2, 0), target], entry)


@shows("overlap-refused")
def overlap_refused(entry: str) -> Cases:
    whole = b"".join(element(F32, n) for n in range(1, 13))

    def shared(rows: int, at: int) -> T:
        return T(FIRST, [rows, 3], F32, base="all", offset=4 * at)

    for name, at in (("the same memory", 0), ("one element on", 1), ("the last row", 9)):
        rows = 1 if at == 9 else 2
        tensors = [shared(4, 0), picks(*[3, 1][:rows]), shared(rows, at)]
        yield gather(name, 0, tensors, entry, buffers={"all": whole})
    left = T(FIRST, [4, 1], F32, stride=[1, 3], base="all")
    right = T(FIRST, [4, 1], F32, stride=[1, 3], base="all", offset=8)
    tensors = [left, picks(3, 2, 1, 0), right]
    yield gather("columns that share no byte", 0, tensors, entry, buffers={"all": whole})


@shows("holes-untouched")
def holes_untouched(entry: str) -> Cases:
    for stride in ((2, 9), (1, 5)):
        target = T(FIRST, [4, 3], F32, stride=stride)
        tensors = [matrix(FIRST, (5, 3)), picks(4, 0, 0, 2), target]
        yield gather(f"strides {stride}", 0, tensors, entry)


@shows("misaligned-data")
def misaligned_data(entry: str) -> Cases:
    for kind in (F32, DataType.Float16):
        values = b"".join(element(kind, n) for n in (1, 2, 3, 4)) + b"\xa5"
        source = T(VECTOR, [4], kind, values)  # one byte too long: the end is aligned, not the data
        yield gather(
            f"{kind.name} input", 0, [source, picks(3, 1), out(VECTOR, 2, kind=kind)], entry
        )
    index = T(VECTOR, [2], I32, b"".join(element(I32, n) for n in (3, 1)) + b"\xa5")
    yield gather("indices", 0, [vector(), index, out(VECTOR, 2)], entry)
    target = T(VECTOR, [2], F32, bytes([FILL]) * 9)
    yield gather("output", 0, [vector(), picks(3, 1), target], entry)


@shows("ignored-fields")
def ignored_fields(entry: str) -> Cases:
    beyond = [5, 2**64 - 1, 0, 1, 9, 9, 9]
    noise: dict[str, dict[str, Any]] = {
        "flags": {"flags": 1},
        "table": {"table": "input", "table_data_type": int(F32)},
        "data_scale": {"data_scale": 3.0},
        "data_bias": {"data_bias": 7.0},
    }
    for name, more in noise.items():
        for kind in (F32, DataType.Int32):
            call = [vector(4, kind), picks(3, 1), out(VECTOR, 2, kind=kind)]
            call = [tensor._replace(more=more) for tensor in call]
            yield gather(f"{name} {kind.name}", 0, call, entry)
    more = {"size": [4, *beyond], "stride": [1, *beyond]}
    source = vector()._replace(more=more)
    yield gather("beyond the rank", 0, [source, picks(3, 1), out(VECTOR, 2)], entry)
