"""What BNNSGather refuses: one row a fault, each through both faces.

A row says how the call differs from a right one, the status, a part of the sentence, and the class
of the overlay's exception. Whatever the fault, not one byte of the arena changes that the tensors
lie in, the C face logs the sentence once, and the overlay logs nothing.
"""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from oracle import DATA_TYPES, INDEX_DTYPES, LAYOUTS

import bnnspy
from bnnspy import (
    BNNS,
    ArrayDescriptorInvalidData,
    BNNSGather,
    IndexOutOfRange,
    InvalidParameter,
    NDArrayDescriptor,
    ShapeMismatch,
    Status,
)

FIRST, ROWS, VECTOR = (LAYOUTS[n].code for n in ("2DFirstMajor", "RowMajorMatrix", "Vector"))
F32, I32 = DATA_TYPES["Float32"], DATA_TYPES["Int32"]
STARTS = {"input": 64, "indices": 1088, "output": 2112}  # in an arena of 4096 bytes
ROOM = 960

# The right call: two rows of a 3x4 matrix. "at" and "bytes" say where in the arena the memory is.
RIGHT: dict[str, Any] = {
    "axis": 0,
    "input": {"layout": FIRST, "size": (3, 4), "data_type": F32},
    "indices": {"layout": VECTOR, "size": (2,), "data_type": I32, "values": [2, 0]},
    "output": {"layout": FIRST, "size": (2, 4), "data_type": F32},
}
# The same along the last axis with an index for each element of the output.
FULL = {"axis": 1, "indices.layout": FIRST, "indices.size": (3, 2), "output.size": (3, 2)}
FULL["indices.values"] = [0, 1, 2, 3, 0, 1]


class Prepared:
    """A call ready to be made: RIGHT with some keys changed ("output.size", say)."""

    def __init__(self, change: dict[str, Any]) -> None:
        call = {name: dict(v) if isinstance(v, dict) else v for name, v in RIGHT.items()}
        for key, value in change.items():
            name, _, field = key.partition(".")
            if field:
                call[name][field] = value
            else:
                call[name] = value
        self.arena = np.arange(4096).astype(np.uint8)
        self.arguments = {"axis": call["axis"]}
        for name in STARTS:
            fields = call[name]
            self.arguments[name] = None if fields is None else self.descriptor(name, **fields)
        self.before = self.arena.copy()

    def descriptor(
        self,
        name: str,
        values: Any = None,
        at: int | None = None,
        bytes: int = ROOM,
        state: str = "",
        **fields: Any,
    ) -> NDArrayDescriptor:
        start = STARTS[name] if at is None else at
        memory = self.arena[start : start + bytes]
        if values is not None:
            packed = np.array(values, INDEX_DTYPES.get(fields["data_type"], np.int32))
            self.arena[start:][: packed.nbytes] = packed.view(np.uint8)
        memory.flags.writeable = state != "read-only"
        made = NDArrayDescriptor(data=None if state == "null" else memory, **fields)
        if state == "dead":
            made.deallocate()
        return made

    def c_face(self) -> Status:
        a = self.arguments
        return BNNSGather(a["axis"], a["input"], a["indices"], a["output"], None)

    def overlay(self) -> None:
        BNNS.gather(**self.arguments)

    def assert_nothing_written(self) -> None:
        np.testing.assert_array_equal(self.arena, self.before)


@dataclass(frozen=True)
class Row:
    """One fault."""

    id: str
    change: dict[str, Any]
    fragment: str
    status: int = -1
    argument: str = ""
    missing: bool = False

    @property
    def raises(self) -> type[bnnspy.Error]:
        """The overlay's exception."""
        if self.missing:
            return ArrayDescriptorInvalidData
        return {-1: InvalidParameter, -1003: ShapeMismatch, -1005: IndexOutOfRange}[self.status]


def of_each(id: str, field: str, value: Any, fragment: str, missing: bool = False) -> list[Row]:
    """The same fault in each tensor."""
    return [
        Row(f"{name}-{id}", {f"{name}.{field}": value}, fragment.format(name), -1, name, missing)
        for name in STARTS
    ]


def indices(id: str, change: dict[str, Any], fragment: str) -> Row:
    """A bad index."""
    return Row(f"index-{id}", change, fragment, -1005, "indices")


