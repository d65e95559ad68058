"""Strict mode: says where a call relies on what Apple neither documents nor was seen to accept.

`with bnnspy.strict("apple"):` or BNNSPY_STRICT=apple in the environment switches it on. The data
are the entries of compatibility.json that are our choice: an entry's `strict` names a condition of
the table below, and once a run on Apple's framework has settled the entry, nothing is said of it
any more. Off, it costs a call nothing: on, it takes the place of the function that the faces call.
"""

from __future__ import annotations

import json
import os
import threading
import warnings
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from importlib.resources import files
from types import TracebackType
from typing import Any, NamedTuple

from bnnspy._bnns import ffi, lib
from bnnspy.arrays import type_name
from bnnspy.constants import BNNS_MAX_TENSOR_DIMENSION, DataLayout, DataType
from bnnspy.errors import Status, refusal
from bnnspy.operations import OPERATIONS
from bnnspy.plain import Plain, plain, view_of
from bnnspy.shape import layout_name

ENVIRONMENT = "BNNSPY_STRICT"
ACTIONS = ("warn", "refuse")
Tensors = Mapping[str, Plain]


class StrictWarning(UserWarning):
    """A call relies on something that Apple neither documents nor was measured to accept."""


# --- conditions -----------------------------------------------------------------------------------

# Which layouts Apple's examples or recorded calls gather with; a matrix apart, all of one kind.
SEEN_LAYOUTS = frozenset(
    layout
    for layout in DataLayout
    if layout.name.endswith(("DFirstMajor", "DLastMajor"))
    or layout in (DataLayout.Vector, DataLayout.RowMajorMatrix)
)
ONE_DIMENSION = 1


def index_type(tensors: Tensors) -> str:
    """Only Int32 indices were seen."""
    kind = tensors["indices"].data_type
    return "" if kind == DataType.Int32 else f"indices are {type_name(kind)}"


def value_type(tensors: Tensors) -> str:
    """Only Float32 values were seen."""
    kind = tensors["input"].data_type
    return "" if kind == DataType.Float32 else f"values are {type_name(kind)}"


def packed_values(tensors: Tensors) -> str:
    """Types of less than 8 bits."""
    kind = tensors["input"].data_type
    return f"{type_name(kind)} is packed into bytes" if kind & 0xFF < 8 else ""


def layout(tensors: Tensors) -> str:
    """A layout that no example and no recorded call has."""
    unseen = [n for n, tensor in tensors.items() if tensor.layout not in SEEN_LAYOUTS]
    return ", ".join(f"{name} is {layout_name(tensors[name].layout)}" for name in unseen)


def kernel_order(tensors: Tensors) -> str:
    """The one layout whose axis numbers are a guess."""
    guessed = DataLayout.ConvolutionWeightsIOHrWr
    found = [name for name, tensor in tensors.items() if tensor.layout == guessed]
    return f"the axes of {', '.join(found)} are numbered by guess" if found else ""


def head_layout(tensors: Tensors) -> str:
    """The layout whose formula does not match its sizes."""
    found = [name for name, tensor in tensors.items() if tensor.layout == DataLayout.MHA_DHK]
    return f"the meaning of {', '.join(found)}'s MHA_DHK is a guess" if found else ""


def mixed_layouts(tensors: Tensors) -> str:
    """Tensors of several dimensions that do not share a layout."""
    found = {t.layout for t in tensors.values() if t.rank > ONE_DIMENSION}
    names = sorted(layout_name(code) for code in found)
    return f"the tensors mix {' and '.join(names)}" if len(found) > 1 else ""


def zero_size(tensors: Tensors) -> str:
    """A tensor without elements."""
    found = [name for name, tensor in tensors.items() if 0 in tensor.sizes]
    return f"{', '.join(found)} has no elements" if found else ""


def input_windows(tensors: Tensors) -> str:
    """Elements of an input that share memory."""
    found = []
    for name in tensors.keys() & {"input", "indices"}:
        view = view_of(tensors[name])
        if view is None or view.elements == 0:
            continue
        reach = 1
        steps = zip(map(abs, view.stride), view.size, strict=True)
        for stride, size in sorted(step for step in steps if step[1] > 1):
            if stride < reach:
                found.append(name)
                break
            reach = stride * (size - 1) + reach
    return f"elements of {', '.join(sorted(found))} share memory" if found else ""


