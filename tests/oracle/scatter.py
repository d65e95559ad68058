"""BNNSScatter: its oracle and its sample."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from oracle.base import (
    Outcome,
    Refused,
    Tensor,
    View,
    coordinate,
    first_bad,
    integers,
    oracle,
    places,
    require,
)
from oracle.indexed import SUM, check_memory, check_tensors, check_whole_bytes, combined, touched


def check_shapes(axis: int, views: dict[str, View]) -> None:
    """Refuses an axis that is not there, and sizes that do not fit each other."""
    source, index, out = (views[name].size for name in ("input", "indices", "output"))
    require(axis < len(out), "axis")
    require(len(out) == len(source), "shape", -1003)
    away = [k for k in range(len(source)) if k != axis]
    require(all(out[k] == source[k] for k in away), "shape", -1003)
    require(index == ((source[axis],) if len(index) == 1 else source), "shape", -1003)


def sample(rank: int) -> dict[str, Any]:
    """Along the last axis, as many as there are, so that output and input have one shape."""
    values = np.arange(1, 3**rank + 1, dtype=np.float32).reshape((3,) * rank)
    return {
        "axis": rank - 1,
        "op": SUM,
        "input": values,
        "indices": np.array([2, 0, 2], np.int32),
        "output": values[::-1] * 100,
    }


@oracle("BNNSScatter", sample)
def scatter(axis: int, op: int, input: Tensor, indices: Tensor, output: Tensor) -> Outcome:
    """BNNSScatter."""
    tensors = {"input": input, "indices": indices, "output": output}
    before = None if output.memory is None else output.memory.copy()
    try:
        views = check_tensors(tensors, op)
        check_shapes(axis, views)
        check_memory(tensors, views)
        source, out = views["input"], views["output"]
        strides = tuple(0 if k == axis else s for k, s in enumerate(out.stride))
        start = places(View(source.size, strides, out.start, source.count, 0))
        label = np.arange(source.count).reshape(source.size)
        if len(views["indices"].size) == 1:
            label = coordinate(source, axis)
        step = out.stride[axis] if out.size[axis] > 1 else 0
        if out.count:
            check_whole_bytes(input.bits, source, start, label, [step])
    except Refused as refusal:
        return Outcome(refusal.status, refusal.reason, before, None)
    none = np.empty(views["indices"].size, np.int64)
    values = integers(indices) if views["indices"].count else none
    bad = first_bad(values, out.size[axis])
    if bad is not None:
        return Outcome(-1005, "index", before, None, bad)
    if source.count == 0 or out.count == 0:
        return Outcome(0, "", before, None)
    if values.ndim == 1:
        values = values.reshape(coordinate(source, axis).shape)
    target = start + values.astype(np.int64) * out.stride[axis]

    def slices() -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        for k in range(source.size[axis]):
            yield target.take(k, axis), places(source).take(k, axis)

    assert before is not None
    assert input.memory is not None
    after = combined(op, output.data_type, before, input.memory, slices())
    return Outcome(0, "", after, touched(before, out, output.bits))
