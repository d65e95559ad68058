"""BNNSGather: its oracle and its sample."""

from __future__ import annotations

from typing import Any

import numpy as np

from oracle.base import (
    BITS,
    INDEX_DTYPES,
    Outcome,
    Refused,
    Tensor,
    View,
    axes_of,
    bits_at,
    bytes_of,
    coordinate,
    first_bad,
    integers,
    looks_empty,
    oracle,
    places,
    require,
    unpacked,
    view,
)


def check_fields(tensors: dict[str, Tensor]) -> dict[str, View]:
    """Refuses what can be told of each tensor alone; else the views."""
    require(all(tensor.live for tensor in tensors.values()), "live")
    needed = ["indices"] if looks_empty(tensors["output"]) else ["input", "indices", "output"]
    for name in needed:
        tensor = tensors[name]
        unread = name == "indices" and looks_empty(tensor)
        require(unread or tensor.memory is not None, "data")
    require(all(tensor.data_type in BITS for tensor in tensors.values()), "type")
    require(tensors["indices"].data_type in INDEX_DTYPES, "type")
    require(tensors["input"].data_type == tensors["output"].data_type, "type")
    for tensor in tensors.values():
        axes_of(tensor)
    return {name: view(tensor) for name, tensor in tensors.items()}


def check_shapes(axis: int, views: dict[str, View]) -> None:
    """Refuses an axis that is not there, and sizes that do not fit each other."""
    source, index, out = (views[name].size for name in ("input", "indices", "output"))
    require(axis < len(source), "axis")
    require(len(out) == len(source), "shape", -1003)
    away = [k for k in range(len(source)) if k != axis]
    require(all(out[k] == source[k] for k in away), "shape", -1003)
    if len(index) == 1:
        require(index[0] == out[axis], "shape", -1003)
    else:
        require(index == out, "shape", -1003)


def check_whole_bytes(axis: int, tensors: dict[str, Tensor], views: dict[str, View]) -> None:
    """Refuses packed elements unless what one index moves is whole bytes, whatever its value."""
    bits = tensors["input"].bits
    source, out = views["input"], views["output"]
    if bits % 8 == 0 or out.count == 0:
        return
    require(source.size[axis] <= 1 or source.stride[axis] * bits % 8 == 0, "whole bytes")
    label = np.arange(out.count).reshape(out.size)  # which elements one index moves
    if len(views["indices"].size) == 1:
        label = np.broadcast_to(coordinate(out, axis), out.size)
    for k, stride in enumerate(out.stride):
        if stride < 0:  # elements along a turned axis never move as one
            label = label * out.size[k] + coordinate(out, k)
    strides = tuple(0 if k == axis else s for k, s in enumerate(source.stride))
    origin = places(View(out.size, strides, source.start, out.count, 0))
    target = bits_at(places(out), bits).ravel()
    require(target.size % 8 == 0, "whole bytes")
    order = np.argsort(target, kind="stable")
    eights = [
        table.ravel()[order].reshape(-1, 8)
        for table in (target, bits_at(origin, bits), np.repeat(label.ravel(), bits))
    ]
    for table in eights[:2]:
        require(bool(np.all(table == table[:, :1] // 8 * 8 + np.arange(8))), "whole bytes")
    require(bool(np.all(eights[2] == eights[2][:, :1])), "whole bytes")


def check_memory(tensors: dict[str, Tensor], views: dict[str, View]) -> None:
    """Refuses memory that is too short, read-only, or has two uses."""
    for name, tensor in tensors.items():
        v = views[name]
        if v.count == 0 or (name == "input" and views["output"].count == 0):
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


def sample(rank: int) -> dict[str, Any]:
    """Along the last axis, as many as there are, so that output and input have one shape."""
    values = np.arange(1, 3**rank + 1, dtype=np.float32).reshape((3,) * rank)
    return {
        "axis": rank - 1,
        "input": values,
        "indices": np.array([2, 0, 2], np.int32),
        "output": np.zeros_like(values),
    }


@oracle("BNNSGather", sample)
def gather(axis: int, input: Tensor, indices: Tensor, output: Tensor) -> Outcome:
    """BNNSGather."""
    tensors = {"input": input, "indices": indices, "output": output}
    before = None if output.memory is None else output.memory.copy()
    try:
        views = check_fields(tensors)
        check_shapes(axis, views)
        check_memory(tensors, views)
        check_whole_bytes(axis, tensors, views)
    except Refused as refusal:
        return Outcome(refusal.status, refusal.reason, before, None)
    source, out = views["input"], views["output"]
    none = np.empty(views["indices"].size, np.int64)
    values = integers(indices) if views["indices"].count else none
    bad = first_bad(values, source.size[axis])
    if bad is not None:
        return Outcome(-1005, "index", before, None, bad)
    if out.count == 0:
        return Outcome(0, "", before, None)
    if values.ndim == 1:
        values = values.reshape(coordinate(out, axis).shape)
    strides = tuple(0 if k == axis else s for k, s in enumerate(source.stride))
    origin = places(View(out.size, strides, source.start, out.count, 0))
    origin = origin + values.astype(np.int64) * source.stride[axis]
    assert before is not None
    assert input.memory is not None
    after, target = unpacked(before), bits_at(places(out), output.bits)
    after[target] = unpacked(input.memory)[bits_at(origin, input.bits)]
    changed = np.zeros(before.size, np.bool_)
    changed[target // 8] = True
    return Outcome(0, "", np.packbits(after, bitorder="little"), changed)
