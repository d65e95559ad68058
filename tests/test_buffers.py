"""Whose memory a descriptor can be: every kind of buffer, read-only ones, and who holds what."""

from __future__ import annotations

import array
import contextlib
import ctypes
import gc
import mmap
import sys
import types
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bnnspy import BNNS, BNNSGather, DataType, InvalidParameter, NDArrayDescriptor, Shape

from_array = NDArrayDescriptor.from_array

VALUES = np.array([10, 20, 30, 40, 50, 60, 70, 80], np.float32)
PICKED = np.array([1, 3, 7, 5], np.int32)


class Producer:
    """A tensor of another library: DLPack is all it has."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    def __dlpack__(self, **options: Any) -> Any:
        return self.inner.__dlpack__()

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)


def mapped(values: Any) -> mmap.mmap:
    memory = mmap.mmap(-1, values.nbytes)
    memory[:] = values.tobytes()
    return memory


def ctypes_array(values: Any) -> Any:
    kinds: dict[str, Any] = {"float32": ctypes.c_float, "int32": ctypes.c_int32}
    return (kinds[values.dtype.name] * values.size)(*values.tolist())


def typed_bytearray(values: Any) -> memoryview:
    return memoryview(bytearray(values)).cast(values.dtype.char)


# How a buffer of its own is made of an array.
TYPED: dict[str, Callable[[Any], Any]] = {
    "numpy": np.copy,
    "memoryview": typed_bytearray,
    "array.array": lambda values: array.array(values.dtype.char, values.tolist()),
    "ctypes": ctypes_array,
}
UNTYPED: dict[str, Callable[[Any], Any]] = {
    "bytearray": bytearray,
    "mmap": mapped,
    "memoryview of bytes": lambda values: memoryview(bytearray(values)),
    "uint8 array": lambda values: np.frombuffer(bytearray(values), np.uint8),
}
READ_ONLY: dict[str, Callable[[Any], Any]] = {
    "bytes": lambda values: values.tobytes(),
    "read-only memoryview": lambda values: typed_bytearray(values).toreadonly(),
    "read-only array": lambda values: np.frombuffer(values.tobytes(), values.dtype),
}


def descriptor_of(buffer: Any, like: Any) -> NDArrayDescriptor:
    return NDArrayDescriptor(data=buffer, scalar_type=like.dtype, shape=Shape.vector(like.size))


@pytest.mark.parametrize("name", [*TYPED, *UNTYPED])
def test_buffers_as_input_indices_and_output(name: str) -> None:
    make = (TYPED | UNTYPED)[name]
    buffers = [make(VALUES), make(PICKED), make(np.zeros(4, np.float32))]
    made = list(map(descriptor_of, buffers, (VALUES, PICKED, VALUES[:4])))
    assert all(d.data is b for d, b in zip(made, buffers, strict=True))
    assert BNNSGather(0, *made, None) == 0
    assert bytes(memoryview(buffers[2]).cast("B")) == VALUES[PICKED].tobytes()


@pytest.mark.parametrize("name", TYPED)
def test_typed_buffers_in_the_overlay(name: str) -> None:
    output = TYPED[name](np.zeros(4, np.float32))
    BNNS.gather(input=TYPED[name](VALUES), indices=TYPED[name](PICKED), output=output, axis=0)
    assert list(output) == [20, 40, 80, 60]


@pytest.mark.parametrize("name", READ_ONLY)
def test_read_only_memory_is_an_input_and_no_output(name: str) -> None:
    source, picked = READ_ONLY[name](VALUES), READ_ONLY[name](PICKED)
    values, indices = descriptor_of(source, VALUES), descriptor_of(picked, PICKED)
    assert repr(values).endswith("32 bytes, borrowed, read-only)")
    assert not values.array.flags.writeable
    assert values.make_array().flags.writeable
    output = NDArrayDescriptor.allocate(repeating=-1.0, shape=4)
    assert BNNSGather(0, values, indices, output, None) == 0
    assert output.array.tolist() == [20, 40, 80, 60]
    fixed = READ_ONLY[name](VALUES[:4])
    assert BNNSGather(0, values, indices, descriptor_of(fixed, VALUES[:4]), None) == -1
    assert bytes(memoryview(fixed).cast("B")) == VALUES[:4].tobytes()
    with pytest.raises(InvalidParameter, match="read-only"):
        BNNS.gather(input=values, indices=indices, output=descriptor_of(fixed, VALUES[:4]), axis=0)


def test_a_view_of_read_only_memory_could_be_made_writeable() -> None:
    """NumPy allowed it, and a write into a read-only map of a file ends the process."""
    for memory in (VALUES.tobytes(), READ_ONLY["read-only array"](VALUES)):
        made = descriptor_of(memory, VALUES)
        for view in (made.array, made.array[2:], made.array.view()):
            with pytest.raises(ValueError, match="WRITEABLE"):
                view.flags.writeable = True


# --- what is held ---------------------------------------------------------------------------------


def letting_go() -> dict[str, Callable[[NDArrayDescriptor], Any]]:
    """The ways in which a descriptor lets go of its buffer."""
    return {
        "deallocate": lambda made: made.deallocate(),
        "with": lambda made: made.__exit__(None, None, None),
        "data = None": lambda made: setattr(made, "data", None),
        "data = another": lambda made: setattr(made, "data", bytearray(32)),
        "gone": lambda made: None,
    }


@pytest.mark.parametrize("way", letting_go())
def test_a_bytearray_cannot_be_resized_while_it_is_held(way: str) -> None:
    memory = bytearray(VALUES)
    made = descriptor_of(memory, VALUES)
    indices = from_array(np.array([9], np.int32))
    output = NDArrayDescriptor.allocate(repeating=0.0, shape=1)
    assert BNNSGather(0, made, indices, output) == -1005
    with pytest.raises(BufferError):
        memory.extend(b"more")
    letting_go()[way](made)
    if way == "gone":
        del made
    memory.extend(b"more")
    assert len(memory) == 36


def test_an_array_view_holds_the_memory_on() -> None:
    memory = bytearray(VALUES)
    made = descriptor_of(memory, VALUES)
    views = [made.array, made.array[2:4]]
    made.deallocate()
    for view in [*views, views]:
        with pytest.raises(BufferError):
            memory.clear()
        assert view is not None
    del views, view
    gc.collect()
    memory.clear()


def test_an_array_and_a_map_cannot_go_while_they_are_held() -> None:
    values = array.array("f", [1, 2])
    with from_array(values), pytest.raises(BufferError):
        values.append(3)
    values.append(3)
    memory = mapped(VALUES)
    made = descriptor_of(memory, VALUES)
    with pytest.raises(BufferError):
        memory.close()
    made.deallocate()
    memory.close()


def test_a_numpy_array_cannot_be_resized_while_it_is_held() -> None:
    values = np.zeros(4, np.float32)
    made = from_array(values)
    with pytest.raises(ValueError, match="resize"):
        values.resize(1000)
    assert made.array.size == 4


def test_table_data_could_be_resized_under_the_descriptor() -> None:
    """The object was kept, and not its buffer: the pointer to a bytearray was left dangling."""
    table = bytearray(1024)
    made = NDArrayDescriptor(table_data=table)
    copies = [made.replace(size=3), made.replace(data=bytearray(4))]
    for held in (made, *copies):
        with pytest.raises(BufferError):
            table.extend(bytes(10**6))
        assert held.table_data is table
        held.table_data = None
    table.extend(bytes(10**6))


class Tracked(np.ndarray):
    """An array that can be seen to go."""


def tracked() -> tuple[Any, weakref.ref[Any]]:
    array = np.arange(8, dtype=np.float32).view(Tracked)
    return array, weakref.ref(array)


@pytest.mark.parametrize("way", letting_go())
@pytest.mark.parametrize("field", ["data", "table_data"])
def test_nothing_keeps_a_buffer_that_was_let_go(way: str, field: str) -> None:
    buffer, alive = tracked()
    made = NDArrayDescriptor(**{field: buffer}, data_type=DataType.Float32, layout=0x10000, size=8)
    other = made.replace(size=4)
    for held in (made, other):
        assert BNNSGather(0, held, held, held) == -1
        letting_go()[way if field == "data" or way == "gone" else "deallocate"](held)
    del buffer, held
    if way == "gone":
        del made, other
    gc.collect()
    assert alive() is None


def test_a_failing_overlay_call_keeps_nothing() -> None:
    (values, alive), (output, out_alive) = tracked(), tracked()
    for indices in ([9], [-1]):
        with contextlib.suppress(IndexError):
            BNNS.gather(input=values, indices=np.array(indices), output=output[:1], axis=0)
    with contextlib.suppress(ValueError):
        BNNS.gather(input=values[::-1], indices=np.array([0]), output=output[:1], axis=0)
    del values, output
    gc.collect()
    assert alive() is None
    assert out_alive() is None


def test_a_call_raises_no_reference_count() -> None:
    values, picked, out = VALUES.copy(), PICKED.copy(), np.zeros(4, np.float32)
    made = [from_array(a) for a in (values, picked, out)]
    objects = [values, picked, out, *made]

    def counts() -> list[int]:
        return [sys.getrefcount(thing) for thing in objects]

    before = counts()
    for _ in range(100):
        assert BNNSGather(0, *made, None) == 0
        assert BNNSGather(5, *made, None) == -1
        assert BNNSGather(2**70, made[0], made[1], None) == -1
        with contextlib.suppress(TypeError):
            BNNSGather(0, made[0], values, made[2])  # type: ignore[arg-type]
        BNNS.gather(input=values, indices=made[1], output=out, axis=0)
        made[0].array.sum()
        made[0].make_array()
        made[0].size = 8
        repr(made[0])
    gc.collect()
    assert counts() == before


# --- bytes ----------------------------------------------------------------------------------------

# Memory that says of itself that it is bytes, or C's char.
RAW: dict[str, Callable[[Any], Any]] = {
    "ctypes.create_string_buffer": lambda values: ctypes.create_string_buffer(
        values.tobytes(), values.nbytes
    ),
    "ctypes.c_byte": lambda values: (ctypes.c_byte * values.nbytes).from_buffer_copy(values),
    "ctypes.c_ubyte": lambda values: (ctypes.c_ubyte * values.nbytes).from_buffer_copy(values),
    "memoryview of b": lambda values: memoryview(bytearray(values)).cast("b"),
    "memoryview of c": lambda values: memoryview(bytearray(values)).cast("c"),
    "array.array of b": lambda values: array.array("b", values.tobytes()),
    "int8 array": lambda values: np.frombuffer(bytearray(values), np.int8),
}


@pytest.mark.parametrize("name", RAW)
def test_bytes_that_were_not_unsigned_were_refused(name: str) -> None:
    """A string buffer of ctypes, or pyarrow's buffers, whose bytes are signed."""
    buffers = [RAW[name](values) for values in (VALUES, PICKED, np.zeros(4, np.float32))]
    made = list(map(descriptor_of, buffers, (VALUES, PICKED, VALUES[:4])))
    assert BNNSGather(0, *made, None) == 0
    assert bytes(memoryview(buffers[2])) == VALUES[PICKED].tobytes()
    made[0].data = RAW[name](VALUES + 1)
    assert BNNSGather(0, *made, None) == 0
    assert bytes(memoryview(buffers[2])) == (VALUES + 1)[PICKED].tobytes()
    assert from_array(buffers[0]).nbytes == 32


