"""Calls for the entries about layouts and strides, shown by gathers."""

from __future__ import annotations

from bnnspy.conformance.calls import T
from bnnspy.conformance.functions.common import (
    F32,
    FIRST,
    LAST,
    OPAQUE,
    ROWS,
    Cases,
    matrix,
    out,
    picks,
    shows,
)
from bnnspy.conformance.functions.gather import every_axis, gather
from bnnspy.constants import DataLayout


@shows("rowmajor-axes")
def rowmajor_axes(entry: str) -> Cases:
    yield from every_axis(entry, ROWS, [4, 3])
    yield gather("rows", 0, [matrix(ROWS, (4, 3)), picks(2, 0), out(ROWS, 4, 2)], entry)


@shows("axis-is-tuple-position")
def axis_is_tuple_position(entry: str) -> Cases:
    for n in range(2, 9):
        for order in ("First", "Last"):
            layout = DataLayout[f"Tensor{n}D{order}Major"]
            yield from every_axis(entry, layout, [2, 3, 2, 1, 2, 1, 2, 2][:n])


@shows("first-major-stride-order")
def first_major_stride_order(entry: str) -> Cases:
    size, stride = [2, 3, 4, 2], (1, 3, 13, 40)
    yield from every_axis(entry, DataLayout.Tensor4DFirstMajor, size, stride)


@shows("one-dimension-layouts")
def one_dimension_layouts(entry: str) -> Cases:
    names = ("Vector", "Tensor1DFirstMajor", "Tensor1DLastMajor")
    for name in names:
        yield from every_axis(entry, DataLayout[name], [5], (3,))


@shows("reversed-kernels")
def reversed_kernels(entry: str) -> Cases:
    # One channel each way: which of size[2] and size[3] is which is another question.
    yield from every_axis(entry, DataLayout.ConvolutionWeightsOIHrWr, [3, 2, 1, 1])
    yield from every_axis(entry, DataLayout.ConvolutionWeightsIOHrWr, [3, 2, 1, 1])


@shows("oihrwr-tuple")
def oihrwr_tuple(entry: str) -> Cases:
    yield from every_axis(entry, DataLayout.ConvolutionWeightsOIHrWr, [3, 2, 2, 4])


@shows("iohrwr-tuple")
def iohrwr_tuple(entry: str) -> Cases:
    yield from every_axis(entry, DataLayout.ConvolutionWeightsIOHrWr, [3, 2, 2, 4])


@shows("mha-dhk-identity")
def mha_dhk_identity(entry: str) -> Cases:
    yield from every_axis(entry, DataLayout.MHA_DHK, [2, 3, 4])
    yield from every_axis(entry, DataLayout.MHA_DHK, [2, 3, 4], (1, 3, 10))


@shows("opaque-layouts")
def opaque_layouts(entry: str) -> Cases:
    size = {4: [1, 1, 1, 32], 2: [8, 8]}
    for layout in OPAQUE:
        tensor = T(layout, size[layout >> 16], F32, bytes(4096))
        yield gather(layout.name, 0, [tensor, picks(0), tensor], entry)


@shows("stride-unit")
def stride_unit(entry: str) -> Cases:
    yield from every_axis(entry, ROWS, [3, 3], (1, 4))
    yield from every_axis(entry, ROWS, [3, 3], (2, 8))


@shows("stride-default")
def stride_default(entry: str) -> Cases:
    for layout in (ROWS, FIRST, LAST):
        source = matrix(layout, (3, 4))
        for stride in ((), (1, 3 if layout != FIRST else 4)):
            target = out(layout, 3, 4, stride=stride)
            tensors = [source, picks(*range(source_size(source))), target]
            yield gather(f"{layout.name} {stride}", 0, tensors, entry)


def source_size(tensor: T) -> int:
    """The size along axis 0."""
    view = tensor.view()
    assert view is not None
    return view.size[0]


@shows("stride-default-mixed")
def stride_default_mixed(entry: str) -> Cases:
    for stride in ((2, 0), (0, 7), (0, 0), (1, 0)):
        yield from every_axis(entry, FIRST, [3, 4], stride)


@shows("stride-order")
def stride_order(entry: str) -> Cases:
    for layout, stride in ((ROWS, (3, 1)), (FIRST, (3, 1)), (LAST, (4, 3))):
        source = T(layout, [3, 3], F32, bytes(range(64)), stride)
        yield gather(f"{layout.name} {stride}", 0, [source, picks(0), out(FIRST, 1, 3)], entry)


@shows("stride-order-size-one-axes")
def stride_order_size_one_axes(entry: str) -> Cases:
    for size, stride in (([4, 1], (9, 1)), ([1, 4], (1, 0)), ([1, 3], (5, 3))):
        source = T(FIRST, size, F32, bytes(range(128)), stride)
        tensors = [source, picks(0), out(FIRST, 1, size[1])]
        yield gather(f"{size} {stride}", 0, tensors, entry)
