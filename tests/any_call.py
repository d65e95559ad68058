"""Calls of any operation for the tests: tensors in one arena of random bytes, made by three doors.

What the registry says of the function is all that is known of it here. The arena is compared as a
whole, so that guard bytes around the tensors, holes between strides and inputs are all looked at.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from cells import GUARD, UNSEEN_BY_C, Spec, descriptor
from oracle import ORACLE, Bytes, Outcome, Tensor

import bnnspy
from bnnspy._bnns import ffi, lib
from bnnspy.operations import PARAMETERS, WRITTEN, row


@dataclass(frozen=True)
class AnyCall:
    """A call over an arena: its tensors by name, and its numbers by name."""

    function: str
    tensors: Mapping[str, Spec]
    numbers: Mapping[str, int]
    arena: Bytes = field(repr=False)

    def arguments(self, arena: Bytes) -> list[Any]:
        """In C's order, tensors as the oracle takes them, without the parameters."""
        return [
            self.tensors[a.name].tensor(arena) if a.kind == "tensor" else self.numbers[a.name]
            for a in row(self.function).arguments
            if a is not PARAMETERS
        ]

    def expected(self) -> Outcome:
        """The oracle's answer; the arena is left alone."""
        return ORACLE[self.function](*self.arguments(self.arena.copy()))

    def written(self) -> Spec:
        """The tensor that is written."""
        (argument,) = row(self.function).tensors(WRITTEN)
        return self.tensors[argument.name]


def lay_out(
    function: str, specs: Mapping[str, Spec], numbers: Mapping[str, int], rng: np.random.Generator
) -> AnyCall:
    """The call with its tensors one behind the other in a new arena of random bytes."""
    placed, end = {}, GUARD + int(rng.integers(16))  # so that tensors start at any alignment
    for name, spec in specs.items():
        nbytes = spec.needed()
        placed[name] = replace(spec, start=end, nbytes=nbytes)
        end += nbytes + GUARD
    return AnyCall(function, placed, numbers, rng.integers(0, 256, end, dtype=np.uint8))


def through_c_face(function: str, given: Sequence[Any], parameters: Any = None) -> int:
    """The function of the C face."""
    made = [descriptor(value) if isinstance(value, Tensor) else value for value in given]
    return int(getattr(bnnspy, function)(*made, parameters))


def through_overlay(function: str, given: Sequence[Any]) -> int:
    """The function of the Swift face, its exception turned back into the status."""
    operation = row(function)
    positional, labelled = [], {}
    for argument, value in zip(operation.arguments, given, strict=False):
        made = descriptor(value) if isinstance(value, Tensor) else value
        if argument.label:
            labelled[argument.label] = made
        else:
            positional.append(made)
    try:
        getattr(bnnspy.BNNS, operation.overlay)(*positional, **labelled)
    except bnnspy.Error as error:
        raised = error
    else:
        return 0
    assert str(raised) == bnnspy.last_error()
    return raised.status


def struct_of(tensor: Tensor) -> Any:
    """A descriptor in C, which knows no bounds."""
    struct = ffi.new("BNNSNDArrayDescriptor *")
    struct.layout, struct.data_type = tensor.layout, tensor.data_type
    struct.size, struct.stride = tensor.size, tensor.stride
    if tensor.memory is not None:
        struct.data = ffi.cast("void *", tensor.memory.__array_interface__["data"][0])
    return struct


def through_c(function: str, given: Sequence[Any]) -> int:
    """The C function itself."""
    made = [struct_of(value) if isinstance(value, Tensor) else value for value in given]
    return int(getattr(lib, function)(*made, ffi.NULL))


DOORS = {"C face": through_c_face, "overlay": through_overlay, "C": through_c}


def check(call: AnyCall) -> Outcome:
    """Makes the call through each door and holds status and arena against the oracle."""
    outcome = call.expected()
    after = call.arena.copy()
    if outcome.status == 0 and outcome.memory is not None:
        output = call.written()
        after[output.start :][: output.nbytes] = outcome.memory
    for name, door in DOORS.items():
        if name == "C" and outcome.reason in UNSEEN_BY_C:
            continue
        arena = call.arena.copy()
        status = door(call.function, call.arguments(arena))
        assert status == outcome.status, (name, outcome.reason, bnnspy.last_error(), call)
        np.testing.assert_array_equal(arena, after, f"{name}: {call}")
    return outcome
