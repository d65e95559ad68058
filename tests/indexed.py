"""Calls of functions that write where indices say: in one arena, made by the library's three doors.

As in cells.py the arena is compared as a whole after each call, here for any function of the
registry that has an oracle.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import Any

import numpy as np
from cells import GUARD, UNSEEN_BY_C, Spec, descriptor, write_integers
from hypothesis import strategies as st
from oracle import INDEX_DTYPES, ORACLE, Bytes, Outcome, Tensor, view
from oracle.indexed import ADDED, NONE, SUM
from strategies import INDEX_CODES, PACKED_TYPES, WIDE_TYPES, broken, sizes_of_rank, specs

import bnnspy
from bnnspy import FilterParameters
from bnnspy._bnns import ffi, lib
from bnnspy.operations import row

Draw = Callable[..., Any]


@dataclass(frozen=True)
class Call:
    """A call over an arena: numbers and tensors by the names of the function's row."""

    function: str
    numbers: Mapping[str, int]
    specs: Mapping[str, Spec]
    arena: Bytes = field(repr=False)

    def given(self, arena: Bytes) -> list[Any]:
        """Tensors and numbers in C's order, less the parameters."""
        values = {name: spec.tensor(arena) for name, spec in self.specs.items()}
        every = {**values, **self.numbers}
        return [every[a.name] for a in row(self.function).arguments if a.kind != "parameters"]

    def expected(self) -> Outcome:
        """The oracle's answer; the arena is left alone."""
        return ORACLE[self.function](*self.given(self.arena.copy()))


def through_c_face(function: str, given: Sequence[Any], threads: int | None = None) -> int:
    """The C face."""
    made = [descriptor(one) if isinstance(one, Tensor) else one for one in given]
    parameters = None if threads is None else FilterParameters(n_threads=threads)
    return int(getattr(bnnspy, function)(*made, parameters))


def through_overlay(function: str, given: Sequence[Any]) -> int:
    """The Swift face, its exception turned back into the status."""
    operation = row(function)
    arguments = {}
    for argument, one in zip(operation.arguments, given, strict=False):
        assert argument.label
        arguments[argument.label] = descriptor(one) if isinstance(one, Tensor) else one
    if arguments.get("reduction_function") == NONE:
        arguments["reduction_function"] = None
    try:
        getattr(bnnspy.BNNS, operation.overlay)(**arguments)
    except bnnspy.Error as error:
        raised = error
    else:
        return 0
    assert str(raised) == bnnspy.last_error()
    return raised.status


def through_c(function: str, given: Sequence[Any]) -> int:
    """The C function itself, which knows no bounds."""
    made = []
    for one in given:
        if not isinstance(one, Tensor):
            made.append(one)
            continue
        struct = ffi.new("BNNSNDArrayDescriptor *")
        struct.layout, struct.data_type = one.layout, one.data_type
        struct.size, struct.stride = one.size, one.stride
        if one.memory is not None:
            struct.data = ffi.cast("void *", one.memory.__array_interface__["data"][0])
        made.append(struct)
    return int(getattr(lib, function)(*made, ffi.NULL))


DOORS = {"C face": through_c_face, "overlay": through_overlay, "C": through_c}


def check(call: Call) -> Outcome:
    """Makes the call through each door and holds status and arena against the oracle."""
    outcome = call.expected()
    after = call.arena.copy()
    (output,) = row(call.function).tensors({"output", "update"})
    spec = call.specs[output.name]
    if outcome.status == 0 and outcome.memory is not None:
        after[spec.start :][: spec.nbytes] = outcome.memory
    for name, door in DOORS.items():
        if name == "C" and outcome.reason in UNSEEN_BY_C:
            continue
        arena = call.arena.copy()
        status = door(call.function, call.given(arena))
        assert status == outcome.status, (name, outcome.reason, bnnspy.last_error(), call)
        np.testing.assert_array_equal(arena, after, f"{name}: {call}")
    return outcome


# --- putting tensors into an arena ----------------------------------------------------------------


