"""ONNX's Gather and GatherElements on the C core that BNNSGather stands on.

`gather` and `gather_elements` are functions on arrays. `OPS`, `Evaluator` and `backend` run whole
models; they need the package onnx, which is imported when the first of them is used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from bnnspy.onnx.functions import gather, gather_elements

if TYPE_CHECKING:
    from bnnspy.onnx import backend as backend
    from bnnspy.onnx.evaluator import Evaluator as Evaluator
    from bnnspy.onnx.extra import OpRun

    OPS: list[type[OpRun]]

__all__ = ["OPS", "Evaluator", "backend", "gather", "gather_elements"]


if not TYPE_CHECKING:  # a checker would take any name for one that is here

    def __getattr__(name: str) -> Any:
        if name == "OPS":
            # A new list each time: onnx before 1.23 appends to the one that it is given.
            return list(import_module("bnnspy.onnx.ops").OPS)
        if name == "Evaluator":
            return import_module("bnnspy.onnx.evaluator").Evaluator
        if name == "backend":
            return import_module("bnnspy.onnx.backend")
        raise AttributeError(f"module 'bnnspy.onnx' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
