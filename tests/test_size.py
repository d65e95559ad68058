"""Axes, products and offsets beyond 2^31 and 2^32, in sparse files of a few KB; and rank 8.

What is far away lies in a file with holes, or in private memory that is only read: neither costs
the memory that its size says.
"""

from __future__ import annotations

import contextlib
import itertools
import mmap
import sys
from collections.abc import Callable
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from bnnspy import (
    BNNS,
    BNNSGather,
    DataLayout,
    DataType,
    FilterParameters,
    IndexOutOfRange,
    NDArrayDescriptor,
    Status,
    last_error,
)

Array = NDArray[Any]
Sparse = Callable[..., Array]
from_array = NDArrayDescriptor.from_array

pytestmark = pytest.mark.skipif(sys.maxsize < 2**32, reason="addresses have 32 bits here")

MOST_ON_DISK = 1 << 20


@pytest.fixture
def sparse(tmp_path: Path) -> Sparse:
    """Makes arrays that lie in files with holes."""
    number = itertools.count()

    def make(dtype: str, *shape: int) -> Array:
        path = tmp_path / str(next(number))
        path.touch()
        with path.open("r+b") as file:
            file.truncate(prod(shape) * np.dtype(dtype).itemsize)
        array = np.memmap(path, dtype, "r+", shape=shape)
        if path.stat().st_blocks * 512 > MOST_ON_DISK:
            pytest.skip("this file system keeps no holes")
        return array

    return make


def zeros_that_are_only_read(count: int) -> Array:
    """So many bytes that read as 0; all pages are one page until they are written."""
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | getattr(mmap, "MAP_NORESERVE", 0)
    try:
        memory = mmap.mmap(-1, count, flags=flags)
    except OSError:
        pytest.skip(f"no address space for {count >> 30} GB")
    if hasattr(mmap, "MADV_HUGEPAGE"):
        with contextlib.suppress(OSError):
            memory.madvise(mmap.MADV_HUGEPAGE)  # fewer pages to walk through
    return np.frombuffer(memory, np.uint8)


# --- long axes ------------------------------------------------------------------------------------

EDGES = (0, 2**16, 2**31 - 1, 2**31, 2**31 + 1, 2**32 - 1, 2**32, 2**32 + 1, 2**32 + 4095)
LONG = 2**32 + 4096
# Around what fits 32 bits with and without a sign, and beyond both.
LENGTHS = (2**31 - 1, 2**31, 2**31 + 4096, 2**32 - 1, LONG)


@pytest.mark.parametrize("index_type", ["int64", "uint64", "uint32"])
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("length", LENGTHS)
def test_axis_of_about_32_bits(sparse: Sparse, length: int, index_type: str, threads: int) -> None:
    table = sparse("uint8", length)
    most = min(length - 1, np.iinfo(index_type).max)
    places = [edge for edge in (*EDGES, length - 1) if edge <= most]
    places = sorted(set(places))
    for k, place in enumerate(places):
        table[place] = k + 1
    output = np.zeros(len(places), np.uint8)
    BNNS.gather(
        input=table,
        indices=np.array(places, index_type),
        output=output,
        axis=0,
        filter_parameters=FilterParameters(n_threads=threads),
    )
    assert output.tolist() == list(range(1, len(places) + 1))


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("over", [0, 1, 2**32, 2**63 - 1, -1, -(2**32), -(2**63)])
def test_bad_index_into_a_long_axis(sparse: Sparse, length: int, over: int) -> None:
    bad = min(length + over, 2**63 - 1) if over >= 0 else over
    output = np.full(3, 0x55, np.uint8)
    with pytest.raises(IndexOutOfRange) as caught:
        BNNS.gather(
            input=sparse("uint8", length), indices=np.array([1, bad, 2]), output=output, axis=0
        )
    assert (caught.value.index, caught.value.position) == (bad, (1,))
    assert f"outside 0..{length - 1} " in str(caught.value)
    assert (output == 0x55).all()


def test_more_than_two_billion_indices_are_checked() -> None:
    """The output has no element beside them, so that only the check has work to do: to the last."""
    count = 2**31 + 9
    indices = zeros_that_are_only_read(count)
    table = np.zeros((3, 0), np.float32)
    output = np.zeros((count, 0), np.float32)
    indices[count - 1] = 3
    with pytest.raises(IndexOutOfRange) as caught:
        BNNS.gather(input=table, indices=indices, output=output, axis=0)
    assert (caught.value.index, caught.value.position) == (3, (count - 1,))


# --- products and offsets -------------------------------------------------------------------------


