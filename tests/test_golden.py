"""Recorded calls of the operations, with the result that hardware gave or that Apple prints.

tests/data/apple.json has each call's descriptors as they stand in the source, and the source.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from any_call import DOORS
from oracle import DATA_TYPES, LAYOUTS, ORACLE, Tensor, view

from bnnspy.operations import OPERATIONS, WRITTEN, row

FILE = Path(__file__).resolve().parent / "data" / "apple.json"
# Those that take constants, which both faces spell in their own way, are in test_indexed_golden.py.
FUNCTIONS = {
    operation.function
    for operation in OPERATIONS
    if all(argument.kind != "enum" for argument in operation.arguments)
}
CASES = [case for case in json.loads(FILE.read_text("utf-8"))["cases"] if case["call"] in FUNCTIONS]
every_case = pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
GUARD = 16


class Recorded:
    """A recorded call over guarded memory."""

    def __init__(self, case: dict[str, Any]) -> None:
        operation = row(case["call"])
        by_role = {argument.role: argument.name for argument in operation.tensors()}
        described = {by_role.get(name, name): t for name, t in case["tensors"].items()}
        self.memory: dict[str, np.ndarray[Any, Any]] = {}
        made = {name: self.tensor(name, fields) for name, fields in described.items()}
        given = made | case["args"]
        self.arguments = [given[a.name] for a in operation.arguments if a.name in given]
        (self.output,) = [argument.name for argument in operation.tensors(WRITTEN)]
        self.dtype = np.dtype(described[self.output]["data_type"].lower())
        self.before = {name: whole.copy() for name, whole in self.memory.items()}

    def tensor(self, name: str, fields: dict[str, Any]) -> Tensor:
        """A tensor as the source describes it, 16 bytes of guard around it."""
        size, stride = (tuple(fields.get(f, ())) for f in ("size", "stride"))
        code, kind = LAYOUTS[fields["layout"]].code, DATA_TYPES[fields["data_type"]]
        pad = (0,) * (8 - len(size))
        whole = Tensor(code, (*size, *pad), (*stride, *(0,) * 8)[:8], kind, None)
        values = fields.get("values") or [fields["fill"]] * view(whole).extent
        body = np.array(values, fields["data_type"].lower()).view(np.uint8)
        self.memory[name] = np.pad(body, GUARD, constant_values=0x5A)
        data = self.memory[name][GUARD:-GUARD]
        return Tensor(code, whole.size, whole.stride, kind, data)


@pytest.mark.parametrize("door", DOORS)
@every_case
def test_recorded_result(case: dict[str, Any], door: str) -> None:
    recorded = Recorded(case)
    assert DOORS[door](case["call"], recorded.arguments) == case["status"]
    if "expected" in case:
        body = recorded.before[recorded.output][GUARD:-GUARD]
        body[:] = np.array(case["expected"], recorded.dtype).view(np.uint8)
    else:
        assert case["output_untouched"]
    for name, whole in recorded.memory.items():
        np.testing.assert_array_equal(whole, recorded.before[name], name)


@every_case
def test_oracle_agrees(case: dict[str, Any]) -> None:
    """The tests' own oracle is held against the same results."""
    recorded = Recorded(case)
    outcome = ORACLE[case["call"]](*recorded.arguments)
    assert outcome.status == case["status"]
    if "expected" in case:
        assert outcome.memory is not None
        np.testing.assert_array_equal(outcome.memory.view(recorded.dtype), case["expected"])


def test_the_newer_functions_have_recorded_calls() -> None:
    assert {"BNNSGather", "BNNSTranspose"} <= {case["call"] for case in CASES}
