"""Calls that onnxruntime and webnn-baseline recorded; tests/data/onnx/README.md says from where."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import bnnspy.onnx as bonnx

DATA = Path(__file__).resolve().parent / "data" / "onnx"
ONNXRUNTIME = json.loads((DATA / "onnxruntime.json").read_text())
WEBNN = json.loads((DATA / "webnn-baseline.json").read_text())

FUNCTIONS = {"gather": bonnx.gather, "gatherelements": bonnx.gather_elements}


def array(stored: Any) -> NDArray[Any]:
    """A tensor of onnxruntime's."""
    dtype = object if stored["dtype"] == "string" else stored["dtype"]
    return np.array(stored["data"], dtype).reshape(stored["shape"])


def plain(stored: Any) -> NDArray[Any]:
    """A tensor of webnn-baseline's, which has no type."""
    whole = all(isinstance(value, int) for value in stored["data"])
    return np.array(stored["data"], np.int64 if whole else float).reshape(stored["shape"])


def test_how_many() -> None:
    counts = [(case["op"], case.get("expect")) for case in ONNXRUNTIME]
    assert counts.count(("Gather", "ok")) == 19
    assert counts.count(("Gather", "error")) == 2
    assert counts.count(("GatherElements", "ok")) == 8
    assert counts.count(("GatherElements", "error")) == 2
    assert len(ONNXRUNTIME) == 31
    assert [case["op"] for case in WEBNN].count("gather") == 13
    assert [case["op"] for case in WEBNN].count("gatherElements") == 5
    assert len(WEBNN) == 18


@pytest.mark.parametrize("case", ONNXRUNTIME, ids=lambda case: case["test"])
def test_onnxruntime(case: Any) -> None:
    function = FUNCTIONS[case["op"].lower()]
    data, indices = map(array, case["inputs"])
    axis = case["attrs"].get("axis", 0)
    if case["expect"] == "error":
        with pytest.raises((IndexError, ValueError)):
            function(data, indices, axis)
        return
    expected = array(case["output"])
    result = function(data, indices, axis)
    assert (result.dtype, result.shape) == (expected.dtype, expected.shape)
    assert result.tolist() == expected.tolist()


@pytest.mark.parametrize("case", WEBNN, ids=lambda case: case["name"])
def test_webnn(case: Any) -> None:
    function = FUNCTIONS[case["op"].lower()]
    data, indices = map(plain, case["inputs"])
    result = function(data, indices, **case["options"])
    assert result.shape == tuple(case["shape"])
    assert result.ravel().tolist() == case["data"]