def test_product_beyond_32_bits(sparse: Sparse) -> None:
    side = 2**16 + 1
    table = sparse("uint8", side, side)
    for k, row in enumerate((0, side // 2, side - 1)):
        table[row, 0], table[row, -1], table[row, side // 2] = k + 1, k + 11, k + 21
    picks = np.array([side - 1, 0, side // 2], np.int32)
    output = np.full((3, side), 0xEE, np.uint8)
    BNNS.gather(input=table, indices=picks, output=output, axis=0)
    assert np.array_equal(output, table[picks])


def test_columns_of_a_product_beyond_32_bits(sparse: Sparse) -> None:
    rows, columns = 2**5 + 1, 2**27 + 1  # few rows: each costs a page of the file
    table = sparse("uint8", rows, columns)
    picks = np.array([columns - 1, 0, columns // 2], np.uint32)
    table[:, picks] = np.arange(3 * rows).reshape(rows, 3)
    output = np.full((rows, 3), 0xEE, np.uint8)
    BNNS.gather(input=table, indices=picks, output=output, axis=1)
    assert output.ravel().tolist() == list(range(3 * rows))


ROW_STRIDES = (2**29 + 1, 2**30, 3 * 2**29)  # in elements of 4 bytes: 2 GiB, 4 GiB, 6 GiB


@pytest.mark.parametrize("stride", ROW_STRIDES)
def test_rows_gigabytes_apart(sparse: Sparse, stride: int) -> None:
    file = sparse("float32", 2 * stride + 4)
    rows = np.arange(12, dtype=np.float32).reshape(3, 4)
    for k in range(3):
        file[k * stride : k * stride + 4] = rows[k]
    far = NDArrayDescriptor(
        layout=DataLayout.RowMajorMatrix,
        size=(4, 3),
        stride=(1, stride),
        data=file,
        data_type=DataType.Float32,
    )
    assert far.data_size == 4 * (2 * stride + 4)
    for axis, picks in ((0, [2, 0, 2]), (1, [3, 1])):
        expected = np.take(rows, picks, axis=axis)
        output = np.zeros_like(expected)
        BNNS.gather(input=far, indices=np.array(picks), output=output, axis=axis)
        assert np.array_equal(output, expected)


@pytest.mark.parametrize("stride", ROW_STRIDES)
def test_output_rows_gigabytes_apart(sparse: Sparse, stride: int) -> None:
    file = sparse("float32", 2 * stride + 4)
    far = NDArrayDescriptor(
        layout=DataLayout.Tensor2DFirstMajor,
        size=(3, 4),
        stride=(1, stride),
        data=file,
        data_type=DataType.Float32,
    )
    rows = np.arange(20, dtype=np.float32).reshape(5, 4) + 1
    each = np.array([[4, 3, 2, 1], [0, 1, 2, 3], [2, 2, 2, 2]], np.int16)
    BNNS.gather(input=rows, indices=each, output=far, axis=0)
    for k in range(3):
        assert np.array_equal(file[k * stride : k * stride + 4], rows[each[k], range(4)])
        assert not file[k * stride + 4 : k * stride + 64].any()
    last = NDArrayDescriptor(
        layout=DataLayout.Tensor2DFirstMajor,
        size=(3, 4),
        stride=(1, stride),
        data=file[:-1],
        data_type=DataType.Float32,
    )
    assert BNNSGather(0, from_array(rows), from_array(each), last, None) == Status.InvalidParameter
    assert "has fewer" in last_error()


def test_reversed_axis_begins_gigabytes_away(sparse: Sparse) -> None:
    stride = 2**30 + 7
    file = sparse("float32", stride + 2)
    file[0], file[1], file[stride], file[stride + 1] = 1, 2, 3, 4
    far = NDArrayDescriptor(
        layout=DataLayout.ConvolutionWeightsOIHrWr,
        size=(2, 2, 1, 1),
        stride=(1, stride, stride, stride),
        data=file,
        data_type=DataType.Float32,
    )
    output = np.zeros((2, 2, 1, 1), np.float32)
    BNNS.gather(input=far, indices=np.array([0, 1]), output=output, axis=0)
    assert output[:, :, 0, 0].tolist() == [[4, 2], [3, 1]]


# --- what does not fit 64 bits --------------------------------------------------------------------

OVERFLOWS: dict[str, dict[str, Any]] = {
    "product": {"layout": DataLayout.RowMajorMatrix, "size": (2**32, 2**32)},
    "product, to 0": {"layout": DataLayout.Tensor8DFirstMajor, "size": (256,) * 8},
    "product, to 1": {"layout": DataLayout.RowMajorMatrix, "size": (2**32 + 1, 2**32 - 1)},
    "stride": {"layout": DataLayout.RowMajorMatrix, "size": (2, 2), "stride": (1, 2**63)},
    "extent": {"layout": DataLayout.RowMajorMatrix, "size": (2, 9), "stride": (1, 2**61)},
    "bytes": {"layout": DataLayout.Vector, "size": (2**62,)},
    "windows": {"layout": DataLayout.RowMajorMatrix, "size": (2**33, 2**33), "stride": (1, 1)},
    "beside 0": {"layout": DataLayout.Tensor3DLastMajor, "size": (0, 2**33, 2**33)},
}


@pytest.mark.parametrize("role", ["input", "indices", "output"])
@pytest.mark.parametrize("case", OVERFLOWS)
def test_overflow_is_a_status(case: str, role: str) -> None:
    memory = np.full(64, 0x77, np.uint8)
    kind = DataType.Int64 if role == "indices" else DataType.Float32
    tensors = {
        "input": from_array(np.zeros((4, 4), np.float32)),
        "indices": from_array(np.zeros(2, np.int64)),
        "output": from_array(np.full((2, 4), 0x77, np.float32)),
    }
    tensors[role] = NDArrayDescriptor(**OVERFLOWS[case], data=memory, data_type=kind)
    status = BNNSGather(0, tensors["input"], tensors["indices"], tensors["output"], None)
    assert status == Status.InvalidParameter
    assert role in last_error()
    assert tensors[role].data_size == 0
    assert (memory == 0x77).all()
    if role != "output":
        assert (tensors["output"].array == 0x77).all()


# --- rank 8 ---------------------------------------------------------------------------------------

SIZES = (2, 3, 1, 2, 3, 2, 1, 4)


def eight(layout: DataLayout, padded: bool, sizes: tuple[int, ...], dtype: str) -> Any:
    """A rank-8 descriptor with memory of its own, holes between its rows when padded."""
    in_memory = sizes if layout is DataLayout.Tensor8DLastMajor else sizes[::-1]
    stride, next_stride = [], 1
    for size in in_memory:
        next_stride += 1 if padded else 0
        stride.append(next_stride)
        next_stride *= size
    memory = np.full(next_stride + 1, 0x6B, dtype)
    return NDArrayDescriptor(
        layout=layout,
        size=sizes,
        stride=tuple(stride),
        data=memory,
        data_type=from_array(memory[:1]).data_type,
    )


@pytest.mark.parametrize("axis", range(8))
@pytest.mark.parametrize("padded", [False, True])
@pytest.mark.parametrize("layout", [DataLayout.Tensor8DFirstMajor, DataLayout.Tensor8DLastMajor])
def test_rank_eight(layout: DataLayout, padded: bool, axis: int) -> None:
    rng = np.random.default_rng(axis)
    table = eight(layout, padded, SIZES, "int16")
    table.array[...] = rng.integers(-(2**15), 2**15, SIZES, np.int16)
    picks = rng.integers(0, SIZES[axis], 5)
    sizes = (*SIZES[:axis], 5, *SIZES[axis + 1 :])
    output = eight(layout, padded, sizes, "int16")
    holes = np.array(output.data)
    BNNS.gather(input=table, indices=picks, output=output, axis=axis)
    assert np.array_equal(output.array, np.take(table.array, picks, axis=axis))
    assert (output.data == 0x6B).sum() >= holes.size - prod(sizes)
    each = eight(layout, padded, sizes, "uint8")
    each.array[...] = rng.integers(0, SIZES[axis], sizes, np.uint8)
    BNNS.gather(input=table, indices=each, output=output, axis=axis)
    expected = np.take_along_axis(table.array, each.array.astype(np.int64), axis=axis)
    assert np.array_equal(output.array, expected)
    each.array[(-1,) * 8] = SIZES[axis]
    before = np.array(output.data)
    with pytest.raises(IndexOutOfRange) as caught:
        BNNS.gather(input=table, indices=each, output=output, axis=axis)
    assert caught.value.position == tuple(size - 1 for size in sizes)
    assert np.array_equal(output.data, before)


def test_rank_eight_with_an_axis_beyond_32_bits(sparse: Sparse) -> None:
    table = sparse("uint8", 1, 1, 1, 1, 2, 1, 2**32 + 2, 1)
    table[0, 0, 0, 0, 1, 0, 2**32 + 1, 0] = 7
    output = np.zeros((1, 1, 1, 1, 2, 1, 2, 1), np.uint8)
    BNNS.gather(input=table, indices=np.array([0, 2**32 + 1]), output=output, axis=6)
    assert output.ravel().tolist() == [0, 0, 0, 7]
