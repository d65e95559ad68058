"""Advice that helps: each remedy that a sentence names is carried out, and has to succeed."""

from __future__ import annotations

import array
import ast
import ctypes
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided
from oracle import LAYOUTS, STRIDED

import bnnspy
from bnnspy import BNNS, DataLayout, DataType, NDArrayDescriptor, Shape, foreign, memory, remedies
from bnnspy import arrays as arrays_module
from bnnspy import values as values_module

from_array = NDArrayDescriptor.from_array
PACKAGE = Path(bnnspy.__file__).parent
MODULES = (arrays_module, foreign, memory, values_module)


class Case(NamedTuple):
    """A call that refuses a value, and takes what its sentence makes of it."""

    call: Callable[[Any], Any]
    value: Any


def view(value: Any) -> NDArrayDescriptor:
    return NDArrayDescriptor(data=value, shape=2)


def view_as_float32(value: Any) -> NDArrayDescriptor:
    return NDArrayDescriptor(data=value, shape=2, scalar_type=np.float32)


def view_as_uint4(value: Any) -> NDArrayDescriptor:
    return NDArrayDescriptor(data=value, shape=2, scalar_type=DataType.UInt4)


def allocate(value: Any) -> NDArrayDescriptor:
    return NDArrayDescriptor.allocate(initializing_from=value, shape=2)


def allocate_int32(value: Any) -> NDArrayDescriptor:
    return NDArrayDescriptor.allocate(initializing_from=value, shape=2, scalar_type=np.int32)


def gather(value: Any) -> None:
    indices = np.zeros(1, np.int32)
    made = value if isinstance(value, NDArrayDescriptor) else from_array(value)
    output = np.zeros((1, *made.array.shape[1:]), made.dtype)
    BNNS.gather(input=value, indices=indices, output=output, axis=0)


def convert(value: Any) -> Any:
    return value if isinstance(value, np.ndarray) else value.make_array(of=np.int32)


class Producer:
    """A tensor that knows DLPack alone."""

    def __init__(self, inner: Any, device: int = 1) -> None:
        self.inner, self.device = inner, device

    def __dlpack__(self, **options: Any) -> Any:
        return self.inner.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (self.device, 0)


class Cupy(Producer):
    def get(self) -> Any:
        return self.inner


class Elsewhere(Producer):
    def cpu(self) -> Any:
        return self.inner


class Torch(Producer):
    """What is used of a torch tensor."""

    dtype = "bfloat16"
    requires_grad = False

    def numpy(self) -> Any:
        return self.inner

    def view(self, dtype: Any) -> Any:
        made = Torch(self.inner.view(np.int16))
        made.dtype = dtype
        return made

    def detach(self) -> Any:
        return Torch(self.inner)


class Wanting(Torch):
    requires_grad = True


class TorchModule:
    Tensor, bfloat16, int16 = Torch, "bfloat16", "int16"


HALF = np.dtype(ml_dtypes.bfloat16)
THREE = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
FOUR = np.arange(24, dtype=np.float32).reshape(2, 3, 4, 1)

# Arrays that most layouts can't say.
AWKWARD: dict[str, Callable[[tuple[int, ...]], Any]] = {
    "C": lambda sizes: np.ones(sizes, np.float32),
    "Fortran": lambda sizes: np.ones(sizes, np.float32, "F"),
    "backwards": lambda sizes: np.ones(sizes, np.float32)[(slice(None, None, -1),) * len(sizes)],
    "broadcast": lambda sizes: np.broadcast_to(np.float32(1), sizes),
    "mixed": lambda sizes: np.moveaxis(np.ones((*sizes[1:], sizes[0]), np.float32), -1, 0),
    "of records": lambda sizes: np.zeros(sizes, "f4,i2")["f0"],
    "bfloat16": lambda sizes: np.broadcast_to(np.ones((), HALF), sizes),
}


def grid() -> Iterator[tuple[str, Case]]:
    """Each layout, and a gather without one, over arrays most of which it can't say."""
    for name in STRIDED:
        code, rank, _ = LAYOUTS[name]
        for way, make in AWKWARD.items():
            sizes = tuple(range(2, rank + 2)) if rank < 6 else (2,) * rank
            call = partial(from_array, layout=DataLayout(code))
            yield f"{name}: {way}", Case(call, make(sizes))
    for rank in (1, 2, 3):
        for way, make in AWKWARD.items():
            yield f"gather of rank {rank}: {way}", Case(gather, make(tuple(range(2, rank + 2))))


