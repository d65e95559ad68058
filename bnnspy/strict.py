"""Strict mode: says where a call relies on what Apple neither documents nor was seen to accept.

`with bnnspy.strict("apple"):` or BNNSPY_STRICT=apple in the environment switches it on. The data
are the entries of compatibility/ that are our choice: an entry's `strict` names a condition of
the table below, and once a run on Apple's framework has settled the entry, nothing is said of it
any more. Off, it costs a call nothing: on, it takes the place of the function that the faces call.
"""

from __future__ import annotations

import os
import threading
import warnings
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from types import TracebackType
from typing import Any, NamedTuple

from bnnspy._bnns import ffi, lib
from bnnspy.arrays import type_name
from bnnspy.constants import BNNS_MAX_TENSOR_DIMENSION, DataLayout, DataType
from bnnspy.doors import DOORS, doors_of
from bnnspy.entries import GENERAL, entries
from bnnspy.errors import Status, refusal
from bnnspy.operations import OPERATIONS, READ, Operation, row
from bnnspy.plain import Plain, plain, view_of
from bnnspy.shape import layout_name

ENVIRONMENT = "BNNSPY_STRICT"
ACTIONS = ("warn", "refuse")


class Seen(NamedTuple):
    """A tensor of a call: its name, what it is to the call, and its fields."""

    name: str
    role: str
    plain: Plain


class Made(NamedTuple):
    """A call as the conditions see it."""

    operation: Operation
    tensors: list[Seen]

    def of(self, *roles: str) -> list[Seen]:
        """The tensors with one of these roles."""
        return [tensor for tensor in self.tensors if tensor.role in roles]


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


def listed(found: Iterable[Seen]) -> str:
    """The names of tensors."""
    return ", ".join(tensor.name for tensor in found)


def unseen_type(made: Made, role: str) -> str:
    """Types that nobody saw a tensor of that role have."""
    seen = dict(made.operation.seen_types).get(role)
    if seen is None:
        return ""
    kinds = {DataType[name] for name in seen}
    found = [tensor for tensor in made.of(role) if tensor.plain.data_type not in kinds]
    return ", ".join(f"the type of {t.name} is {type_name(t.plain.data_type)}" for t in found)


def index_type(made: Made) -> str:
    """An index type that was not seen."""
    return unseen_type(made, "indices")


def value_type(made: Made) -> str:
    """A type of values that was not seen."""
    return unseen_type(made, "input")


def packed_values(made: Made) -> str:
    """Types of less than 8 bits."""
    found = [tensor for tensor in made.of("input") if tensor.plain.data_type & 0xFF < 8]
    return ", ".join(f"{type_name(t.plain.data_type)} is packed into bytes" for t in found)


def layout(made: Made) -> str:
    """A layout that no example and no recorded call has."""
    found = [tensor for tensor in made.tensors if tensor.plain.layout not in SEEN_LAYOUTS]
    return ", ".join(f"{t.name} is {layout_name(t.plain.layout)}" for t in found)


def kernel_order(made: Made) -> str:
    """The one layout whose axis numbers are a guess."""
    guessed = DataLayout.ConvolutionWeightsIOHrWr
    found = listed(tensor for tensor in made.tensors if tensor.plain.layout == guessed)
    return f"the axes of {found} are numbered by guess" if found else ""


def head_layout(made: Made) -> str:
    """The layout whose formula does not match its sizes."""
    found = listed(t for t in made.tensors if t.plain.layout == DataLayout.MHA_DHK)
    return f"the meaning of {found}'s MHA_DHK is a guess" if found else ""


def mixed_layouts(made: Made) -> str:
    """Tensors of several dimensions that do not share a layout."""
    found = {t.plain.layout for t in made.tensors if t.plain.rank > ONE_DIMENSION}
    names = sorted(layout_name(code) for code in found)
    return f"the tensors mix {' and '.join(names)}" if len(found) > 1 else ""


def zero_size(made: Made) -> str:
    """A tensor without elements."""
    found = listed(tensor for tensor in made.tensors if 0 in tensor.plain.sizes)
    return f"{found} has no elements" if found else ""


