"""NDArrayDescriptor: its forms, its fields, copying, and reading back."""

from __future__ import annotations

import copy
import gc
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bnnspy
from bnnspy import (
    ArrayDescriptorInvalidData,
    BNNSNDArrayDescriptor,
    BNNSNDArrayGetDataSize,
    DataLayout,
    DataType,
    NDArrayDescriptor,
    NDArrayFlags,
    Shape,
)
from bnnspy._bnns import ffi

ZEROS = (0,) * 8
DEFAULTS = {
    "flags": 0,
    "layout": 0,
    "size": ZEROS,
    "stride": ZEROS,
    "data": None,
    "data_type": 0,
    "table_data": None,
    "table_data_type": 0,
    "data_scale": 0.0,
    "data_bias": 0.0,
}


def values_of(descriptor: NDArrayDescriptor) -> dict[str, Any]:
    return {name: getattr(descriptor, name) for name in DEFAULTS}


def padded_matrix() -> NDArrayDescriptor:
    """2 columns and 3 rows, 4 elements from row to row, over 44 bytes that can't be written."""
    memory = np.arange(11, dtype=np.float32)
    memory.flags.writeable = False
    return NDArrayDescriptor(data=memory, shape=Shape.matrix_row_major(2, 3, stride=(1, 4)))


# --- the checked form -----------------------------------------------------------------------------


def test_c_name() -> None:
    assert BNNSNDArrayDescriptor is NDArrayDescriptor


@pytest.mark.parametrize(
    "scalar_type", [None, np.float32, "f4", float, DataType.Float32, int(DataType.Float32)]
)
def test_data_and_shape_view_the_buffer(scalar_type: Any) -> None:
    memory = np.arange(6, dtype=np.float32)
    made = NDArrayDescriptor(
        data=memory, shape=Shape.matrix_row_major(3, 2), scalar_type=scalar_type
    )
    assert made.layout is DataLayout.RowMajorMatrix
    assert made.data_type is DataType.Float32
    assert (made.size, made.stride) == ((3, 2, 0, 0, 0, 0, 0, 0), ZEROS)
    assert made.data is memory
    assert made.address == memory.ctypes.data
    assert made.array.tolist() == [[0, 1, 2], [3, 4, 5]]
    made.array[1, 2] = 7
    assert memory[5] == 7


def test_scalar_type_names_the_elements_of_bytes() -> None:
    memory = bytearray(np.array([1.5, 2.5], np.float32).tobytes())
    made = NDArrayDescriptor(data=memory, scalar_type=np.float32, shape=Shape.vector(2))
    assert made.array.tolist() == [1.5, 2.5]
    assert NDArrayDescriptor(data=memory, data_type=DataType.Int16, shape=4).dtype == np.int16
    packed = NDArrayDescriptor(data=memory, scalar_type=DataType.UInt4, shape=16)
    assert packed.nbytes == 8
    assert packed.data_size == 0
    for read in (lambda: packed.array, packed.make_array, lambda: packed.dtype):
        with pytest.raises(TypeError, match=r"UInt4 .* uint8 array"):
            read()


def test_batch_size_is_checked_against_the_memory() -> None:
    memory = np.arange(11, dtype=np.float32)
    shape = Shape.matrix_row_major(2, 1, stride=(1, 4))
    made = NDArrayDescriptor(data=memory, shape=shape, batch_size=3)
    assert made.make_array().tolist() == [0, 1]
    assert made.make_array(batch_size=3).tolist() == [0, 1, 4, 5, 8, 9]
    with pytest.raises(ArrayDescriptorInvalidData, match="44 bytes, and the shape needs 56"):
        NDArrayDescriptor(data=memory, shape=shape, batch_size=4)
    with pytest.raises(ArrayDescriptorInvalidData, match="needs 56"):
        made.make_array(batch_size=4)
    for wrong, error in ((-1, ValueError), (2**64, ValueError), (1.0, TypeError)):
        with pytest.raises(error, match="batch_size"):
            NDArrayDescriptor(data=memory, shape=shape, batch_size=wrong)  # type: ignore[arg-type]