GRID = dict(grid())

# Each is refused.
CASES: dict[str, Case] = {
    "odd stride": Case(from_array, np.zeros(3, "f4,i2")["f0"]),
    "windows backwards": Case(from_array, as_strided(np.zeros(9, np.int8)[8:], (2, 3), (-1, -1))),
    "image": Case(lambda value: from_array(value, layout=DataLayout.ImageCHW), THREE),
    "rank 0": Case(from_array, np.zeros((), np.float32)),
    "rank 9": Case(from_array, np.zeros((2, 1, 2, 1, 1, 1, 1, 1, 3), np.float32)),
    "rank 9, empty": Case(from_array, np.zeros((0, 1, 2, 1, 1, 1, 1, 1, 3), np.float32)),
    "rank 0 of DLPack": Case(from_array, Producer(np.zeros((), np.float32))),
    "data backwards": Case(view, np.zeros(2, np.float32)[::-1]),
    "data strided": Case(view, np.zeros(4, np.float32)[::2]),
    "data in a strided memoryview": Case(view, memoryview(np.zeros(4, np.float32))[::2]),
    "data of DLPack": Case(view, Producer(np.zeros(4, np.float32)[::2])),
    "float64": Case(from_array, np.zeros(2)),
    "float64 backwards": Case(from_array, np.zeros(2)[::-1]),
    "float64 in Fortran's order": Case(gather, np.zeros((3, 4), order="F")),
    "swapped float64": Case(from_array, np.zeros(2, ">f8")),
    "swapped": Case(from_array, np.zeros(2, ">f4")),
    "swapped, in a buffer": Case(view, (ctypes.c_float.__ctype_be__ * 2)()),
    "doubles": Case(view, array.array("d", [1, 2])),
    "doubles of a memoryview": Case(from_array, memoryview(array.array("d", [1, 2]))),
    "doubles of DLPack": Case(from_array, Producer(np.zeros(2))),
    "doubles to begin with": Case(allocate, array.array("d", [1, 2])),
    "masked": Case(from_array, np.ma.array([1, 2], np.float32, mask=[0, 1])),
    "masked float64": Case(from_array, np.ma.array([1.0, 2.0], mask=[0, 1])),
    "list of floats": Case(from_array, [1.0, 2.0]),
    "list of ints": Case(view, [1, 2]),
    "list of bools": Case(from_array, (True, False)),
    "list of lists": Case(gather, [[1.0, 2.0], [3.0, 4.0]]),
    "empty list": Case(from_array, []),
    "range": Case(from_array, range(3)),
    "int16 as float32": Case(view_as_float32, np.zeros(2, np.int16)),
    "int32 as float32": Case(view_as_float32, array.array("i", [1, 2])),
    "int32 as float32, strided": Case(view_as_float32, np.zeros(4, np.int32)[::2]),
    "int32 as uint4": Case(view_as_uint4, np.zeros(2, np.int32)),
    "floats as int32": Case(allocate_int32, [1.4, 2.6]),
    "float array as int32": Case(allocate_int32, np.array([1.4, 2.6], np.float32)),
    "on a device": Case(from_array, Cupy(np.zeros(2, np.float32), device=2)),
    "on another device": Case(from_array, Elsewhere(np.zeros(2, np.float32), device=2)),
    "tensor that requires grad": Case(from_array, Wanting(np.zeros(2, HALF))),
    "strided tensor": Case(view, Torch(np.zeros(4, HALF)[::2])),
    "expanded tensor": Case(from_array, Torch(np.broadcast_to(np.zeros((), HALF), (2, 2)))),
    "elements of another type": Case(convert, from_array(np.ones(2, np.float32))),
}


def expressions(sentence: str) -> Iterator[str]:
    """The code behind each "use" of a sentence; one that begins with a dot goes with the value."""
    for text in sentence.split("use ")[1:]:
        whole = f"value{text}" if text.startswith(".") else text
        for end in range(len(whole), 0, -1):
            try:
                found = ast.parse(whole[:end], mode="eval").body
            except SyntaxError:
                continue
            if isinstance(found, (ast.Attribute, ast.Call, ast.Subscript)):
                yield whole[:end]
                break
        else:
            raise AssertionError(f"no code in {text!r}")
    if "pass a.T" in sentence:
        yield "a.T"


