"""The functions that only rearrange, against every peer that is installed.

    python benchmarks/bench_copy.py                      all cases, one thread
    python benchmarks/bench_copy.py --case "4096" --rounds 5
    python benchmarks/bench_copy.py --threads 2          and against one thread of our own

Peers are numpy, torch and onnxruntime, each with the operation that gives the same result into an
output that exists before; memcpy of the output stands beside. Results are compared before they are
timed, and contenders take turns in one process. "limit" stands where a target is missed by a call
that takes no longer than twice a bare copy.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import onnx_model
import timing
from numpy.typing import NDArray
from peers import MEMCPY, OURS, OURS_ALONE, onnxruntime, torch, versions

import bnnspy

Call = Callable[[], Any]
Array = NDArray[Any]

NEAR = 1.15  # met within so much: other programs share the machine
INTEGERS = 7  # AttributeProto.type of a list of integers


@dataclass(frozen=True)
class Case:
    """A transposition.

    Attributes
    ----------
    name : str
    shape : tuple of int
        Of the input.
    axes : tuple of int
        The two that are exchanged.
    dtype : NumPy type name
    target : float
        Time over that of the fastest peer: the figure this project goes for.
    """

    name: str
    shape: tuple[int, ...]
    axes: tuple[int, int]
    dtype: str
    target: float

    def small(self, limit: int = 40) -> Case:
        """The same with no size above `limit`."""
        shape = tuple(min(n, limit) for n in self.shape)
        return Case(self.name, shape, self.axes, self.dtype, self.target)

    def order(self) -> list[int]:
        """The axis of the input that each axis of the output is."""
        order = list(range(len(self.shape)))
        order[self.axes[0]], order[self.axes[1]] = order[self.axes[1]], order[self.axes[0]]
        return order

    def make(self, seed: int = 0) -> tuple[Array, Array]:
        """An input, and an output to be filled."""
        rng = np.random.default_rng(seed)
        values = rng.integers(0, 100, self.shape, dtype=np.uint8).astype(self.dtype)
        return values, np.zeros(np.swapaxes(values, *self.axes).shape, self.dtype)


def of_types(
    name: str, shape: tuple[int, ...], axes: tuple[int, int], **targets: float
) -> list[Case]:
    """A case for each type, with its target."""
    return [Case(f"{name} {kind}", shape, axes, kind, at) for kind, at in targets.items()]


PIXELS = 224 * 224

BATCHES = (8, 64, 56, 56)
SQUARES = {
    64: {"float32": 0.50, "float16": 0.40, "uint8": 0.35, "int64": 0.85},
    1000: {"float32": 0.65, "float16": 0.40, "uint8": 0.42, "int64": 0.95},
    4096: {"float32": 0.50, "float16": 0.35, "uint8": 0.40, "int64": 0.50},
}

CASES = (
    *(
        case
        for n, targets in SQUARES.items()
        for case in of_types(f"{n}x{n}", (n, n), (0, 1), **targets)
    ),
    *of_types(
        "4000x4001", (4000, 4001), (0, 1), float32=0.60, float16=0.40, uint8=0.42, int64=0.55
    ),
    *of_types("CHW to HWC", (3, PIXELS), (0, 1), float32=0.30, float16=0.25, uint8=0.10),
    *of_types("HWC to CHW", (PIXELS, 3), (0, 1), float32=0.42, float16=0.35, uint8=0.20),
    *of_types("batches, axes 1 3", BATCHES, (1, 3), float32=0.50, float16=0.25, uint8=0.20),
    *of_types("batches, axes 1 2", BATCHES, (1, 2), float32=1.0, uint8=1.0),
)


# --- who is measured ------------------------------------------------------------------------------


def bnns(case: Case, values: Array, output: Array, threads: int) -> Call:
    """BNNSTranspose over descriptors that are built once."""
    dest, src = (bnnspy.NDArrayDescriptor.from_array(array) for array in (output, values))
    parameters = bnnspy.FilterParameters(n_threads=threads)
    return partial(bnnspy.BNNSTranspose, dest, src, *case.axes, parameters)


def onnx_call(case: Case, values: Array, output: Array, threads: int) -> Call:
    """onnxruntime's Transpose on bound memory."""
    kind = onnx_model.ELEMENT_TYPES[case.dtype]
    field, tensor = onnx_model.field, onnx_model.tensor
    order = b"".join(field(8, axis) for axis in case.order())
    attribute = field(1, "perm") + order + field(20, INTEGERS)
    node = field(1, "data") + field(2, "output") + field(4, "Transpose") + field(5, attribute)
    graph = field(1, node) + field(2, "transpose")
    graph += field(11, tensor("data", kind, values.shape))
    graph += field(12, tensor("output", kind, output.shape))
    model = field(1, 8) + field(7, graph) + field(8, field(1, "") + field(2, 13))
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    options.log_severity_level = 4
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    session = onnxruntime.InferenceSession(model, options, ["CPUExecutionProvider"])
    binding = session.io_binding()
    binding.bind_input("data", "cpu", 0, values.dtype, values.shape, values.ctypes.data)
    binding.bind_output("output", "cpu", 0, output.dtype, output.shape, output.ctypes.data)
    # The session has to outlive its binding.
    return partial(session.run_with_iobinding, binding)