def test_without_data_the_descriptor_has_no_memory_yet() -> None:
    made = NDArrayDescriptor(shape=Shape.vector(3), scalar_type=np.int16)
    assert (made.data, made.address, made.data_size) == (None, 0, 0)
    with pytest.raises(ArrayDescriptorInvalidData, match="no data"):
        _ = made.array
    made.data = np.arange(3, dtype=np.int16)
    assert made.array.tolist() == [0, 1, 2]
    with pytest.raises(TypeError, match="type of the elements"):
        NDArrayDescriptor(shape=Shape.vector(3))


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"data": np.zeros(5, np.float32)}, ArrayDescriptorInvalidData, "20 bytes.* needs 24"),
        ({"data": np.zeros((6, 2), np.float32)[:, 0]}, ValueError, "ascontiguousarray"),
        ({"data": np.zeros(6)}, TypeError, r"\.astype\(np\.float32\)"),
        ({"data": np.zeros(6, np.float32), "scalar_type": np.int32}, TypeError, "Int32"),
        ({"data": np.zeros(6, np.float32), "scalar_type": float, "data_type": 1}, TypeError, "two"),
        ({"data": np.zeros(6, np.float32), "scalar_type": "nonsense"}, TypeError, "scalar_type"),
        ({"data": np.zeros(6, np.float32), "data_type": 0x12345}, TypeError, "scalar_type"),
        ({"data": np.zeros(6, np.uint8), "data_type": DataType.IntBit}, TypeError, "0x20000"),
        ({"data": [0.0] * 6}, TypeError, "numpy.asarray"),
        ({"data": 5}, TypeError, "data is a int"),
    ],
)
def test_what_the_checked_form_refuses(
    arguments: dict[str, Any], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        NDArrayDescriptor(shape=Shape.matrix_row_major(3, 2), **arguments)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("flags", 1),
        ("layout", DataLayout.Vector),
        ("size", (2,)),
        ("stride", np.array([2])),
        ("table_data", np.zeros(4, np.float32)),
        ("table_data_type", DataType.Float32),
        ("data_scale", 0.5),
        ("data_bias", 1.0),
    ],
)
def test_fields_beside_a_shape_were_dropped(name: str, value: Any) -> None:
    """stride=(2,) beside shape= was accepted, and every element read from the wrong place."""
    with pytest.raises(TypeError, match=r"^shape says the fields"):
        NDArrayDescriptor(data=np.zeros(4, np.float32), shape=2, **{name: value})


@pytest.mark.parametrize("arguments", [{"scalar_type": np.float32}, {"batch_size": 2}])
def test_arguments_of_the_checked_form_need_a_shape(arguments: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="go with shape"):
        NDArrayDescriptor(data=np.zeros(4, np.float32), **arguments)


# --- the memberwise form --------------------------------------------------------------------------


def test_no_arguments_is_a_struct_of_zeros() -> None:
    assert values_of(NDArrayDescriptor()) == DEFAULTS


def test_memberwise_holds_the_ten_fields() -> None:
    memory, table = np.zeros(6, np.uint8), np.zeros(256, np.float32)
    made = NDArrayDescriptor(
        flags=NDArrayFlags.BackpropAccumulate,
        layout=DataLayout.RowMajorMatrix,
        size=(3, 2),
        stride=[1, 3],
        data=memory,
        data_type=DataType.Indexed8,
        table_data=table,
        table_data_type=DataType.Float32,
        data_scale=0.5,
        data_bias=-2,
    )
    assert values_of(made) == {
        "flags": NDArrayFlags.BackpropAccumulate,
        "layout": DataLayout.RowMajorMatrix,
        "size": (3, 2, 0, 0, 0, 0, 0, 0),
        "stride": (1, 3, 0, 0, 0, 0, 0, 0),
        "data": memory,
        "data_type": DataType.Indexed8,
        "table_data": table,
        "table_data_type": DataType.Float32,
        "data_scale": 0.5,
        "data_bias": -2.0,
    }
    struct = made._record[0][0].descriptor
    assert ffi.cast("uintptr_t", struct.table_data) == ffi.cast("uintptr_t", table.ctypes.data)
    assert made.shape == Shape.matrix_row_major(3, 2, stride=(1, 3))
    made.table_data = None
    assert made.table_data is None
    assert made._record[0][0].descriptor.table_data == ffi.NULL


FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "flags": st.integers(0, 2**32 - 1),
    "layout": st.integers(0, 2**32 - 1) | st.sampled_from(DataLayout),
    "size": st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 3), max_size=8),
    "stride": st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 3), max_size=8),
    "data_type": st.integers(0, 2**32 - 1) | st.sampled_from(DataType),
    "table_data_type": st.integers(0, 2**32 - 1),
    "data_scale": st.floats(),
    "data_bias": st.floats(width=32),
    "data": st.none() | st.binary(max_size=40) | st.builds(bytearray, st.just(9)),
    "table_data": st.none() | st.binary(max_size=8),
}


@given(st.fixed_dictionaries({}, optional=FIELDS))
def test_garbage_in_fields_is_held_shown_and_never_followed(fields: dict[str, Any]) -> None:
    made = NDArrayDescriptor(**fields)
    for name, value in fields.items():
        if name in ("size", "stride"):
            assert getattr(made, name) == tuple(value) + (0,) * (8 - len(value))
        elif name.startswith("data_") and isinstance(value, float):
            with np.errstate(over="ignore"):
                assert np.array_equal(getattr(made, name), np.float32(value), equal_nan=True)
        else:
            assert getattr(made, name) == value
    assert repr(made).startswith("NDArrayDescriptor(")
    assert repr(copy.deepcopy(made)).startswith("NDArrayDescriptor(")
    assert made.data_size == BNNSNDArrayGetDataSize(made)
    room = 0 if made.data is None else len(made.data)
    for read in (lambda: made.array, made.make_array):
        try:
            array = read()
        except (TypeError, ValueError):
            continue
        assert array.nbytes == 0 or 0 < made.data_size <= room
        assert array.tobytes() is not None
    other = NDArrayDescriptor.from_array(np.zeros(1, np.uint8))
    for call in ((made, other, other), (other, made, other), (other, other, made)):
        assert bnnspy.BNNSGather(0, *call) in tuple(bnnspy.Status)


@pytest.mark.parametrize(
    ("name", "value", "error"),
    [
        ("layout", -1, ValueError),
        ("layout", 2**32, ValueError),
        ("layout", "Vector", TypeError),
        ("data_type", np.float32, TypeError),
        ("flags", 1.0, TypeError),
        ("table_data_type", None, TypeError),
        ("size", (1,) * 9, ValueError),
        ("size", (-1,), ValueError),
        ("size", (2**64,), ValueError),
        ("size", (1.5,), TypeError),
        ("stride", "12", TypeError),
        ("data", [1, 2], TypeError),
        ("table_data", 7, TypeError),
        ("data_scale", "1.5", TypeError),
        ("data_scale", None, TypeError),
        ("data_bias", 10**400, ValueError),
    ],
)
def test_what_no_field_can_hold_changes_nothing(
    name: str, value: Any, error: type[Exception]
) -> None:
    made = NDArrayDescriptor.allocate(repeating=1.0, shape=(2, 3))
    before = values_of(made)
    with pytest.raises(error):
        setattr(made, name, value)
    with pytest.raises(error):
        made.replace(**{name: value})
    with pytest.raises(error):
        NDArrayDescriptor(**{name: value})
    assert values_of(made) == before


def test_a_buffer_of_typed_elements_under_an_unknown_type_was_refused() -> None:
    """Any code may stand in data_type, as in C; float elements made it a TypeError."""
    memory = np.zeros(2, np.float32)
    made = NDArrayDescriptor(data=memory, data_type=0x12345, layout=DataLayout.Vector, size=2)
    assert made.data_type == 0x12345
    assert bnnspy.BNNSGather(0, made, made, made) == -1
    with pytest.raises(TypeError, match="0x12345"):
        _ = made.array
    with pytest.raises(TypeError, match="Float32, and the descriptor is of Int32"):
        made.replace(data_type=DataType.Int32, data=memory)


# --- changing -------------------------------------------------------------------------------------


def test_setters_pad_and_calls_see_the_new_fields() -> None:
    made = NDArrayDescriptor.allocate(initializing_from=range(6), shape=Shape.vector(6))
    made.layout, made.size, made.stride = DataLayout.RowMajorMatrix, (3, 2), (1, 3)
    assert made.size == (3, 2, 0, 0, 0, 0, 0, 0)
    assert made.stride == (1, 3, 0, 0, 0, 0, 0, 0)
    assert made.array.tolist() == [[0, 1, 2], [3, 4, 5]]
    made.size = 2
    assert made.size == (2, 0, 0, 0, 0, 0, 0, 0)
    made.data_type = 0
    assert made.data_type == 0
    assert not isinstance(made.data_type, DataType)


