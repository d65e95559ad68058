"""OPS, Evaluator and backend: versions, subgraphs, local functions, and names in errors."""

from __future__ import annotations

import sys
import textwrap
from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx", reason="onnx is not installed: pip install 'bnnspy[onnx]'")

import onnx_models as models  # noqa: E402
import running  # noqa: E402
from onnx import helper  # noqa: E402
from onnx.reference import ReferenceEvaluator  # noqa: E402

import bnnspy.onnx as bonnx  # noqa: E402
import bnnspy.onnx.ops  # noqa: E402
from bnnspy import IndexOutOfRange, InvalidParameter, ShapeMismatch  # noqa: E402

X = np.arange(6, dtype=np.float32).reshape(2, 3)
ROWS = np.array([1, -2])


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of our functions, once for each call of a node."""
    seen: list[str] = []

    def counted(function: Any) -> Any:
        def run(*args: Any, **kwargs: Any) -> Any:
            seen.append(function.__name__)
            return function(*args, **kwargs)

        return run

    for function in (bonnx.gather, bonnx.gather_elements):
        monkeypatch.setattr(bnnspy.onnx.ops, function.__name__, counted(function))
    return seen


def run(model: Any, **feed: Any) -> Any:
    """The model's one output."""
    (output,) = bonnx.Evaluator(model).run(None, feed)
    return output


@pytest.mark.parametrize("opset", [1, 7, 10, 11, 12, 13, 18])
def test_versions_of_gather(opset: int, calls: list[str]) -> None:
    assert run(models.single("Gather", 1, opset), x=X, i=ROWS).tolist() == [[1, 1], [4, 4]]
    assert run(models.single("Gather", None, opset), x=X, i=ROWS).tolist() == X[ROWS].tolist()
    assert calls == ["gather"] * 2


@pytest.mark.compat("onnx-gather-1-negative-indices")
@pytest.mark.parametrize("opset", [1, 10])
def test_version_1_takes_negative_indices(opset: int) -> None:
    model = models.single("Gather", 0, opset)
    assert run(model, x=X, i=ROWS).tolist() == X[[1, 0]].tolist()
    with pytest.raises(IndexOutOfRange):
        run(model, x=X, i=np.array([-3]))


@pytest.mark.parametrize("opset", [11, 13, 18])
def test_versions_of_gather_elements(opset: int, calls: list[str]) -> None:
    model = models.single("GatherElements", 1, opset)
    assert run(model, x=X, i=np.array([[2], [-3]])).tolist() == [[2], [3]]
    assert calls == ["gather_elements"]


@pytest.mark.compat("onnx-gather-elements-before-11")
def test_gather_elements_before_its_time() -> None:
    with pytest.raises(InvalidParameter, match="opset is 10, and GatherElements came with 11"):
        bonnx.Evaluator(models.single("GatherElements", 0, 10))


def test_bfloat16_from_13_on() -> None:
    ml_dtypes = pytest.importorskip("ml_dtypes", reason="ml_dtypes is not installed")
    x = X.astype(ml_dtypes.bfloat16)
    code = onnx.TensorProto.BFLOAT16
    assert run(models.single("Gather", 0, 13, code), x=x, i=ROWS).dtype == x.dtype
    for op in ("Gather", "GatherElements"):
        with pytest.raises(TypeError, match=rf"node 'pick' \({op}\): data has type bfloat16"):
            run(models.single(op, 0, 12, code), x=x, i=ROWS.reshape(2, 1))


def test_operators_in_the_stock_evaluator(calls: list[str]) -> None:
    (y,) = ReferenceEvaluator(models.single("Gather"), new_ops=bonnx.OPS).run(
        None, {"x": X, "i": ROWS}
    )
    assert y.tolist() == X[ROWS].tolist()
    assert calls == ["gather"]
    assert [op.__name__ for op in bonnx.OPS if op.op_domain == ""] == ["Gather", "GatherElements"]


