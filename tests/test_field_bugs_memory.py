"""Faults of other libraries' gathers and descriptors: memory, aliasing, buffers, threads.

One test each, named with its number in our collection of public reports and questions; the
docstring says what went wrong there. The libraries are other ones: here each is to be right.
"""

from __future__ import annotations

import ctypes
import gc
import re
import subprocess
import sys
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cells import counting, gathered

import bnnspy
from bnnspy import (
    BNNS,
    BNNSGather,
    DataLayout,
    DataType,
    IndexOutOfRange,
    NDArrayDescriptor,
    Shape,
    Status,
)

# --- memory, aliasing, buffers --------------------------------------------------------------------


def test_d01_strided_output() -> None:
    """The strides of an output view were ignored, and the values packed from its first byte."""
    whole = np.zeros((1, 4, 5), np.float32)
    values = counting(1, 3, 3)
    output = whole[:, :3, 2:]
    BNNS.gather(input=values, indices=np.array([2, 0, 1]), output=output, axis=2)
    np.testing.assert_array_equal(output, values[..., [2, 0, 1]])
    rest = whole.copy()
    rest[:, :3, 2:] = 0
    assert not rest.any()


def test_d03_expanded_indices() -> None:
    """Indices of stride 0 gave wrong results. BNNS can't say them: 0 asks for the default."""
    expanded = np.broadcast_to(np.array([[[2], [0]]]), (1, 2, 4))
    values, output = counting(3, 2, 4), np.full((1, 2, 4), -1, np.float32)
    with pytest.raises(ValueError, match=r"indices: .*broadcast.*ascontiguousarray"):
        BNNS.gather(input=values, indices=expanded, output=output, axis=0)
    assert (output == -1).all()
    BNNS.gather(input=values, indices=expanded.copy(), output=output, axis=0)
    np.testing.assert_array_equal(output, np.take_along_axis(values, expanded, 0))


def test_d05_output_is_indices() -> None:
    """Indices were overwritten while they were being read."""
    both = np.array([2, 0, 1], np.int32)
    values = np.array([10, 11, 12], np.int32)
    with pytest.raises(bnnspy.InvalidParameter, match="shares a byte with one of indices"):
        BNNS.gather(input=values, indices=both, output=both, axis=0)
    assert both.tolist() == [2, 0, 1]


def test_d07_output_overlaps_itself() -> None:
    """An output of stride 0 took N results in one cell."""
    cell = np.zeros(1, np.float32)
    with pytest.raises(ValueError, match="output: "):
        BNNS.gather(
            input=counting(3),
            indices=np.arange(3),
            output=np.lib.stride_tricks.as_strided(cell, (3,), (0,)),
            axis=0,
        )
    rows = NDArrayDescriptor(
        data=np.zeros(7, np.float32), shape=Shape.matrix_row_major(4, 4, stride=(1, 1))
    )
    picks = NDArrayDescriptor.from_array(np.arange(4))
    values = NDArrayDescriptor.allocate(repeating=1.0, shape=Shape.matrix_row_major(4, 4))
    assert BNNSGather(0, values, picks, rows) == Status.InvalidParameter


def test_d09_no_partial_write() -> None:
    """The first elements had been written when a later index failed."""
    output = np.full(3, -1, np.float32)
    with pytest.raises(IndexOutOfRange):
        BNNS.gather(input=counting(3), indices=np.array([0, 9, 1]), output=output, axis=0)
    assert output.tolist() == [-1, -1, -1]


@pytest.mark.parametrize("shape", [(3,), (1,), (2, 1)])
def test_d11_output_of_another_shape(shape: tuple[int, ...]) -> None:
    """A buffer too small crashed, and one too large held a scrambled answer."""
    output = np.full(shape, -1, np.float32)
    with pytest.raises(bnnspy.ShapeMismatch):
        BNNS.gather(input=counting(5), indices=np.array([1, 2]), output=output, axis=0)
    assert (output == -1).all()


