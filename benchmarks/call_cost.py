"""What a call costs beside the work it does, in nanoseconds: eight values, four indices.

Everything is measured in one process, in rounds that take each line once in a shuffled order, and
the smallest time of all rounds is printed: what the code costs when nothing else runs. NumPy's own
calls and a C function that does nothing stand beside it for scale.

    python benchmarks/call_cost.py [seconds]        by default 5 seconds
"""

from __future__ import annotations

import argparse
import platform
import random
import timeit
from pathlib import Path

import cffi
import numpy as np

import bnnspy
from bnnspy import BNNS, BNNSGather, NDArrayDescriptor, Shape
from bnnspy._bnns import lib

NUMBER = 2000  # calls in one measurement

# (heading, [(statement, target in ns or None)])
GROUPS: list[tuple[str, list[tuple[str, int | None]]]] = [
    ("the call, with descriptors that are there", [
        ("BNNSGather(0, input, indices, output, None)", 200),
        ("BNNS.gather(input=input, indices=indices, output=output, axis=0)", None),
    ]),
    ("descriptors", [
        ("NDArrayDescriptor.from_array(x)", 1500),
        ("NDArrayDescriptor(data=x, shape=vector_8)", 2000),
        ("input.data = x", 500),
    ]),
    ("all of it, from arrays to result", [
        ("BNNS.gather(input=x, indices=i, output=o, axis=0)", None),
    ]),
    ("for scale", [
        ("np.take(x, i64, out=o)", None),
        ("x.take(i64, out=o)", None),
        ("lib.bnnspy_version()  # C, through cffi; does nothing", None),
    ]),
]  # fmt: skip


def names() -> dict[str, object]:
    """What the statements speak of."""
    x = np.arange(10, 90, 10, dtype=np.float32)
    i = np.array([1, 3, 7, 5], np.int32)
    o = np.empty(4, np.float32)
    return {
        "x": x,
        "i": i,
        "i64": i.astype(np.int64),  # which NumPy need not convert
        "o": o,
        "input": NDArrayDescriptor.from_array(x),
        "indices": NDArrayDescriptor.from_array(i),
        "output": NDArrayDescriptor.from_array(o),
        "vector_8": Shape.vector(8),
        "np": np,
        "lib": lib,
        "BNNS": BNNS,
        "BNNSGather": BNNSGather,
        "NDArrayDescriptor": NDArrayDescriptor,
    }


def measure(seconds: float) -> dict[str, float]:
    """Nanoseconds of each statement, the smallest of all rounds."""
    known = names()
    timers = {
        statement: timeit.Timer(statement, globals=known)
        for _, rows in GROUPS
        for statement, _ in rows
    }
    best = dict.fromkeys(timers, float("inf"))
    order = list(timers)
    end = timeit.default_timer() + seconds
    while timeit.default_timer() < end:
        random.shuffle(order)
        for statement in order:
            time = timers[statement].timeit(NUMBER) / NUMBER * 1e9
            best[statement] = min(best[statement], time)
    return best


def processor() -> str:
    """The name of the machine's processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    found = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return found[0] if found else platform.processor() or platform.machine()


def main() -> None:
    parser = argparse.ArgumentParser(description="What a call costs, in nanoseconds.")
    parser.add_argument("seconds", nargs="?", type=float, default=5.0, help="in all (default 5)")
    seconds = parser.parse_args().seconds
    best = measure(seconds)
    print(f"{processor()}, {platform.system()}, CPython {platform.python_version()}")
    print(f"bnnspy {bnnspy.__version__}, numpy {np.__version__}, cffi {cffi.__version__}")
    print(f"nanoseconds a call, smallest of {seconds:g} s")
    for heading, rows in GROUPS:
        print(f"\n{heading}")
        for statement, target in rows:
            aim = f"   at most {target} wanted" if target else ""
            print(f"  {statement:<66}{best[statement]:>6.0f}{aim}")


if __name__ == "__main__":
    main()
