"""Scatters of float32 against every peer that is installed, a bare C loop, and memcpy of the input.

    python benchmarks/bench_scatter.py                   all cases, one thread
    python benchmarks/bench_scatter.py --threads 2       and against one thread of our own
    python benchmarks/bench_scatter.py --case "rows of 4" --quick

Peers are numpy (assignment, np.add.at) and torch (scatter_, scatter_add_, index_copy_, index_add_).
All write into the output that was there before; each contender's result is compared once before
anything is timed, and they take turns in one process. A target is a time over the fastest peer's.
"""

from __future__ import annotations

import argparse
import ctypes
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import timing
from numpy.typing import NDArray

import bnnspy
from bnnspy import ReduceFunction

try:
    import torch
except ImportError:
    torch = None  # type: ignore[assignment, unused-ignore]

Array = NDArray[Any]
ROUNDS, QUICK_ROUNDS = 9, 5
OURS, ALONE, MEMCPY = "bnnspy", "bnnspy, 1 thread", "memcpy"
LOOPS = ("bare loop", "bare loop, fetching")
NONE, SUM = ReduceFunction.None_, ReduceFunction.Sum
M = 1_000_000


@dataclass(frozen=True)
class Case:
    """`count` runs of `width` floats into an output of `bound` runs."""

    name: str
    op: ReduceFunction
    count: int
    bound: int
    width: int
    target: float

    def make(self) -> tuple[Array, Array, Array]:
        """Input, indices, output."""
        rng = np.random.default_rng(0)
        shape = () if self.width == 1 else (self.width,)
        values = rng.integers(0, 9, (self.count, *shape)).astype(np.float32)
        return values, rng.integers(0, self.bound, self.count), np.zeros((self.bound, *shape), "f4")


