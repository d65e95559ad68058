"""onnx's own backend cases over our backend and evaluator, and how many of them there are."""

from __future__ import annotations

import unittest
import warnings
from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx", reason="onnx is not installed: pip install 'bnnspy[onnx]'")

from onnx import TensorProto, helper  # noqa: E402
from onnx.backend.test import BackendTest  # noqa: E402
from onnx.reference import ReferenceEvaluator  # noqa: E402
from onnx_cases import Case, cases, gathers, nodes, passes, results  # noqa: E402
from onnx_oracle import DTYPES, same  # noqa: E402
from running import FULL  # noqa: E402

import bnnspy.onnx as bonnx  # noqa: E402

# What the runner calls them, less the device.
GATHER = [
    "test_gather_0",
    "test_gather_1",
    "test_gather_2d_indices",
    "test_gather_negative_indices",
]
ELEMENTS = [f"test_gather_elements_{name}" for name in ("0", "1", "negative_indices")]
EMBEDDING = ["test_Embedding", "test_Embedding_sparse"]
ALL = [*GATHER, *ELEMENTS, *EMBEDDING]

# Cases that a release ships without downloads, and how many of them have a gather.
COUNTS = {"1.20.1": (1793, 49), "1.21.0": (1818, 49), "1.22.0": (1905, 61), "1.23.2": (2024, 83)}

RANDOM = ("RandomNormal", "RandomUniform", "Bernoulli", "Multinomial", "Dropout")


class Names(unittest.TestResult):
    """A result that keeps the names of what passed."""

    def __init__(self) -> None:
        super().__init__()
        self.passed: list[str] = []

    def addSuccess(self, test: Any) -> None:
        self.passed.append(test.id().rpartition(".")[2])


def test_onnx_runner() -> None:
    """onnx's BackendTest: exactly these nine are run, and all pass."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        runner = BackendTest(bonnx.backend.Backend, __name__)
    for name in ALL:
        runner.include(rf"^{name}_(cpu|cuda)$")
    result = Names()
    runner.test_suite.run(result)
    assert (result.failures, result.errors) == ([], [])
    assert sorted(result.passed) == sorted(f"{name}_cpu" for name in ALL)
    assert result.testsRun - len(result.skipped) == len(ALL) == 4 + 3 + 2


@pytest.mark.parametrize("name", ALL)
def test_byte_for_byte(name: str) -> None:
    (case,) = [case for case in cases() if case.name == name]
    compared = 0
    for inputs, outputs in case.sets:
        for ours, expected in zip(
            bonnx.backend.run_model(case.model, inputs), outputs, strict=True
        ):
            assert same(ours, expected)
            compared += 1
    assert compared >= 1


def expected_counts(total: int, with_gather: int) -> tuple[int, int]:
    """What was counted in this release; in one that is not listed, no fewer than in the oldest."""
    if onnx.__version__ in COUNTS:
        return COUNTS[onnx.__version__]
    least = COUNTS["1.20.1"]
    return max(total, least[0]), max(with_gather, least[1])


def test_every_case_with_a_gather() -> None:
    chosen = [case for case in cases() if gathers(case.model)]
    assert (len(cases()), len(chosen)) == expected_counts(len(cases()), len(chosen))
    assert [case.name for case in chosen if not passes(case, bonnx.Evaluator)] == []


def test_the_whole_suite_with_and_without() -> None:
    """Nothing that the stock evaluator passes fails with our operators in it.

    Every tenth case; all of them in the full suite.
    """
    # Random outputs agree with the expected ones by chance.
    chosen = [case for case in cases() if not random(case.model)]
    assert len(cases()) - len(chosen) <= 30
    part = chosen[:: 1 if FULL else 10]
    ours = {case.name for case in part if passes(case, bonnx.Evaluator)}
    stock = {case.name for case in part if passes(case, ReferenceEvaluator)}
    assert stock - ours == set()
    assert len(stock) >= (COUNTS["1.20.1"][0] - 100) * len(part) // len(chosen)


def random(model: Any) -> bool:
    """Whether a model draws random numbers."""
    return any(node.op_type.startswith(RANDOM) for node in nodes(model))


# --- the same cases over all types ----------------------------------------------------------------

TYPES = [*DTYPES, np.dtype(object)]
BFLOAT16 = "bfloat16"


def retyped(case: Case, dtype: np.dtype[Any], index_dtype: str, opset: int) -> tuple[Any, Any]:
    """A case's node as a model over other types, and its inputs and output."""
    (node,) = case.model.graph.node
    ((data, indices), (output,)) = case.sets[0]
    if dtype.hasobject:
        inputs = [data.astype(np.float64).astype(str).astype(object), indices.astype(index_dtype)]
        output = output.astype(np.float64).astype(str).astype(object)
    else:
        inputs = [data.astype(dtype), indices.astype(index_dtype)]
        output = output.astype(dtype)
    code = TensorProto.STRING if dtype.hasobject else helper.np_dtype_to_tensor_dtype(dtype)
    index_code = helper.np_dtype_to_tensor_dtype(np.dtype(index_dtype))
    graph = helper.make_graph(
        [node],
        case.name,
        [
            helper.make_tensor_value_info(node.input[0], code, data.shape),
            helper.make_tensor_value_info(node.input[1], index_code, indices.shape),
        ],
        [helper.make_tensor_value_info(node.output[0], code, output.shape)],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)
    return model, (inputs, output)


def test_sixteen_types() -> None:
    assert len(TYPES) == 16 or BFLOAT16 not in map(str, TYPES)


@pytest.mark.parametrize("opset", [11, 13])
@pytest.mark.parametrize("index_dtype", ["int32", "int64"])
@pytest.mark.parametrize("dtype", TYPES, ids=str)
def test_retyped(dtype: np.dtype[Any], index_dtype: str, opset: int) -> None:
    chosen = [case for case in cases() if case.name in (*GATHER, *ELEMENTS)]
    assert len(chosen) == 7
    for case in chosen:
        model, (inputs, expected) = retyped(case, dtype, index_dtype, opset)
        if str(dtype) == BFLOAT16 and opset < 13:
            with pytest.raises(TypeError, match=r"bfloat16, which Gather.* from opset 13 on"):
                results(bonnx.Evaluator(model), inputs)
            continue
        onnx.checker.check_model(model, full_check=True)
        (result,) = results(bonnx.Evaluator(model), inputs)
        assert same(result, expected)
        (again,) = bonnx.backend.run_model(model, inputs)
        assert same(again, expected)
