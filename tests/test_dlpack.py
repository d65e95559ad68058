"""DLPack both ways: bfloat16, which NumPy's does not have, and memory that is not the CPU's."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import numpy as np
import pytest

from bnnspy import BNNS, DataType, NDArrayDescriptor, Shape
from bnnspy.foreign import BFLOAT, tensor_in

ml_dtypes = pytest.importorskip("ml_dtypes")
HALF = np.dtype(ml_dtypes.bfloat16)
from_array = NDArrayDescriptor.from_array

VALUES = np.arange(6).astype(HALF).reshape(2, 3)


class Producer:
    """What jax's and cupy's arrays of bfloat16 are to another library: DLPack and no more."""

    def __init__(self, inner: Any, versioned: bool = False, device: int = 1) -> None:
        self.inner, self.versioned, self.device = inner, versioned, device

    def __dlpack__(self, **options: Any) -> Any:
        capsule = self.inner.view(np.uint16).__dlpack__(**(options if self.versioned else {}))
        tensor = tensor_in(capsule)
        assert tensor is not None
        tensor.code = BFLOAT
        return capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return (self.device, 0)


class Consumer:
    """numpy.from_dlpack for a capsule of bfloat16, whose type it notes."""

    def __init__(self, producer: Any) -> None:
        self.producer = producer
        self.type = (0, 0)

    def __dlpack_device__(self) -> Any:
        return self.producer.__dlpack_device__()

    def __dlpack__(self, **options: Any) -> Any:
        capsule = self.producer.__dlpack__(**options)
        tensor = tensor_in(capsule)
        assert tensor is not None
        self.type = (tensor.code, tensor.bits)
        tensor.code = 1  # unsigned
        return capsule


def consumed(producer: Any) -> Any:
    consumer = Consumer(producer)
    taken = np.from_dlpack(consumer)
    assert consumer.type == (BFLOAT, 16)
    return taken.view(HALF)


def is_versioned() -> bool:
    """Whether this NumPy asks for DLPack 1.0 and gives it."""
    try:
        return "versioned" in repr(VALUES.view(np.uint16).__dlpack__(max_version=(1, 0)))
    except TypeError:
        return False


@pytest.mark.parametrize("versioned", [False, True])
def test_bfloat16_was_an_unsupported_type_on_its_way_in(versioned: bool) -> None:
    inner = VALUES.copy()
    for view in (inner, inner.T, inner[:, ::2]):
        made = from_array(Producer(view, versioned))
        assert made.data_type is DataType.BFloat16
        assert made.array.tolist() == view.tolist()
        assert np.shares_memory(made.array.view(np.uint16), inner.view(np.uint16))
    table = NDArrayDescriptor(data=Producer(inner, versioned), shape=(2, 3))
    output = np.zeros((1, 3), HALF)
    BNNS.gather(input=table, indices=[1], output=output, axis=0)
    assert output.tolist() == inner[1:].tolist()


@pytest.mark.skipif(not is_versioned(), reason="needs a NumPy that speaks DLPack 1.0")
def test_bfloat16_of_dlpack_1_is_written_to() -> None:
    inner = np.zeros((1, 3), HALF)
    BNNS.gather(input=VALUES, indices=[1], output=Producer(inner, versioned=True), axis=0)
    assert inner.tolist() == VALUES[1:].tolist()


@pytest.mark.parametrize("options", [{}, {"max_version": (1, 0)}])
def test_bfloat16_was_an_unsupported_type_on_its_way_out(options: dict[str, Any]) -> None:
    made = from_array(VALUES.copy())
    if options and not is_versioned():
        pytest.skip("needs a NumPy that speaks DLPack 1.0")
    capsule = made.__dlpack__(**options)
    tensor = tensor_in(capsule)
    assert tensor is not None
    assert (tensor.code, tensor.bits, tensor.lanes, tensor.ndim) == (BFLOAT, 16, 1, 2)
    assert tensor.data == made.address
    taken = consumed(made)
    assert taken.tolist() == VALUES.tolist()
    made.array[0, 0] = 40
    assert taken[0, 0] == 40


def test_the_memory_lives_as_long_as_who_took_it() -> None:
    inner = np.arange(4).astype(HALF)
    alive = weakref.ref(inner)
    made = from_array(inner)
    taken, unused = consumed(made), made.__dlpack__()
    made.deallocate()
    del inner, made
    gc.collect()
    assert alive() is not None
    assert taken.tolist() == [0, 1, 2, 3]
    del taken
    gc.collect()
    assert alive() is not None  # a capsule that nobody took holds it too
    del unused
    gc.collect()
    assert alive() is None


def test_a_producer_lives_as_long_as_the_descriptor() -> None:
    inner = np.arange(4).astype(HALF)
    alive = weakref.ref(inner)
    made = from_array(Producer(inner))
    del inner
    gc.collect()
    assert alive() is not None
    assert made.array.tolist() == [0, 1, 2, 3]
    made.deallocate()
    del made
    gc.collect()
    assert alive() is None


def test_there_and_back() -> None:
    once = from_array(VALUES.copy())
    again = NDArrayDescriptor.from_array(Producer(once.array))
    assert again.address == once.address
    strided = NDArrayDescriptor(
        data=np.arange(8).astype(HALF), shape=Shape.matrix_row_major(2, 2, stride=(1, 4))
    )
    assert consumed(strided).tolist() == [[0, 1], [4, 5]]


def test_memory_of_a_device_names_what_fetches_it() -> None:
    class Cupy(Producer):
        def get(self) -> Any:
            return self.inner

    class Elsewhere(Producer):
        def cpu(self) -> Any:
            return self.inner

    values = np.arange(3, dtype=np.float32)
    for kind, remedy in ((Cupy, r"use \.get\(\)"), (Elsewhere, r"use \.cpu\(\)"), (Producer, "")):
        with pytest.raises(
            TypeError, match=rf"array is a .*a device's \(DLPack type 2\).*{remedy}"
        ):
            from_array(kind(values, device=2))
    for host in (3, 11, 13):  # host memory that a device sees too
        assert from_array(Producer(VALUES, device=host)).nbytes == 12


# --- the libraries themselves ---------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["bfloat16", "float32", "float16", "int64", "bool"])
def test_torch_takes_and_gives(dtype: str) -> None:
    torch = pytest.importorskip("torch")
    tensor = torch.arange(6).reshape(2, 3).to(getattr(torch, dtype))
    made = from_array(tensor)
    assert made.address == tensor.data_ptr()
    taken = torch.from_dlpack(made)
    assert taken.dtype == tensor.dtype
    assert taken.data_ptr() == tensor.data_ptr()
    assert torch.equal(taken, tensor)
    del made
    taken[0, 0] = 1
    assert tensor[0, 0] == 1
    by_dlpack = from_array(Relayed(tensor))
    assert by_dlpack.data_type == from_array(tensor).data_type
    assert by_dlpack.address == tensor.data_ptr()


class Relayed:
    """A tensor that is not known to be torch's."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    def __dlpack__(self, **options: Any) -> Any:
        return self.inner.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self.inner.__dlpack_device__()


@pytest.mark.parametrize("dtype", ["bfloat16", "float32"])
def test_jax_takes_and_gives(dtype: str) -> None:
    jax = pytest.importorskip("jax")
    values = jax.numpy.arange(6).reshape(2, 3).astype(dtype)
    made = from_array(values)
    assert made.array.tolist() == values.tolist()
    taken = jax.dlpack.from_dlpack(from_array(np.array(values)))
    assert taken.dtype == values.dtype
    assert taken.tolist() == values.tolist()
