"""Shapes: a layout with its sizes and strides, as Swift's `BNNS.Shape` has them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import index as as_index
from typing import Any, TypeAlias

from bnnspy._bnns import ffi, lib
from bnnspy.constants import BNNS_MAX_TENSOR_DIMENSION, DataLayout
from bnnspy.errors import error_for

Stride: TypeAlias = Sequence[int] | None

MAX_SIZE: int = 2 ** (8 * ffi.sizeof("size_t")) - 1

# What a bare int or sequence of ints stands for, by its length.
FIRST_MAJOR = (
    DataLayout.Vector,
    *(DataLayout[f"Tensor{n}DFirstMajor"] for n in range(2, BNNS_MAX_TENSOR_DIMENSION + 1)),
)

# The same with the first dimension fastest, as Fortran's arrays lie.
LAST_MAJOR = (
    DataLayout.Vector,
    *(DataLayout[f"Tensor{n}DLastMajor"] for n in range(2, BNNS_MAX_TENSOR_DIMENSION + 1)),
)


def unsigned(value: Any, name: str, most: int = MAX_SIZE) -> int:
    """value as an integer from 0 to `most`; a TypeError or ValueError names it otherwise."""
    try:
        number = as_index(value)
    except TypeError:
        raise TypeError(f"{name} is {value!r}, and has to be an integer") from None
    if not 0 <= number <= most:
        raise ValueError(f"{name} is {number}, outside 0..{most}")
    return number


def slots(values: int | Sequence[int], name: str) -> tuple[int, ...]:
    """An integer or up to 8 of them, as a tuple."""
    if isinstance(values, (str, bytes, bytearray)):
        raise TypeError(f"{name} is {values!r}, and has to be an integer or several")
    given = (values,) if not isinstance(values, Sequence) else tuple(values)
    if len(given) <= BNNS_MAX_TENSOR_DIMENSION:
        for value in given:
            if type(value) is not int or not 0 <= value <= MAX_SIZE:
                break  # to be told apart below
        else:
            return given
    if len(given) > BNNS_MAX_TENSOR_DIMENSION:
        raise ValueError(
            f"{name} has {len(given)} entries, and a descriptor has room for "
            f"{BNNS_MAX_TENSOR_DIMENSION}"
        )
    return tuple(unsigned(value, f"{name}[{k}]") for k, value in enumerate(given))


def padded(values: tuple[int, ...]) -> tuple[int, ...]:
    """values as the 8 entries that a descriptor has."""
    return values + (0,) * (BNNS_MAX_TENSOR_DIMENSION - len(values))


def layout_name(code: int) -> str:
    """Apple's name of a layout less the prefix, or the number in hexadecimal."""
    try:
        return DataLayout(code).name.removeprefix("Tensor")
    except ValueError:
        return f"{code:#x}"


def case(layout: DataLayout) -> Callable[..., Shape]:
    """The classmethod of Shape for one of Swift's cases with many sizes."""

    def make(*size: int, stride: Stride = None) -> Shape:
        return Shape(size, layout, stride)

    slowest = "first" if layout & 1 else "last"
    make.__doc__ = (
        f"{layout_name(layout)}: {layout >> 16} sizes, the {slowest} the slowest in memory; "
        "strides fastest first."
    )
    return staticmethod(make)


