"""The registry: one row an operation that is here, and the list of all that bnns.h has.

Tests, conformance runs and the coverage tables go by it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import NoReturn

# What an argument is, which says how the faces take it and how a described call spells it.
KINDS = (
    "tensor",  # BNNSNDArrayDescriptor *
    "size",  # size_t, or another integer
    "real",  # float or double
    "enum",  # one of bnns_constants.h; `type` names it, less its prefix
    "struct",  # a pointer to a parameter block; `type` names it, and `fields` says what is in it
    "handle",  # a pointer that a creator returned
    "buffer",  # a pointer to memory that is no tensor
    "parameters",  # BNNSFilterParameters *
)

# What a tensor is to a call. "update" is written in part: what is not named keeps its bytes.
READ = frozenset({"input", "indices", "weights"})
WRITTEN = frozenset({"output", "update"})


@dataclass(frozen=True)
class Argument:
    """One argument of a function of bnns.h, or one field of its parameter block.

    Attributes
    ----------
    name : str
        In C, and in the C face.
    kind : str
        One of KINDS.
    role : str
        What it is to the operation. Of tensors: one of READ or WRITTEN. Of others: "axis" for a
        number that counts a tensor's axes, "" for what has no part in any rule.
    label : str or None
        Swift's label in snake_case; "" where Swift has none, so that the overlay takes it by
        position; None where Swift does not have the argument.
    optional : bool
        Whether NULL is a value of it, or, of what is no pointer, Swift has a form without it.
    type : str
        The enum's or the block's name, less `BNNS`.
    fields : tuple of Argument
        Those of a block that decide what the call does.
    """

    name: str
    kind: str
    role: str = ""
    label: str | None = None
    optional: bool = False
    type: str = ""
    fields: tuple[Argument, ...] = ()


def tensor(name: str, role: str, label: str | None = None, *, optional: bool = False) -> Argument:
    """A descriptor; by default Swift's label is the name."""
    return Argument(name, "tensor", role, name if label is None else label, optional)


def size(name: str, role: str = "", label: str | None = None) -> Argument:
    """A number; by default Swift's label is the name."""
    return Argument(name, "size", role, name if label is None else label)


def reduction(name: str) -> Argument:
    """What values are combined by; Swift has forms without it, which overwrite."""
    return Argument(name, "enum", "", "reduction_function", optional=True, type="ReduceFunction")


PARAMETERS = Argument("filter_params", "parameters", label="filter_parameters", optional=True)


@dataclass(frozen=True)
class Operation:
    """All that is special about a function that is here. Everything that goes by function reads it.

    Attributes
    ----------
    function : str
        Its name in bnns.h and in the C face.
    arguments : tuple of Argument
        In C's order.
    overlay : str
        Its name under BNNS, "" when Swift has none.
    returns : str
        "status"; "number" for a question, which can't fail and records no error.
    in_place : bool
        Whether an output may be the very view that an input is.
    only_minus_one : bool
        Whether every failure is -1, because Apple documents that it is.
    default_door : bool
        Whether there is a second bounded function that has no filter parameters, for speed.
    onnx : tuple of str
        The ONNX operators that move the same way.
    seen_types : tuple of (role, tuple of str)
        The types that Apple's examples or recorded calls have for tensors of a role.
    """

    function: str
    arguments: tuple[Argument, ...]
    overlay: str = ""
    returns: str = "status"
    in_place: bool = False
    only_minus_one: bool = False
    default_door: bool = False
    onnx: tuple[str, ...] = ()
    seen_types: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def each(self) -> Iterator[Argument]:
        """Every argument, a block's fields in its place."""
        for argument in self.arguments:
            yield from argument.fields or (argument,)

    def tensors(self, roles: Collection[str] = READ | WRITTEN) -> tuple[Argument, ...]:
        """The tensors with one of these roles."""
        return tuple(a for a in self.each() if a.kind == "tensor" and a.role in roles)

    def numbers(self) -> tuple[Argument, ...]:
        """The arguments that are numbers, enums included."""
        return tuple(a for a in self.each() if a.kind in ("size", "real", "enum"))

    def codes(self) -> list[str]:
        """The names of the arguments that are constants of an enum."""
        return [a.name for a in self.each() if a.kind == "enum"]

    def named(self, roles: Collection[str]) -> list[str]:
        """The names of the arguments with one of these roles."""
        return [a.name for a in self.each() if a.role in roles]

    @property
    def takes_parameters(self) -> bool:
        """Whether it has BNNSFilterParameters."""
        return PARAMETERS in self.arguments

    @property
    def door(self) -> str:
        """The bounded function of bnnspy.h that the faces call."""
        words = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", self.function.removeprefix("BNNS"))
        return f"bnnspy_{words.lower()}"