def index_of_type(name: str, value: int, size: int = 3) -> Row:
    """A bad index of some type, at the second place."""
    change = {
        "indices.data_type": DATA_TYPES[name],
        "indices.values": [0, value],
        "input.size": (size, 1),
        "output.size": (2, 1),
    }
    fragment = f"indices[1] is {value}, outside 0..{size - 1} (axis 0 of input)"
    return indices(f"{name}-{value}", change, fragment)


def sizes(id: str, change: dict[str, Any], fragment: str, argument: str = "output") -> Row:
    """Sizes or ranks that do not fit."""
    return Row(f"shape-{id}", change, fragment, -1003, argument)


def axis(value: int) -> Row:
    """An axis that is not there."""
    return Row(f"axis-{value}", {"axis": value}, f"axis is {value}, outside 0..1", -1, "axis")


THREE_D = LAYOUTS["3DFirstMajor"].code
# Rows that lie between each other and share no element.
INTERLEAVED = {"output.stride": (2, 3)}
# Columns of one element: the stride between them is never taken, so its value is no fault.
SINGLE = {"input.size": (3, 1), "output.size": (2, 1)}
SINGLE |= {"input.stride": (7, 2), "output.stride": (9, 1)}

ROWS_OF_FAULTS = [
    *of_each("deallocated", "state", "dead", "{} has been deallocated", missing=True),
    *of_each("null-data", "state", "null", "{}.data is NULL", missing=True),
    *of_each("unknown-layout", "layout", 0x20002, "{}.layout is 0x20002"),
    *of_each("no-layout", "layout", 0, "{}.layout is 0x0"),
    *of_each("rank-9-layout", "layout", 0x98001, "{}.layout is 0x98001"),
    *of_each("pack32", "layout", LAYOUTS["ConvolutionWeightsOIHW_Pack32"].code, "{}.layout is "),
    *of_each("sparse", "layout", LAYOUTS["FullyConnectedSparse"].code, "{}.layout is "),
    *of_each("unknown-type", "data_type", 0x10040, "{}.data_type is 0x10040"),
    *of_each("class-bit", "data_type", 0x20000, "{}.data_type is 0x20000"),
    *of_each("short-buffer", "bytes", 7, "{} needs "),
    Row("types-differ", {"output.data_type": I32}, "data_type is Int32", -1, "output"),
    Row("types-float", {"output.data_type": DATA_TYPES["Float16"]}, "Float32", -1, "output"),
    *(
        Row(f"indices-{name}", {"indices.data_type": DATA_TYPES[name]}, name, -1, "indices")
        for name in ("Float32", "Float16", "BFloat16", "Boolean", "Int4", "UInt1", "Indexed8")
    ),
    *(axis(n) for n in (2, 3, -1, 2**31, 2**32, 2**63 - 1, 2**64 - 1, 2**64, 2**70, -(2**70))),
    sizes("output-rank", {"output.layout": VECTOR}, "output has rank 1, and input has rank 2"),
    sizes("input-rank", {"input.layout": VECTOR}, "output has rank 2, and input has rank 1"),
    sizes(
        "indices-rank",
        {"indices.layout": THREE_D, "indices.size": (1, 1, 2)},
        "indices has rank 3",
        "indices",
    ),
    sizes("longer", {"output.size": (3, 4)}, "output has size 3 along axis 0"),
    sizes("shorter", {"output.size": (1, 4)}, "output has size 1 along axis 0"),
    sizes("indices-longer", {"indices.size": (3,)}, "indices has 3 elements"),
    sizes("off-axis", {"output.size": (2, 3)}, "output has size 3 along axis 1, and input has 4"),
    sizes("off-axis-more", {"output.size": (2, 5)}, "output has size 5 along axis 1"),
    sizes("off-axis-zero", {"output.size": (2, 0)}, "output has size 0 along axis 1"),
    sizes("rows-slot", {"output.layout": ROWS}, "output has size 2 along axis 1, and input has 4"),
    sizes("full-off-axis", FULL | {"output.size": (2, 2)}, "output has size 2 along axis 0"),
    sizes("full-indices", FULL | {"indices.size": (2, 2)}, "indices has size 2", "indices"),
    sizes("full-axis", FULL | {"indices.size": (3, 1)}, "indices has size 1", "indices"),
    Row("input-strides-fall", {"input.stride": (4, 1)}, "input.stride[1] is 1", -1, "input"),
    Row("output-strides-fall", {"output.stride": (4, 1)}, "output.stride[1] is 1", -1, "output"),
    Row(
        "indices-strides-fall",
        FULL | {"indices.stride": (3, 2)},
        "indices.stride[1] is 2",
        -1,
        "indices",
    ),
    Row("output-overlaps-itself", {"output.stride": (1, 2)}, "one byte to two", -1, "output"),
    Row("output-half-overlap", {"output.stride": (2, 4)}, "one byte to two", -1, "output"),
    Row("input-overflow", {"input.size": (2**32, 2**32)}, "input: its sizes", -1, "input"),
    Row("output-overflow", {"output.size": (2**31, 2**31)}, "output: its sizes", -1, "output"),
    Row("indices-overflow", {"indices.size": (2**63,)}, "indices: its sizes", -1, "indices"),
    Row(
        "overflow-beside-zero",
        {"output.size": (0, 2**63)},
        "output.stride[1] is more than",
        -1,
        "output",
    ),
    Row("stride-overflow", {"input.stride": (1, 2**62)}, "input: its sizes", -1, "input"),
    Row("stride-huge", {"input.stride": (1, 2**63)}, "input.stride[1] is more", -1, "input"),
    Row("output-is-input", {"output.at": STARTS["input"]}, "one of input", -1, "output"),
    Row("output-on-input", {"output.at": STARTS["input"] + 47}, "one of input", -1, "output"),
    Row("output-before-input", {"output.at": STARTS["input"] - 31}, "one of input", -1, "output"),
    Row("output-is-indices", {"output.at": STARTS["indices"]}, "one of indices", -1, "output"),
    Row("output-on-indices", {"output.at": STARTS["indices"] + 7}, "one of indices", -1, "output"),
    Row("output-read-only", {"output.state": "read-only"}, "read-only", -1, "output"),
    Row(
        "output-one-byte-short",
        {"output.bytes": 31},
        "output needs 32 bytes from its data on, and its memory of 31 bytes has fewer",
        -1,
        "output",
    ),
    Row("output-padded-short", {"output.stride": (1, 9), "output.bytes": 51}, "needs 52 bytes"),
    Row("input-one-byte-short", {"input.bytes": 47}, "input needs 48 bytes", -1, "input"),
    Row("indices-one-byte-short", {"indices.bytes": 7}, "indices needs 8 bytes", -1, "indices"),
    Row(
        "packed-element",
        {"input.data_type": DATA_TYPES["UInt4"], "output.data_type": DATA_TYPES["UInt4"]}
        | {"axis": 1, "input.size": (3, 4), "output.size": (3, 2)},
        "within a byte",
        -1,
        "input",
    ),
    Row(
        "packed-row-of-three",
        {"input.data_type": DATA_TYPES["UInt4"], "output.data_type": DATA_TYPES["UInt4"]}
        | {"input.size": (3, 3), "output.size": (2, 3)},
        "within a byte",
        -1,
        "input",
    ),
    index_of_type("Int32", 3),
    index_of_type("Int32", -1),
    index_of_type("Int8", -128),
    index_of_type("Int8", 127),
    index_of_type("Int16", -(2**15)),
    index_of_type("Int64", -(2**63)),
    index_of_type("Int64", 2**63 - 1),
    index_of_type("Int64", 2**32 + 1),
    index_of_type("Int64", 2**32),
    index_of_type("UInt8", 200, size=150),
    index_of_type("UInt16", 2**16 - 1),
    index_of_type("UInt32", 2**32 - 1),
    index_of_type("UInt64", 2**64 - 1),
    index_of_type("UInt64", 2**63 + 1),
    index_of_type("UInt64", 2**32 + 1),
    indices(
        "beside-zero-size-slice",
        {"input.size": (3, 0), "output.size": (2, 0), "indices.values": [0, 3]},
        "indices[1] is 3, outside 0..2",
    ),
    indices(
        "into-empty-axis",
        {"input.size": (0, 4), "indices.values": [0, 0]},
        "indices[0] is 0, and axis 0 of input has no elements",
    ),
    indices(
        "into-empty-axis-of-nothing",
        {"input.size": (0, 0), "output.size": (2, 0), "indices.values": [0, 0]},
        "indices[0] is 0, and axis 0 of input has no elements",
    ),
    indices("full", FULL | {"indices.values": [0, 1, 2, 4, 9, 1]}, "indices[1, 1] is 4, outside"),
    indices(
        "row-major-names-row-and-column",
        FULL
        | {"indices.layout": ROWS, "indices.size": (2, 3), "indices.values": [0, 1, 2, 3, 0, 7]},
        "indices[2, 1] is 7, outside 0..3 (axis 1 of input)",
    ),
]


