"""Faults of other libraries' gathers: index values, sizes, shapes, and element values.

One test each, named with its number in our collection of public reports and questions; the
docstring says what went wrong there. The libraries are other ones: here each is to be right.
"""

from __future__ import annotations

import mmap
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cells import counting, gathered

import bnnspy
from bnnspy import (
    BNNS,
    BNNSGather,
    DataType,
    IndexOutOfRange,
    NDArrayDescriptor,
    Shape,
    Status,
)

WIDTHS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]


def refused(values: Any, indices: Any, axis: int = 0) -> IndexOutOfRange:
    """The error for a bad index; the output has to be as it was."""
    shape = list(values.shape)
    shape[axis] = indices.shape[0]
    output = np.full(shape, -1, values.dtype)
    with pytest.raises(IndexOutOfRange) as caught:
        BNNS.gather(input=values, indices=indices, output=output, axis=axis)
    assert (output == -1).all()
    return caught.value


# --- index values ---------------------------------------------------------------------------------


def test_a05_minus_one_is_no_huge_size() -> None:
    """int64 -1 was cast to an unsigned size, and the process panicked. BNNS documents no wrap."""
    error = refused(counting(3), np.array([-1]))
    assert (error.index, error.valid) == (-1, range(3))


@pytest.mark.parametrize("index", [5, -6, 10])
def test_a07_nothing_wraps_round(index: int) -> None:
    """(idx + n) mod n let any index through, with a plausible element as the answer."""
    assert refused(counting(5), np.array([index])).index == index


def test_a09_nothing_clamps() -> None:
    """Some libraries clamp and some fill with zeros; here it is an error."""
    assert refused(counting(3), np.array([0, 3, 1])).position == (1,)


@pytest.mark.parametrize("index", [-(2**63), 2**63 - 1, -(2**31)])
def test_a13_extreme_int64(index: int) -> None:
    """A test written as -idx >= n, or with abs(idx), overflows for the least value."""
    assert refused(counting(5), np.array([index])).index == index


@pytest.mark.parametrize("index", [2**32 + 1, 2**31, 2**32])
def test_a15_64_bits_are_not_cut(index: int) -> None:
    """int64 indices were cut to 32 bits, which can turn a bad one into a good one."""
    assert refused(counting(5), np.array([index])).index == index


def test_a17_uint8_128_is_128() -> None:
    """uint8 128 was read as -128, and folded to 199."""
    values = np.arange(200, dtype=np.int32)
    assert gathered(values, np.array([128, 199], np.uint8)).tolist() == [128, 199]


def test_a19_uint64() -> None:
    """uint64 was refused, or read as a signed number: the error has to name the true value."""
    values = np.arange(25, dtype=np.int32)
    assert gathered(values, np.ones(3, np.uint64)).tolist() == [1, 1, 1]
    error = refused(values, np.array([2**63 + 1], np.uint64))
    assert error.index == 2**63 + 1
    assert str(2**63 + 1) in str(error)


@pytest.mark.parametrize("width", WIDTHS)
def test_a21_all_index_widths_agree(width: str) -> None:
    """One index width gave random data, and the other was right."""
    values = np.arange(8, dtype=np.float32)
    assert gathered(values, np.array([2, 0, 2, 4], width)).tolist() == [2, 0, 2, 4]


def test_a23_float_indices() -> None:
    """Float indices appear after a conversion; an empty list becomes one of floats."""
    output = np.full(1, -1, np.float32)
    with pytest.raises(TypeError):
        BNNS.gather(input=counting(3), indices=[1.7], output=output, axis=0)
    with pytest.raises(bnnspy.InvalidParameter, match="Float32"):
        BNNS.gather(input=counting(3), indices=np.float32([1.7]), output=output, axis=0)
    with pytest.raises(TypeError, match="float64"):
        BNNS.gather(input=counting(3), indices=np.array([1.7]), output=output, axis=0)
    assert output.tolist() == [-1]


def test_a25_indices_above_256() -> None:
    """Indices went through a 16-bit float, and were rounded above 256."""
    assert gathered(counting(300), np.array([257, 299])).tolist() == [257, 299]


@pytest.mark.parametrize("width", ["uint8", "uint16", "uint32", "uint64"])
def test_e11_largest_index_is_no_marker(width: str) -> None:
    """The largest value of a type is a "skip" marker in some libraries."""
    largest = int(np.iinfo(width).max)
    assert refused(counting(5), np.array([largest], width)).index == largest


# --- sizes and overflow ---------------------------------------------------------------------------


def test_b01_offsets_beyond_32_bits(tmp_path: Path) -> None:
    """row * width was computed in 32 bits; the first row that went wrong was 239674."""
    rows, width = 262144, 8960
    marked = {255999: 7, 239674: 9, rows - 1: 11}
    with (tmp_path / "sparse").open("w+b") as file:
        file.truncate(rows * width)
        for row, mark in marked.items():
            file.seek(row * width + 5)
            file.write(bytes([mark]))
        file.flush()
        with mmap.mmap(file.fileno(), rows * width, access=mmap.ACCESS_READ) as mapped:
            source = NDArrayDescriptor(
                data=mapped, shape=Shape.matrix_row_major(width, rows), scalar_type=DataType.UInt8
            )
            output = np.full((3, width), 255, np.uint8)
            with source:
                BNNS.gather(input=source, indices=np.array([*marked]), output=output, axis=0)
    assert output[:, 5].tolist() == [7, 9, 11]
    assert int(output.sum()) == 27