def test_d13_read_only_input_is_not_copied() -> None:
    """Read-only input was copied as a whole for one element, or refused."""
    values, indices = counting(8), np.array([3, 1])
    values.flags.writeable = indices.flags.writeable = False
    described = NDArrayDescriptor.from_array(values)
    assert described.address == values.ctypes.data
    assert gathered(values, indices).tolist() == [3, 1]


def test_d15_reversed_and_sliced_views() -> None:
    """Views were read as if they were packed."""
    values = counting(8)
    assert gathered(values[::2], np.array([3, 1])).tolist() == [6, 2]
    assert gathered(values, np.array([7, 9, 0, 9])[::2]).tolist() == [7, 0]
    with pytest.raises(ValueError, match=r"running backwards.*ascontiguousarray"):
        gathered(values[::-1], np.array([0]))


def test_d17_stride_is_no_multiple_of_the_element() -> None:
    """Dividing byte strides by the element's size cut off the rest."""
    packed = np.zeros(3, np.dtype([("tag", "u1"), ("value", "f4")]))
    packed["value"] = [1, 2, 3]
    with pytest.raises(ValueError, match="stride 5 bytes, no multiple"):
        gathered(packed["value"], np.array([1]))


def test_d19_descriptor_holds_its_memory() -> None:
    """A raw address outlived the array that it came from."""
    array = counting(1000)
    alive = weakref.ref(array)
    source = NDArrayDescriptor.from_array(array)
    del array
    gc.collect()
    assert alive() is not None
    rubbish = [np.full(1000, -7, np.float32) for _ in range(20)]
    assert gathered_by(source, [999, 1]) == [999, 1]
    source.deallocate()
    gc.collect()
    assert alive() is None
    assert len(rubbish) == 20


def gathered_by(source: NDArrayDescriptor, indices: list[int]) -> list[float]:
    """Elements of a vector."""
    output = np.empty(len(indices), np.float32)
    BNNS.gather(input=source, indices=np.array(indices), output=output, axis=0)
    return output.tolist()


def test_d19_bytearray_cannot_be_resized_under_a_descriptor() -> None:
    buffer = bytearray(counting(4).tobytes())
    source = NDArrayDescriptor(data=buffer, shape=Shape.vector(4), scalar_type=np.float32)
    with pytest.raises(BufferError):
        buffer.extend(bytes(4096))
    assert gathered_by(source, [3]) == [3]
    source.deallocate()
    gc.collect()
    buffer.extend(bytes(4096))


def test_d21_no_dangling_pointer_without_saying_so() -> None:
    """A pointer from a temporary array was stored in a struct, and dead after the call."""
    with pytest.raises(TypeError, match="data"):
        NDArrayDescriptor(data=[1.0, 2.0], shape=Shape.vector(2))  # type: ignore[arg-type]
    temporary = counting(4)
    address = temporary.ctypes.data
    with pytest.raises(TypeError):
        NDArrayDescriptor(data=address, shape=Shape.vector(4), scalar_type=np.float32)
    source = NDArrayDescriptor.from_address(
        address, nbytes=16, shape=Shape.vector(4), scalar_type=np.float32, owner=temporary
    )
    alive = weakref.ref(temporary)
    del temporary
    gc.collect()
    assert alive() is not None
    assert gathered_by(source, [2]) == [2]


@pytest.mark.parametrize("offset", [1, 2, 3, 5, 7])
def test_d23_misaligned_memory(offset: int) -> None:
    """Typed loads from unaligned addresses are undefined, and fault on strict processors."""

    def shifted(array: Any) -> NDArrayDescriptor:
        whole = bytearray(array.nbytes + 16)
        # So that the address, not only the offset, is odd.
        start = offset + (-ctypes.addressof(ctypes.c_char.from_buffer(whole))) % 8
        view = memoryview(whole)[start : start + array.nbytes]
        view[:] = array.tobytes()
        made = NDArrayDescriptor(data=view, shape=Shape.vector(array.size), scalar_type=array.dtype)
        assert made.address % 8 == offset
        return made

    for dtype in (np.float32, np.int64, np.float16):
        output = shifted(np.zeros(3, dtype))
        source = shifted(np.arange(9).astype(dtype))
        for width in ("int16", "int32", "int64", "uint64"):
            assert BNNSGather(0, source, shifted(np.array([8, 0, 5], width)), output) == 0
            assert output.make_array().tolist() == [8, 0, 5]
        assert BNNSGather(0, source, shifted(np.array([8, 9, 5])), output) == -1005


