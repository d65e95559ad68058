"""The two faces as a whole: names, constants, kinds of arguments, and what is not here yet."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from decimal import Decimal
from enum import IntEnum
from fractions import Fraction
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bnnspy
from bnnspy import (
    BNNS,
    BNNSDataLayoutGetRank,
    BNNSGather,
    BNNSNDArrayGetDataSize,
    NDArrayDescriptor,
    Status,
    constants,
)
from bnnspy._bnns import lib
from bnnspy.operations import OPERATIONS, OVERLAY_NAMES, functions

HERE = [function.name for function in functions() if function.here]
PLANNED = [function.name for function in functions() if not function.here]
C_CONSTANTS = {
    name: getattr(lib, name)
    for name in dir(lib)
    if name.startswith("BNNS") and not callable(getattr(lib, name))
}
ENUMS = [kind for kind in vars(constants).values() if isinstance(kind, type) and kind.__module__ ==
         constants.__name__]  # fmt: skip


def operands() -> list[NDArrayDescriptor]:
    arrays = (
        np.arange(8, dtype=np.float32).reshape(4, 2),
        np.array([3, 1], np.int64),
        np.zeros((2, 2), np.float32),
    )
    return [NDArrayDescriptor.from_array(array) for array in arrays]


class Indexable:
    """An integer by __index__ alone."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value


# --- constants ------------------------------------------------------------------------------------


def test_every_constant_of_the_compiled_module_is_here_with_its_value() -> None:
    assert len(C_CONSTANTS) > 200
    for name, value in C_CONSTANTS.items():
        constant = getattr(bnnspy, name)
        assert (constant, int(constant)) == (value, value), name
        assert isinstance(constant, IntEnum) or type(constant) in ENUMS, name
        assert name in bnnspy.__all__
    ours = {name for name in constants.__all__ if name.startswith("BNNS")}
    assert ours - set(C_CONSTANTS) == {"BNNS_MAX_TENSOR_DIMENSION"}
    assert len(NDArrayDescriptor().size) == bnnspy.BNNS_MAX_TENSOR_DIMENSION


@pytest.mark.parametrize("kind", ENUMS, ids=lambda kind: kind.__name__)
def test_members_keep_apples_spelling_less_the_prefix(kind: Any) -> None:
    assert getattr(bnnspy, kind.__name__) is kind
    for name, member in kind.__members__.items():
        short = name.removeprefix("Tensor") if name[len("Tensor") :][:1].isdigit() else name
        short = short.removesuffix("_")
        prefixes = [
            f"BNNS{kind.__name__}",
            *(f"BNNS{kind.__name__.removesuffix(end)}" for end in ("s", "Function", "Mode")),
            "BNNS",
        ]
        found = [p + short for p in prefixes if p + short in C_CONSTANTS]
        assert found, name
        assert C_CONSTANTS[found[0]] == member


def test_names_that_python_cannot_spell() -> None:
    assert bnnspy.DataLayout.Tensor3DFirstMajor is bnnspy.BNNSDataLayout3DFirstMajor
    assert bnnspy.ReduceFunction.None_ is bnnspy.BNNSReduceFunctionNone
    assert bnnspy.BNNSDataLayoutRowMajorMatrix is bnnspy.DataLayout.RowMajorMatrix
    assert bnnspy.BNNSDataTypeFloat32 == 0x10020


def test_two_names_of_one_value_are_one_member() -> None:
    reduce = bnnspy.ReduceFunction
    assert reduce.Any is reduce.LogicalOr
    assert reduce.All is reduce.LogicalAnd
    assert bnnspy.BNNSReduceFunctionAny is bnnspy.BNNSReduceFunctionLogicalOr


def test_the_overlay_has_layouts_shapes_and_errors() -> None:
    assert BNNS.DataLayout is bnnspy.DataLayout
    assert BNNS.DataLayout.ImageCHW == bnnspy.BNNSDataLayoutImageCHW
    assert BNNS.Shape is bnnspy.Shape
    assert BNNS.Error is bnnspy.Error


def test_star_import_and_version() -> None:
    names: dict[str, Any] = {}
    exec("from bnnspy import *", names)
    assert set(bnnspy.__all__) <= set(names)
    assert len(set(bnnspy.__all__)) == len(bnnspy.__all__)
    assert bnnspy.__version__ == metadata.version("bnnspy")


# --- the C face -----------------------------------------------------------------------------------


