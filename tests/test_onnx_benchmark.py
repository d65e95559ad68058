"""The benchmark of ONNX's Gather compares its results; here at small sizes, without times."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import pytest

BENCHMARKS = Path(__file__).resolve().parents[1] / "benchmarks"


@pytest.fixture
def benchmark(monkeypatch: pytest.MonkeyPatch) -> Any:
    """benchmarks/onnx_gather.py as a module."""
    monkeypatch.setattr(sys, "path", [str(BENCHMARKS), *sys.path])
    return importlib.import_module("onnx_gather")


def test_all_ways_agree(benchmark: Any) -> None:
    assert len(benchmark.SHOWN) >= 10
    for case in benchmark.SHOWN:
        assert list(benchmark.ways_of(case.small())) == list(benchmark.WAYS)
