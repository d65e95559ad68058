"""For every row of the registry: all that makes an operation, each where it is looked for.

A row is not an operation yet. What docs/adding-an-op.md has one make is found here, row by row, so
that nothing of it can be forgotten.
"""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest
from oracle import ORACLE, SAMPLES

import bnnspy
from bnnspy import BNNS
from bnnspy._bnns import lib
from bnnspy.conformance.functions import DRAWS
from bnnspy.conformance.generate import entry_calls
from bnnspy.doors import DOORS, doors_of
from bnnspy.entries import entries
from bnnspy.operations import OPERATIONS, QUERIES, Operation, functions

ROOT = Path(__file__).resolve().parents[1]
ROWS = (*OPERATIONS, *QUERIES)
every_row = pytest.mark.parametrize("row", ROWS, ids=[row.function for row in ROWS])
every_operation = pytest.mark.parametrize(
    "row", OPERATIONS, ids=[row.function for row in OPERATIONS]
)


def text(*path: str) -> str:
    return ROOT.joinpath(*path).read_text(encoding="utf-8")


def comment_above(function: str) -> str:
    """The comment over a prototype of bnns.h."""
    header = text("include", "bnns", "bnns.h")
    found = re.search(rf"/\*((?:(?!\*/).)*)\*/\s*\w+ {function}\(", header, re.DOTALL)
    assert found is not None, function
    return found[1]


@every_row
def test_apple_has_it_and_the_coverage_table_says_that_it_is_here(row: Operation) -> None:
    (known,) = [one for one in functions() if one.name == row.function]
    assert known.here
    short = row.function.removeprefix("BNNS")
    assert f"**{short}**" in text("README.md")


@every_row
def test_it_is_declared_with_a_contract_and_compiled(row: Operation) -> None:
    assert hasattr(lib, row.function)
    contract = comment_above(row.function)
    assert "Returns" in contract or row.returns == "number"
    for argument in row.arguments:
        if argument.kind != "parameters":  # the head of the file says what they are
            assert argument.name in contract


@every_row
def test_it_is_a_function_of_the_c_face_with_a_docstring(row: Operation) -> None:
    face = getattr(bnnspy, row.function)
    assert row.function in bnnspy.__all__
    for part in ("Parameters\n", "Returns\n", "Raises\n", *(a.name for a in row.arguments)):
        assert part in inspect.getdoc(face)  # type: ignore[operator]


@every_operation
def test_it_has_doors_that_strict_mode_can_take(row: Operation) -> None:
    for name in doors_of(row):
        assert hasattr(lib, name)
        assert name in DOORS


@every_operation
def test_it_is_a_function_of_the_swift_face_with_a_docstring(row: Operation) -> None:
    face = getattr(BNNS, row.overlay)
    assert row.overlay in BNNS.__all__
    labels = [argument.label for argument in row.each() if argument.label]
    for part in ("Parameters\n", "Raises\n", *labels):
        assert part in inspect.getdoc(face)  # type: ignore[operator]


@every_operation
def test_it_has_an_oracle_and_a_sample(row: Operation) -> None:
    assert row.function in ORACLE
    assert row.function in SAMPLES


@every_operation
def test_conformance_runs_make_calls_of_it(row: Operation) -> None:
    assert row.function in DRAWS
    assert any(call["function"] == row.function for call in entry_calls())


@every_row
def test_it_has_entries_with_tests_and_a_place_on_the_page(row: Operation) -> None:
    own = [entry for entry in entries().values() if entry["function"] == row.function]
    assert own
    assert f"\n## {row.function}\n" in text("docs", "compatibility.md")
    for entry in own:
        file, _, test = entry["test"].partition("::")
        assert f"def {test}(" in text(file)


@every_operation
def test_the_porting_guide_and_the_changelog_name_it(row: Operation) -> None:
    assert row.overlay in text("docs", "porting-from-swift.md")
    assert row.function in text("CHANGELOG.md")