def test_pyarrow() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    values = pyarrow.array(VALUES).buffers()[1]
    assert descriptor_of(values, VALUES).array.tolist() == VALUES.tolist()


# --- other libraries ------------------------------------------------------------------------------


def test_dlpack_producers() -> None:
    inner = VALUES.copy()
    made = from_array(Producer(inner))
    assert np.shares_memory(made.array, inner)
    assert made.array.tolist() == VALUES.tolist()
    grid = Producer(np.arange(6, dtype=np.int16).reshape(2, 3)[:, ::2])
    assert from_array(grid).array.tolist() == [[0, 2], [3, 5]]
    assert NDArrayDescriptor(data=Producer(inner), shape=8).array[1] == 20
    owner = weakref.ref(made.data)
    made.deallocate()
    gc.collect()
    assert owner() is None


class NewProducer(Producer):
    """One that speaks DLPack 1.0, which can say that memory may be written."""

    def __dlpack__(self, **options: Any) -> Any:
        return self.inner.__dlpack__(**options)


def test_dlpack_outputs() -> None:
    """NumPy takes memory for read-only unless the producer and NumPy itself speak DLPack 1.0."""
    inner = np.zeros(4, np.float32)
    made = from_array(NewProducer(inner))
    writable = np.from_dlpack(NewProducer(inner)).flags.writeable
    status = BNNSGather(0, from_array(VALUES), from_array(PICKED), made)
    assert status == (0 if writable else -1)
    assert inner.tolist() == ([20, 40, 80, 60] if writable else [0] * 4)