def test_subgraphs(calls: list[str]) -> None:
    for condition, expected in ((True, X[ROWS]), (False, X[:, ROWS])):
        y = run(models.branches(), x=X, i=ROWS, c=np.array(condition))
        assert y.tolist() == expected.tolist()
    assert calls == ["gather"] * 2


def test_loops(calls: list[str]) -> None:
    assert run(models.loop(2), x=np.float32([5, 7])).ravel().tolist() == [5, 7]
    assert calls == ["gather"] * 2
    where = np.array([[2, -3], [1, 1]])
    # onnx 1.20 keeps the last turn of a Scan only.
    (stock,) = ReferenceEvaluator(models.scan()).run(None, {"x": X, "i": where})
    assert run(models.scan(), x=X, i=where).tolist() == stock.tolist()
    assert stock.tolist() in ([[2, 0], [4, 4]], [4, 4])
    assert calls == ["gather"] * 2 + ["gather_elements"] * 2


def test_local_functions(calls: list[str]) -> None:
    assert run(models.function(), x=X, i=ROWS).tolist() == X[:, ROWS].tolist()
    assert calls == ["gather"]


def test_new_ops_alone_do_not_reach_functions(calls: list[str]) -> None:
    """Why Evaluator is there; when this fails, onnx has changed for the better."""
    ReferenceEvaluator(models.function(), new_ops=bonnx.OPS).run(None, {"x": X, "i": ROWS})
    assert calls == []


def test_an_operator_of_the_caller_goes_first() -> None:
    class Gather(bonnx.OPS[0]):  # type: ignore[misc, name-defined]
        def _run(self, data: Any, indices: Any, axis: int = 0) -> tuple[Any]:
            return (data * 0,)

    (y,) = bonnx.Evaluator(models.single("Gather"), new_ops=[Gather]).run(None, {"x": X, "i": ROWS})
    assert y.tolist() == [[0, 0, 0], [0, 0, 0]]


@pytest.mark.parametrize(
    ("model", "condition", "nodes"),
    [
        (models.single("Gather"), None, ("node 'pick' (Gather)",)),
        (models.branches(), True, ("node 'choose' (If)", "node 'pick_0' (Gather)")),
        (models.function(), None, ("node 'call' (Pick)", "node 'inner' (Gather)")),
    ],
    ids=["graph", "branch", "function"],
)
def test_errors_name_the_node(model: Any, condition: Any, nodes: tuple[str, ...]) -> None:
    feed = {"x": X, "i": np.array([0, 9])}
    if condition is not None:
        feed["c"] = np.array(condition)
    with pytest.raises(IndexOutOfRange) as caught:
        run(model, **feed)
    error = caught.value
    assert str(error).startswith(f"{', '.join(nodes)}: indices[1] is 9, outside ")
    assert error.nodes == nodes  # type: ignore[attr-defined]
    assert (error.index, error.position) == (9, (1,))


def test_nodes_without_names_go_by_their_outputs() -> None:
    node = helper.make_node("Gather", ["x", "i"], ["y"])
    x, i = models.value("x", models.FLOAT), models.value("i", models.INT64)
    model = models.model([node], [x, i], [models.value("y", models.FLOAT)])
    with pytest.raises(IndexOutOfRange, match=r"^the node \(Gather\) that makes 'y': indices"):
        run(model, x=X, i=np.array([5]))


def test_errors_of_other_kinds() -> None:
    with pytest.raises(TypeError, match=r"^node 'pick' \(Gather\): indices has type float64"):
        run(models.single("Gather"), x=X, i=ROWS.astype(float))
    with pytest.raises(InvalidParameter, match=r"^node 'pick' \(Gather\): axis is 5"):
        run(models.single("Gather", 5), x=X, i=ROWS)
    with pytest.raises(ShapeMismatch, match=r"^node 'pick' \(GatherElements\): indices has rank"):
        run(models.single("GatherElements"), x=X, i=ROWS)
    add = helper.make_node("Add", ["x", "i"], ["y"], name="sum")
    x, i = models.value("x", models.FLOAT), models.value("i", models.FLOAT)
    model = models.model([add], [x, i], [models.value("y", models.FLOAT)])
    with pytest.raises(TypeError, match=r"^node 'sum' \(Add\): "):
        run(model, x=X, i=np.zeros(5, np.float32))


