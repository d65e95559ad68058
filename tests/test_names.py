"""Names: Swift's cases and spelling, what is planned, what completion shows."""

from __future__ import annotations

import inspect
import pickle
import re
from typing import Any

import numpy as np
import pytest

import bnnspy
from bnnspy import BNNS, Error, IndexOutOfRange, NDArrayDescriptor
from bnnspy.names import PLANNED_TYPES
from bnnspy.operations import OPERATIONS, OVERLAY_NAMES, functions

CASES = {
    "layerApplyFail": "LayerApplyFail",
    "unableToCreateLayer": "UnableToCreateLayer",
    "arrayDescriptorInvalidData": "ArrayDescriptorInvalidData",
    "optimizerStepFail": "OptimizerStepFail",
}

# Swift's spelling of functions, as Apple's documentation has it.
SWIFT = {
    "gatherND": "gather_nd",
    "scatterND": "scatter_nd",
    "tileBackward": "tile_backward",
    "copyBandPart": "copy_band_part",
    "applyReduction": "apply_reduction",
    "applyTopK": "apply_top_k",
    "applyInTopK": "apply_in_top_k",
    "applyActivation": "apply_activation",
    "applyMatrixMultiplication": "apply_matrix_multiplication",
    "clipByNorm": "clip_by_norm",
    "clipByGlobalNorm": "clip_by_global_norm",
    "computeNorm": "compute_norm",
}


def fail() -> None:
    one = NDArrayDescriptor.from_array(np.zeros(1, np.float32))
    BNNS.gather(input=one, indices=np.array([5]), output=np.zeros(1, np.float32), axis=0)


# --- the error's cases ----------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES)
def test_swift_s_case_was_an_attribute_error_when_a_call_failed(case: str) -> None:
    kind = getattr(BNNS.Error, case)
    assert kind.case == case
    assert issubclass(kind, Error)
    assert kind is getattr(bnnspy, CASES[case]) is getattr(BNNS, CASES[case])
    with pytest.raises(BNNS.Error):
        raise kind("why")
    assert type(pickle.loads(pickle.dumps(kind("why")))) is kind


def test_swift_s_except_clause_catches() -> None:
    caught = []
    try:
        fail()
    except BNNS.Error.arrayDescriptorInvalidData:
        raise AssertionError from None
    except BNNS.Error.layerApplyFail as error:
        caught.append(error)
    assert [(type(error), error.case) for error in caught] == [(IndexOutOfRange, "layerApplyFail")]
    with pytest.raises(BNNS.Error.arrayDescriptorInvalidData):
        NDArrayDescriptor(data=np.zeros(1, np.float32), shape=2)


def test_every_exception_stands_under_bnns() -> None:
    classes = {name: kind for name, kind in vars(bnnspy).items()
               if inspect.isclass(kind) and issubclass(kind, Error)}  # fmt: skip
    assert len(classes) == 8
    for name, kind in classes.items():
        assert getattr(BNNS, name) is kind
        assert name in BNNS.__all__
        assert name in bnnspy.__all__
        assert kind.case in CASES


# --- Swift's spelling, planned names, slips -------------------------------------------------------


@pytest.mark.parametrize("swift", SWIFT)
def test_swift_s_spelling_is_told_the_python_one(swift: str) -> None:
    with pytest.raises(AttributeError) as caught:
        getattr(BNNS, swift)
    assert str(caught.value) == f"BNNS has no {swift}; in Python it is BNNS.{SWIFT[swift]}"
    assert callable(getattr(BNNS, SWIFT[swift]))  # the remedy
    with pytest.raises(AttributeError, match=f"it stands under BNNS: BNNS.{SWIFT[swift]}$"):
        getattr(bnnspy, swift)