def misaligned(tensors: Tensors) -> str:
    """Memory that does not begin at a multiple of the element's size."""
    found = [n for n, t in tensors.items() if t.address % max((t.data_type & 0xFF) // 8, 1)]
    return f"{', '.join(found)}.data is not aligned to its elements" if found else ""


def size_one_strides(tensors: Tensors) -> str:
    """Strides that decrease where only an axis of one element is concerned."""
    found = []
    for name, tensor in tensors.items():
        given = [stride for stride in tensor.stride[: tensor.rank] if stride]
        if given != sorted(given) and view_of(tensor) is not None:
            found.append(name)
    return f"strides of {', '.join(found)} decrease at axes of size 1" if found else ""


def scale_and_bias(tensors: Tensors) -> str:
    """Integers that would be other numbers if a move applied their scale and bias."""
    integer = DataType.IntBit | DataType.UIntBit
    found = [
        name
        for name, tensor in tensors.items()
        if tensor.data_type & integer and (tensor.data_scale not in (0, 1) or tensor.data_bias != 0)
    ]
    return f"data_scale or data_bias of {', '.join(found)} is left out of the move" if found else ""


CONDITIONS: dict[str, Callable[[Tensors], str]] = {
    "index-type": index_type,
    "value-type": value_type,
    "packed-values": packed_values,
    "layout": layout,
    "kernel-order": kernel_order,
    "head-layout": head_layout,
    "mixed-layouts": mixed_layouts,
    "zero-size": zero_size,
    "input-windows": input_windows,
    "misaligned": misaligned,
    "size-one-strides": size_one_strides,
    "scale-and-bias": scale_and_bias,
}


class Reliance(NamedTuple):
    """One thing that a call relies on: the entry's id, and what it is in this call."""

    entry: str
    sentence: str


@cache
def open_entries() -> tuple[tuple[str, Callable[[Tensors], str]], ...]:
    """(id, condition) of each entry that is our choice and that a call can rely on."""
    text = files("bnnspy").joinpath("compatibility.json").read_text(encoding="utf-8")
    return tuple(
        (entry["id"], CONDITIONS[entry["strict"]])
        for entry in json.loads(text)
        if entry["strict"] and entry["evidence"] == "our choice"
    )


def reliances(tensors: Tensors) -> list[Reliance]:
    """All that a call with these tensors relies on; empty for what Apple shows."""
    found = ((entry, condition(tensors)) for entry, condition in open_entries())
    return [Reliance(entry, sentence) for entry, sentence in found if sentence]


# --- switching ------------------------------------------------------------------------------------

# function -> where the faces look up the C functions that they call, and these less their prefix
DOORS = {"BNNSGather": ("bnnspy.capi.gather", ("gather", "gather_default"))}

lock = threading.Lock()
active: list[strict] = []


def checked(function: str, real: Callable[..., int], action: str) -> Callable[..., int]:
    """What stands in for a C function while strict mode is on."""
    (operation,) = (row for row in OPERATIONS if row.function == function)
    roles = [(k, name) for k, (name, role) in enumerate(operation.arguments)]
    tensors = [(k, name) for k, name in roles if operation.arguments[k][1] not in SCALARS]
    axes = [k for k, _ in roles if operation.arguments[k][1] == "axis"]

    def door(*arguments: Any) -> int:
        # A call that fails whatever else it says relies on nothing.
        possible = all(0 <= arguments[k] < BNNS_MAX_TENSOR_DIMENSION for k in axes)
        if possible and all(arguments[k] != ffi.NULL for k, _ in tensors):
            found = reliances({name: plain(arguments[k][0].descriptor) for k, name in tensors})
            if found:
                said = "; ".join(f"{sentence} [{entry}]" for entry, sentence in found)
                sentence = f"Apple neither documents nor was measured to accept this: {said}"
                if action == "refuse":
                    return refusal(Status.InvalidParameter, sentence)
                # 1 is this line, 2 the face, 3 who called it.
                warnings.warn(f"{function}: {sentence}", StrictWarning, stacklevel=3)
        return real(*arguments)

    return door


SCALARS = ("axis", "parameters")


def switch() -> None:
    """Puts the doors as the innermost active context wants them; with the lock held."""
    for function, (module_name, attributes) in DOORS.items():
        module = import_module(module_name)
        for attribute in attributes:
            real = getattr(lib, f"bnnspy_{attribute}")
            standing = checked(function, real, active[-1].action) if active else real
            setattr(module, attribute, standing)


class strict:
    """Warns of, or refuses, calls that rely on what Apple was not seen to accept.

    A context manager; it holds for the whole process, all threads, until it is left. Contexts may
    be nested, and the one entered last counts.

    Parameters
    ----------
    profile : str
        Whose behaviour to keep to; "apple" is the only one.
    action : str, optional
        "warn" gives a `StrictWarning` and makes the call. "refuse" does not make it: the C face
        returns -1 with a sentence, the overlay raises InvalidParameter.
    """

    def __init__(self, profile: str = "apple", action: str = "warn") -> None:
        if profile != "apple":
            raise ValueError(f'profile is {profile!r}; the only one is "apple"')
        if action not in ACTIONS:
            raise ValueError(f'action is {action!r}, and has to be "warn" or "refuse"')
        self.profile = profile
        self.action = action

    def __enter__(self) -> strict:
        with lock:
            active.append(self)
            switch()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        with lock:
            entered = [k for k, one in enumerate(active) if one is self]
            if not entered:
                raise RuntimeError("this strict context is not entered, or was left already")
            del active[entered[-1]]  # it may have been entered twice
            switch()


def from_environment() -> None:
    """Switches on what BNNSPY_STRICT says: `apple`, or `apple:refuse`."""
    wanted = os.environ.get(ENVIRONMENT, "")
    if not wanted:
        return
    profile, _, action = wanted.partition(":")
    try:
        strict(profile, action or "warn").__enter__()
    except ValueError as error:
        raise ValueError(f"{ENVIRONMENT} is {wanted!r}: {error}") from None