NESTED = {
    "branch": (models.branches(), ("node 'choose' (If)", "node 'pick_0' (Gather)")),
    "function": (models.function(), ("node 'call' (Pick)", "node 'inner' (Gather)")),
    "loop": (models.loop(2), ("node 'loop' (Loop)", "node 'pick' (Gather)")),
    "scan": (models.scan(), ("node 'scan' (Scan)", "node 'pick' (GatherElements)")),
}


@pytest.mark.parametrize("kind", NESTED)
def test_type_errors_inside_of_nodes(kind: str) -> None:
    """The evaluator wraps a TypeError at each level: the sentence and the inner names were lost."""
    model, nodes = NESTED[kind]
    feed = {"x": X.astype("M8[s]"), "i": ROWS.reshape(2, 1), "c": np.array(True)}
    with pytest.raises(TypeError) as caught:
        run(model, **feed)
    assert str(caught.value).startswith(f"{', '.join(nodes)}: data has type datetime64[s]; ")
    assert caught.value.nodes == nodes  # type: ignore[attr-defined]


def test_bfloat16_in_a_function_of_an_older_opset() -> None:
    ml_dtypes = pytest.importorskip("ml_dtypes", reason="ml_dtypes is not installed")
    model = models.function()
    model.functions[0].opset_import[0].version = 11
    inner = r"^node 'call' \(Pick\), node 'inner' \(Gather\): data has type bfloat16"
    with pytest.raises(TypeError, match=inner):
        run(model, x=X.astype(ml_dtypes.bfloat16), i=ROWS)


def test_type_errors_of_other_operators_inside_of_nodes() -> None:
    add = helper.make_node("Add", ["x", "i"], ["z"], name="sum")
    z = models.value("z", models.FLOAT)
    branches = {
        name: helper.make_graph([add], name, [], [z]) for name in ("then_branch", "else_branch")
    }
    choose = helper.make_node("If", ["c"], ["y"], name="choose", **branches)
    inputs = [models.value(name, models.FLOAT) for name in ("x", "i", "c")]
    model = models.model([choose], inputs, [models.value("y", models.FLOAT)])
    with pytest.raises(TypeError, match=r"^node 'choose' \(If\), node 'sum' \(Add\): "):
        run(model, x=X, i=np.zeros(5, np.float32), c=np.array(True))


@pytest.mark.compat("onnx-index-types")
def test_models_have_the_index_types_of_the_operator() -> None:
    for dtype in (np.uint8, np.int8, np.int16, np.uint64):
        with pytest.raises(TypeError, match="Gather has int32 and int64 for it"):
            run(models.single("Gather"), x=X, i=np.array([1], dtype))
    for dtype in (np.int32, np.int64, ">i4", ">i8"):
        assert run(models.single("Gather"), x=X, i=np.array([1], dtype)).tolist() == [[3, 4, 5]]


def test_sequences_are_no_tensors() -> None:
    """A sequence as Gather's data was stacked to a tensor, and gathered."""
    make = helper.make_node("SequenceConstruct", ["x", "x"], ["s"], name="make")
    for op, names in (("Gather", ["s", "i"]), ("GatherElements", ["x", "s"])):
        pick = helper.make_node(op, names, ["y"], name="pick")
        x, i = models.value("x", models.FLOAT), models.value("i", models.INT64)
        model = models.model([make, pick], [x, i], [models.value("y", models.FLOAT)])
        what = "data" if op == "Gather" else "indices"
        with pytest.raises(TypeError, match=rf"node 'pick' \({op}\): {what} is a sequence"):
            run(model, x=X, i=ROWS)


# --- backend --------------------------------------------------------------------------------------


