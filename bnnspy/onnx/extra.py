"""What is used of the package onnx, an optional extra; without it, a sentence that says so."""

from __future__ import annotations

try:
    import onnx
    import onnx.backend.base
    import onnx.checker
    import onnx.helper
    from onnx.reference import ReferenceEvaluator
    from onnx.reference.op_run import OpRun
except ModuleNotFoundError as error:
    if (error.name or "").partition(".")[0] != "onnx":
        raise
    raise ModuleNotFoundError(
        "bnnspy.onnx runs models with the package onnx, which is not installed: "
        "pip install 'bnnspy[onnx]' (gather and gather_elements work without it)",
        name=error.name,
    ) from None

__all__ = ["OpRun", "ReferenceEvaluator", "onnx"]
