"""Shape: Swift's cases, the rule for literals, and that a shape is a frozen value."""

from __future__ import annotations

import array
import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bnnspy import BNNS, DataLayout, InvalidParameter, NDArrayDescriptor, Shape

# Each of Swift's cases with its layout: the sizes go to size[] as they were given.
CASES: list[tuple[Callable[..., Shape], DataLayout, int]] = [
    (Shape.vector, DataLayout.Vector, 1),
    (Shape.matrix_row_major, DataLayout.RowMajorMatrix, 2),
    (Shape.matrix_column_major, DataLayout.ColumnMajorMatrix, 2),
    (Shape.matrix_first_major, DataLayout.Tensor2DFirstMajor, 2),
    (Shape.matrix_last_major, DataLayout.Tensor2DLastMajor, 2),
    (Shape.image_chw, DataLayout.ImageCHW, 3),
    (Shape.tensor_3d_sne, DataLayout.SNE, 3),
    (Shape.tensor_3d_nse, DataLayout.NSE, 3),
    (Shape.convolution_weights_oihw, DataLayout.ConvolutionWeightsOIHW, 4),
    (Shape.tensor_3d_first_major, DataLayout.Tensor3DFirstMajor, 3),
    (Shape.tensor_4d_first_major, DataLayout.Tensor4DFirstMajor, 4),
    (Shape.tensor_5d_first_major, DataLayout.Tensor5DFirstMajor, 5),
    (Shape.tensor_6d_first_major, DataLayout.Tensor6DFirstMajor, 6),
    (Shape.tensor_7d_first_major, DataLayout.Tensor7DFirstMajor, 7),
    (Shape.tensor_8d_first_major, DataLayout.Tensor8DFirstMajor, 8),
    (Shape.tensor_3d_last_major, DataLayout.Tensor3DLastMajor, 3),
    (Shape.tensor_4d_last_major, DataLayout.Tensor4DLastMajor, 4),
    (Shape.tensor_5d_last_major, DataLayout.Tensor5DLastMajor, 5),
    (Shape.tensor_6d_last_major, DataLayout.Tensor6DLastMajor, 6),
    (Shape.tensor_7d_last_major, DataLayout.Tensor7DLastMajor, 7),
    (Shape.tensor_8d_last_major, DataLayout.Tensor8DLastMajor, 8),
]

# What the shape of 1 to 8 plain integers is in Swift.
LITERALS = [DataLayout.Vector] + [DataLayout[f"Tensor{n}DFirstMajor"] for n in range(2, 9)]

# Shapes whose sizes or strides say nothing that memory could hold.
UNUSABLE = {
    "decreasing strides": Shape.matrix_row_major(3, 2, stride=(4, 1)),
    "sizes that overflow": Shape((2**33, 2**33)),
    "a stride that overflows": Shape.vector(2, stride=2**63),
    "blocks of 32": Shape((1, 1, 1, 1), DataLayout.ConvolutionWeightsOIHW_Pack32),
    "a sparse matrix": Shape((2, 2), DataLayout.FullyConnectedSparse),
}


def padded(values: tuple[int, ...]) -> tuple[int, ...]:
    return values + (0,) * (8 - len(values))


@pytest.mark.parametrize(("case", "layout", "rank"), CASES, ids=[c[1].name for c in CASES])
def test_a_case_of_swift_keeps_sizes_and_strides_in_the_order_given(
    case: Callable[..., Shape], layout: DataLayout, rank: int
) -> None:
    size = tuple(range(2, 2 + rank))
    stride: Any = tuple(range(10, 10 + rank))
    shape = case(*size, stride=stride if rank > 1 else stride[0])
    assert (shape.layout, shape.rank) == (layout, rank)
    assert shape.size == padded(size)
    assert shape.stride == padded(stride)
    assert case(*size).stride == (0,) * 8
    assert shape == Shape(size, layout, stride)
    assert shape != case(*size)


@pytest.mark.parametrize(("case", "layout", "rank"), CASES, ids=[c[1].name for c in CASES])
def test_a_case_of_swift_refuses_another_number_of_sizes(
    case: Callable[..., Shape], layout: DataLayout, rank: int
) -> None:
    with pytest.raises((TypeError, ValueError)):
        case(*[1] * (rank + 1))
    with pytest.raises((TypeError, ValueError)):
        case(*[1] * (rank - 1))
    if rank > 1:
        with pytest.raises(ValueError, match="stride"):
            case(*[1] * rank, stride=(1,) * (rank - 1))


