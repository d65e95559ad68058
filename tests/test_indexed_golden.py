"""Calls that write where indices say, with the result that Apple prints or real hardware gave.

tests/data/apple.json has each call's descriptors as they stand in the source, and the source.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from indexed import DOORS
from oracle import DATA_TYPES, LAYOUTS, ORACLE, Tensor, view

from bnnspy.operations import WRITTEN, row

CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).resolve().parent / "data" / "apple.json").read_text("utf-8")
)["cases"]
DTYPES = {"Float32": np.dtype(np.float32), "Int32": np.dtype(np.int32)}
OPS = {"None": 15, "Sum": 6}
FUNCTIONS = ("BNNSScatter",)
GUARD = 16


class Held:
    """A tensor of a case, with a guard of 16 bytes around its memory."""

    def __init__(self, described: dict[str, Any]) -> None:
        size, stride = described["size"], described.get("stride", [])
        fields = (*size, *[0] * (8 - len(size))), (*stride, *[0] * (8 - len(stride)))
        data_type = DATA_TYPES[described["data_type"]]
        dtype = DTYPES[described["data_type"]]
        layout = LAYOUTS[described["layout"]].code
        count = view(Tensor(layout, *fields, data_type, None)).extent
        values = described.get("values", [described.get("fill", 0)] * count)
        guard = np.full(GUARD, 0x5A, np.uint8)
        self.memory = np.concatenate([guard, np.array(values, dtype).view(np.uint8), guard])
        self.tensor = Tensor(layout, *fields, data_type, self.memory[GUARD:-GUARD])
        self.before = self.memory.copy()


def calls(functions: tuple[str, ...]) -> list[Any]:
    """The recorded calls, as parameters."""
    found = [case for case in CASES if case["call"] in functions]
    assert {case["call"] for case in found} == set(functions)
    return [pytest.param(case, id=case["name"]) for case in found]


@pytest.mark.parametrize("door", ["oracle", *DOORS])
@pytest.mark.parametrize("case", calls(FUNCTIONS))
def test_recorded(case: dict[str, Any], door: str) -> None:
    """The tests' own oracle is held against the same results."""
    held = {name: Held(described) for name, described in case["tensors"].items()}
    numbers = {k: OPS[v] if isinstance(v, str) else v for k, v in case["args"].items()}
    operation = row(case["call"])
    given = [
        held[a.name].tensor if a.kind == "tensor" else numbers[a.name]
        for a in operation.arguments
        if a.kind != "parameters"
    ]
    (output,) = operation.named(WRITTEN)
    if door == "oracle":
        outcome = ORACLE[case["call"]](*given)
        status = outcome.status
        held[output].memory[GUARD:-GUARD] = outcome.memory
    else:
        status = DOORS[door](case["call"], given)
    assert status == case["status"]
    for name, one in held.items():
        expected = one.before.copy()
        if name == output and "expected" in case:
            dtype = DTYPES[case["tensors"][name]["data_type"]]
            expected[GUARD:-GUARD] = np.array(case["expected"], dtype).view(np.uint8)
        np.testing.assert_array_equal(one.memory, expected)