class Broken(Producer):
    def __dlpack__(self, **options: Any) -> Any:
        raise RuntimeError("out of order")


class Elsewhere(Producer):
    """A tensor of a device that is no CPU."""

    def __dlpack__(self, **options: Any) -> Any:
        capsule = super().__dlpack__()
        pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
        pointer_of.restype, pointer_of.argtypes = (
            ctypes.c_void_p,
            (ctypes.py_object, ctypes.c_char_p),
        )
        # A DLTensor begins with the pointer to its data; the type of the device follows.
        ctypes.c_int32.from_address(pointer_of(capsule, b"dltensor") + 8).value = 2
        return capsule


@pytest.mark.parametrize("kind", [Broken, Elsewhere])
def test_errors_of_other_libraries_said_nothing_of_the_argument(kind: type[Producer]) -> None:
    """A RuntimeError or a BufferError came through as it was."""
    producer = kind(VALUES.copy())
    with pytest.raises(TypeError, match=f"array is a {kind.__name__}: "):
        from_array(producer)
    with pytest.raises(TypeError, match=f"input: .*{kind.__name__}"):
        BNNS.gather(input=producer, indices=PICKED, output=np.zeros(4, np.float32), axis=0)


class StandIn:
    """What from_array uses of torch.Tensor, over a NumPy array."""

    def __init__(self, inner: Any, dtype: str, problem: str = "") -> None:
        self.inner, self.dtype, self.problem = inner, dtype, problem

    def numpy(self) -> Any:
        if self.problem:
            raise RuntimeError(self.problem)
        return self.inner

    def view(self, dtype: str) -> StandIn:
        return StandIn(self.inner.view(np.int16), dtype)


