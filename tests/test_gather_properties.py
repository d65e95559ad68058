"""BNNSGather against the oracle: layouts, strides, types, index types, axes, both forms.

Each call goes through three doors (the C face, the overlay, the C function), and the whole arena
that its tensors lie in is compared, so that guards, holes, inputs and indices are looked at too.
"""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pytest
from cells import Call, Cell, call_of, cells, check, descriptor, possible
from hypothesis import assume, given
from oracle import BITS, DATA_TYPES, INDEX_TYPES, LAYOUTS, STRIDED
from strategies import any_gathers, bad_gathers, gathers

import bnnspy


@given(gathers())
def test_gather_is_the_oracle(call: Call) -> None:
    outcome = check(call)
    packed = BITS[call.input.data_type] < 8
    assert outcome.status == 0 or (packed and outcome.reason == "whole bytes")


@given(bad_gathers())
def test_bad_index_is_named_and_nothing_written(call: Call) -> None:
    outcome = check(call)
    assume(outcome.bad)  # not an index type too narrow to be wrong, nor packed elements
    assert outcome.bad is not None
    position = ", ".join(map(str, outcome.bad.position))
    assert bnnspy.last_error().startswith(f"indices[{position}] is {outcome.bad.value}, ")


# What the sentence of each kind of fault has.
SENTENCES = {
    "live": "has been deallocated",
    "data": "data is NULL",
    "type": "data_type is",
    "layout": "layout is",
    "strides": r"stride\[\d\] is",
    "overflow": "more elements than memory can hold",
    "axis": "^axis is",
    "shape": "has (rank|size)",
    "bounds": "has fewer",
    "read-only": "read-only",
    "shared": "shares a byte|one byte to two",
    "index": r"^indices\[[\d, ]+\] is",
}


@given(any_gathers())
def test_nonzero_status_wrote_nothing(call: Call) -> None:
    """check() compares status and arena; here the faults are any, and several at once."""
    outcome = check(call)
    packed = call.input.data_type in BITS and BITS[call.input.data_type] < 8
    if outcome.status != 0 and not packed:  # packed elements have one more reason to be refused
        assert re.search(SENTENCES[outcome.reason], bnnspy.last_error())


@given(gathers())
def test_elements_are_all_that_changes(call: Call) -> None:
    """Two runs over different rubbish: the elements agree, every other byte is as it was."""
    outcome = call.expected()
    # Packed elements may be refused, and an empty output has none.
    assume(outcome.status == 0 and outcome.may_change is not None)
    results = []
    for filler in (0x00, 0xFF):
        arena = call.arena.copy()
        arena[call.output.start :][: call.output.nbytes] = filler
        tensors = [spec.tensor(arena) for spec in call.specs()]
        assert bnnspy.BNNSGather(call.axis, *map(descriptor, tensors), None) == 0
        memory = arena[call.output.start :][: call.output.nbytes]
        assert np.all(memory[~outcome.may_change] == filler)
        results.append(memory[outcome.may_change])
    np.testing.assert_array_equal(*results)


# --- every cell -----------------------------------------------------------------------------------

WIDE = sum(bits >= 8 for bits in BITS.values())
PACKED = sum(bits < 8 for bits in BITS.values())


@pytest.fixture(scope="module")
def sweep() -> Counter[tuple[str, ...]]:
    """How many cells of each layout and form returned 0; every call is held against the oracle."""
    succeeded: Counter[tuple[str, ...]] = Counter()
    for number, cell in enumerate(cells()):
        status = check(call_of(cell, number)).status
        assert (status == 0) == possible(cell), cell
        succeeded[cell.layout, cell.form] += status == 0
    return succeeded


def test_every_cell_that_can_succeed_does(sweep: Counter[tuple[str, ...]]) -> None:
    """13 types of whole bytes, 11 packed ones, 8 index types, 26 layouts of which 3 have rank 1."""
    print(f"{sum(sweep.values())} cells of layout, type, index type and form returned 0")
    assert (WIDE, PACKED, len(INDEX_TYPES), len(STRIDED)) == (13, 11, 8, 26)
    vector = (26 * 13 + 23 * 11) * 8  # a packed vector has no run that is whole bytes
    full = 23 * 13 * 8  # at rank 1 the two forms are one; a packed element is never whole bytes
    assert sum(sweep.values()) == vector + full == 7120


@pytest.mark.parametrize("layout", LAYOUTS)
def test_cells_of_layout(layout: str, sweep: Counter[tuple[str, ...]]) -> None:
    rank = LAYOUTS[layout].rank
    strided = layout in STRIDED
    vector = (WIDE + (PACKED if rank > 1 else 0)) * 8 if strided else 0
    assert sweep[layout, "vector"] == vector
    assert sweep[layout, "full"] == (WIDE * 8 if strided and rank > 1 else 0)


def test_layouts_and_types_are_those_of_the_library() -> None:
    """The tables of the tests miss nothing that the library has."""
    library = {layout.name.removeprefix("Tensor"): int(layout) for layout in bnnspy.DataLayout}
    assert {name: layout.code for name, layout in LAYOUTS.items()} == library
    types = {t.name: int(t) for t in bnnspy.DataType if not t.name.endswith("Bit")}
    assert types == DATA_TYPES


@pytest.mark.parametrize("layout", STRIDED)
@pytest.mark.parametrize("form", ["vector", "full"])
def test_every_axis(layout: str, form: str) -> None:
    """Each axis of each layout, with 12-byte, 1-byte and 8-byte moves among them."""
    rank = LAYOUTS[layout].rank
    if form == "full" and rank == 1:
        form = "vector"
    for number in range(4 * rank):  # axis, and default or padded strides
        for data_type in ("Float32", "UInt8", "Int64"):
            assert check(call_of(Cell(layout, data_type, "Int32", form), number)).status == 0