def overlaps_itself(tensor: Plain) -> bool:
    """Whether strides smaller than what they step over say so."""
    view = view_of(tensor)
    if view is None or view.elements == 0:
        return False
    reach = 1
    steps = zip(map(abs, view.stride), view.size, strict=True)
    for stride, size in sorted(step for step in steps if step[1] > 1):
        if stride < reach:
            return True
        reach += stride * (size - 1)
    return False


def input_windows(made: Made) -> str:
    """Elements of an input that share memory."""
    found = listed(tensor for tensor in made.of(*READ) if overlaps_itself(tensor.plain))
    return f"elements of {found} share memory" if found else ""


def misaligned(made: Made) -> str:
    """Memory that does not begin at a multiple of the element's size."""
    found = listed(
        tensor
        for tensor in made.tensors
        if tensor.plain.address % max((tensor.plain.data_type & 0xFF) // 8, 1)
    )
    return f"{found}.data is not aligned to its elements" if found else ""


def size_one_strides(made: Made) -> str:
    """Strides that decrease where only an axis of one element is concerned."""
    found = []
    for tensor in made.tensors:
        given = [stride for stride in tensor.plain.stride[: tensor.plain.rank] if stride]
        if given != sorted(given) and view_of(tensor.plain) is not None:
            found.append(tensor)
    return f"strides of {listed(found)} decrease at axes of size 1" if found else ""


def scale_and_bias(made: Made) -> str:
    """Integers that would be other numbers if a move applied their scale and bias."""
    integer = DataType.IntBit | DataType.UIntBit
    found = listed(
        tensor
        for tensor in made.tensors
        if tensor.plain.data_type & integer
        and (tensor.plain.data_scale not in (0, 1) or tensor.plain.data_bias != 0)
    )
    return f"data_scale or data_bias of {found} is left out of the move" if found else ""


CONDITIONS: dict[str, Callable[[Made], str]] = {
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
def open_entries(function: str) -> tuple[tuple[str, Callable[[Made], str]], ...]:
    """(id, condition) of each entry that is our choice and that a call of it can rely on."""
    return tuple(
        (entry["id"], CONDITIONS[entry["strict"]])
        for entry in entries().values()
        if entry["strict"]
        and entry["evidence"] == "our choice"
        and entry["function"] in GENERAL | {function}
    )


def reliances(function: str, tensors: Mapping[str, Plain]) -> list[Reliance]:
    """All that a call with these tensors relies on; empty for what Apple shows."""
    operation = row(function)
    seen = [
        Seen(argument.name, argument.role, tensors[argument.name])
        for argument in operation.tensors()
        if argument.name in tensors
    ]
    made = Made(operation, seen)
    found = ((entry, condition(made)) for entry, condition in open_entries(function))
    return [Reliance(entry, sentence) for entry, sentence in found if sentence]


# --- switching ------------------------------------------------------------------------------------

lock = threading.Lock()
active: list[strict] = []


def checked(function: str, real: Callable[..., int], action: str) -> Callable[..., int]:
    """What stands in for a C function while strict mode is on."""
    arguments = list(enumerate(row(function).arguments))
    tensors = [(k, argument.name) for k, argument in arguments if argument.kind == "tensor"]
    axes = [k for k, argument in arguments if argument.role == "axis"]

    def door(*given: Any) -> int:
        # A call that fails whatever else it says relies on nothing.
        possible = all(0 <= given[k] < BNNS_MAX_TENSOR_DIMENSION for k in axes)
        if possible and all(given[k] != ffi.NULL for k, _ in tensors):
            plains = {name: plain(given[k][0].descriptor) for k, name in tensors}
            found = reliances(function, plains)
            if found:
                said = "; ".join(f"{sentence} [{entry}]" for entry, sentence in found)
                sentence = f"Apple neither documents nor was measured to accept this: {said}"
                if action == "refuse":
                    return refusal(Status.InvalidParameter, sentence)
                # 1 is this line, 2 the face, 3 who called it.
                warnings.warn(f"{function}: {sentence}", StrictWarning, stacklevel=3)
        return real(*given)

    return door


def switch() -> None:
    """Puts the doors as the innermost active context wants them; with the lock held."""
    for operation in OPERATIONS:
        for name in doors_of(operation):
            real = getattr(lib, name)
            watched = active and checked(operation.function, real, active[-1].action)
            DOORS[name] = watched or real


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