CASES = (
    Case("None 1e5 of 1e5", NONE, M // 10, M // 10, 1, 1.00),
    Case("None 1e6 of 1e6", NONE, M, M, 1, 1.00),
    Case("None 1e6 of 3e7", NONE, M, 30 * M, 1, 1.00),
    Case("None rows of 4, 1e6 of 1e6", NONE, M, M, 4, 0.20),
    Case("None rows of 64, 1e5 of 1e5", NONE, M // 10, M // 10, 64, 0.50),
    Case("None rows of 64, 3e5 of 1e6", NONE, 3 * M // 10, M, 64, 0.50),
    Case("None rows of 768, 2e4 of 5e4", NONE, 20_000, 50_000, 768, 0.70),
    Case("Sum 1e5 of 1e5", SUM, M // 10, M // 10, 1, 1.05),
    Case("Sum 1e6 of 1e6", SUM, M, M, 1, 1.00),
    Case("Sum 1e6 of 3e7", SUM, M, 30 * M, 1, 0.75),
    Case("Sum 1e6 of 1000", SUM, M, 1000, 1, 1.10),
    Case("Sum rows of 4, 1e6 of 1e6", SUM, M, M, 4, 0.15),
    Case("Sum rows of 64, 1e5 of 1e5", SUM, M // 10, M // 10, 64, 0.45),
    Case("Sum rows of 64, 1e5 of 1000", SUM, M // 10, 1000, 64, 0.30),
    Case("Sum rows of 64, 3e5 of 1e6", SUM, 3 * M // 10, M, 64, 0.45),
    Case("Sum rows of 768, 2e4 of 5e4", SUM, 20_000, 50_000, 768, 0.95),
)


def bare_library(folder: str) -> Any:
    """The loops of bare_scatter.c, compiled for this processor; None without a compiler."""
    library = Path(folder) / "bare_scatter.so"
    compiler = (sysconfig.get_config_var("CC") or "cc").split()
    flags = ["-std=c11", "-O3", "-march=native", "-shared", "-fPIC"]
    source = Path(__file__).with_name("bare_scatter.c")
    try:
        subprocess.run([*compiler, *flags, str(source), "-o", str(library)], check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return ctypes.CDLL(str(library))


def ours(case: Case, values: Array, indices: Array, output: Array, threads: int) -> Any:
    """BNNSScatter over descriptors that are built once."""
    made = [bnnspy.NDArrayDescriptor.from_array(one) for one in (values, indices, output)]
    parameters = bnnspy.FilterParameters(n_threads=threads)
    return partial(bnnspy.BNNSScatter, 0, case.op, *made, parameters)


def peers(case: Case, values: Array, indices: Array, output: Array) -> dict[str, Any]:
    """The peers that can do a case."""
    calls: dict[str, Any] = {}
    if case.op == NONE:
        calls["numpy"] = partial(output.__setitem__, indices, values)
    elif case.width == 1:
        calls["np.add.at"] = partial(np.add.at, output, indices, values)
    if torch is None:
        return calls
    x, where, out = (torch.from_numpy(one) for one in (values, indices, output))
    if case.op == NONE:
        calls["torch index_copy_"] = partial(out.index_copy_, 0, where, x)
    else:
        calls["torch index_add_"] = partial(out.index_add_, 0, where, x)
    if case.width == 1:
        scatter = out.scatter_ if case.op == NONE else out.scatter_add_
        calls["torch scatter"] = partial(scatter, 0, where, x)
    return calls


def loops(case: Case, values: Array, indices: Array, output: Array, library: Any) -> dict[str, Any]:
    """The bare loops."""
    name = "put" if case.op == NONE else "add"
    pointers = [ctypes.c_void_p(one.ctypes.data) for one in (output, values, indices)]
    sizes = [ctypes.c_size_t(case.count), ctypes.c_size_t(case.width)]
    functions = getattr(library, name), getattr(library, f"{name}_fetching")
    return {
        loop: partial(function, *pointers, *sizes)
        for loop, function in zip(LOOPS, functions, strict=True)
    }


def contenders(
    case: Case, arrays: tuple[Array, Array, Array], threads: int, library: Any
) -> dict[str, Callable[[], Any]]:
    """Every contender whose result is right; the peers that scatter in another order are not."""
    values, indices, output = arrays
    calls = {OURS: ours(case, *arrays, threads)}
    if threads > 1:
        calls[ALONE] = ours(case, *arrays, 1)
    calls |= peers(case, *arrays)
    if library is not None:
        calls |= loops(case, *arrays, library)
    if torch is not None:
        torch.set_num_threads(threads)
    expected = np.zeros_like(output)
    if case.op == NONE:
        last = np.full(case.bound, -1)
        last[indices] = np.arange(case.count)
        expected[last >= 0] = values[last[last >= 0]]
    else:  # small whole numbers: the order does not matter
        order = np.argsort(indices, kind="stable")
        starts = np.flatnonzero(np.diff(indices[order], prepend=-1))
        expected[indices[order][starts]] = np.add.reduceat(values[order], starts, 0)
    right = {}
    for name, call in calls.items():
        output[...] = 0
        call()
        if np.array_equal(output, expected):
            right[name] = call
        elif name in (OURS, ALONE):
            sys.exit(f"{case.name}: bnnspy is wrong")
    copy = np.empty_like(values)
    right[MEMCPY] = partial(np.copyto, copy, values)
    return right


def line(case: Case, seconds: dict[str, float]) -> str:
    """A row of the table."""
    others = {k: v for k, v in seconds.items() if k not in (OURS, ALONE, MEMCPY, *LOOPS)}
    best = min(others, key=others.__getitem__)
    bare = [seconds[name] for name in LOOPS if name in seconds]
    mine = seconds[OURS]
    cells = [
        case.name,
        f"{mine * 1e6:.0f} us",
        f"{mine / seconds[MEMCPY]:.2f}",
        f"{mine / others[best]:.2f} ({best})",
        f"{mine / min(bare):.2f}" if bare else "-",
        f"{case.target:.2f}",
    ]
    if ALONE in seconds:
        cells.append(f"{seconds[ALONE] / mine:.2f}")
    return "| " + " | ".join(cells) + " |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--case", action="append", help="cases whose name has this in it")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_ROUNDS} rounds, not {ROUNDS}")
    options = parser.parse_args()
    wanted = options.case or [""]
    cases = [case for case in CASES if any(part in case.name for part in wanted)]
    if not cases:
        sys.exit(f"no case has {' or '.join(wanted)} in its name")
    head = ["case", "time", "x memcpy", "x best peer", "x bare loop", "target"]
    head += ["x one thread"] if options.threads > 1 else []
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    with tempfile.TemporaryDirectory() as folder:
        library = bare_library(folder)
        for case in cases:
            calls = contenders(case, case.make(), options.threads, library)
            number = QUICK_ROUNDS if options.quick else ROUNDS
            samples = list(timing.rounds(calls, number, options.threads))
            print(line(case, timing.medians(samples)), flush=True)


if __name__ == "__main__":
    main()