# Every type that AppleAccelerate.jl's tests move.
MEASURED_BY_JULIA = (
    *("Float16", "Float32", "Boolean"),
    *(f"{sign}Int{bits}" for sign in ("", "U") for bits in (8, 16, 32, 64)),
)

OPERATIONS = (
    Operation(
        "BNNSGather",
        (
            size("axis", "axis"),
            tensor("input", "input"),
            tensor("indices", "indices"),
            tensor("output", "output"),
            PARAMETERS,
        ),
        overlay="gather",
        default_door=True,
        onnx=("Gather", "GatherElements"),
        seen_types=(("input", ("Float32",)), ("indices", ("Int32",))),
    ),
    Operation(
        "BNNSScatter",
        (
            size("axis", "axis"),
            reduction("op"),
            tensor("input", "input"),
            tensor("indices", "indices"),
            tensor("output", "update"),
            PARAMETERS,
        ),
        overlay="scatter",
        onnx=("ScatterElements",),
        seen_types=(("input", ("Float32",)), ("indices", ("Int32",))),
    ),
    Operation(
        "BNNSTranspose",
        (
            tensor("dest", "output", "output"),
            tensor("src", "input", "input"),
            size("axis0", "axis", "first_transpose_axis"),
            size("axis1", "axis", "second_transpose_axis"),
            PARAMETERS,
        ),
        overlay="transpose",
        onnx=("Transpose",),
        seen_types=(("input", MEASURED_BY_JULIA),),
    ),
)

# Functions that are here and move nothing.
QUERIES = (
    Operation("BNNSNDArrayGetDataSize", (tensor("array", "input"),), returns="number"),
    Operation(
        "BNNSDataLayoutGetRank",
        (Argument("layout", "enum", type="DataLayout"),),
        returns="number",
    ),
)


@cache
def row(function: str) -> Operation:
    """The row of a function that is here; a KeyError for another."""
    return {one.function: one for one in (*OPERATIONS, *QUERIES)}[function]


# Swift's names of functions that are planned.
OVERLAY_NAMES = {
    "gather_nd": "BNNSGatherND",
    "scatter_nd": "BNNSScatterND",
    "copy": "BNNSCopy",
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
        return any(one.function == self.name for one in (*OPERATIONS, *QUERIES))


@cache
def functions() -> tuple[Function, ...]:
    """Every function of Apple's bnns.h (macOS 15), by family."""
    text = files("bnnspy").joinpath("functions.json").read_text(encoding="utf-8")
    return tuple(Function(**known) for known in json.loads(text))


def not_here_yet(name: str) -> Callable[..., NoReturn] | None:
    """What stands for a function of bnns.h that this version does not have: calling it says so.

    None for a name that is no such function, in C or in Swift.
    """
    function = OVERLAY_NAMES.get(name, name)
    if not any(known.name == function and not known.here for known in functions()):
        return None

    def planned(*_: object, **__: object) -> NoReturn:
        raise NotImplementedError(
            f"{function} is not in this version of bnnspy; the README's coverage table says what is"
        )

    planned.__name__ = planned.__qualname__ = name
    planned.__doc__ = f"{function}: not in this version of bnnspy. Calling it says so."
    return planned