def lay_out(
    function: str, numbers: Mapping[str, int], given: Mapping[str, Spec], rng: np.random.Generator
) -> Call:
    """The call with its tensors one behind the other in a new arena of random bytes."""
    placed, end = {}, GUARD + int(rng.integers(16))  # so that tensors start at any alignment
    for name, spec in given.items():
        nbytes = spec.needed()
        placed[name] = replace(spec, start=end, nbytes=nbytes)
        end += nbytes + GUARD
    return Call(function, numbers, placed, rng.integers(0, 256, end, dtype=np.uint8))


def with_indices(call: Call, bounds: Sequence[int], rng: np.random.Generator) -> Call:
    """Writes random indices below the bounds, one bound a component of the last axis."""
    index = call.specs["indices"]
    size = view(index.tensor(call.arena)).size
    highest = [min(bound, np.iinfo(INDEX_DTYPES[index.data_type]).max) for bound in bounds]
    if prod(size) and all(highest):
        picked = rng.integers(0, np.broadcast_to(highest, size))
        write_integers(call.arena, index, picked)
    return call


def spoiled(draw: Draw, call: Call, bound: int) -> Call:
    """Writes indices that are out of range over some of them, where there can be any."""
    index = call.specs["indices"]
    info = np.iinfo(INDEX_DTYPES[index.data_type])
    tempting = [bound, bound + 1, -1, -bound, info.min, info.max, 2**32, 2**32 + 1, 2**63, 255]
    wrong = [v for v in tempting if info.min <= v <= info.max and not 0 <= v < bound]
    count = view(index.tensor(call.arena)).count
    if not wrong or not count:
        return call
    arena = call.arena.copy()
    values = np.zeros(count, INDEX_DTYPES[index.data_type])
    for place in draw(st.lists(st.integers(0, count - 1), min_size=1, max_size=3)):
        values[place] = draw(st.sampled_from(wrong))
    write_integers(arena, index, values)
    return replace(call, arena=arena)


# --- random calls ---------------------------------------------------------------------------------


@st.composite
def scatters(draw: Draw) -> Call:
    """A scatter without a fault, but for packed elements that may not be whole bytes."""
    op = draw(st.sampled_from([NONE, SUM]))
    packed = op == NONE and draw(st.sampled_from([False, False, False, True]))
    kinds = sorted(ADDED) if op == SUM else PACKED_TYPES if packed else WIDE_TYPES
    data_type = draw(st.sampled_from(kinds))
    rank = draw(st.integers(1, 8))
    sizes = draw(sizes_of_rank(rank, packed))
    axis = draw(st.integers(0, rank - 1))
    along = draw(st.sampled_from([0, 1, 2, 3, 7] if sizes[axis] else [0]))
    in_sizes = [along if k == axis else n for k, n in enumerate(sizes)]
    vector = draw(st.booleans())
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    given = {
        "input": draw(specs(in_sizes, data_type, overlapping=draw(st.integers(0, 5)) == 0)),
        "indices": draw(specs([along] if vector else in_sizes, draw(st.sampled_from(INDEX_CODES)))),
        "output": draw(specs(sizes, data_type)),
    }
    call = lay_out("BNNSScatter", {"axis": axis, "op": op}, given, rng)
    return with_indices(call, [sizes[axis]], rng)


@st.composite
def bad_scatters(draw: Draw) -> Call:
    """A scatter that is right but for one or more indices."""
    call = draw(scatters())
    bound = view(call.specs["output"].tensor(call.arena)).size[call.numbers["axis"]]
    return spoiled(draw, call, bound)


@st.composite
def with_faults(draw: Draw, calls: st.SearchStrategy[Call]) -> Call:
    """A call with up to three things broken."""
    call = draw(calls)
    specs, numbers = dict(call.specs), dict(call.numbers)
    for name in draw(st.lists(st.sampled_from([*specs, *numbers]), min_size=1, max_size=3)):
        if name == "axis":
            numbers[name] = draw(st.sampled_from([8, 2**63, 2**64 - 1]))
        elif name == "op":
            numbers[name] = draw(st.sampled_from([0, 5, 7, 14, 16, 2**32 - 1]))
        else:
            others = [specs[other] for other in specs if other != name]
            specs[name] = draw(broken(specs[name], others, call.arena.size))
    return replace(call, specs=specs, numbers=numbers)
