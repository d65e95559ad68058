"""The domain of ONNX's own operators goes by "" and by "ai.onnx", in models and in nodes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx", reason="onnx is not installed: pip install 'bnnspy[onnx]'")

import onnx_models as models  # noqa: E402
from onnx import helper  # noqa: E402
from onnx.reference import ReferenceEvaluator  # noqa: E402
from onnx_cases import nodes  # noqa: E402

import bnnspy.onnx as bonnx  # noqa: E402
from bnnspy import InvalidParameter  # noqa: E402
from bnnspy.onnx.checking import check  # noqa: E402

X = np.arange(6, dtype=np.float32).reshape(2, 3)
WHERE = np.array([[1, -2], [0, 1]])
FEED = {"x": X, "i": WHERE, "c": np.array(True)}
MODELS = {
    "graph": models.single("Gather"),
    "elements": models.single("GatherElements", 1),
    "branches": models.branches(),
    "function": models.function(),
    "loop": models.loop(2),
    "scan": models.scan(),
}


def imports(model: Any) -> Iterator[Any]:
    """The imports of a model and of its functions."""
    for part in (model, *model.functions):
        yield from part.opset_import


def spelt(model: Any, imported: str, called: str) -> Any:
    """A copy of a model with those names of the domain."""
    copy = onnx.ModelProto.FromString(model.SerializeToString())
    for part in imports(copy):
        part.domain = part.domain or imported
    for node in nodes(copy):
        node.domain = node.domain or called
    return copy


@pytest.mark.compat("onnx-default-domain")
@pytest.mark.parametrize(
    ("imported", "called"), [("ai.onnx", ""), ("", "ai.onnx"), ("ai.onnx", "ai.onnx")]
)
@pytest.mark.parametrize("kind", MODELS)
def test_both_names_are_one_domain(kind: str, imported: str, called: str) -> None:
    """ "ai.onnx" was a RuntimeError about an unknown domain."""
    model = spelt(MODELS[kind], imported, called)
    before = model.SerializeToString()
    feed = {name: FEED[name] for name in [value.name for value in model.graph.input]}
    (expected,) = bonnx.Evaluator(MODELS[kind]).run(None, feed)
    for given in (model, before):
        (y,) = bonnx.Evaluator(given).run(None, feed)
        assert y.tolist() == expected.tolist()
    assert bonnx.backend.is_compatible(model)
    (y,) = bonnx.backend.run_model(model, feed)
    assert y.tolist() == expected.tolist()
    assert model.SerializeToString() == before
    report = check(models.shapeless(model), feed)
    assert (report.stopped, report.findings) == (None, [])
    assert report.calls > 0


def test_one_domain_has_one_version() -> None:
    model = models.single("Gather")
    again = model.opset_import.add()
    again.domain, again.version = "ai.onnx", 13
    assert bonnx.Evaluator(model).run(None, {"x": X, "i": WHERE})[0].shape == (2, 2, 3)
    again.version = 11
    with pytest.raises(InvalidParameter, match="one domain in two versions: 13 as '', and 11 as"):
        bonnx.Evaluator(model)


def test_versions_go_by_the_other_name() -> None:
    with pytest.raises(InvalidParameter, match="opset is 10, and GatherElements came with 11"):
        bonnx.Evaluator(spelt(models.single("GatherElements", 0, 10), "ai.onnx", "ai.onnx"))


def test_nodes() -> None:
    node = helper.make_node("Gather", ["x", "i"], ["y"], domain="ai.onnx")
    for options in ({}, {"opset_version": 11}):
        (y,) = bonnx.backend.run_node(node, [X, WHERE], **options)
        assert y.tolist() == X[WHERE].tolist()
    (y,) = bonnx.Evaluator(node).run(None, {"x": X, "i": WHERE})
    assert y.tolist() == X[WHERE].tolist()


def test_operators_in_the_stock_evaluator() -> None:
    model = spelt(models.single("Gather"), "ai.onnx", "ai.onnx")
    (y,) = ReferenceEvaluator(model, new_ops=bonnx.OPS).run(None, {"x": X, "i": WHERE})
    assert y.tolist() == X[WHERE].tolist()


def test_local_functions_of_that_domain_are_called() -> None:
    model = models.function()
    model.functions[0].domain = model.graph.node[0].domain = "ai.onnx"
    for domain in ("ai.onnx", ""):
        model.opset_import[1].domain = domain
        model.opset_import[1].version = 13
        (y,) = bonnx.Evaluator(model).run(None, {"x": X, "i": WHERE})
        assert y.tolist() == X[:, WHERE].tolist()


def test_an_operator_of_the_caller_goes_first() -> None:
    class Gather(bonnx.OPS[0]):  # type: ignore[misc, name-defined]
        op_domain = "ai.onnx"

        def _run(self, data: Any, indices: Any, axis: int = 0) -> tuple[Any]:
            return (data * 0,)

    for called in ("", "ai.onnx"):
        model = spelt(models.branches(), "", called)
        (y,) = bonnx.Evaluator(model, new_ops=[Gather]).run(None, FEED)
        assert y.tolist() == [[0, 0, 0], [0, 0, 0]]