@pytest.mark.parametrize("rank", range(1, 9))
def test_plain_integers_are_a_vector_or_first_major(rank: int) -> None:
    size = tuple(range(1, 1 + rank))
    for literal in (size, list(size), array.array("q", size), tuple(map(np.int64, size))):
        assert Shape.of(literal) == Shape(size) == Shape(size, LITERALS[rank - 1])
    descriptor = NDArrayDescriptor.allocate_uninitialized(scalar_type=float, shape=size)
    assert descriptor.layout == LITERALS[rank - 1]


def test_one_integer_is_a_vector() -> None:
    assert Shape.of(7) == Shape.of(np.uint8(7)) == Shape.vector(7)
    assert Shape.of(range(2, 4)) == Shape.matrix_first_major(2, 3)
    shape = Shape.image_chw(2, 3, 4)
    assert Shape.of(shape) is shape


def test_the_overlay_has_the_same_shape_class() -> None:
    assert BNNS.Shape is Shape


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        (Shape.vector(8), 8),
        (Shape.vector(8, stride=3), 24),
        (Shape.vector(0), 1),
        (Shape.matrix_row_major(3, 2), 6),
        (Shape.matrix_row_major(3, 2, stride=(1, 4)), 8),
        (Shape.matrix_row_major(3, 1, stride=(1, 4)), 4),
        (Shape.matrix_first_major(2, 3, stride=(1, 5)), 10),
        (Shape.matrix_first_major(2, 3, stride=(2, 0)), 12),
        (Shape.image_chw(4, 3, 2), 24),
        (Shape.image_chw(4, 3, 2, stride=(0, 5, 0)), 30),
        (Shape.tensor_3d_first_major(4, 3, 2, stride=(1, 2, 9)), 36),
        (Shape((1, 1, 1, 1, 1, 1, 1, 1)), 1),
    ],
)
def test_batch_stride_is_the_largest_stride_times_its_size(shape: Shape, expected: int) -> None:
    assert shape.batch_stride == expected


@pytest.mark.parametrize("shape", UNUSABLE.values(), ids=UNUSABLE.keys())
def test_unusable_sizes_make_a_shape_that_is_refused_where_it_is_used(shape: Shape) -> None:
    assert eval(repr(shape)) == shape
    with pytest.raises(InvalidParameter, match="shape"):
        _ = shape.batch_stride
    with pytest.raises(InvalidParameter):
        NDArrayDescriptor.allocate(repeating=0.0, shape=shape)
    with pytest.raises(ValueError, match="data"):
        NDArrayDescriptor(data=np.zeros(64, np.float32), shape=shape)


def shapes() -> st.SearchStrategy[Shape]:
    def of(layout: DataLayout) -> st.SearchStrategy[Shape]:
        rank = layout >> 16
        numbers = st.lists(st.integers(0, 2**64 - 1), min_size=rank, max_size=rank)
        return st.builds(Shape, numbers, st.just(layout), st.none() | numbers)

    return st.sampled_from(list(DataLayout)).flatmap(of)


@given(shapes(), shapes())
def test_a_shape_is_a_value(shape: Shape, other: Shape) -> None:
    again = Shape(shape.size[: shape.rank], shape.layout, shape.stride[: shape.rank])
    assert again == shape
    assert hash(again) == hash(shape)
    assert eval(repr(shape)) == shape
    for made in (pickle.loads(pickle.dumps(shape)), copy.copy(shape), copy.deepcopy(shape)):
        assert made == shape
        assert repr(made) == repr(shape)
    same = (shape.layout, shape.size, shape.stride) == (other.layout, other.size, other.stride)
    assert (shape == other) is same
    assert len({shape, again, other}) == 2 - same


def test_repr_reads_like_the_call() -> None:
    assert repr(Shape.vector(8)) == "Shape.vector(8)"
    assert repr(Shape.vector(8, stride=2)) == "Shape.vector(8, stride=2)"
    assert repr(Shape.matrix_row_major(2, 3, stride=(1, 4))) == (
        "Shape.matrix_row_major(2, 3, stride=(1, 4))"
    )
    assert repr(Shape((5,), DataLayout.Tensor1DFirstMajor)) == (
        "Shape((5,), DataLayout.Tensor1DFirstMajor)"
    )


