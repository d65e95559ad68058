"""What a record knows ahead of a call: it agrees with its fields, however it came about."""

from __future__ import annotations

import copy
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from bnnspy import (
    BNNSGather,
    DataLayout,
    DataType,
    NDArrayDescriptor,
    Shape,
    Status,
    last_error,
)
from bnnspy._bnns import ffi, lib
from bnnspy.memory import BFLOAT16

VALUES = np.arange(1, 13, dtype=np.float32)


def made() -> NDArrayDescriptor:
    """Three rows of four."""
    return NDArrayDescriptor(data=VALUES.copy(), shape=Shape.matrix_row_major(4, 3))


def facts(descriptor: NDArrayDescriptor) -> dict[str, Any]:
    """The C record, and what the Python one says of it."""
    record = descriptor._record[0][0]
    assert descriptor._record[4] == record.descriptor.data_type
    rank = record.view.rank if record.checked else 0
    return {
        "descriptor": bytes(ffi.buffer(ffi.addressof(record, "descriptor"))),
        "memory": (record.base, record.nbytes, record.writable, record.live),
        "checked": (record.checked, record.type_row if record.checked else None),
        "distinct": record.distinct,
        "size": tuple(record.view.size)[:rank],
        "stride": tuple(record.view.stride)[:rank],
        "extent": record.view.extent if record.checked else None,
    }


def anew(descriptor: NDArrayDescriptor) -> NDArrayDescriptor:
    """The same fields and memory, and all else worked out by bnnspy_bind from nothing."""
    old = descriptor._record[0]
    model, record = ffi.new("bnnspy_bounded[1]"), ffi.new("bnnspy_bounded[1]")
    model[0].descriptor = old[0].descriptor
    pointer = old[0].descriptor.data
    assert lib.bnnspy_bind(record, model, pointer, old[0].nbytes, old[0].writable, 0) == 0
    record[0].live = old[0].live
    fresh = NDArrayDescriptor.__new__(NDArrayDescriptor)
    fresh._record = (record, *descriptor._record[1:])
    return fresh


def setting(**fields: Any) -> Callable[[NDArrayDescriptor], None]:
    """A change of fields, one after the other."""

    def change(descriptor: NDArrayDescriptor) -> None:
        for name, value in fields.items():
            setattr(descriptor, name, value)

    return change


CHANGES: dict[str, Callable[[NDArrayDescriptor], None]] = {
    "nothing": setting(),
    "larger size": setting(size=(4, 4)),
    "smaller size": setting(size=(2, 2)),
    "empty": setting(size=(4, 0)),
    "stride": setting(size=(2, 3), stride=(2, 4)),
    "stride that decreases": setting(stride=(4, 1)),
    "stride that overlaps": setting(size=(3, 3), stride=(1, 2)),
    "layout": setting(layout=DataLayout.Tensor2DFirstMajor),
    "layout of another rank": setting(layout=DataLayout.Vector),
    "layout that is none": setting(layout=0x20077),
    "layout without strides": setting(layout=DataLayout.FullyConnectedSparse),
    "narrower type": setting(data_type=DataType.Int16),
    "wider type": setting(data_type=DataType.Int64),
    "packed type": setting(data_type=DataType.UInt4),
    "type that is none": setting(data_type=0x77),
    "no data": setting(data=None),
    "shorter data": setting(data=np.zeros(11, np.float32)),
    "longer data": setting(data=np.zeros(50, np.float32)),
    "bytes": setting(data=bytearray(48)),
    "data, and back to a type": setting(data_type=0x77, data=VALUES, size=(3, 2)),
    "read-only data": setting(data=bytes(48)),
    "scale": setting(data_scale=2.0, data_bias=1.0, flags=1),
    "table": setting(table_data=np.zeros(4, np.float32), table_data_type=DataType.Float32),
    "deallocated": NDArrayDescriptor.deallocate,
    "set after deallocation": lambda d: (d.deallocate(), setting(size=(1, 1))(d))[0],
    "alive again": lambda d: (d.deallocate(), setting(data=VALUES.copy())(d))[0],
}


@pytest.mark.parametrize("name", CHANGES)
def test_facts_are_those_of_the_fields(name: str) -> None:
    descriptor = made()
    CHANGES[name](descriptor)
    assert facts(descriptor) == facts(anew(descriptor))
    deep, same = copy.deepcopy(descriptor), copy.copy(descriptor)
    assert facts(deep) == facts(anew(deep))
    assert facts(same) == facts(descriptor)
    again = descriptor.replace(size=(2, 2), layout=DataLayout.RowMajorMatrix)
    assert facts(again) == facts(anew(again))


