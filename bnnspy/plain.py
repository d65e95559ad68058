"""A descriptor as plain numbers, and where its elements lie: for rules that look at calls."""

from __future__ import annotations

from itertools import product
from typing import Any, NamedTuple

from bnnspy._bnns import ffi, lib
from bnnspy.shape import padded


class Plain(NamedTuple):
    """The fields of a descriptor that decide what a call does; `address` is data's."""

    layout: int
    size: tuple[int, ...]
    stride: tuple[int, ...]
    data_type: int
    address: int = 0
    data_scale: float = 0.0
    data_bias: float = 0.0

    @property
    def rank(self) -> int:
        """Of the layout's value, 0 to 8, whether or not Apple has that layout."""
        return min(self.layout >> 16, 8)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The sizes that count, in the order of size[]."""
        return self.size[: self.rank]


class View(NamedTuple):
    """What the fields say, in the order of the layout's value tuple; counts are in elements."""

    size: tuple[int, ...]
    stride: tuple[int, ...]
    start: int
    elements: int
    extent: int
    bits: int

    def places(self) -> list[int]:
        """Each element's distance from data, in tuple order."""
        pairs = zip(self.size, self.stride, strict=True)
        axes = (range(0, n * s, s) if s else [0] * n for n, s in pairs)
        return [self.start + sum(steps) for steps in product(*axes)]

    @property
    def nbytes(self) -> int:
        """From data to the end of the last element."""
        return (self.extent * self.bits + 7) // 8


def plain(descriptor: Any) -> Plain:
    """A BNNSNDArrayDescriptor of cffi in plain numbers."""
    return Plain(
        descriptor.layout,
        tuple(descriptor.size),
        tuple(descriptor.stride),
        descriptor.data_type,
        int(ffi.cast("uintptr_t", descriptor.data)),
        descriptor.data_scale,
        descriptor.data_bias,
    )


def view_of(tensor: Plain) -> View | None:
    """The view, or None where the fields give none."""
    descriptor = ffi.new("BNNSNDArrayDescriptor *")
    descriptor.layout, descriptor.data_type = tensor.layout, tensor.data_type
    descriptor.size, descriptor.stride = padded(tensor.size), padded(tensor.stride)
    view = ffi.new("bnnspy_view *")
    if lib.bnnspy_describe(descriptor, b"tensor", view):
        return None
    rank = view.rank
    size, stride = tuple(view.size)[:rank], tuple(view.stride)[:rank]
    return View(size, stride, view.start, view.count, view.extent, view.bits)