@pytest.fixture
def torch_stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    module: Any = types.ModuleType("torch")
    module.Tensor, module.bfloat16, module.int16 = StandIn, "bfloat16", "int16"
    monkeypatch.setitem(sys.modules, "torch", module)


@pytest.mark.usefixtures("torch_stand_in")
def test_tensors_come_in_by_their_own_method() -> None:
    inner = np.arange(6, dtype=np.float32).reshape(2, 3)
    made = from_array(StandIn(inner, "float32"))
    assert np.shares_memory(made.array, inner)
    with pytest.raises(TypeError, match=r"array is a StandIn: use \.detach\(\)"):
        from_array(StandIn(inner, "float32", "use .detach()"))
    ml_dtypes = pytest.importorskip("ml_dtypes")
    half = np.arange(4).astype(ml_dtypes.bfloat16)
    made = from_array(StandIn(half, "bfloat16"))
    assert made.data_type is DataType.BFloat16
    assert np.shares_memory(made.array.view(np.uint16), half.view(np.uint16))


def test_torch() -> None:
    torch = pytest.importorskip("torch")
    values = torch.arange(12, dtype=torch.float32).reshape(4, 3)
    output = torch.zeros(2, 3)
    BNNS.gather(input=values, indices=torch.tensor([3, 1]), output=output, axis=0)
    assert output.tolist() == [[9, 10, 11], [3, 4, 5]]
    assert from_array(values[:, ::2]).array.tolist() == values[:, ::2].tolist()
    assert from_array(values.to(torch.bfloat16)).data_type is DataType.BFloat16
    assert from_array(values.T).array.tolist() == values.T.tolist()
    with pytest.raises(ValueError, match="another order"):
        from_array(torch.zeros(2, 3, 4).permute(1, 0, 2))
    for kind in (torch.float32, torch.float16, torch.bfloat16):
        with pytest.raises(TypeError, match=r"requires grad.*detach"):
            from_array(torch.zeros(2, dtype=kind, requires_grad=True))
    for wrong in (torch.Size([2]), torch.float32):
        with pytest.raises(TypeError, match="has to be an array"):
            from_array(wrong)


# --- what is no buffer ----------------------------------------------------------------------------


def released() -> memoryview:
    view = memoryview(bytearray(4))
    view.release()
    return view


@pytest.mark.parametrize(
    "value",
    [
        [1.0, 2.0],
        (1, 2),
        5,
        2.5,
        "text",
        None,
        {1: 2},
        np.float32(1),
        object(),
        NDArrayDescriptor,
        Path("."),
        released(),
        (ctypes.c_wchar * 3)(),
        (ctypes.c_void_p * 3)(),
        (ctypes.POINTER(ctypes.c_int) * 3)(),
        (ctypes.c_float.__ctype_be__ * 3)(),
        (ctypes.c_longdouble * 3)(),
        (ctypes.py_object * 3)(),
        memoryview(bytes(16)).cast("P"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_the_wrong_kind_is_a_type_error_before_any_call(value: Any) -> None:
    with pytest.raises(TypeError, match=r"^(array is a|BNNS has no type)"):
        from_array(value)
    with pytest.raises(TypeError, match=r"^input: (array is a|BNNS has no type)"):
        BNNS.gather(input=value, indices=PICKED, output=np.zeros(4, np.float32), axis=0)
    if value is not None:
        with pytest.raises(TypeError):
            NDArrayDescriptor(data=value)


def test_rows_behind_pointers() -> None:
    testbuffer = pytest.importorskip("_testbuffer")
    rows = testbuffer.ndarray(list(range(6)), shape=[2, 3], format="h", flags=testbuffer.ND_PIL)
    with pytest.raises(TypeError, match="suboffsets"):
        from_array(rows)


def test_a_buffer_of_one_scalar_and_one_of_several_dimensions() -> None:
    number = ctypes.c_float(3)
    made = NDArrayDescriptor(data=number, shape=1)
    made.array[0] = 4
    assert number.value == 4
    with pytest.raises(ValueError, match="0 dimensions"):
        from_array(number)
    grid = ((ctypes.c_int16 * 3) * 2)()
    from_array(grid).array[1, 2] = 7
    assert grid[1][2] == 7