def test_a_status_is_returned_as_an_enum_and_an_int() -> None:
    values, indices, output = operands()
    assert BNNSGather(0, values, indices, output) is Status.Success
    assert BNNSGather(0, values, indices, output, None) is Status.Success
    assert BNNSGather(axis=2, input=values, indices=indices, output=output) is (
        Status.InvalidParameter
    )
    assert isinstance(BNNSGather(0, values, indices, output), int)


@pytest.mark.parametrize("axis", [1, True, np.int64(1), np.uint8(1), np.array(1), Indexable(1)])
def test_axis_is_anything_with_an_index(axis: Any) -> None:
    values, _, output = operands()
    columns = NDArrayDescriptor.from_array(np.array([1, 0], np.int8))
    values.size = (2, 2)
    assert BNNSGather(axis, values, columns, output) == 0
    assert output.array.tolist() == [[1, 0], [3, 2]]
    output.array[...] = 0
    BNNS.gather(input=values, indices=columns, output=output, axis=axis)
    assert output.array.tolist() == [[1, 0], [3, 2]]


@pytest.mark.parametrize("axis", [Indexable(-1), Indexable(2**70), np.int64(-1), np.uint64(2**63)])
def test_an_axis_that_no_tensor_has_is_a_status_in_any_form(axis: Any) -> None:
    assert BNNSGather(axis, *operands()) == -1
    assert bnnspy.last_error().startswith(f"axis is {axis.__index__()}, outside")


@pytest.mark.parametrize(
    "axis",
    [
        Decimal(0),
        Decimal("0.9"),
        Fraction(0),
        np.float32(0.7),
        np.float16(0),
        np.array(0.7),
        0.0,
        "0",
        b"0",
        None,
        [0],
        0j,
    ],
    ids=repr,
)
def test_numbers_that_are_no_integers_were_cut_to_an_axis(axis: Any) -> None:
    """The C face took Decimal("0.9") and float32(0.7) for axis 0."""
    values, indices, output = operands()
    with pytest.raises(TypeError, match=r"^axis is a .*, and has to be an integer$"):
        BNNSGather(axis, values, indices, output)
    with pytest.raises(TypeError, match=r"^axis is a .*, and has to be an integer$"):
        BNNS.gather(input=values, indices=indices, output=output, axis=axis)
    assert output.array.tolist() == [[0, 0], [0, 0]]


WRONG = [np.zeros(2, np.float32), [1.0], 5, "text", bnnspy.FilterParameters(), NDArrayDescriptor]


@pytest.mark.parametrize("wrong", WRONG, ids=lambda value: type(value).__name__)
@pytest.mark.parametrize("place", range(3))
def test_the_c_face_takes_descriptors_only(wrong: Any, place: int) -> None:
    arguments: list[Any] = [*operands()]
    arguments[place] = wrong
    name = ("input", "indices", "output")[place]
    with pytest.raises(TypeError, match=f"^{name} is a {type(wrong).__name__}, and has to be an "):
        BNNSGather(0, *arguments)
    arguments[place] = None
    assert BNNSGather(0, *arguments) == -1
    assert bnnspy.last_error() == f"{name} is NULL"


@pytest.mark.parametrize("wrong", [5, "text", np.zeros(2, np.float32), bnnspy.Shape.vector(2)])
def test_questions_take_descriptors_and_layouts_only(wrong: Any) -> None:
    with pytest.raises(TypeError, match=r"array is a .* NDArrayDescriptor or None"):
        BNNSNDArrayGetDataSize(wrong)
    assert BNNSNDArrayGetDataSize(None) == 0
    for layout in (1.0, "Vector", None):
        with pytest.raises(TypeError, match=r"layout is a .* integer"):
            BNNSDataLayoutGetRank(layout)  # type: ignore[arg-type]
    for layout in (0, -1, 2**32, 2**70, 0x12345):
        assert BNNSDataLayoutGetRank(layout) == 2**64 - 1
    assert BNNSDataLayoutGetRank(Indexable(0x30000)) == 3  # type: ignore[arg-type]


def test_a_subclass_of_the_descriptor_will_do() -> None:
    class Named(NDArrayDescriptor):
        name = "mine"

    values, indices, _ = operands()
    output = Named.allocate(repeating=0.0, shape=(2, 2))
    assert type(output) is Named
    assert BNNSGather(0, values, indices, output) == 0
    assert type(output.replace(flags=1)) is Named