def test_sizes_that_memory_lacks_are_found_where_they_are_used() -> None:
    made = NDArrayDescriptor.allocate(repeating=1.0, shape=4)
    made.size = 5
    assert made.data_size == 20
    for read in (lambda: made.array, made.make_array):
        with pytest.raises(ArrayDescriptorInvalidData, match="16 bytes, and the shape needs 20"):
            read()


def test_replace_changes_a_copy() -> None:
    made = NDArrayDescriptor.allocate(initializing_from=range(6), shape=(2, 3))
    other = made.replace(size=(3, 2), flags=1)
    assert (made.size[:2], made.flags) == ((2, 3), 0)
    assert (other.size[:2], other.flags) == ((3, 2), 1)
    assert np.shares_memory(made.array, other.array)
    third = made.replace(data=np.zeros(3, np.int8), data_type=DataType.Int8, layout=0x10000, size=3)
    assert third.array.dtype == np.int8
    assert made.array.sum() == 15
    assert made.replace().data is made.data
    for wrong in ("shape", "scalar_type", "address"):
        with pytest.raises(TypeError, match=wrong):
            made.replace(**{wrong: 1})


@pytest.mark.parametrize("name", ["address", "shape", "array", "nbytes", "typo"])
def test_what_is_no_field_cannot_be_set(name: str) -> None:
    with pytest.raises(AttributeError):
        setattr(NDArrayDescriptor(), name, 1)


# --- copying --------------------------------------------------------------------------------------


def test_copy_shares_memory_and_has_fields_of_its_own() -> None:
    made = NDArrayDescriptor.allocate(initializing_from=range(4), shape=4)
    other = copy.copy(made)
    other.size = 2
    other.array[0] = 9
    assert made.array.tolist() == [9, 1, 2, 3]
    made.deallocate()
    assert other.array.tolist() == [9, 1]


class Named(NDArrayDescriptor):
    """A subclass with attributes."""

    def __init__(self, name: str, **arguments: Any) -> None:
        super().__init__(**arguments)
        self.name, self.tags = name, ["a"]


class Slotted(NDArrayDescriptor):
    """One whose attributes are slots, not all of them set."""

    __slots__ = ("name", "tags", "unset")

    def __init__(self, name: str, **arguments: Any) -> None:
        super().__init__(**arguments)
        self.name, self.tags = name, ["a"]


@pytest.mark.parametrize("kind", [Named, Slotted])
def test_copies_of_a_subclass_dropped_its_attributes(kind: Any) -> None:
    made = kind("rows", data=np.arange(4, dtype=np.float32), shape=4)
    for other in (copy.copy(made), made.replace(size=2), copy.deepcopy(made)):
        assert type(other) is kind
        assert other.name == "rows"
        assert not hasattr(other, "unset")
        other.name = "other"
        assert made.name == "rows"
    assert copy.copy(made).tags is made.tags
    deep = copy.deepcopy(made)
    assert deep.tags == ["a"]
    assert deep.tags is not made.tags
    assert deep.address != made.address
    made.tags.append(made)  # itself: a copy has to end
    around = copy.deepcopy(made)
    assert around.tags[1] is around


def test_deepcopy_copies_memory_and_table() -> None:
    table = bytearray(b"abcd")
    made = padded_matrix().replace(table_data=table)
    other = copy.deepcopy(made)
    assert repr(other).endswith("44 bytes, owned)")
    assert other.array.tolist() == made.array.tolist()
    assert other.address % 64 == 0
    other.array[...] = -1
    assert made.array.min() == 0
    table[0] = 0
    assert bytes(other.table_data) == b"abcd"
    first, second = copy.deepcopy([made, made])
    assert first is second
    empty = copy.deepcopy(NDArrayDescriptor(size=3))
    assert empty.size[0] == 3
    made.deallocate()
    assert repr(copy.deepcopy(made)).endswith("deallocated)")


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickling_names_the_array(protocol: int) -> None:
    with pytest.raises(TypeError, match=r"\.array"):
        pickle.dumps(padded_matrix(), protocol)


# --- reading --------------------------------------------------------------------------------------