def listed(rows: list[Row]) -> Any:
    """The rows as parameters."""
    assert len({row.id for row in rows}) == len(rows)
    return pytest.mark.parametrize("row", [pytest.param(row, id=row.id) for row in rows])


def test_the_right_call_is_right() -> None:
    """Rows differ from calls that succeed, or they would say nothing."""
    for change in ({}, FULL, INTERLEAVED, SINGLE):
        call = Prepared(change)
        assert call.c_face() == 0
        call.overlay()


@listed(ROWS_OF_FAULTS)
def test_c_face(row: Row, caplog: pytest.LogCaptureFixture) -> None:
    call = Prepared(row.change)
    with caplog.at_level(logging.DEBUG, logger="bnnspy"):
        status = call.c_face()
    assert status is Status(row.status)
    assert row.fragment in bnnspy.last_error()
    expected = [("bnnspy", logging.ERROR, f"BNNSGather: {bnnspy.last_error()}")]
    assert caplog.record_tuples == expected
    call.assert_nothing_written()


@listed(ROWS_OF_FAULTS)
def test_overlay(row: Row, caplog: pytest.LogCaptureFixture) -> None:
    call = Prepared(row.change)
    with caplog.at_level(logging.DEBUG, logger="bnnspy"), pytest.raises(bnnspy.Error) as caught:
        call.overlay()
    error = caught.value
    assert type(error) is row.raises
    assert (error.status, str(error)) == (row.status, bnnspy.last_error())
    assert row.fragment in str(error)
    assert error.argument == (row.argument or error.argument)
    assert (error.index is not None) == (row.status == -1005)
    assert caplog.records == []
    call.assert_nothing_written()