def contenders(case: Case, values: Array, output: Array, threads: int) -> dict[str, Call]:
    """Every contender of a case; a wrong result is an error."""
    wanted = np.ascontiguousarray(np.swapaxes(values, *case.axes))
    calls = {OURS: bnns(case, values, output, threads)}
    if threads > 1:
        calls[OURS_ALONE] = bnns(case, values, output, 1)
    calls["np.copyto"] = partial(np.copyto, output, np.swapaxes(values, *case.axes))
    if torch is not None:
        torch.set_num_threads(threads)
        x, out = torch.from_numpy(values), torch.from_numpy(output)
        calls["torch copy_"] = partial(out.copy_, x.transpose(*case.axes))
    if onnxruntime is not None:
        calls["ORT Transpose"] = onnx_call(case, values, output, threads)
    for name, call in calls.items():
        output.fill(0)
        call()
        if not np.array_equal(output, wanted):
            raise AssertionError(f"{name} has another result than NumPy")
    return calls | {MEMCPY: partial(np.copyto, output, wanted)}


# --- measuring ------------------------------------------------------------------------------------


def line(case: Case, seconds: dict[str, float]) -> str:
    """The figures of a case, as a row of a Markdown table."""
    ours, copy = seconds[OURS], seconds[MEMCPY]
    peers = {k: t for k, t in seconds.items() if k not in (OURS, OURS_ALONE, MEMCPY)}
    best = min(peers, key=peers.__getitem__)
    ratio = ours / peers[best]
    met = "yes" if ratio <= case.target * NEAR else "limit" if ours <= 2 * copy else "no"
    alone = f" {seconds[OURS_ALONE] / ours:.2f} |" if OURS_ALONE in seconds else ""
    return (
        f"| {case.name:32} | {ours * 1e6:10.2f} us | {ours / copy:6.2f} | "
        f"{ratio:5.2f} ({best}) | {case.target:.2f} | {met} |{alone}"
    )


def measure(case: Case, threads: int, rounds: int) -> str:
    """Makes a case's data, compares all results, and times."""
    calls = contenders(case, *case.make(), threads)
    return line(case, timing.medians(list(timing.rounds(calls, rounds, threads))))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--case", action="append", help="cases whose name has this in it")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args()
    wanted = options.case or [""]
    cases = [case for case in CASES if any(part in case.name for part in wanted)]
    if not cases:
        sys.exit(f"no case has {' or '.join(wanted)} in its name")
    print(", ".join(f"{name} {version}" for name, version in versions().items()))
    print("| case | time | x memcpy | x best peer | target | met |")
    print("|---|---:|---:|---:|---:|---|")
    for case in cases:
        print(measure(case, options.threads, options.rounds), flush=True)


if __name__ == "__main__":
    main()
