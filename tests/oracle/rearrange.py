"""What the operations share that copy elements into another order."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from oracle.base import (
    BITS,
    Outcome,
    Refused,
    Tensor,
    View,
    axes_of,
    bits_at,
    bytes_of,
    looks_empty,
    places,
    require,
    unpacked,
    view,
)


def check_fields(dest: Tensor, src: Tensor) -> tuple[View, View]:
    """Refuses what can be told of each tensor alone; else the views."""
    require(dest.live and src.live, "live")
    require(looks_empty(dest) or not (dest.memory is None or src.memory is None), "data")
    require(dest.data_type in BITS and src.data_type in BITS, "type")
    require(dest.data_type == src.data_type, "type")
    axes_of(dest)
    axes_of(src)
    return view(dest), view(src)


def check_memory(dest: Tensor, src: Tensor, out: View, source: View) -> None:
    """Refuses memory that is too short, read-only, or has two uses."""
    if out.count == 0:
        return
    assert dest.memory is not None
    assert src.memory is not None
    require((out.extent * dest.bits + 7) // 8 <= dest.memory.size, "bounds")
    require((source.extent * src.bits + 7) // 8 <= src.memory.size, "bounds")
    require(bool(dest.memory.flags.writeable), "read-only")
    written = np.zeros(dest.memory.size * 8, np.bool_)
    written[bits_at(places(out), dest.bits)] = True
    require(int(written.sum()) == out.count * dest.bits, "shared")
    both = np.intersect1d(bytes_of(dest, out), bytes_of(src, source), assume_unique=True)
    require(both.size == 0, "shared")


def check_whole_bytes(dest: Tensor, target: np.ndarray, origin: np.ndarray) -> None:
    """Refuses packed elements that do not move by eights of bits from byte to byte."""
    if dest.bits % 8 == 0 or target.size == 0:
        return
    require(target.size % 8 == 0, "whole bytes")
    rank = np.argsort(target, axis=None, kind="stable")
    for table in (target.ravel()[rank], origin.ravel()[rank]):
        eights = table.reshape(-1, 8)
        require(bool(np.all(eights == eights[:, :1] // 8 * 8 + np.arange(8))), "whole bytes")


def rearranged(dest: Tensor, src: Tensor, order: Callable[[int], list[int]]) -> Outcome:
    """dest[i0, i1, ..] = src, whose axes are taken in an order that its rank gives."""
    before = None if dest.memory is None else dest.memory.copy()
    try:
        out, source = check_fields(dest, src)
        axes = order(len(source.size))
        require(len(out.size) == len(source.size), "shape", -1003)
        require(out.size == tuple(source.size[k] for k in axes), "shape", -1003)
        turned = View(out.size, tuple(source.stride[k] for k in axes), source.start, out.count, 0)
        target = bits_at(places(out), dest.bits)
        origin = bits_at(places(turned), src.bits)
        check_whole_bytes(dest, target, origin)
        check_memory(dest, src, out, source)
    except Refused as refusal:
        return Outcome(refusal.status, refusal.reason, before, None)
    if out.count == 0:
        return Outcome(0, "", before, None)
    assert before is not None
    assert src.memory is not None
    after = unpacked(before)
    after[target] = unpacked(src.memory)[origin]
    changed = np.zeros(before.size, np.bool_)
    changed[target // 8] = True
    return Outcome(0, "", np.packbits(after, bitorder="little"), changed)