@pytest.mark.parametrize("name", STARTS)
def test_null_descriptor(name: str) -> None:
    """None is C's NULL: the C face has a status for it, and Swift has no such thing."""
    call = Prepared({name: None})
    assert call.c_face() == Status.InvalidParameter
    assert bnnspy.last_error() == f"{name} is NULL"
    with pytest.raises(TypeError, match=name):
        call.overlay()
    call.assert_nothing_written()


# --- several faults at once -----------------------------------------------------------------------

# In the order in which they are to be reported. Each is a change of another tensor than its
# neighbours where that is possible, so that the order is one of kinds and not of arguments.
IN_ORDER = [
    ("live", {"output.state": "dead"}, "output has been deallocated"),
    ("type", {"indices.data_type": 0x20003}, "indices.data_type is 0x20003"),
    ("layout", {"output.layout": 0x20002}, "output.layout is 0x20002"),
    ("strides", {"input.stride": (4, 1)}, "input.stride[1] is 1"),
    ("axis", {"axis": 5}, "axis is 5"),
    ("shape", {"indices.size": (3,)}, "indices has 3 elements"),
    ("bounds", {"input.bytes": 3}, "input needs 48 bytes"),
    ("read-only", {"output.state": "read-only"}, "output points to memory that is read-only"),
    ("overlap", {"output.at": STARTS["indices"] + 4}, "shares a byte with one of indices"),
    ("index", {"indices.values": [7, 7]}, "indices[0] is 7"),
]
PAIRS = [
    pytest.param(first, second, id=f"{first[0]}-before-{second[0]}")
    for number, first in enumerate(IN_ORDER)
    for second in IN_ORDER[number + 1 :]
    if not set(first[1]) & set(second[1])  # one descriptor can't be dead and read-only
]


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_order_of_faults(first: Any, second: Any) -> None:
    call = Prepared(first[1] | second[1])
    assert call.c_face() != 0
    assert first[2] in bnnspy.last_error()
    call.assert_nothing_written()


@pytest.mark.parametrize(
    ("first", "second"), [("input", "indices"), ("input", "output"), ("indices", "output")]
)
@pytest.mark.parametrize(
    ("field", "value", "fragment"),
    [
        (".state", "dead", "has been deallocated"),
        (".state", "null", ".data is NULL"),
        ("", None, "is NULL"),
    ],
)
def test_order_of_tensors(first: str, second: str, field: str, value: Any, fragment: str) -> None:
    """Both lack their memory: the one that comes first among the arguments is named."""
    call = Prepared({second + field: value, first + field: value})
    assert call.c_face() == Status.InvalidParameter
    assert re.match(rf"{first}\b.*{re.escape(fragment)}", bnnspy.last_error())
    call.assert_nothing_written()


