"""Who is measured: bnnspy, the peers that are installed, and for scale loops that check nothing and
memcpy of the output.

Each contender is a call without arguments that fills one preallocated output. A peer that can't do
a case (a type, a kind of index) is left out of that case.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import bare
import numpy as np
import onnx_model
from cases import Case
from numpy.typing import NDArray

import bnnspy

try:
    import torch
except ImportError:
    torch = None  # type: ignore[assignment, unused-ignore]
try:
    import onnxruntime
except ImportError:
    onnxruntime = None

Call = Callable[[], Any]

OURS = "bnnspy"
OURS_ALONE = "bnnspy, 1 thread"
MEMCPY = "memcpy"
RAISES = ("np.take", "x.take", "np.take_along_axis")
CLIPS = ("np.take clip", "x.take clip")  # do not check: a bad index becomes the nearest good one


def checks(name: str) -> bool:
    """Whether a contender is a peer that reports a bad index."""
    return name not in (OURS, OURS_ALONE, MEMCPY, *CLIPS, *bare.NAMES)


def versions() -> dict[str, str]:
    """The version of each package that takes part."""
    found = {"bnnspy": bnnspy.__version__, "numpy": np.__version__}
    if torch is not None:
        found["torch"] = torch.__version__
    if onnxruntime is not None:
        found["onnxruntime"] = onnxruntime.__version__
    return found


def bnns_view(array: NDArray[Any]) -> NDArray[Any]:
    """The array as a type that BNNS has: float64 and complex128 as UInt64 words, bits unchanged."""
    if array.dtype == np.float64:
        return array.view(np.uint64)
    if array.dtype == np.complex128:
        return array.view(np.uint64).reshape(*array.shape, 2)
    return array


def bnns(
    case: Case, table: NDArray[Any], indices: NDArray[Any], output: NDArray[Any], threads: int
) -> Call:
    """BNNSGather over descriptors that are built once."""
    descriptors = [
        bnnspy.NDArrayDescriptor.from_array(bnns_view(array)) for array in (table, output)
    ]
    where = bnnspy.NDArrayDescriptor.from_array(indices)
    parameters = bnnspy.FilterParameters(n_threads=threads)
    return partial(bnnspy.BNNSGather, case.axis, descriptors[0], where, descriptors[1], parameters)


def numpy_calls(
    case: Case, table: NDArray[Any], indices: NDArray[Any], output: NDArray[Any]
) -> dict[str, Call]:
    """NumPy's take as function and as method, with its two ways to treat a bad index."""
    if case.elementwise:
        # It has no out=, so it pays for new memory too.
        return {"np.take_along_axis": partial(np.take_along_axis, table, indices, case.axis)}
    return {
        "np.take": partial(np.take, table, indices, case.axis, output),
        "x.take": partial(table.take, indices, case.axis, output),
        CLIPS[0]: partial(np.take, table, indices, case.axis, output, "clip"),
        CLIPS[1]: partial(table.take, indices, case.axis, output, "clip"),
    }


def torch_calls(
    case: Case, table: NDArray[Any], indices: NDArray[Any], output: NDArray[Any], threads: int
) -> dict[str, Call]:
    """torch.index_select and torch.gather, where their shapes allow."""
    torch.set_num_threads(threads)
    x, where, out = (torch.from_numpy(array) for array in (table, indices, output))
    calls: dict[str, Call] = {}
    if not case.elementwise:
        calls["torch.index_select"] = partial(torch.index_select, x, case.axis, where, out=out)
    if case.elementwise or table.ndim == 1:
        calls["torch.gather"] = partial(torch.gather, x, case.axis, where, out=out)
    return calls


def onnxruntime_calls(
    case: Case, table: NDArray[Any], indices: NDArray[Any], output: NDArray[Any], threads: int
) -> dict[str, Call]:
    """onnxruntime's Gather and GatherElements on bound memory."""
    calls: dict[str, Call] = {}
    if case.dtype not in onnx_model.ELEMENT_TYPES:
        return calls
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    operators = [] if case.elementwise else ["Gather"]
    if case.elementwise or table.ndim == 1:
        operators.append("GatherElements")
    arrays = {"data": table, "indices": indices, "output": output}
    for operator in operators:
        model = onnx_model.gather_model(
            operator,
            case.axis,
            case.dtype,
            case.index_dtype,
            (table.shape, indices.shape, output.shape),
        )
        session = onnxruntime.InferenceSession(model, options, ["CPUExecutionProvider"])
        binding = session.io_binding()
        for name, array in arrays.items():
            bind = binding.bind_output if name == "output" else binding.bind_input
            bind(name, "cpu", 0, array.dtype, array.shape, array.ctypes.data)
        # The session has to outlive its binding.
        calls[f"ORT {operator}"] = partial(session.run_with_iobinding, binding)
    return calls


def contenders(
    case: Case, table: NDArray[Any], indices: NDArray[Any], output: NDArray[Any], threads: int
) -> dict[str, Call]:
    """Every contender of a case, in no particular order; those that fail are left out."""
    calls = {OURS: bnns(case, table, indices, output, threads)}
    if threads > 1:
        calls[OURS_ALONE] = bnns(case, table, indices, output, 1)
    calls |= numpy_calls(case, table, indices, output)
    if torch is not None:
        calls |= torch_calls(case, table, indices, output, threads)
    if onnxruntime is not None:
        calls |= onnxruntime_calls(case, table, indices, output, threads)
    if threads == 1:
        calls |= bare.calls(case, table, indices, output)
    wanted = expected(case, table, indices)
    calls = {name: call for name, call in calls.items() if agrees(name, call, output, wanted)}
    calls[MEMCPY] = partial(np.copyto, output, wanted)
    return calls


def expected(case: Case, table: NDArray[Any], indices: NDArray[Any]) -> NDArray[Any]:
    """What a gather has to give."""
    if case.elementwise:
        return np.take_along_axis(table, indices, case.axis)
    return np.take(table, indices, case.axis)


def agrees(name: str, call: Call, output: NDArray[Any], wanted: NDArray[Any]) -> bool:
    """Whether the contender does the case at all; a wrong result is an error."""
    output.fill(0)
    try:
        result = call()
    except (RuntimeError, NotImplementedError, TypeError):
        return False
    if not np.array_equal(result if isinstance(result, np.ndarray) else output, wanted):
        raise AssertionError(f"{name} has another result than NumPy")
    return True
