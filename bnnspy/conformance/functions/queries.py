"""Calls of BNNSNDArrayGetDataSize and BNNSDataLayoutGetRank."""

from __future__ import annotations

from bnnspy.conformance.calls import Call, T, make
from bnnspy.conformance.functions.common import (
    ELEMENT_TYPES,
    F32,
    FIRST,
    OPAQUE,
    ROWS,
    VECTOR,
    Cases,
    shows,
)
from bnnspy.constants import DataLayout


def data_size(name: str, tensor: T | None, decides: str = "") -> Call:
    """A call of BNNSNDArrayGetDataSize. data is not read, so any pointer will do."""
    if tensor is not None and tensor.data is not None:
        tensor = tensor._replace(data=bytes(64))
    return make("BNNSNDArrayGetDataSize", name, {"array": tensor}, decides=decides)


def rank(name: str, layout: int, decides: str = "") -> Call:
    """A call of BNNSDataLayoutGetRank."""
    return make("BNNSDataLayoutGetRank", name, {}, {"layout": layout}, decides)


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
