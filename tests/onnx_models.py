"""Small models for the tests."""

from __future__ import annotations

from typing import Any

from onnx import TensorProto, helper

FLOAT, INT64, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL


def value(name: str, code: int, shape: Any = ("n", "m")) -> Any:
    """A typed input or output."""
    return helper.make_tensor_value_info(name, code, shape)


def model(
    nodes: list[Any],
    inputs: list[Any],
    outputs: list[Any],
    opset: int = 13,
    functions: tuple[Any, ...] = (),
    initializers: tuple[Any, ...] = (),
) -> Any:
    """A model with one graph."""
    graph = helper.make_graph(nodes, "graph", inputs, outputs, initializer=list(initializers))
    opsets = [helper.make_opsetid("", opset)]
    if functions:
        opsets.append(helper.make_opsetid("local", 1))
    return helper.make_model(graph, opset_imports=opsets, functions=list(functions), ir_version=8)


def shapeless(made: Any) -> Any:
    """The same model, whose inputs may have any shape."""
    for given in made.graph.input:
        given.type.tensor_type.ClearField("shape")
    return made


def single(op: str, axis: int | None = 0, opset: int = 13, code: int = FLOAT) -> Any:
    """One node: y from x and i."""
    attributes = {} if axis is None else {"axis": axis}
    node = helper.make_node(op, ["x", "i"], ["y"], name="pick", **attributes)
    return model([node], [value("x", code), value("i", INT64)], [value("y", code)], opset)


def branches() -> Any:
    """y = x gathered by i in both branches of an If, along axis 0 or 1."""
    graphs = {}
    for name, axis in (("then_branch", 0), ("else_branch", 1)):
        node = helper.make_node("Gather", ["x", "i"], ["z"], name=f"pick_{axis}", axis=axis)
        graphs[name] = helper.make_graph([node], name, [], [value("z", FLOAT)])
    node = helper.make_node("If", ["c"], ["y"], name="choose", **graphs)
    inputs = [value("x", FLOAT), value("i", INT64), value("c", BOOL)]
    return model([node], inputs, [value("y", FLOAT)])


def function() -> Any:
    """y = Pick<axis>(x, i), a local function with a linked attribute."""
    node = helper.make_node("Gather", ["x", "i"], ["y"], name="inner")
    link = node.attribute.add()
    link.name, link.ref_attr_name, link.type = "axis", "axis", 2
    opsets = [helper.make_opsetid("", 13)]
    pick = helper.make_function("local", "Pick", ["x", "i"], ["y"], [node], opsets, ["axis"])
    call = helper.make_node("Pick", ["x", "i"], ["y"], name="call", domain="local", axis=1)
    inputs = [value("x", FLOAT), value("i", INT64)]
    return model([call], inputs, [value("y", FLOAT)], functions=(pick,))


def chain() -> Any:
    """y from x by i, and z from y by j."""
    nodes = [
        helper.make_node("Gather", ["x", "i"], ["y"], name="first"),
        helper.make_node("GatherElements", ["y", "j"], ["z"], name="second", axis=1),
    ]
    inputs = [value("x", FLOAT, ["n", 2]), value("i", INT64, [3]), value("j", INT64, [1, 1])]
    return model(nodes, inputs, [value("z", FLOAT)])


def loop(turns: int) -> Any:
    """Gathers x at the number of the turn, that many times."""
    pick = helper.make_node("Gather", ["x", "turn"], ["row"], name="pick")
    same = helper.make_node("Identity", ["go"], ["on"], name="same")
    body = helper.make_graph(
        [pick, same],
        "body",
        [value("turn", INT64, []), value("go", BOOL, [])],
        [value("on", BOOL, []), value("row", FLOAT)],
    )
    node = helper.make_node("Loop", ["turns", "begin"], ["rows"], name="loop", body=body)
    count = helper.make_tensor("turns", INT64, [], [turns])
    begin = helper.make_tensor("begin", BOOL, [], [True])
    return model(
        [node], [value("x", FLOAT, [2])], [value("rows", FLOAT)], initializers=(count, begin)
    )


def scan() -> Any:
    """Row after row of x, gathered by the row of i at the same place."""
    pick = helper.make_node("GatherElements", ["row", "where"], ["picked"], name="pick")
    body = helper.make_graph(
        [pick],
        "body",
        [value("row", FLOAT, ["n"]), value("where", INT64, ["k"])],
        [value("picked", FLOAT, ["k"])],
    )
    node = helper.make_node("Scan", ["x", "i"], ["y"], name="scan", body=body, num_scan_inputs=2)
    return model([node], [value("x", FLOAT), value("i", INT64)], [value("y", FLOAT)])