@pytest.mark.parametrize(
    "array",
    [np.array(["a", 1], object), np.array(["a", "b"]), np.array([b"a"]), np.array([1 + 2j])],
    ids=["object", "str", "bytes", "complex128"],
)
def test_d25_e13_types_that_are_none_of_bnns(array: Any) -> None:
    """Handles of objects and strings were copied as bytes, past their reference counts."""
    with pytest.raises(TypeError, match="BNNS has no type"):
        BNNS.gather(input=array, indices=np.array([0]), output=np.zeros(1, np.float32), axis=0)


def test_d27_only_the_described_region_changes() -> None:
    """A large buffer that was used again for a smaller shape mixed old and new values."""
    buffer = np.full(100, -9, np.float32)
    output = NDArrayDescriptor(
        data=buffer[20:], layout=DataLayout.RowMajorMatrix, size=(2, 3), stride=(2, 7),
        data_type=DataType.Float32,
    )  # fmt: skip
    picks = NDArrayDescriptor.from_array(np.array([2, 0, 1], np.int32))
    source = NDArrayDescriptor.allocate(
        initializing_from=[1.0, 2, 3, 4, 5, 6], shape=Shape.matrix_row_major(2, 3)
    )
    assert BNNSGather(0, source, picks, output) == 0
    expected = np.full(100, -9, np.float32)
    expected[[20, 22, 27, 29, 34, 36]] = [5, 6, 1, 2, 3, 4]
    np.testing.assert_array_equal(buffer, expected)


def test_d29_axis_1_moves_along_columns() -> None:
    """Axis 1 of a RowMajorMatrix is its columns, although they stand in size slot 0."""
    source = NDArrayDescriptor.allocate(
        initializing_from=np.arange(10, 100, 10, np.float32), shape=Shape.matrix_row_major(3, 3)
    )
    small = Shape.matrix_row_major(2, 3)
    picks = NDArrayDescriptor.allocate(initializing_from=[0, 1, 2, 0, 1, 1], shape=small)
    output = NDArrayDescriptor.allocate(repeating=0.0, shape=small)
    assert BNNSGather(1, source, picks, output) == 0
    assert output.array.tolist() == [[10, 20], [60, 40], [80, 80]]


def test_d31_broadcast_array_is_not_read_as_packed() -> None:
    """Stride 0 asks for the default, so that a broadcast array would be read past its end."""
    with pytest.raises(ValueError, match="broadcast"):
        gathered(np.broadcast_to(np.float32(5), (4,)), np.array([3]))


@pytest.mark.parametrize("field", ["layout", "data_type"])
@pytest.mark.parametrize("code", [3, 999, 2**32 - 1])
def test_d35_status_and_exception_agree(field: str, code: int) -> None:
    """A converter had set an exception and reported success."""
    source = NDArrayDescriptor.from_array(counting(4))
    setattr(source, field, code)
    picks = NDArrayDescriptor.from_array(np.array([1]))
    output = NDArrayDescriptor.allocate(repeating=-1.0, shape=1)
    status = BNNSGather(0, source, picks, output)
    assert status == Status.InvalidParameter
    with pytest.raises(bnnspy.InvalidParameter) as caught:
        BNNS.gather(input=source, indices=picks, output=output, axis=0)
    assert caught.value.status == status
    assert output.array.tolist() == [-1]


# --- threads --------------------------------------------------------------------------------------


def test_f09_indices_and_descriptors_that_change_during_the_call(repository: Path) -> None:
    """A second thread changed the indices between the check and the use of them."""
    ran = subprocess.run(
        [sys.executable, "-X", "faulthandler", str(repository / "tests" / "race.py"), "2"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    counts = {int(k): int(n) for k, n in re.findall(r"^(-?\d+): (\d+)$", ran.stdout, re.MULTILINE)}
    assert set(counts) <= {0, -1, -1003, -1005}
    assert counts.get(0, 0) > 0
