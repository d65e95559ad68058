"""BNNSScatter against the oracle: layouts, strides, types, index types, axes, both forms, both ops.

Each call goes through three doors (the C face, the overlay, the C function), and the whole arena
that its tensors lie in is compared, so that guards, holes, inputs and indices are looked at too.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pytest
from cells import Spec, of_rank, slot_order, strides_of
from hypothesis import assume, given
from indexed import (
    Call,
    bad_scatters,
    check,
    lay_out,
    scatters,
    through_c_face,
    with_faults,
    with_indices,
)
from oracle import BITS, DATA_TYPES, INDEX_TYPES, LAYOUTS, STRIDED
from oracle.indexed import ADDED, NONE, SUM

import bnnspy


@given(scatters())
def test_scatter_is_the_oracle(call: Call) -> None:
    outcome = check(call)
    packed = BITS[call.specs["input"].data_type] < 8
    assert outcome.status == 0 or (packed and outcome.reason == "whole bytes")


@given(bad_scatters())
def test_bad_index_is_named_and_nothing_written(call: Call) -> None:
    outcome = check(call)
    assume(outcome.bad)  # not an index type too narrow to be wrong, nor packed elements
    assert outcome.bad is not None
    position = ", ".join(map(str, outcome.bad.position))
    assert bnnspy.last_error().startswith(f"indices[{position}] is {outcome.bad.value}, ")


SENTENCES = {
    "live": "has been deallocated",
    "data": "data is NULL",
    "type": "data_type is",
    "op": "^op is",
    "sum": "can't be added",
    "layout": "layout is",
    "strides": r"stride\[\d\] is",
    "overflow": "more elements than memory can hold",
    "axis": "^axis is",
    "shape": "has (rank|size|\\d+ elements)",
    "bounds": "has fewer",
    "read-only": "read-only",
    "shared": "shares a byte|one byte to two",
    "index": r"^indices\[[\d, ]+\] is",
}


@given(with_faults(scatters()))
def test_nonzero_status_wrote_nothing(call: Call) -> None:
    """check() compares status and arena; here the faults are any, and several at once."""
    outcome = check(call)
    data_type = call.specs["input"].data_type
    packed = data_type in BITS and BITS[data_type] < 8
    if outcome.status != 0 and not packed:  # packed elements have one more reason to be refused
        assert re.search(SENTENCES[outcome.reason], bnnspy.last_error())


@given(scatters())
def test_threads_change_no_bit(call: Call) -> None:
    results = []
    for threads in (1, 2, 7):
        arena = call.arena.copy()
        status = through_c_face(call.function, call.given(arena), threads)
        assume(status == 0)
        results.append(arena)
    np.testing.assert_array_equal(results[0], results[1])
    np.testing.assert_array_equal(results[0], results[2])


# --- every cell -----------------------------------------------------------------------------------


SUM_INDEX_TYPES = ("Int32", "UInt64")


class Cell(NamedTuple):
    """One combination of the sweep."""

    layout: str
    data_type: str
    index_type: str
    form: str  # "vector" or "full"
    op: int


def cells() -> Iterator[Cell]:
    """All combinations; at rank 1 both forms are one, and counted as vector.

    What an index is stored as has no part in what is done with it, so sums have two types of them.
    """
    for layout in LAYOUTS:
        for data_type in DATA_TYPES:
            for op in (NONE, SUM):
                for index_type in INDEX_TYPES if op == NONE else SUM_INDEX_TYPES:
                    yield Cell(layout, data_type, index_type, "vector", op)
                    if LAYOUTS[layout].rank > 1:
                        yield Cell(layout, data_type, index_type, "full", op)


def possible(cell: Cell) -> bool:
    """Whether a call of this cell can succeed."""
    data_type = DATA_TYPES[cell.data_type]
    if cell.layout not in STRIDED or (cell.op == SUM and data_type not in ADDED):
        return False
    # A single packed element is never whole bytes: several have to move at once.
    several = cell.form == "vector" and LAYOUTS[cell.layout].rank > 1
    return BITS[data_type] >= 8 or several


def call_of(cell: Cell, number: int) -> Call:
    """A call of the cell; the number varies axis, strides, and the layouts of the rest."""
    layout = LAYOUTS[cell.layout]
    rng = np.random.default_rng(number)
    smallest = 2 if layout.rank < 5 else 1  # high ranks have elements enough
    sizes = [smallest + (number + k) % 2 for k in range(layout.rank)]
    axis = number % layout.rank
    extra = [number // 2 % 2 * (k + 1) for k in range(layout.rank)]
    packed = BITS[DATA_TYPES[cell.data_type]] < 8
    if packed:
        # The run is the fastest axis, 8 elements and so whole bytes; indices go along the slowest.
        # Turned axes can't be a run: they stay at 1.
        axes = layout.axes or tuple(LAYOUTS[f"{layout.rank}DLastMajor"].axes or ())
        straight = [k for k in range(layout.rank) if not axes[k].reversed]
        axis = max(straight, key=lambda k: axes[k].stride)
        run = min(straight, key=lambda k: axes[k].stride)
        sizes = [1 if axes[k].reversed else 8 if k == run else 2 for k in range(layout.rank)]
        extra = [8 * (k > axes[run].stride) * (number // 2 % 2) for k in range(layout.rank)]
    out_sizes = [4 if k == axis else n for k, n in enumerate(sizes)]
    numbers = {"axis": axis, "op": cell.op}
    if layout.axes is None:
        spec = Spec(layout.code, tuple(sizes), DATA_TYPES[cell.data_type], nbytes=4096)
        index = Spec(
            LAYOUTS["Vector"].code, (sizes[axis],), DATA_TYPES[cell.index_type], nbytes=4096
        )
        specs = {"input": spec, "indices": index, "output": spec}
        return Call("BNNSScatter", numbers, specs, np.zeros(4096, np.uint8))
    other = layout.code if packed else LAYOUTS[of_rank(layout.rank, number)].code
    index_rank = 1 if cell.form == "vector" else layout.rank
    index_layout = LAYOUTS[of_rank(index_rank, number + 1)].code
    index_sizes = [sizes[axis]] if cell.form == "vector" else sizes

    def spec_of(code: int, sizes: list[int], data_type: str, more: list[int]) -> Spec:
        size = slot_order(code, sizes)
        stride = strides_of(code, size, more) if any(more) else ()
        return Spec(code, size, DATA_TYPES[data_type], stride)

    specs = {
        "input": spec_of(layout.code, sizes, cell.data_type, extra),
        "indices": spec_of(index_layout, index_sizes, cell.index_type, [number % 3] * index_rank),
        "output": spec_of(other, out_sizes, cell.data_type, extra),
    }
    return with_indices(lay_out("BNNSScatter", numbers, specs, rng), [4], rng)


@pytest.fixture(scope="module")
def sweep() -> Counter[tuple[int, str]]:
    """How many cells of each op and form returned 0; every call is held against the oracle."""
    succeeded: Counter[tuple[int, str]] = Counter()
    for number, cell in enumerate(cells()):
        status = check(call_of(cell, number)).status
        assert (status == 0) == possible(cell), cell
        succeeded[cell.op, cell.form] += status == 0
    return succeeded


def test_every_cell_that_can_succeed_does(sweep: Counter[tuple[int, str]]) -> None:
    """13 types of whole bytes, of which Indexed8 has no sum, and 11 packed ones; 26 layouts."""
    print(f"{sum(sweep.values())} cells of layout, type, index type, form and op returned 0")
    assert (len(ADDED), len(STRIDED), len(INDEX_TYPES)) == (12, 26, 8)
    assert sweep == {
        (NONE, "vector"): (26 * 13 + 23 * 11) * 8,  # 3 layouts have rank 1
        (NONE, "full"): 23 * 13 * 8,
        (SUM, "vector"): 26 * 12 * 2,
        (SUM, "full"): 23 * 12 * 2,
    }
    assert sum(sweep.values()) == 8296