def test_sizes_in_bytes() -> None:
    made = padded_matrix()
    assert (made.data_size, made.nbytes, made.ndim, made.dtype) == (40, 24, 2, np.float32)
    chw = NDArrayDescriptor(shape=Shape.image_chw(4, 3, 2), scalar_type=np.float16)
    assert (chw.data_size, chw.nbytes, chw.ndim) == (0, 48, 3)
    packed = NDArrayDescriptor(shape=Shape.vector(5), scalar_type=DataType.UInt3)
    assert packed.nbytes == 2
    unknown = NDArrayDescriptor(layout=0x77, data_type=DataType.Float32)
    assert unknown.data_size == 0
    for read in (lambda: unknown.ndim, lambda: unknown.shape, lambda: unknown.nbytes):
        with pytest.raises(ValueError, match=r"119|0x77"):
            read()


def test_make_array_is_flat_memory_order_without_holes() -> None:
    made = padded_matrix()
    flat = made.make_array()
    assert flat.tolist() == [0, 1, 4, 5, 8, 9]
    assert flat.flags.owndata
    assert flat.flags.writeable
    last = NDArrayDescriptor(data=np.arange(6), shape=Shape.matrix_last_major(2, 3))
    assert last.array.tolist() == [[0, 2, 4], [1, 3, 5]]
    assert last.make_array().tolist() == [0, 1, 2, 3, 4, 5]
    reverse = Shape((2, 1, 1, 1), DataLayout.ConvolutionWeightsOIHrWr)
    assert NDArrayDescriptor(data=np.arange(2), shape=reverse).make_array().tolist() == [0, 1]


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (
            padded_matrix(),
            "RowMajorMatrix size=(2, 3) stride=(1, 4) Float32, 44 bytes, borrowed, read-only",
        ),
        (NDArrayDescriptor.allocate(repeating=1, shape=(2, 3)), "2DFirstMajor size=(2, 3) Int32, "
         "24 bytes, owned"),
        (NDArrayDescriptor(shape=Shape.vector(2), scalar_type=bool), "Vector size=(2,) Boolean, "
         "no data"),
        (NDArrayDescriptor(layout=0x99, size=1, data_type=0x7), "0x99 size=(1, 0, 0, 0, 0, 0, 0, "
         "0) 0x7, no data"),
        (NDArrayDescriptor(data=bytearray(4), shape=4), "Vector size=(4,) UInt8, 4 bytes, "
         "borrowed"),
    ],
)  # fmt: skip
def test_repr(made: NDArrayDescriptor, expected: str) -> None:
    assert repr(made) == f"NDArrayDescriptor({expected})"


def test_repr_of_what_a_constructor_has_not_made_raised() -> None:
    """A debugger or a test report shows the half-made object of a failing constructor."""
    raw = NDArrayDescriptor.__new__(NDArrayDescriptor)
    assert repr(raw) == "NDArrayDescriptor(not made)"
    whole = NDArrayDescriptor.allocate(repeating=1, shape=1)
    with pytest.raises(TypeError, match="indices"):
        bnnspy.BNNSGather(0, whole, raw, whole)


def test_array_protocol_copies_when_it_is_asked_to() -> None:
    made = NDArrayDescriptor.allocate(initializing_from=[1, 2], shape=2)
    assert np.shares_memory(np.asarray(made), made.array)
    assert np.shares_memory(made.__array__(copy=False), made.array)
    assert np.shares_memory(made.__array__(np.int32, copy=None), made.array)
    assert not np.shares_memory(made.__array__(copy=True), made.array)
    assert not np.shares_memory(np.array(made), made.array)
    assert np.asarray(made, np.float64).tolist() == [1.0, 2.0]
    assert made.__array__(np.float64).dtype == np.float64
    with pytest.raises(ValueError, match="without a copy"):
        made.__array__(np.float64, copy=False)
    assert np.add(made, 1).tolist() == [2, 3]


def test_dlpack_shares_memory() -> None:
    made = NDArrayDescriptor.allocate(initializing_from=[1.0, 2.0], shape=2)
    assert made.__dlpack_device__() == (1, 0)
    assert np.shares_memory(np.from_dlpack(made), made.array)
    capsule_owner = np.from_dlpack(made)
    del made
    gc.collect()
    assert capsule_owner.tolist() == [1.0, 2.0]