def test_output_without_elements_may_be_read_only() -> None:
    change = {"indices.size": (0,), "output.size": (0, 4), "output.state": "read-only"}
    assert Prepared(change).c_face() == Status.Success
    assert Prepared(change | {"output.bytes": 0}).c_face() == Status.Success


@pytest.mark.parametrize("fault", IN_ORDER, ids=[fault[0] for fault in IN_ORDER])
def test_each_fault_alone(fault: Any) -> None:
    call = Prepared(fault[1])
    assert call.c_face() != 0
    assert fault[2] in bnnspy.last_error()


# --- the rest of the contract ---------------------------------------------------------------------


def test_exception_says_where_and_what() -> None:
    call = Prepared(FULL | {"indices.values": [0, 1, 2, 3, 0, -9]})
    with pytest.raises(IndexOutOfRange) as caught:
        call.overlay()
    error = caught.value
    assert (error.index, error.position, error.valid) == (-9, (2, 1), range(4))
    assert error.case == "layerApplyFail"
    assert isinstance(error, IndexError)


def test_valid_indices_of_an_empty_axis_are_none() -> None:
    call = Prepared({"input.size": (0, 4), "indices.values": [5, 0]})
    with pytest.raises(IndexOutOfRange) as caught:
        call.overlay()
    assert (caught.value.index, caught.value.valid) == (5, range(0))


def test_last_error_is_kept_by_successes() -> None:
    Prepared({"axis": 9}).c_face()
    sentence = bnnspy.last_error()
    assert Prepared({}).c_face() == 0
    assert bnnspy.last_error() == sentence != ""


def test_undecided_overlap_is_refused_and_said() -> None:
    """Six strides that do not nest: whether two sums of them agree takes long to find out."""
    sizes, stride = (3, 11, 4, 6, 9, 12), (5968, 7411, 8642, 11344, 13605, 16251)
    layout, data_type = LAYOUTS["6DLastMajor"].code, DATA_TYPES["UInt8"]
    extent = 1 + sum((n - 1) * step for n, step in zip(sizes, stride, strict=True))
    fields: dict[str, Any] = {"layout": layout, "size": sizes, "data_type": data_type}
    memory = np.full(extent, 7, np.uint8)
    source = NDArrayDescriptor(**fields, data=np.zeros(int(np.prod(sizes)), np.uint8))
    output = NDArrayDescriptor(**fields, stride=stride, data=memory)
    picks = NDArrayDescriptor.from_array(np.arange(12))
    assert BNNSGather(5, source, picks, output, None) == Status.InvalidParameter
    assert "can't be decided" in bnnspy.last_error()
    assert (memory == 7).all()


WRONG_KINDS = [
    ({"axis": 0.0}, "axis"),
    ({"axis": "0"}, "axis"),
    ({"axis": None}, "axis"),
    ({"axis": np.float32(0.5)}, "axis"),
    ({"input": [1.0, 2.0]}, "input"),
    ({"indices": [0.5, 2]}, "indices"),
    ({"output": 7}, "output"),
    ({"output": "text"}, "output"),
    ({"input": object()}, "input"),
]


@pytest.mark.parametrize(("wrong", "name"), WRONG_KINDS)
def test_wrong_kind_of_argument(wrong: dict[str, Any], name: str) -> None:
    call = Prepared({})
    call.arguments.update(wrong)
    with pytest.raises(TypeError, match=name):
        call.c_face()
    with pytest.raises(TypeError, match=name):
        call.overlay()
    call.assert_nothing_written()


def test_c_face_takes_descriptors_only() -> None:
    call = Prepared({})
    call.arguments["input"] = np.zeros((3, 4), np.float32)
    with pytest.raises(TypeError, match="input is a ndarray"):
        call.c_face()
    call.overlay()  # which wraps arrays


@pytest.mark.parametrize("wrong", [0, "fast", {"n_threads": 1}])
def test_wrong_kind_of_parameters(wrong: Any) -> None:
    a = Prepared({}).arguments
    with pytest.raises(TypeError, match="filter_params"):
        BNNSGather(a["axis"], a["input"], a["indices"], a["output"], wrong)
    with pytest.raises(TypeError, match="filter_parameters"):
        BNNS.gather(**a, filter_parameters=wrong)