@pytest.mark.parametrize("axis", [2**63 - 1, 2**64 - 1, 2**31 - 1])
def test_b05_largest_axis(axis: int) -> None:
    """axis + 1 overflowed, passed for a valid axis, and the process aborted."""
    output = np.zeros((3, 4), np.float32)
    with pytest.raises(bnnspy.InvalidParameter, match=f"axis is {axis}"):
        BNNS.gather(input=counting(3, 4), indices=np.arange(3), output=output, axis=axis)


def test_b07_rank_zero() -> None:
    """Ranks were subtracted as unsigned numbers: a loop of 2^64 turns."""
    nothing = NDArrayDescriptor(layout=0, data_type=DataType.Float32, data=bytearray(4))
    picks = NDArrayDescriptor.from_array(np.zeros(1, np.int32))
    assert BNNSGather(0, nothing, picks, nothing) == Status.InvalidParameter


# --- shape, rank, emptiness -----------------------------------------------------------------------


def test_c03_rank_0_values() -> None:
    """A scalar and eight indices overran an output of one element."""
    with pytest.raises(ValueError, match="0 dimensions"):
        BNNS.gather(
            input=np.array(10, np.float32),
            indices=np.zeros(8, np.int32),
            output=np.zeros(8, np.float32),
            axis=0,
        )


@pytest.mark.parametrize(("shape", "index"), [((0, 3), 0), ((0, 0), 1)])
def test_c05_index_into_empty_axis(shape: tuple[int, int], index: int) -> None:
    """An endless loop, or a bound printed as [0, -1]."""
    error = refused(np.zeros(shape, np.float32), np.array([index]))
    assert "axis 0 of input has no elements" in str(error)
    assert error.valid == range(0)


def test_c07_no_index_into_empty_axis() -> None:
    """It was refused, although nothing is read."""
    assert gathered(np.zeros((0, 3), np.float32), np.zeros(0, np.int32)).shape == (0, 3)


def test_c09_bad_index_beside_empty_slice() -> None:
    """Copying 0 bytes hides a bad index unless that is looked at by itself."""
    assert refused(np.zeros((2, 0, 5), np.float32), np.array([7])).index == 7


@pytest.mark.parametrize("shape", [(3, 2), (2,), (1, 1)])
def test_c13_full_indices_of_another_shape(shape: tuple[int, ...]) -> None:
    """A dropped test of shapes gave gibberish, and a crash when large."""
    output = np.full((1, 2), -1, np.float32)
    indices = np.zeros(shape, np.int32)
    if shape == (2,):
        indices = np.zeros((1, 2, 1), np.int32)
    with pytest.raises(bnnspy.ShapeMismatch):
        BNNS.gather(input=counting(1, 2), indices=indices, output=output, axis=1)
    assert (output == -1).all()


def test_c15_indices_of_rank_between() -> None:
    """Indices of a lower rank than the values were taken, with no defined meaning."""
    output = np.full((2, 3, 4), -1, np.float32)
    with pytest.raises(bnnspy.ShapeMismatch, match="indices has rank 2"):
        BNNS.gather(
            input=counting(2, 3, 4), indices=np.zeros((3, 4), np.int32), output=output, axis=0
        )


def test_c25_high_ranks() -> None:
    """Ranks above 4, 5 or 8 gave wrong shapes and no message."""
    values = counting(*(2,) * 8)
    result = gathered(values, np.array([1, 0, 1]), axis=7)
    np.testing.assert_array_equal(result, values[..., [1, 0, 1]])
    with pytest.raises(ValueError, match="9 dimensions"):
        BNNS.gather(
            input=counting(*(1,) * 9),
            indices=np.zeros(1, np.int32),
            output=counting(*(1,) * 9),
            axis=0,
        )


# --- values ---------------------------------------------------------------------------------------


def test_e09_int32_values_are_not_narrowed() -> None:
    """A 16-bit cast was put around the gather."""
    values = np.array([1, 40000, -70000], np.int32)
    assert gathered(values, np.array([2, 1])).tolist() == [-70000, 40000]


@pytest.mark.parametrize("dtype", ["uint64", "int64"])
def test_64_bit_values_are_moved_whole(dtype: str) -> None:
    """More bits than a double has."""
    values = np.array([2**53 + 1, 2**62 + 1, 7], dtype)
    assert gathered(values, np.array([1, 0])).tolist() == [2**62 + 1, 2**53 + 1]


def test_bits_of_nan_are_kept() -> None:
    """Values that compare equal to nothing, and payloads that arithmetic would lose."""
    bits = np.array([0x7F800001, 0xFFC12345, 0x80000000, 0x00000001], np.uint32)
    result = gathered(bits.view(np.float32), np.array([3, 2, 1, 0]))
    np.testing.assert_array_equal(result.view(np.uint32), bits[::-1])


@pytest.mark.parametrize("padding", [0, 5], ids=["packed", "padded"])
@pytest.mark.parametrize(
    "nbytes", [*range(1, 18), 24, 31, 32, 33, 48, 63, 64, 65, 100, 127, 128, 129, 1000, 4097]
)
def test_e13_moves_of_any_length(nbytes: int, padding: int) -> None:
    """Copies made for 1, 2, 4 and 8 bytes missed 3, 12 and 16."""
    values = np.random.default_rng(nbytes).integers(0, 256, (5, nbytes), np.uint8)
    expected = np.full((5, nbytes + padding), 0xA5, np.uint8)  # a row of guards on both sides
    whole = expected.copy()
    expected[1:4, :nbytes] = values[[4, 0, 3]]
    output = whole[1:4, :nbytes]
    BNNS.gather(input=values, indices=np.array([4, 0, 3]), output=output, axis=0)
    np.testing.assert_array_equal(whole, expected)
