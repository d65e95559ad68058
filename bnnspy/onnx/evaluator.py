"""onnx's reference evaluator with our operators, which names the node in an error."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import Any

from bnnspy.onnx.extra import OpRun, ReferenceEvaluator
from bnnspy.onnx.ops import OPS


class _Trail(threading.local):
    """The nodes that a thread is in, from the model's own to the innermost."""

    def __init__(self) -> None:
        self.nodes: list[str] = []


TRAIL = _Trail()


def label(node: Any) -> str:
    """What a sentence calls a node."""
    if node.name:
        return f"node {node.name!r} ({node.op_type})"
    makes = ", ".join(repr(name) for name in node.output if name)
    return f"the node ({node.op_type}) that makes {makes}"


def name_nodes(error: Exception, nodes: list[str]) -> None:
    """Puts where it happened before an exception's sentence, once."""
    if hasattr(error, "nodes") or not error.args or not isinstance(error.args[0], str):
        return
    error.args = (f"{', '.join(nodes)}: {error.args[0]}", *error.args[1:])
    error.nodes = tuple(nodes)  # type: ignore[attr-defined]


def named(node: OpRun) -> Callable[..., Any]:
    """A node's run, with its name in errors."""
    run = node.run
    called = label(node.onnx_node)

    def run_named(*args: Any, **kwargs: Any) -> Any:
        nodes = TRAIL.nodes
        nodes.append(called)
        try:
            return run(*args, **kwargs)
        except Exception as error:
            name_nodes(error, nodes)
            raise
        finally:
            nodes.pop()

    return run_named


class Evaluator(ReferenceEvaluator):
    """Runs a model with Gather and GatherElements on the C core, in every graph and function.

    Parameters
    ----------
    proto, opsets, functions, verbose, new_ops, **others
        As for onnx.reference.ReferenceEvaluator. An operator in new_ops goes before ours.

    Notes
    -----
    An exception of a node begins with the node's name, after those of the nodes around it, and has
    them in its attribute `nodes`.
    """

    ops: Iterable[type[OpRun]] = OPS

    def __init__(
        self,
        proto: Any,
        opsets: dict[str, int] | None = None,
        functions: list[Any] | None = None,
        verbose: int = 0,
        new_ops: list[type[OpRun]] | None = None,
        **others: Any,
    ) -> None:
        ours = [*(new_ops or ()), *self.ops]
        super().__init__(proto, opsets, functions, verbose, ours, **others)

    def _init(self) -> None:
        super()._init()
        for node in self.rt_nodes_:
            node.run = named(node)
