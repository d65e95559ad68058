"""Gather and GatherElements for onnx's reference evaluator: one class an operator.

`ReferenceEvaluator(model, new_ops=OPS)` uses them in the model's own graph and its subgraphs;
`bnnspy.onnx.Evaluator` takes them into local functions as well.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from bnnspy.memory import BFLOAT16
from bnnspy.onnx import domains
from bnnspy.onnx.arrays import ONNX_INDEX_TYPES, indices_of, invalid
from bnnspy.onnx.extra import OpRun, onnx
from bnnspy.onnx.functions import gather, gather_elements

BFLOAT16_SINCE = 13  # the opset


class _Taking(OpRun):
    """What the two have in common."""

    since: ClassVar[int]  # the opset that brought the operator

    def __init__(self, onnx_node: Any, run_params: dict[str, Any], schema: Any = None) -> None:
        super().__init__(onnx_node, run_params, schema)
        newest = onnx.defs.onnx_opset_version()
        self.opset: int = domains.versions(run_params["opsets"]).get(onnx_node.domain, newest)
        if self.opset < self.since:
            name = type(self).__name__
            raise invalid("opset", f"is {self.opset}, and {name} came with {self.since}")

    def run(self, *args: Any, **kwargs: Any) -> Any:
        """Runs the node; a TypeError of ours comes out as it is, without the evaluator's wrap."""
        try:
            return super().run(*args, **kwargs)
        except TypeError as error:
            if isinstance(error.__cause__, TypeError):
                raise error.__cause__ from None
            raise

    def take(
        self, function: Callable[..., Any], data: Any, indices: Any, axis: int | None
    ) -> tuple[Any]:
        """Calls function, after a look at what the operator and its opset allow."""
        for name, value in (("data", data), ("indices", indices)):
            if isinstance(value, (list, tuple)):
                raise TypeError(f"{name} is a sequence, and {type(self).__name__} takes tensors")
        if type(indices) is not np.ndarray or indices.dtype not in ONNX_INDEX_TYPES:
            indices = indices_of(indices)
            if indices.dtype not in ONNX_INDEX_TYPES:
                raise TypeError(
                    f"indices has type {indices.dtype}, and {type(self).__name__} has int32 and "
                    "int64 for it"
                )
        if self.opset < BFLOAT16_SINCE and getattr(data, "dtype", None) == BFLOAT16 is not None:
            raise TypeError(
                f"data has type bfloat16, which {type(self).__name__} has from opset "
                f"{BFLOAT16_SINCE} on; this is {self.opset}"
            )
        return (function(data, indices, 0 if axis is None else axis),)


class Gather(_Taking):
    """Versions 1, 11 and 13. In version 1 negative indices count from the back as well."""

    since = 1

    def _run(self, data: Any, indices: Any, axis: int | None = None) -> tuple[Any]:
        return self.take(gather, data, indices, axis)


class GatherElements(_Taking):
    """Versions 11 and 13."""

    since = 11

    def _run(self, data: Any, indices: Any, axis: int | None = None) -> tuple[Any]:
        return self.take(gather_elements, data, indices, axis)


def in_alias(op: type[OpRun]) -> type[OpRun]:
    """An operator for nodes that call its domain by its other name."""
    return type(op.__name__, (op,), {"op_domain": domains.ALIAS, "__module__": op.__module__})


OPS: tuple[type[OpRun], ...] = (
    Gather,
    GatherElements,
    in_alias(Gather),
    in_alias(GatherElements),
)