def carried_out(expression: str, value: Any) -> Any:
    """What an expression makes of a value, whatever a sentence calls it."""
    names = ("value", "array", "data", "values", "initializing_from", "a")
    known = {"np": np, "numpy": np, "ml_dtypes": ml_dtypes, "torch": TorchModule}
    known["NDArrayDescriptor"] = NDArrayDescriptor
    return eval(expression, {**known, **dict.fromkeys(names, value)})


def refusal(call: Callable[[Any], Any], value: Any) -> str:
    """The sentence that refuses a value; "" for a value that is taken."""
    try:
        call(value)
    except (TypeError, ValueError) as error:
        return str(error)
    return ""


def remedies_that_help(call: Callable[[Any], Any], value: Any, turns: int = 3) -> int:
    """How many remedies were carried out until the call took the value, each way to the end.

    A value can have several faults, and each sentence speaks of one.
    """
    if isinstance(value, NDArrayDescriptor) and call is not convert:
        return 0  # the remedy was to make a descriptor another way, and it is made
    sentence = refusal(call, value)
    if not sentence:
        return 0
    found = list(expressions(sentence))
    assert found, sentence
    assert turns, sentence
    ways = (carried_out(one, value) for one in found)
    return sum(1 + remedies_that_help(call, made, turns - 1) for made in ways)


@pytest.fixture(autouse=True)
def torch_stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", TorchModule)  # type: ignore[misc]


@pytest.mark.parametrize("name", CASES)
def test_each_remedy_helps(name: str) -> None:
    """ "use numpy.ascontiguousarray" was said of arrays that were contiguous already."""
    assert remedies_that_help(*CASES[name])


@pytest.mark.parametrize("name", GRID)
def test_each_remedy_helps_with_this_layout_and_array(name: str) -> None:
    remedies_that_help(*GRID[name])


def test_most_of_the_grid_is_refused() -> None:
    """Else it would show little."""
    refused = [name for name, case in GRID.items() if refusal(*case)]
    assert len(refused) > len(GRID) / 2
    for way in AWKWARD.keys() - {"C", "Fortran"}:
        assert any(name.endswith(way) for name in refused)


def sites() -> set[tuple[str, int]]:
    """Each place in the package that names a remedy."""
    found = set()
    for path in PACKAGE.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = node.func if isinstance(node, ast.Call) else None
            if isinstance(name, ast.Name) and name.id == "use":
                found.add((path.name, name.lineno))
    return found


def test_all_sentences_with_a_remedy_are_among_the_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = set()
    said = remedies.use

    def use(*arguments: Any) -> str:
        caller = sys._getframe(1)
        seen.add((Path(caller.f_code.co_filename).name, caller.f_lineno))
        return said(*arguments)

    for module in MODULES:
        monkeypatch.setattr(module, "use", use)
    for call, value in (CASES | GRID).values():
        refusal(call, value)
    assert len(sites()) > 10
    assert sites() == seen


def test_no_sentence_goes_past_the_table() -> None:
    """A remedy that is written out by hand would not be tried."""
    for path in PACKAGE.glob("*.py"):
        if path.name in ("remedies.py", "constants.py", "__main__.py"):
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        raised = [node for node in ast.walk(tree) if isinstance(node, ast.Raise)]
        for node in (text for raising in raised for text in ast.walk(raising)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert "use numpy." not in node.value, node.value
                assert "use ." not in node.value, node.value


def test_the_type_can_be_said_anew() -> None:
    made = from_array(np.zeros(2, np.float32))
    with pytest.raises(TypeError, match=r"or say Int16 \(scalar_type=, or data_type= in a replace"):
        made.data = np.ones(2, np.int16)
    other = made.replace(data=np.ones(2, np.int16), data_type=DataType.Int16)
    assert other.make_array(of=np.int16).tolist() == [1, 1]
    with pytest.raises(TypeError, match="or say Int16"):
        view_as_float32(np.ones(2, np.int16))
    view_as_int16 = NDArrayDescriptor(
        data=np.ones(2, np.int16), shape=Shape.vector(2), scalar_type=np.int16
    )
    assert view_as_int16.array.tolist() == [1, 1]


def test_scalar_type_of_doubles_was_told_to_convert_an_array() -> None:
    for wrong, right in ((np.float64, "np.float32"), (">i2", "np.int16"), (">f8", "np.float32")):
        with pytest.raises(TypeError, match=rf"use scalar_type={right}"):
            NDArrayDescriptor.allocate_uninitialized(scalar_type=wrong, shape=2)
        NDArrayDescriptor.allocate_uninitialized(scalar_type=eval(right), shape=2)
