"""onnx's reference evaluator with our operators, which names the node in an error."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import Any

from bnnspy.onnx.domains import ALIAS, DEFAULT, plain_node, versions
from bnnspy.onnx.extra import OpRun, ReferenceEvaluator, onnx
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


def named_cause(error: BaseException) -> BaseException | None:
    """The error of an inner node, where the evaluator wrapped it in TypeErrors on its way out."""
    cause: BaseException | None = error
    while isinstance(cause, TypeError) and not hasattr(cause, "nodes"):
        cause = cause.__cause__
    return cause if cause is not error and hasattr(cause, "nodes") else None


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
            inner = named_cause(error)
            if inner is not None:
                raise inner from inner.__cause__
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
        self.read_alias()
        super()._init()
        for node in self.rt_nodes_:
            node.run = named(node)

    def read_alias(self) -> None:
        """Takes the other name of ONNX's own domain for that domain."""
        if isinstance(self.proto_, onnx.NodeProto) and self.proto_.domain == ALIAS:
            self.opsets_ = {ALIAS: onnx.defs.onnx_opset_version()}
        self.opsets_ = versions(self.opsets_)
        local = {name for domain, name in self.functions_ if domain == ALIAS}
        self.nodes_ = [plain_node(node, local) for node in self.nodes_]
        ops: dict[tuple[str, str], type[OpRun]] = {}
        for (domain, name), op in self.new_ops_.items():
            ops.setdefault((DEFAULT if domain == ALIAS else domain, name), op)
        self.new_ops_ = ops
