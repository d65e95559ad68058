"""Which nodes of a model gather out of range: the model is run, and goes on past each of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bnnspy.errors import IndexOutOfRange
from bnnspy.onnx import inputs, ops
from bnnspy.onnx.evaluator import TRAIL, Evaluator


@dataclass
class Finding:
    """A node that gathered out of range."""

    nodes: tuple[str, ...]  # from the model's own graph inwards
    error: IndexOutOfRange  # of the first time
    times: int = 1

    @property
    def where(self) -> str:
        return ", ".join(self.nodes)


@dataclass
class Report:
    """What a run found, and what it was run on."""

    findings: list[Finding]
    calls: int  # of Gather and GatherElements nodes
    made_up: dict[str, str]  # inputs that were made up, with type and shape
    stopped: Exception | None = None  # what ended the run before its end


def in_range(indices: Any, n: int) -> NDArray[Any]:
    """indices with those that are out of range moved to the nearest end of an axis of n."""
    return np.clip(np.asarray(indices, np.int64), -n, n - 1)


def check(model: Any, feed: dict[str, Any] | None = None) -> Report:
    """Runs a model; inputs without a value in feed are zeros.

    Parameters
    ----------
    model : onnx.ModelProto
    feed : dict of arrays by input's name, or None for zeros throughout

    Returns
    -------
    Report
        After a gather out of range the run goes on, with the bad indices moved to the nearest end
        of their axis; so a later finding may be a consequence of an earlier one.

    Raises
    ------
    InvalidParameter, ShapeMismatch
        A name in feed that is no input's, or a value that is not what the model declares.
    """
    values = inputs.fitting(feed or {}, model)
    made_up = {}
    for value in inputs.needed(model):
        if value.name not in values:
            values[value.name] = inputs.zeros(value)
            dtype, shape = values[value.name].dtype, values[value.name].shape
            made_up[value.name] = f"{dtype} {shape}"
    report = Report([], 0, made_up)
    evaluator = checking_evaluator(report)(model)
    try:
        evaluator.run(None, values)
    except Exception as error:  # whatever a model's nodes raise: it is in the report
        report.stopped = error
    return report


def checking_evaluator(report: Report) -> type[Evaluator]:
    """An evaluator class whose gathers write into report."""

    class Checked:
        def take(self, function: Callable[..., Any], data: Any, indices: Any, axis: Any) -> Any:
            report.calls += 1
            try:
                return super().take(function, data, indices, axis)  # type: ignore[misc]
            except IndexOutOfRange as error:
                note(report, error)
                if error.valid is None or len(error.valid) == 0:
                    raise  # there is no element to go on with
                moved = in_range(indices, len(error.valid) // 2)
                return super().take(function, data, moved, axis)  # type: ignore[misc]

    # The evaluator goes by the name of a class.
    checked = [type(op.__name__, (Checked, op), {}) for op in ops.OPS]
    return type("CheckingEvaluator", (Evaluator,), {"ops": checked})


def note(report: Report, error: IndexOutOfRange) -> None:
    """Adds a finding, or counts one more of the same node."""
    nodes = tuple(TRAIL.nodes)
    for finding in report.findings:
        if finding.nodes == nodes:
            finding.times += 1
            return
    report.findings.append(Finding(nodes, error))