@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.parametrize("role", ["input", "output"])
def test_a_call_answers_as_with_nothing_known(role: str, name: str) -> None:
    """Status, sentence and result, for a record as it is and for one that leaves all open."""
    changed = made()
    CHANGES[name](changed)
    bare = NDArrayDescriptor.__new__(NDArrayDescriptor)
    record = ffi.new("bnnspy_bounded[1]", [changed._record[0][0]])
    record[0].checked = record[0].distinct = record[0].type_row = 0
    ffi.memmove(ffi.addressof(record[0], "view"), bytes(ffi.sizeof("bnnspy_view")), 8)
    bare._record = (record, *changed._record[1:])
    indices = NDArrayDescriptor.from_array(np.array([2, 0, 1], np.int32))
    answers = []
    for tensor in (changed, bare):
        other = made()
        tensors = (tensor, indices, other) if role == "input" else (other, indices, tensor)
        status = BNNSGather(0, *tensors)
        written = None
        if status == Status.Success:
            written = tensors[2].array.tolist()
        answers.append((status, last_error() if status else "", written))
    assert answers[0] == answers[1]


# --- data = array, in few steps or in many -------------------------------------------------------


def swapped() -> Any:
    return np.zeros(12, np.dtype(np.float32).newbyteorder())


def readonly() -> Any:
    array = VALUES.copy()
    array.flags.writeable = False
    return array


class Subclass(np.ndarray[Any, Any]):
    """An array that may answer as it likes."""


BUFFERS: dict[str, Callable[[], Any]] = {
    "array": VALUES.copy,
    "rows": lambda: np.ones((3, 4), np.float32),
    "one element": lambda: np.ones((), np.float32),
    "empty": lambda: np.ones((0, 3), np.float32),
    "read-only": readonly,
    "misaligned": lambda: np.zeros(49, np.uint8)[1:].view(np.float32),
    "every second": lambda: np.ones(24, np.float32)[::2],
    "columns first": lambda: np.ones((4, 3), np.float32).T,
    "bytes in an array": lambda: np.zeros(48, np.uint8),
    "another type": lambda: np.zeros(12, np.int32),
    "float64": lambda: np.zeros(12),
    "objects": lambda: np.zeros(12, object),
    "dates": lambda: np.zeros(12, "M8[s]"),
    "swapped bytes": swapped,
    "subclass": lambda: VALUES.copy().view(Subclass),
    "masked": lambda: np.ma.zeros(12, np.float32),
    "bytearray": lambda: bytearray(48),
    "list": lambda: [1.0],
    "nothing": lambda: None,
    **({} if BFLOAT16 is None else {"bfloat16": lambda: np.zeros(24, BFLOAT16)}),
}


@pytest.mark.parametrize(
    "data_type", [DataType.Float32, DataType.BFloat16, DataType.UInt8, 0, 0x77]
)
@pytest.mark.parametrize("name", BUFFERS)
def test_setting_data_is_replacing_it(name: str, data_type: int) -> None:
    value = BUFFERS[name]()
    answers: list[Any] = []

    def by_name(descriptor: NDArrayDescriptor) -> NDArrayDescriptor:
        descriptor.data = value
        return descriptor

    for way in (by_name, lambda descriptor: descriptor.replace(data=value)):
        descriptor = made().replace(data_type=data_type)
        try:
            changed = way(descriptor)
        except (TypeError, ValueError) as error:
            assert descriptor.data is not value
            answers.append((type(error), str(error)))
        else:
            assert changed.data is value
            answers.append(facts(changed))
    assert answers[0] == answers[1]


def test_data_is_held_and_cannot_move() -> None:
    descriptor = made()
    array = VALUES.copy()
    descriptor.data = array
    with pytest.raises(ValueError, match="resize"):
        array.resize(100)
    exported = weakref.ref(descriptor._record[1])
    descriptor.data = VALUES.copy()
    assert exported() is None


def test_read_only_arrays_stay_so() -> None:
    descriptor = made()
    descriptor.data = readonly()
    assert not descriptor.array.flags.writeable
    indices = NDArrayDescriptor.from_array(np.array([2, 0, 1], np.int32))
    assert BNNSGather(0, made(), indices, descriptor) == -1
    assert "read-only" in last_error()
    descriptor.data = VALUES.copy()
    assert BNNSGather(0, made(), indices, descriptor) == 0
