"""ONNX's own operators are in one domain, which goes by two names: "" and "ai.onnx"."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from bnnspy.onnx.arrays import invalid

DEFAULT, ALIAS = "", "ai.onnx"


def versions(opsets: dict[str, int]) -> dict[str, int]:
    """Versions by domain, with that of the default domain under both of its names."""
    found = {opsets[name] for name in (DEFAULT, ALIAS) if name in opsets}
    if len(found) > 1:
        raise invalid(
            "opset_import",
            f"has one domain in two versions: {opsets[DEFAULT]} as {DEFAULT!r}, and "
            f"{opsets[ALIAS]} as {ALIAS!r}",
        )
    return {**opsets, **{name: version for version in found for name in (DEFAULT, ALIAS)}}


def graphs(node: Any) -> Iterable[Any]:
    """The subgraphs of a node."""
    for attribute in node.attribute:
        yield from (attribute.g, *attribute.graphs)


def has_alias(nodes: Iterable[Any]) -> bool:
    """Whether one of the nodes, or of those inside them, has the other name."""
    return any(
        node.domain == ALIAS or any(has_alias(graph.node) for graph in graphs(node))
        for node in nodes
    )


def rename(nodes: Iterable[Any], local: Collection[str]) -> None:
    """Gives the nodes, and those inside them, the usual name; but not calls of local functions."""
    for node in nodes:
        if node.domain == ALIAS and node.op_type not in local:
            node.domain = DEFAULT
        for graph in graphs(node):
            rename(graph.node, local)


def plain_node(node: Any, local: Collection[str] = ()) -> Any:
    """The node, or a copy of it that uses the usual name only."""
    if not has_alias([node]):
        return node
    copy = type(node)()
    copy.CopyFrom(node)
    rename([copy], local)
    return copy


def plain_model(model: Any) -> Any:
    """The model, or a copy of it that uses the usual name only."""
    bodies = (model.graph, *model.functions)
    imports = [part.domain for holder in (model, *model.functions) for part in holder.opset_import]
    if ALIAS not in imports and not any(has_alias(body.node) for body in bodies):
        return model
    copy = type(model)()
    copy.CopyFrom(model)
    local = {function.name for function in model.functions if function.domain == ALIAS}
    for body in (copy.graph, *copy.functions):
        rename(body.node, local)
    for holder in (copy, *copy.functions):
        kept = versions({part.domain: part.version for part in holder.opset_import})
        if not local:
            kept.pop(ALIAS, None)
        del holder.opset_import[:]
        for domain, version in kept.items():
            holder.opset_import.add(domain=domain, version=version)
    return copy
