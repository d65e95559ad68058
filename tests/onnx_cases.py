"""The cases that onnx ships for backends: models with inputs and outputs, from memory or disk."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import onnx
from onnx import numpy_helper
from onnx.backend.test import BackendTest
from onnx.backend.test.loader import load_model_tests

# "real" is left out: its models are downloaded.
KINDS = ("node", "simple", "pytorch-converted", "pytorch-operator")
OURS = ("Gather", "GatherElements")


class Case(NamedTuple):
    """A model, and what it gives."""

    name: str
    kind: str
    model: Any
    sets: list[tuple[list[Any], list[Any]]]
    rtol: float
    atol: float


def load(path: Path, kind: Any) -> Any:
    """A stored input or output, of the type that the model names."""
    content = path.read_bytes()
    if kind.HasField("sequence_type"):
        return numpy_helper.to_list(onnx.SequenceProto.FromString(content))
    if kind.HasField("optional_type"):
        return numpy_helper.to_optional(onnx.OptionalProto.FromString(content))
    return numpy_helper.to_array(onnx.TensorProto.FromString(content))


def stored(folder: Path, name: str, values: Any) -> list[Any]:
    """input_0.pb, input_1.pb, .. of a folder; output_0.pb, .. likewise."""
    count = len(list(folder.glob(f"{name}_*.pb")))
    return [load(folder / f"{name}_{k}.pb", values[k].type) for k in range(count)]


def plain(value: Any) -> Any:
    """A tensor as an array."""
    return numpy_helper.to_array(value) if isinstance(value, onnx.TensorProto) else value


def case(test: Any, kind: str) -> Case:
    """One of onnx's test cases; older releases keep all on disk, newer ones some."""
    if test.model is not None:
        sets = [([*map(plain, i)], [*map(plain, o)]) for i, o in test.data_sets]
        return Case(test.name, kind, test.model, sets, test.rtol, test.atol)
    folder = Path(test.model_dir)
    model = onnx.load(folder / "model.onnx")
    sets = [
        (stored(data, "input", model.graph.input), stored(data, "output", model.graph.output))
        for data in sorted(folder.glob("test_data_set*"))
    ]
    return Case(test.name, kind, model, sets, test.rtol, test.atol)


@cache
def cases() -> tuple[Case, ...]:
    """All of them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some cases are made of overflows and divisions by 0
        return tuple(case(test, kind) for kind in KINDS for test in load_model_tests(kind=kind))


def nodes(model: Any) -> Iterator[Any]:
    """Every node of a model: subgraphs and local functions too."""

    def walk(graph: Any) -> Iterator[Any]:
        for node in graph.node:
            yield node
            for attribute in node.attribute:
                for inner in (attribute.g, *attribute.graphs):
                    yield from walk(inner)

    yield from walk(model.graph)
    for function in model.functions:
        yield from walk(function)


def gathers(model: Any) -> bool:
    """Whether a model has a Gather or GatherElements node."""
    return any(node.op_type in OURS for node in nodes(model))


def results(evaluator: Any, inputs: list[Any]) -> list[Any]:
    """What an evaluator makes of a case's inputs."""
    outputs: list[Any] = evaluator.run(None, dict(zip(evaluator.input_names, inputs, strict=False)))
    return outputs


def passes(case: Case, evaluator_class: Any) -> bool:
    """Whether the outputs are those of the case, by onnx's own comparison."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            evaluator = evaluator_class(case.model)
            for inputs, outputs in case.sets:
                BackendTest.assert_similar_outputs(
                    outputs, results(evaluator, inputs), case.rtol, case.atol
                )
        except Exception:
            return False
    return True