@pytest.mark.parametrize("row", OPERATIONS, ids=lambda row: row.function)
def test_signatures_are_those_of_the_registry(row: Any) -> None:
    parameters = inspect.signature(getattr(bnnspy, row.function)).parameters
    assert list(parameters) == [argument.name for argument in row.arguments]
    assert list(parameters.values())[-1].default is None
    overlay = inspect.signature(getattr(BNNS, row.overlay)).parameters
    labels = {argument.label for argument in row.each() if argument.label}
    by_keyword = {name for name, p in overlay.items() if p.kind is p.KEYWORD_ONLY}
    assert by_keyword == labels
    by_place = [argument for argument in row.each() if argument.label == ""]
    assert len(overlay) == len(by_keyword) + len(by_place)
    assert list(overlay)[-1] == "filter_parameters"
    required = {name for name, p in overlay.items() if p.default is p.empty}
    assert required == set(overlay) - {a.label for a in row.each() if a.optional}


# --- the overlay ----------------------------------------------------------------------------------


def test_the_overlay_wraps_arrays_and_returns_none() -> None:
    values, indices, output = (made.array for made in operands())
    result: Any = BNNS.gather(input=values, indices=indices, output=output, axis=0)  # type: ignore[func-returns-value]
    assert result is None
    assert output.tolist() == [[6, 7], [2, 3]]
    wide = np.zeros((2, 5), np.float32)
    BNNS.gather(input=values, indices=indices, output=wide[:, 1:3], axis=0)
    assert wide.tolist() == [[0, 6, 7, 0, 0], [0, 2, 3, 0, 0]]


def test_the_overlay_takes_keywords_and_an_axis() -> None:
    values, indices, output = operands()
    with pytest.raises(TypeError, match="axis"):
        BNNS.gather(input=values, indices=indices, output=output)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="positional"):
        BNNS.gather(values, indices, output, 0)  # type: ignore[call-arg,misc]
    with pytest.raises(TypeError, match="output: array is a NoneType"):
        BNNS.gather(input=values, indices=indices, output=None, axis=0)


# --- what is not here yet -------------------------------------------------------------------------


@pytest.mark.parametrize("name", HERE)
def test_functions_that_are_here_are_no_stand_ins(name: str) -> None:
    assert getattr(bnnspy, name).__module__.startswith("bnnspy.capi.")
    assert name in bnnspy.__all__


@pytest.mark.parametrize("name", PLANNED)
def test_calling_a_planned_function_says_so(name: str) -> None:
    assert hasattr(bnnspy, name)
    function = getattr(bnnspy, name)
    assert function.__name__ == name
    for arguments in ((), (0, None, None, None), operands()):
        with pytest.raises(NotImplementedError, match=f"^{name} is not in this version of bnnspy"):
            function(*arguments)
    assert name not in bnnspy.__all__


@pytest.mark.parametrize("name", OVERLAY_NAMES)
def test_calling_a_planned_function_of_swift_says_so(name: str) -> None:
    assert OVERLAY_NAMES[name] in PLANNED
    assert hasattr(BNNS, name)
    with pytest.raises(NotImplementedError, match=rf"^{OVERLAY_NAMES[name]} is not in this vers"):
        getattr(BNNS, name)(input=1, output=2)


@pytest.mark.parametrize("name", ["BNNSGathr", "bnnsgather", "scatter", "BNNSDataTypeX"])
def test_names_that_nothing_has(name: str) -> None:
    assert not hasattr(bnnspy, name)
    with pytest.raises(AttributeError, match=name):
        getattr(bnnspy, name)


@pytest.mark.parametrize("name", ["gathr", "BNNSScatter", "Scatter", "vector", "__path_of__"])
def test_names_that_swift_does_not_have_under_bnns(name: str) -> None:
    assert not hasattr(BNNS, name)
    with pytest.raises(AttributeError, match=f"BNNS has no {name}"):
        getattr(BNNS, name)


# --- headers --------------------------------------------------------------------------------------


def test_get_include_is_the_folder_of_the_headers() -> None:
    folder = bnnspy.get_include()
    assert type(folder) is str
    for header in ("bnns/bnns.h", "bnns/bnns_constants.h", "bnns/bnns_structures.h", "bnnspy.h"):
        assert (Path(folder) / header).is_file()
    assert (Path(folder) / "module.modulemap").is_file()
    text = (Path(folder) / "bnnspy.h").read_text(encoding="utf-8")
    for name in re.findall(r"\b(bnnspy_\w+)\(", text):
        assert hasattr(lib, name)


def test_importing_brings_no_more_than_it_needs() -> None:
    """A server that gathers loads NumPy and cffi, and no optional part of anything."""
    program = (
        "import sys, bnnspy\n"
        "heavy = {'torch', 'onnx', 'PIL', 'hypothesis', 'pycparser', 'setuptools'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert run.stdout == "[]\n"