def test_shapes_differ_by_layout_and_by_written_strides() -> None:
    assert Shape.vector(3) != Shape((3,), DataLayout.Tensor1DFirstMajor)
    assert Shape.matrix_row_major(3, 2) != Shape.matrix_row_major(3, 2, stride=(1, 3))
    assert Shape.vector(3) != (3,)


@pytest.mark.parametrize("name", ["size", "stride", "layout", "rank", "anything"])
def test_a_shape_is_frozen(name: str) -> None:
    shape = Shape.vector(3)
    with pytest.raises(AttributeError):
        setattr(shape, name, 1)
    assert shape == Shape.vector(3)


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        (((),), ValueError, "empty"),
        (((1,) * 9,), ValueError, "9 entries"),
        (((-1,),), ValueError, r"size\[0\] is -1"),
        (((1, 2**64),), ValueError, r"size\[1\]"),
        (((1.0,),), TypeError, r"size\[0\]"),
        (((None,),), TypeError, r"size\[0\]"),
        ((None,), TypeError, "size"),
        ((("2",),), TypeError, r"size\[0\]"),
        ((np.array([2, 3]),), TypeError, "size"),
        (((2, 3), DataLayout.Vector), ValueError, "Vector has 1"),
        (((2,), 0x12345), ValueError, "74565"),
        (((2, 3), None, (1,)), ValueError, "stride has 1"),
        (((2, 3), None, (1, -1)), ValueError, r"stride\[1\]"),
        (((2, 3), None, (1, 2.5)), TypeError, r"stride\[1\]"),
    ],
)
def test_what_no_shape_can_hold(
    arguments: tuple[Any, ...], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        Shape(*arguments)


@pytest.mark.parametrize("value", [3.0, None, "ab", object(), {1: 2}])
def test_what_stands_for_no_shape(value: Any) -> None:
    with pytest.raises(TypeError):
        Shape.of(value)


@pytest.mark.parametrize("value", [b"ab", bytearray(b"ab"), "23"])
def test_text_and_bytes_were_taken_for_sizes(value: Any) -> None:
    """The bytes b"ab" are a sequence of integers, and made a tensor of 97 by 98."""
    with pytest.raises(TypeError, match="size is"):
        Shape(value)
    with pytest.raises(TypeError, match="size is"):
        Shape.of(value)
    descriptor = NDArrayDescriptor()
    with pytest.raises(TypeError, match="stride is"):
        descriptor.stride = value


@pytest.mark.parametrize(
    ("shape", "resolved"),
    [
        (Shape.vector(8), (1,)),
        (Shape.vector(8, stride=3), (3,)),
        (Shape.matrix_row_major(2, 3), (1, 2)),
        (Shape.matrix_row_major(2, 3, stride=(0, 4)), (1, 4)),
        (Shape.matrix_row_major(2, 3, stride=(2, 0)), (2, 4)),
        (Shape.matrix_column_major(2, 3), (1, 2)),
        (Shape((4, 3, 2)), (1, 2, 6)),  # fastest first, though size[] is slowest first
        (Shape.tensor_3d_last_major(4, 3, 2), (1, 4, 12)),
        (Shape.image_chw(4, 3, 2), (1, 4, 12)),
        (Shape((2, 3, 4, 5), DataLayout.ConvolutionWeightsOIHrWr), (1, 2, 6, 24)),
        (Shape((3, 0, 2)), (1, 2, 2)),
    ],
)
def test_resolved_strides_could_not_be_had(shape: Shape, resolved: tuple[int, ...]) -> None:
    assert shape.resolved_stride == resolved + (0,) * (8 - len(resolved))
    given = Shape(shape.size[: shape.rank], shape.layout, resolved)
    assert given.resolved_stride == shape.resolved_stride
    assert given.batch_stride == shape.batch_stride


def test_resolved_strides_are_those_of_the_array() -> None:
    made = NDArrayDescriptor.allocate(repeating=1.0, shape=Shape.matrix_row_major(2, 3))
    steps = tuple(step // made.dtype.itemsize for step in made.array.strides)
    assert steps == tuple(reversed(made.shape.resolved_stride[:2]))
    for shape in (
        Shape.matrix_row_major(2, 2, stride=(2, 1)),
        Shape((2**33, 2**33)),
        Shape((1, 1, 1, 1), DataLayout.ConvolutionWeightsOIHW_Pack32),
    ):
        with pytest.raises(InvalidParameter):
            _ = shape.resolved_stride
