"""The registry: one row an operation that is here, and the list of all that bnns.h has.

Tests, conformance runs and the coverage tables go by it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import NoReturn


@dataclass(frozen=True)
class Operation:
    """An operation that is here.

    Attributes
    ----------
    function : str
        Its name in bnns.h and in the C face.
    overlay : str
        Its name under BNNS, "" when Swift has none.
    arguments : tuple of (str, str)
        Names and roles in C's order. Roles: axis, input, indices, output, parameters.
    in_place : bool
        Whether an output may be the very view that an input is.
    onnx : str
        The ONNX operator that does the same, "" when there is none.
    """

    function: str
    overlay: str
    arguments: tuple[tuple[str, str], ...]
    in_place: bool = False
    onnx: str = ""


OPERATIONS = (
    Operation(
        function="BNNSGather",
        overlay="gather",
        arguments=(
            ("axis", "axis"),
            ("input", "input"),
            ("indices", "indices"),
            ("output", "output"),
            ("filter_params", "parameters"),
        ),
        onnx="Gather",
    ),
)

# Functions that are here and move nothing.
QUERIES = ("BNNSNDArrayGetDataSize", "BNNSDataLayoutGetRank")

# Swift's names of functions that are planned.
OVERLAY_NAMES = {
    "scatter": "BNNSScatter",
    "gather_nd": "BNNSGatherND",
    "scatter_nd": "BNNSScatterND",
    "copy": "BNNSCopy",
    "transpose": "BNNSTranspose",
    "tile": "BNNSTile",
    "tile_backward": "BNNSTileBackward",
    "shuffle": "BNNSShuffle",
    "copy_band_part": "BNNSBandPart",
    "compare": "BNNSCompareTensor",
    "apply_matrix_multiplication": "BNNSMatMul",
    "matrix_multiplication_workspace_size": "BNNSMatMulWorkspaceSize",
    "apply_reduction": "BNNSDirectApplyReduction",
    "apply_top_k": "BNNSDirectApplyTopK",
    "apply_in_top_k": "BNNSDirectApplyInTopK",
    "apply_activation": "BNNSDirectApplyActivationBatch",
    "quantize": "BNNSDirectApplyQuantizer",
    "dequantize": "BNNSDirectApplyQuantizer",
    "clip": "BNNSClipByValue",
    "clip_by_norm": "BNNSClipByNorm",
    "clip_by_global_norm": "BNNSClipByGlobalNorm",
    "compute_norm": "BNNSComputeNorm",
    "compute_norm_backward": "BNNSComputeNormBackward",
}


@dataclass(frozen=True)
class Function:
    """A function of Apple's bnns.h: macOS versions, and the family that it belongs to."""

    name: str
    introduced: str | None
    deprecated: str | None
    family: str

    @property
    def here(self) -> bool:
        """Whether this version has it."""
        return self.name in QUERIES or any(row.function == self.name for row in OPERATIONS)


@cache
def functions() -> tuple[Function, ...]:
    """Every function of Apple's bnns.h (macOS 15), by family."""
    text = files("bnnspy").joinpath("functions.json").read_text(encoding="utf-8")
    return tuple(Function(**row) for row in json.loads(text))


def not_here_yet(name: str) -> Callable[..., NoReturn] | None:
    """What stands for a function of bnns.h that this version does not have: calling it says so.

    None for a name that is no such function, in C or in Swift.
    """
    function = OVERLAY_NAMES.get(name, name)
    if not any(row.name == function and not row.here for row in functions()):
        return None

    def planned(*_: object, **__: object) -> NoReturn:
        raise NotImplementedError(
            f"{function} is not in this version of bnnspy; the README's coverage table says what is"
        )

    planned.__name__ = planned.__qualname__ = name
    planned.__doc__ = f"{function}: not in this version of bnnspy. Calling it says so."
    return planned
