"""What the operations share that write where indices say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from oracle.base import (
    BITS,
    DATA_TYPES,
    INDEX_DTYPES,
    Bytes,
    Tensor,
    View,
    axes_of,
    bits_at,
    bytes_of,
    coordinate,
    looks_empty,
    places,
    require,
    unpacked,
    view,
)

NONE, SUM = 15, 6  # what values are combined by

UNSIGNED = {bits: np.dtype(f"uint{bits}") for bits in (8, 16, 32, 64)}
FLOAT16, FLOAT32, BFLOAT16, BOOLEAN = (
    DATA_TYPES[name] for name in ("Float16", "Float32", "BFloat16", "Boolean")
)
ADDED = {
    *(FLOAT16, FLOAT32, BFLOAT16, BOOLEAN),
    *(code for name, code in DATA_TYPES.items() if "Int" in name and BITS[code] >= 8),
}


def check_tensors(tensors: Mapping[str, Tensor], op: int | None) -> dict[str, View]:
    """Refuses what can be told of each tensor alone; else the views."""
    require(all(tensor.live for tensor in tensors.values()), "live")
    for tensor in tensors.values():
        require(looks_empty(tensor) or tensor.memory is not None, "data")
    require(all(tensor.data_type in BITS for tensor in tensors.values()), "type")
    require(tensors["indices"].data_type in INDEX_DTYPES, "type")
    require(tensors["input"].data_type == tensors["output"].data_type, "type")
    require(op in (None, NONE, SUM), "op")
    require(op != SUM or tensors["input"].data_type in ADDED, "sum")
    for tensor in tensors.values():
        axes_of(tensor)
    return {name: view(tensor) for name, tensor in tensors.items()}


def check_memory(tensors: Mapping[str, Tensor], views: Mapping[str, View]) -> None:
    """Refuses memory that is too short, read-only, or has two uses."""
    moves = views["input"].count and views["output"].count
    for name, tensor in tensors.items():
        v = views[name]
        if v.count == 0 or (name == "input" and not moves):
            continue
        assert tensor.memory is not None
        require((v.extent * tensor.bits + 7) // 8 <= tensor.memory.size, "bounds")
    output, out = tensors["output"], views["output"]
    if out.count == 0:
        return
    assert output.memory is not None
    require(bool(output.memory.flags.writeable), "read-only")
    written = np.zeros(output.memory.size * 8, np.bool_)
    written[bits_at(places(out), output.bits)] = True
    require(int(written.sum()) == out.count * output.bits, "shared")
    for name in ("input", "indices"):
        if views[name].count:
            read = bytes_of(tensors[name], views[name])
            both = np.intersect1d(bytes_of(output, out), read, assume_unique=True)
            require(both.size == 0, "shared")


def check_whole_bytes(
    bits: int, walked: View, origin: NDArray[np.int64], label: NDArray[Any], steps: Iterable[int]
) -> None:
    """Refuses packed elements unless what one index moves is whole bytes, whatever its value.

    `walked` are the elements of the tensor that is gone through, `origin` the other tensor's places
    for them with all indices 0, `label` tells the elements apart that different indices move, and
    `steps` is how far an index moves them.
    """
    if bits % 8 == 0 or walked.count == 0:
        return
    require(all(step * bits % 8 == 0 for step in steps), "whole bytes")
    label = np.broadcast_to(label, walked.size)
    for k, stride in enumerate(walked.stride):
        if stride < 0:  # elements along a turned axis never move as one
            label = label * walked.size[k] + coordinate(walked, k)
    near, far = bits_at(places(walked), bits).ravel(), bits_at(origin, bits).ravel()
    labels = np.repeat(label.ravel(), bits)
    order = np.lexsort((near, labels))
    require(near.size % 8 == 0, "whole bytes")
    eights = [table[order].reshape(-1, 8) for table in (near, far, labels)]
    for table in eights[:2]:
        require(bool(np.all(table == table[:, :1] // 8 * 8 + np.arange(8))), "whole bytes")
    require(bool(np.all(eights[2] == eights[2][:, :1])), "whole bytes")


def combined(
    op: int | None, data_type: int, memory: Bytes, source: Bytes,
    pairs: Iterable[tuple[NDArray[np.int64], NDArray[np.int64]]],
) -> Bytes:  # fmt: skip
    """memory after elements of source were put, or added, into it.

    Each pair has places of the target and of the source; pairs follow one another, and within one
    no target is met twice.
    """
    bits = BITS[data_type]
    if op != SUM:
        after, given = unpacked(memory), unpacked(source)
        for target, origin in pairs:
            after[bits_at(target, bits)] = given[bits_at(origin, bits)]
        return np.packbits(after, bitorder="little")
    after = memory.copy()
    width = np.arange(bits // 8)
    for target, origin in pairs:
        to = target.ravel()[:, None] * (bits // 8) + width
        one = np.ascontiguousarray(after[to]).view(UNSIGNED[bits])
        from_ = origin.ravel()[:, None] * (bits // 8) + width
        other = np.ascontiguousarray(source[from_]).view(UNSIGNED[bits])
        after[to] = np.ascontiguousarray(added(data_type, one, other)).view(np.uint8)
    return after


def added(data_type: int, one: NDArray[Any], other: NDArray[Any]) -> NDArray[Any]:
    """The sums of stored elements, as they are stored."""
    with np.errstate(all="ignore"):
        if data_type == BOOLEAN:
            return ((one != 0) | (other != 0)).astype(np.uint8)
        if data_type == FLOAT32:
            sums = one.view(np.float32) + other.view(np.float32)
            return np.where(np.isnan(sums), np.uint32(0x7FC00000), sums.view(np.uint32))
        if data_type == FLOAT16:
            wide = [half.view(np.float16).astype(np.float32) for half in (one, other)]
            sums = wide[0] + wide[1]
            return np.where(
                np.isnan(sums), np.uint16(0x7E00), sums.astype(np.float16).view(np.uint16)
            )
        if data_type == BFLOAT16:
            wide = [(half.astype(np.uint32) << 16).view(np.float32) for half in (one, other)]
            return upper_halves(wide[0] + wide[1])
        return one + other  # unsigned, so it wraps around


def upper_halves(values: NDArray[np.float32]) -> NDArray[np.uint16]:
    """Floats as BFloat16: the nearest one, and of two that are as near the even one."""
    bits = values.view(np.uint32).astype(np.int64)
    below, rest = bits // 2**16, bits % 2**16
    up = (rest > 2**15) | ((rest == 2**15) & (below % 2 == 1))
    return np.where(np.isnan(values), 0x7FC0, below + up).astype(np.uint16)


def touched(memory: Bytes, out: View, bits: int) -> NDArray[np.bool_]:
    """Which bytes hold elements."""
    found = np.zeros(memory.size, np.bool_)
    found[bits_at(places(out), bits) // 8] = True
    return found
