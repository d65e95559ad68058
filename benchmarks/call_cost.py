"""What a call costs beside the work it does, in nanoseconds: eight values, four indices.

The last column is in from_array's of the same run: machines differ more than ratios do. Whoever
makes descriptors has at most 5 to pay for it, and the move of a pointer at most twice `data = x`.

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
FROM_ARRAY = "NDArrayDescriptor.from_array(x)"

# (heading, [(statement, target in ns or None)])
GROUPS: list[tuple[str, list[tuple[str, int | None]]]] = [
    ("the call, with descriptors that are there", [
        ("BNNSGather(0, input, indices, output, None)", 200),
        ("BNNS.gather(input=input, indices=indices, output=output, axis=0)", None),
    ]),
    ("descriptors", [
        (FROM_ARRAY, 1500),
        ("NDArrayDescriptor(data=x, shape=vector_8)", 2000),
        ("input.data = x", 500),
        ("raw.address = address", None),
    ]),
    ("Swift's way: memory of their own, and a copy of it", [
        ("NDArrayDescriptor.allocate(initializing_from=values, shape=vector_8)", None),
        ("NDArrayDescriptor.allocate(initializing_from=x, shape=vector_8)", None),
        ("NDArrayDescriptor.allocate(repeating=0.0, shape=vector_8)", None),
        ("NDArrayDescriptor.allocate(random_in=(0, 255), shape=vector_8)", None),
        ("NDArrayDescriptor.allocate(random_in=(0.0, 1.0), shape=vector_8)", None),
        ("NDArrayDescriptor.allocate_uninitialized(scalar_type=np.float32, shape=vector_8)", None),
        ("input.make_array()", None),
        ("Shape.vector(8)", None),
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
    vector_8 = Shape.vector(8)
    address = x.ctypes.data
    return {
        "x": x,
        "values": x.tolist(),
        "address": address,
        "raw": NDArrayDescriptor.from_address(
            address, nbytes=x.nbytes, shape=vector_8, scalar_type=x.dtype, owner=x
        ),
        "i": i,
        "i64": i.astype(np.int64),  # which NumPy need not convert
        "o": o,
        "input": NDArrayDescriptor.from_array(x),
        "indices": NDArrayDescriptor.from_array(i),
        "output": NDArrayDescriptor.from_array(o),
        "vector_8": vector_8,
        "Shape": Shape,
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
    print(f"nanoseconds a call, smallest of {seconds:g} s, and in from_array's")
    for heading, rows in GROUPS:
        print(f"\n{heading}")
        for statement, target in rows:
            aim = f"   at most {target} wanted" if target else ""
            ratio = best[statement] / best[FROM_ARRAY]
            print(f"  {statement:<82}{best[statement]:>6.0f}{ratio:>6.1f}{aim}")


if __name__ == "__main__":
    main()