class Shape:
    """A layout with its sizes and strides; frozen, comparable and hashable.

    Parameters
    ----------
    size : sequence of int
        As the layout orders size[]: for a RowMajorMatrix the columns first. 1 to 8 entries.
    data_layout : DataLayout, optional
        By default Vector for one size, and nDFirstMajor for 2 to 8: Swift's rule for literals.
    stride : sequence of int, optional
        In elements, as the layout orders stride[]; 0 asks for the default of that entry. By default
        all are 0.

    Raises
    ------
    TypeError, ValueError
        For sizes or strides that a size_t can't hold, and a number of them that does not fit the
        layout. Whether strides decrease or sizes overflow is answered where the shape is used.
    """

    __slots__ = ("_key", "_layout", "_models", "_size", "_stride")

    def __init__(
        self,
        size: Sequence[int],
        data_layout: int | None = None,
        stride: Sequence[int] | None = None,
    ) -> None:
        self._size = slots(size, "size")
        rank = len(self._size)
        if data_layout is None:
            if rank == 0:
                raise ValueError("size is empty, and a shape has 1 to 8 dimensions")
            data_layout = FIRST_MAJOR[rank - 1]
        if type(data_layout) is not DataLayout:
            data_layout = DataLayout(data_layout)
        self._layout = data_layout
        if rank != self._layout >> 16:
            raise ValueError(
                f"size has {rank} entries, and {layout_name(self._layout)} has "
                f"{self._layout >> 16} dimensions"
            )
        self._stride = (0,) * rank if stride is None else slots(stride, "stride")
        if len(self._stride) != rank:
            raise ValueError(f"stride has {len(self._stride)} entries, and size has {rank}")
        self._key = (int(data_layout), self._size, self._stride)
        self._models: dict[int, Any] = {}

    @classmethod
    def of(cls, shape: ShapeLike) -> Shape:
        """shape itself, or the one that an int or a sequence of ints stands for."""
        if isinstance(shape, Shape):
            return shape
        if isinstance(shape, Sequence):
            return cls(shape)
        return cls((unsigned(shape, "shape"),))

    @property
    def layout(self) -> DataLayout:
        """The layout."""
        return self._layout

    @property
    def rank(self) -> int:
        """The number of dimensions, 1 to 8."""
        return len(self._size)

    @property
    def size(self) -> tuple[int, ...]:
        """The sizes as a descriptor holds them: 8 entries, 0 beyond the rank."""
        return padded(self._size)

    @property
    def stride(self) -> tuple[int, ...]:
        """The strides as they were given, in elements: 8 entries, 0 for the default.

        `resolved_stride` has the defaults worked out.
        """
        return padded(self._stride)

    @property
    def resolved_stride(self) -> tuple[int, ...]:
        """The strides that hold, in elements: as `stride`, with the defaults worked out.

        8 entries in the layout's order, 0 beyond the rank. NumPy's `strides` are those of
        `descriptor.array`: bytes, in the order of the axes.

        Raises
        ------
        InvalidParameter
            When strides decrease, something overflows, or strides can't say the layout.
        """
        view = self.view()
        stride = [0] * BNNS_MAX_TENSOR_DIMENSION
        for axis in range(view.rank):
            stride[view.stride_slot[axis]] = abs(view.stride[axis])
        return tuple(stride)

    @property
    def batch_stride(self) -> int:
        """Elements from one item of a batch to the next: the largest stride times its size.

        Raises
        ------
        InvalidParameter
            When strides decrease, or something overflows.
        """
        return int(self.view().batch_stride)

    def view(self, data_type: int = 0) -> Any:
        """The C core's `bnnspy_view` of this shape; an InvalidParameter when it has none."""
        view = ffi.new("bnnspy_view *")
        model = self.model(data_type)
        outcome = lib.bnnspy_describe(ffi.addressof(model[0], "descriptor"), b"shape", view)
        if outcome:
            raise error_for(outcome)
        return view

    def model(self, data_type: int) -> Any:
        """A `bnnspy_bounded *` with this shape and type, without memory; for `bnnspy_bind`."""
        model = self._models.get(data_type)
        if model is None:
            model = ffi.new("bnnspy_bounded *")
            descriptor = model.descriptor
            descriptor.layout = self._layout
            descriptor.size = self._size
            descriptor.stride = self._stride
            descriptor.data_type = data_type
            descriptor.data_scale = 1.0
            model.live = 1
            self._models[data_type] = model
        return model

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Shape):
            return NotImplemented
        return self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Shape, (self._size, int(self._layout), self._stride))

    def __repr__(self) -> str:
        values = ", ".join(map(str, self._size))
        case = CASES.get(self._layout)
        if case is None:
            head = f"Shape(({values}{',' * (self.rank == 1)}), DataLayout.{self._layout.name}"
        else:
            head = f"Shape.{case}({values}"
        if not any(self._stride):
            return f"{head})"
        return f"{head}, stride={self._stride if self.rank > 1 else self._stride[0]})"

    # Swift's cases. The sizes go to size[] unchanged, in the order given.

    @classmethod
    def vector(cls, count: int, *, stride: int = 0) -> Shape:
        """Vector: `count` elements."""
        return cls((count,), DataLayout.Vector, (stride,))

    @classmethod
    def matrix_row_major(cls, columns: int, rows: int, *, stride: Stride = None) -> Shape:
        """RowMajorMatrix. The columns come first; axis 0 of a call is the rows all the same."""
        return cls((columns, rows), DataLayout.RowMajorMatrix, stride)

    @classmethod
    def matrix_column_major(cls, rows: int, columns: int, *, stride: Stride = None) -> Shape:
        """ColumnMajorMatrix."""
        return cls((rows, columns), DataLayout.ColumnMajorMatrix, stride)

    @classmethod
    def matrix_first_major(cls, size0: int, size1: int, *, stride: Stride = None) -> Shape:
        """2DFirstMajor. stride is written fastest dimension first."""
        return cls((size0, size1), DataLayout.Tensor2DFirstMajor, stride)

    @classmethod
    def matrix_last_major(cls, size0: int, size1: int, *, stride: Stride = None) -> Shape:
        """2DLastMajor."""
        return cls((size0, size1), DataLayout.Tensor2DLastMajor, stride)

    @classmethod
    def image_chw(cls, width: int, height: int, channels: int, *, stride: Stride = None) -> Shape:
        """ImageCHW: width fastest, axis 0 is the width."""
        return cls((width, height, channels), DataLayout.ImageCHW, stride)

    @classmethod
    def tensor_3d_sne(
        cls, embedding: int, batch: int, sequence: int, *, stride: Stride = None
    ) -> Shape:
        """SNE: the embedding fastest, the sequence slowest."""
        return cls((embedding, batch, sequence), DataLayout.SNE, stride)

    @classmethod
    def tensor_3d_nse(
        cls, embedding: int, sequence: int, batch: int, *, stride: Stride = None
    ) -> Shape:
        """NSE: the embedding fastest, the batch slowest."""
        return cls((embedding, sequence, batch), DataLayout.NSE, stride)

    @classmethod
    def convolution_weights_oihw(
        cls, width: int, height: int, inputs: int, outputs: int, *, stride: Stride = None
    ) -> Shape:
        """ConvolutionWeightsOIHW: the kernel's width fastest, the output channels slowest."""
        return cls((width, height, inputs, outputs), DataLayout.ConvolutionWeightsOIHW, stride)

    tensor_3d_first_major = case(DataLayout.Tensor3DFirstMajor)
    tensor_4d_first_major = case(DataLayout.Tensor4DFirstMajor)
    tensor_5d_first_major = case(DataLayout.Tensor5DFirstMajor)
    tensor_6d_first_major = case(DataLayout.Tensor6DFirstMajor)
    tensor_7d_first_major = case(DataLayout.Tensor7DFirstMajor)
    tensor_8d_first_major = case(DataLayout.Tensor8DFirstMajor)
    tensor_3d_last_major = case(DataLayout.Tensor3DLastMajor)
    tensor_4d_last_major = case(DataLayout.Tensor4DLastMajor)
    tensor_5d_last_major = case(DataLayout.Tensor5DLastMajor)
    tensor_6d_last_major = case(DataLayout.Tensor6DLastMajor)
    tensor_7d_last_major = case(DataLayout.Tensor7DLastMajor)
    tensor_8d_last_major = case(DataLayout.Tensor8DLastMajor)


CASES = {
    DataLayout.Vector: "vector",
    DataLayout.RowMajorMatrix: "matrix_row_major",
    DataLayout.ColumnMajorMatrix: "matrix_column_major",
    DataLayout.Tensor2DFirstMajor: "matrix_first_major",
    DataLayout.Tensor2DLastMajor: "matrix_last_major",
    DataLayout.ImageCHW: "image_chw",
    DataLayout.SNE: "tensor_3d_sne",
    DataLayout.NSE: "tensor_3d_nse",
    DataLayout.ConvolutionWeightsOIHW: "convolution_weights_oihw",
    **{
        DataLayout[f"Tensor{n}D{order.capitalize()}Major"]: f"tensor_{n}d_{order}_major"
        for n in range(3, BNNS_MAX_TENSOR_DIMENSION + 1)
        for order in ("first", "last")
    },
}

ShapeLike: TypeAlias = Shape | int | Sequence[int]
