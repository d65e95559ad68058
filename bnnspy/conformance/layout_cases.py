"""The calls of cases.py for the entries about layouts, strides and the queries."""

from __future__ import annotations

from bnnspy.conformance.calls import T, data_size, gather, rank
from bnnspy.conformance.cases import (
    ELEMENT_TYPES,
    F32,
    FIRST,
    LAST,
    MAKERS,
    OPAQUE,
    ROWS,
    VECTOR,
    Cases,
    every_axis,
    matrix,
    out,
    picks,
    shows,
)
from bnnspy.constants import DataLayout

# The whole table: importing this module has filled it.
__all__ = ["MAKERS"]

# --- layouts and strides --------------------------------------------------------------------------


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


# --- queries --------------------------------------------------------------------------------------


@shows("data-size")
def data_sizes(entry: str) -> Cases:
    for kind in (t for t in ELEMENT_TYPES if t & 0xFF >= 8):
        yield data_size(kind.name, T(ROWS, [4, 3], kind), entry)
    for layout in DataLayout:
        if layout not in OPAQUE:
            size = [2, 3, 1, 2, 1, 2, 1, 2][: layout >> 16]
            yield data_size(layout.name, T(layout, size, F32), entry)


@shows("data-size-packed-types")
def data_size_packed(entry: str) -> Cases:
    for kind in (t for t in ELEMENT_TYPES if t & 0xFF < 8):
        yield data_size(kind.name, T(VECTOR, [16], kind), entry)


@shows("data-size-undeterminable")
def data_size_undeterminable(entry: str) -> Cases:
    yield data_size("NULL data", T(VECTOR, [4], F32, None), entry)
    yield data_size("type 3", T(VECTOR, [4], 3), entry)
    yield data_size("layout 0x77", T(0x77, [4], F32), entry)
    yield data_size("sparse", T(DataLayout.FullyConnectedSparse, [4, 4], F32), entry)
    yield data_size("strides that decrease", T(FIRST, [3, 3], F32, stride=(3, 1)), entry)
    yield data_size("overflow", T(FIRST, [2**32, 2**32], F32), entry)


@shows("data-size-with-padding")
def data_size_with_padding(entry: str) -> Cases:
    for stride in ((1, 5), (2, 9), (2, 0)):
        yield data_size(f"strides {stride}", T(ROWS, [3, 4], F32, stride=stride), entry)


@shows("data-size-pack32")
def data_size_pack32(entry: str) -> Cases:
    for channels in (1, 32, 33):
        size = [3, 2, 4, channels]
        tensor = T(DataLayout.ConvolutionWeightsOIHW_Pack32, size, F32)
        yield data_size(f"{channels} channels", tensor, entry)


@shows("data-size-empty")
def data_size_empty(entry: str) -> Cases:
    for size in ([0, 3], [3, 0]):
        yield data_size(f"{size}", T(FIRST, size, F32), entry)
    yield data_size("with strides", T(FIRST, [0, 3], F32, stride=(1, 5)), entry)


@shows("rank")
def ranks(entry: str) -> Cases:
    for layout in DataLayout:
        if layout not in OPAQUE:
            yield rank(layout.name, layout, entry)


@shows("rank-opaque-layouts")
def rank_opaque_layouts(entry: str) -> Cases:
    for layout in OPAQUE:
        yield rank(layout.name, layout, entry)


@shows("rank-unknown-layout")
def rank_unknown_layout(entry: str) -> Cases:
    for code in (0, 0x10001, 0x98000, 2**32 - 1):
        yield rank(f"{code:#x}", code, entry)