def test_every_function_of_several_words_has_a_spelling_that_is_told() -> None:
    several = {name for name in OVERLAY_NAMES if "_" in name}
    for name in several:
        swift = re.sub("_([a-z])", lambda letter: letter[1].upper(), name)
        with pytest.raises(AttributeError, match=f"in Python it is BNNS.{name}$"):
            getattr(BNNS, swift)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("gathr", "did you mean BNNS.gather?"),
        ("scater", "did you mean BNNS.scatter?"),
        ("Gather", "in Python it is BNNS.gather"),
        ("ReductionLayers", "did you mean BNNS.ReductionLayer?"),
        ("BNNSGather", "the C face has it: bnnspy.BNNSGather"),
        ("BNNSScatter", "the C face has it: bnnspy.BNNSScatter"),
    ],
)
def test_slips_under_bnns(name: str, hint: str) -> None:
    with pytest.raises(AttributeError) as caught:
        getattr(BNNS, name)
    assert str(caught.value) == f"BNNS has no {name}; {hint}"
    remedy = re.findall(r"(BNNS|bnnspy)\.(\w+)", hint)[-1]
    assert hasattr({"BNNS": BNNS, "bnnspy": bnnspy}[remedy[0]], remedy[1])


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("BNNSGathr", "did you mean BNNSGather?"),
        ("bnnsgather", "did you mean BNNSGather?"),
        ("BNNSCopyy", "did you mean BNNSCopy?"),
        ("DataTypes", "did you mean DataType?"),
        ("NDarrayDescriptor", "did you mean NDArrayDescriptor?"),
        ("gather", "it stands under BNNS: BNNS.gather"),
        ("ReductionLayer", "it stands under BNNS: BNNS.ReductionLayer"),
    ],
)
def test_slips_in_the_package(name: str, hint: str) -> None:
    with pytest.raises(AttributeError) as caught:
        getattr(bnnspy, name)
    assert str(caught.value) == f"module 'bnnspy' has no attribute {name!r}; {hint}"
    remedy = hint.rstrip("?").rpartition(" ")[2]
    assert hasattr(BNNS if remedy.startswith("BNNS.") else bnnspy, remedy.removeprefix("BNNS."))


@pytest.mark.parametrize("name", ["__path_of__", "_private", "xyzzy"])
def test_other_names_have_no_hint(name: str) -> None:
    with pytest.raises(AttributeError, match=rf"^BNNS has no {name}$"):
        getattr(BNNS, name)
    with pytest.raises(AttributeError, match=rf"^module 'bnnspy' has no attribute '{name}'$"):
        getattr(bnnspy, name)


@pytest.mark.parametrize("name", PLANNED_TYPES)
def test_planned_types_were_unknown(name: str) -> None:
    kind = getattr(BNNS, name)
    sentence = f"BNNS.{name} is planned, and not in this version of bnnspy"
    assert inspect.isclass(kind)
    assert kind is getattr(BNNS, name)
    assert (kind.__name__, kind.__module__) == (name, "bnnspy.overlay")
    assert not isinstance(3, kind)
    with pytest.raises(NotImplementedError, match=f"^{sentence}"):
        kind(function=1, input=2)
    for attribute in ("sum", "linear", "apply"):
        assert not hasattr(kind, attribute)
        with pytest.raises(AttributeError, match=f"BNNS.{name} has no {attribute} yet: {sentence}"):
            getattr(kind, attribute)


# --- completion -----------------------------------------------------------------------------------


def test_completion_showed_what_is_no_api() -> None:
    """`BNNS.` offered Any, OVERLAY_NAMES, arguments and not_here_yet."""
    here = {row.overlay for row in OPERATIONS if row.overlay}
    others = {"DataLayout", "Shape", "Error"}
    shown = set(dir(BNNS))
    assert set(BNNS.__all__) <= shown
    assert here | others <= set(BNNS.__all__)
    assert shown - set(BNNS.__all__) == {*OVERLAY_NAMES, *PLANNED_TYPES}
    assert not any(inspect.ismodule(getattr(BNNS, name)) for name in shown)
    for name in shown:
        thing: Any = getattr(BNNS, name)
        assert callable(thing)
        assert thing.__doc__
    extra = {name for name in vars(BNNS) if not name.startswith("_")} - shown
    modules = {name for name in extra if inspect.ismodule(vars(BNNS)[name])}
    assert extra == modules  # submodules stand there, and nothing else does


def test_completion_of_the_package_shows_the_api() -> None:
    shown = set(dir(bnnspy))
    planned = {row.name for row in functions() if not row.here}
    assert shown == {*bnnspy.__all__, *planned, "__version__"}
    assert {"BNNS", "BNNSGather", "NDArrayDescriptor", "DataLayout", "BNNSScatter"} <= shown
    for name in shown:
        getattr(bnnspy, name)