def test_backend() -> None:
    backend = bonnx.backend
    model = models.single("Gather")
    for inputs in ([X, ROWS], (X, ROWS), {"x": X, "i": ROWS}):
        (y,) = backend.prepare(model).run(inputs)
        assert y.tolist() == X[ROWS].tolist()
        (y,) = backend.run_model(model, inputs)
        assert y.tolist() == X[ROWS].tolist()
    with pytest.raises(ValueError, match="inputs has 1 values, and the model takes x, i"):
        backend.run_model(model, [X])
    assert issubclass(backend.Backend, onnx.backend.base.Backend)
    assert isinstance(backend.prepare(model), onnx.backend.base.BackendRep)
    assert backend.is_compatible(model)
    assert not backend.is_compatible(models.single("NoSuchOperator"))


def test_backend_nodes() -> None:
    node = helper.make_node("Gather", ["x", "i"], ["y"], axis=1)
    for options in ({}, {"opset_version": 11}):
        (y,) = bonnx.backend.run_node(node, [X, ROWS], **options)
        assert y.tolist() == X[:, ROWS].tolist()
    (y,) = bonnx.backend.Backend.run_node(node, {"x": X, "i": ROWS}, "CPU")
    assert y.tolist() == X[:, ROWS].tolist()


def test_a_tensor_that_goes_into_a_node_twice_is_one_input() -> None:
    node = helper.make_node("Gather", ["d", "d"], ["y"])
    d = np.array([1, 0, -1])
    for inputs in ([d], {"d": d}, d):
        assert bonnx.backend.run_node(node, inputs)[0].tolist() == [0, 1, -1]
    with pytest.raises(ValueError, match="inputs has 2 values, and the model takes d"):
        bonnx.backend.run_node(node, [d, d])


def test_backend_devices() -> None:
    backend = bonnx.backend
    devices = {"CPU": True, "CPU:0": True, "CUDA": False, "CUDA:1": False}
    assert {device: backend.supports_device(device) for device in devices} == devices
    for call in (
        backend.prepare,
        lambda model, device: backend.run_model(model, [X, ROWS], device),
    ):
        with pytest.raises(ValueError, match="device is 'CUDA'"):
            call(models.single("Gather"), "CUDA")


def test_initializers_need_no_input() -> None:
    table = onnx.numpy_helper.from_array(X, "x")
    node = helper.make_node("Gather", ["x", "i"], ["y"])
    x, i = models.value("x", models.FLOAT, [2, 3]), models.value("i", models.INT64, [2])
    model = models.model([node], [x, i], [models.value("y", models.FLOAT)], initializers=(table,))
    assert bonnx.backend.run_model(model, ROWS)[0].tolist() == X[ROWS].tolist()
    assert bonnx.backend.run_model(model, [X + 1, ROWS])[0].tolist() == (X[ROWS] + 1).tolist()


# --- imports --------------------------------------------------------------------------------------


def python(code: str) -> str:
    """What a new interpreter prints."""
    return running.run([sys.executable, "-c", textwrap.dedent(code)], together=True).stdout


def test_onnx_is_imported_when_it_is_needed() -> None:
    """By each of the names that need it, and not before."""
    before = "import sys, bnnspy, bnnspy.onnx as b; b.gather([1, 2], 0)"
    program = """
    print('onnx' in sys.modules)
    getattr(b, os.environ["NAME"])
    print('onnx' in sys.modules)
    """
    names = [{"NAME": name} for name in ("OPS", "Evaluator", "backend")]
    assert running.in_children(before, program, names) == ["False\nTrue\n"] * 3


def test_without_onnx() -> None:
    program = """
    import sys, traceback
    sys.modules['onnx'] = None
    import bnnspy.onnx as b
    print(b.gather([1, 2], 1))
    attempts = "b.OPS", "b.Evaluator", "b.backend", "import bnnspy.onnx.backend", "b.nothing"
    for attempt in attempts:
        try:
            exec(attempt)
        except Exception as error:
            print(''.join(traceback.format_exception_only(error)).replace("\\n", " "))
    """
    first, *said = python(program).splitlines()
    assert first == "2"
    assert len(said) == 5
    assert all("pip install 'bnnspy[onnx]'" in line for line in said[:4])
    assert (
        said[4].rstrip().endswith("AttributeError: module 'bnnspy.onnx' has no attribute 'nothing'")
    )
