"""ONNX's Gather beside BNNSGather on the same gathers: signed indices with wrap cost no more.

    python benchmarks/onnx_gather.py [seconds for each case]

Times are medians of this thread's CPU time, from rounds that take each way once in a shuffled
order; results are compared before anything is measured. Half of the indices that the ONNX columns
get are negative. "BNNS" has its descriptors ready.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import numpy as np
from cases import CASES, Case

import bnnspy.onnx as bonnx
from bnnspy import BNNSGather, NDArrayDescriptor, command_line

WAYS = ("BNNS", "ONNX", "ONNX, half negative", "numpy.take")
GROUPS = ("B 1e3", "B 1e6", "C 4096", "C 1e6 rows of 4", "D", "E", "F 1e6", "G")
SHOWN = [case for case in CASES if case.name.startswith(GROUPS)]


def ways_of(case: Case) -> dict[str, Callable[[], object]]:
    """The calls, each into a buffer of its own; they are run once and compared."""
    data, indices, output = case.make()
    n = data.shape[case.axis]
    negative = indices.copy()
    negative[..., ::2] -= np.asarray(n, indices.dtype)
    # Each way has indices of its own: those of another would be in the cache, or out of it.
    mine, theirs = indices.copy(), indices.copy()
    outputs = [np.zeros_like(output) for _ in WAYS]
    i, x, o = map(NDArrayDescriptor.from_array, (data, indices, outputs[0]))
    ours = bonnx.gather_elements if case.elementwise else bonnx.gather
    axis = case.axis

    def by_numpy() -> object:
        if case.elementwise:
            return np.copyto(outputs[3], np.take_along_axis(data, theirs, axis))
        return np.take(data, theirs, axis, outputs[3])

    calls = (
        lambda: BNNSGather(axis, i, x, o),
        lambda: ours(data, mine, axis, out=outputs[1]),
        lambda: ours(data, negative, axis, out=outputs[2]),
        by_numpy,
    )
    for call in calls:
        call()
    for other in outputs[1:]:
        assert outputs[0].tobytes() == other.tobytes()
    return dict(zip(WAYS, calls, strict=True))


def measure(ways: dict[str, Callable[[], object]], seconds: float) -> dict[str, float]:
    """Median seconds of each call."""
    times: dict[str, list[float]] = {name: [] for name in ways}
    end = time.monotonic() + seconds
    order = list(ways)
    while time.monotonic() < end or len(times[order[0]]) < 3:
        random.shuffle(order)
        for name in order:
            begin = time.thread_time()
            ways[name]()
            times[name].append(time.thread_time() - begin)
    return {name: median(taken) for name, taken in times.items()}


def main(seconds: float) -> None:
    """Prints a row for each case."""
    print(f"{'microseconds':<28}" + "".join(f"{name:>22}" for name in WAYS))
    for case in SHOWN:
        taken = measure(ways_of(case), seconds)
        print(f"{case.name:<28}" + "".join(f"{taken[name] * 1e6:>22.1f}" for name in WAYS))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="What ONNX's two gathers cost beside others.")
    parser.add_argument("seconds", nargs="?", type=float, default=1.0, help="a case (default 1)")
    given = parser.parse_args().seconds
    sys.exit(command_line.run(lambda: main(given), [Path(__file__).name]))
