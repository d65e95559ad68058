"""Strict mode: each condition seen in a call and missing from what Apple shows, both actions."""

from __future__ import annotations

import sys
import threading
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from running import run

import bnnspy
from bnnspy import (
    BNNS,
    BNNSGather,
    DataLayout,
    DataType,
    FilterParameters,
    InvalidParameter,
    NDArrayDescriptor,
    Shape,
    StrictWarning,
    last_error,
    strict,
)
from bnnspy.conformance.calls import recorded, relied_on
from bnnspy.conformance.functions.gather import every_axis
from bnnspy.conformance.library import Library
from bnnspy.doors import DOORS, doors_of
from bnnspy.entries import GENERAL, entries
from bnnspy.operations import OPERATIONS
from bnnspy.strict import CONDITIONS, open_entries

describe = NDArrayDescriptor.from_array
F32, I32 = np.float32, np.int32
Tensors = dict[str, NDArrayDescriptor]


def call(values: Any = None, indices: Any = None, output: Any = None) -> Tensors:
    """A call that Apple documents, with some arrays replaced."""
    given = {
        "input": np.arange(8, dtype=F32) if values is None else values,
        "indices": np.array([1, 3, 7, 5], I32) if indices is None else indices,
        "output": np.full(4, -1, F32) if output is None else output,
    }
    return {name: describe(array) for name, array in given.items()}


def of_layout(layout: DataLayout, *size: int) -> Tensors:
    """A gather along the last axis of a layout, indices in order."""
    n = int(np.prod(size))
    values, out = np.arange(n, dtype=F32), np.zeros(n, F32)
    rows = NDArrayDescriptor(data=values, shape=Shape(size, layout))
    target = NDArrayDescriptor(data=out, shape=Shape(size, layout))
    return {"input": rows, "indices": describe(np.arange(size[0], dtype=I32)), "output": target}


def mixed() -> Tensors:
    shape = Shape((2, 3), DataLayout.Tensor2DLastMajor)
    target = NDArrayDescriptor(data=np.zeros(6, F32), shape=shape)
    tensors = call(np.zeros((4, 3), F32), np.array([1, 0], I32), np.zeros((2, 3), F32))
    return {**tensors, "output": target}


def windows() -> Tensors:
    shape = Shape((3, 2), DataLayout.Tensor2DFirstMajor, (1, 1))
    signal = NDArrayDescriptor(data=np.arange(4, dtype=F32), shape=shape)
    return {**call(None, np.array([2, 0], I32), np.zeros((2, 2), F32)), "input": signal}


def misaligned() -> Tensors:
    memory = np.zeros(33, np.uint8)[1:]
    odd = NDArrayDescriptor(data=memory, scalar_type=F32, shape=8)
    return {**call(), "input": odd}


def size_one() -> Tensors:
    shape = Shape((4, 1), DataLayout.Tensor2DFirstMajor, (9, 1))
    tall = NDArrayDescriptor(data=np.zeros(16, F32), shape=shape)
    return {**call(None, np.array([2], I32), np.zeros((1, 1), F32)), "input": tall}


def scaled() -> Tensors:
    tensors = call()
    return {**tensors, "indices": tensors["indices"].replace(data_scale=2.0)}


def packed() -> Tensors:
    def nibbles(rows: int) -> NDArrayDescriptor:
        return NDArrayDescriptor(
            layout=DataLayout.Tensor2DFirstMajor,
            size=(rows, 4),
            data=np.zeros((rows, 2), np.uint8),
            data_type=DataType.UInt4,
        )

    return {"input": nibbles(3), "indices": describe(np.array([2, 0], I32)), "output": nibbles(2)}


# condition -> a call that has it; packed values are no Float32 either.
SAMPLES: dict[str, Callable[[], Tensors]] = {
    "index-type": lambda: call(indices=np.array([1, 3, 7, 5], np.int64)),
    "value-type": lambda: call(np.arange(8, dtype=np.int8), None, np.zeros(4, np.int8)),
    "packed-values": packed,
    "layout": lambda: of_layout(DataLayout.ImageCHW, 2, 3, 4),
    "kernel-order": lambda: of_layout(DataLayout.ConvolutionWeightsIOHrWr, 2, 1, 1, 1),
    "head-layout": lambda: of_layout(DataLayout.MHA_DHK, 2, 1, 1),
    "mixed-layouts": mixed,
    "zero-size": lambda: call(indices=np.zeros(0, I32), output=np.zeros(0, F32)),
    "input-windows": windows,
    "misaligned": misaligned,
    "size-one-strides": size_one,
    "scale-and-bias": scaled,
}
WITH = {
    "packed-values": {"value-type"},
    "kernel-order": {"layout"},
    "head-layout": {"layout"},
}


def entry_of(condition: str) -> str:
    """The entry that names the condition."""
    (found,) = (
        name
        for name, entry in entries().items()
        if entry["strict"] == condition and entry["function"] in {"BNNSGather", *GENERAL}
    )
    return found


def named(warning: warnings.WarningMessage) -> set[str]:
    """The entries that a warning names in brackets."""
    return {part.partition("]")[0] for part in str(warning.message).split("[")[1:]}


def test_data_and_table_agree() -> None:
    """Each condition has an entry for gathers and a sample; only our own choices are watched."""
    used = {entry["strict"] for entry in entries().values() if entry["strict"]}
    assert used == set(CONDITIONS) == set(SAMPLES)
    for function in {entry["function"] for entry in entries().values()}:
        named = [
            e["strict"] for e in entries().values() if e["function"] == function and e["strict"]
        ]
        assert len(set(named)) == len(named), function
    for entry in entries().values():
        assert not entry["strict"] or entry["evidence"] == "our choice", entry["id"]
    assert len(open_entries("BNNSGather")) == len(CONDITIONS)


def test_every_operation_can_be_watched() -> None:
    for operation in OPERATIONS:
        assert operation.door in DOORS


@pytest.mark.parametrize("condition", SAMPLES)
def test_each_condition_is_seen(condition: str) -> None:
    tensors = SAMPLES[condition]()
    expected = {entry_of(name) for name in {condition} | WITH.get(condition, set())}
    with strict("apple"), pytest.warns(StrictWarning) as caught:
        assert BNNSGather(0, **tensors) == 0
    assert [named(warning) for warning in caught] == [expected]
    assert BNNSGather(0, **tensors) == 0, "and nothing is said when it is off"


@pytest.mark.parametrize("condition", SAMPLES)
def test_each_condition_is_refused(condition: str) -> None:
    tensors = SAMPLES[condition]()
    before = tensors["output"].make_array().tobytes() if condition != "packed-values" else b""
    with strict("apple", action="refuse"):
        assert BNNSGather(0, **tensors) == -1
        assert last_error().startswith("Apple neither documents nor was measured to accept this: ")
        assert entry_of(condition) in last_error()
        with pytest.raises(InvalidParameter) as raised:
            BNNS.gather(axis=0, **tensors)
    assert str(raised.value) == last_error()
    if condition != "packed-values":
        assert tensors["output"].make_array().tobytes() == before


def test_recorded_calls_rely_on_nothing() -> None:
    """What Apple documents, or was seen to do, passes without a word."""
    gathers = [call for call in recorded() if call["function"] == "BNNSGather"]
    assert len(gathers) == 6
    for made in gathers:
        assert relied_on(made) == []


def test_documented_call_is_silent_in_both_faces() -> None:
    for action in ("warn", "refuse"):
        with strict("apple", action=action):
            tensors = call()
            assert BNNSGather(0, **tensors) == 0
            BNNS.gather(axis=0, **tensors)
    assert tensors["output"].array.tolist() == [1, 3, 7, 5]


def test_failing_calls_fail_as_ever() -> None:
    with strict("apple", action="refuse"):
        assert BNNSGather(0, None, None, None) == -1
        assert last_error() == "input is NULL"
        assert BNNSGather(0, **call(indices=np.array([1, 8, 0, 0], I32))) == -1005
        assert BNNSGather(2**70, **call()) == -1
        broken = {**call(), "input": describe(np.zeros(8, F32)).replace(layout=0x77)}
        assert BNNSGather(0, **broken) == -1
        with pytest.raises(TypeError):
            BNNSGather(0, "input", None, None)  # type: ignore[arg-type]


def test_warning_names_the_line_that_called() -> None:
    tensors = SAMPLES["index-type"]()
    for face in (lambda: BNNSGather(0, **tensors), lambda: BNNS.gather(axis=0, **tensors)):
        with strict("apple"), pytest.warns(StrictWarning) as caught:
            face()
        assert caught[0].filename == __file__
        assert caught[0].lineno == face.__code__.co_firstlineno


# --- switching ------------------------------------------------------------------------------------


@pytest.mark.parametrize("axis", [-1, 8, 2**64])
def test_an_axis_that_none_has_is_no_matter_of_compatibility(axis: int) -> None:
    """It was warned of twice, and the second warning blamed a line of the package."""
    tensors = call(indices=np.array([1, 3, 7, 5], np.int64))
    with warnings.catch_warnings(), strict("apple"):
        warnings.simplefilter("error")
        assert BNNSGather(axis, **tensors) == -1


def test_off_is_the_very_function_that_was_there() -> None:
    """Strict mode costs nothing while it is off: nothing stands in between."""
    from bnnspy._bnns import lib

    for operation in OPERATIONS:
        for name in doors_of(operation):
            real = getattr(lib, name)
            assert DOORS[name] is real
            with strict("apple"):
                assert DOORS[name] is not real
            assert DOORS[name] is real


@pytest.mark.parametrize("parameters", [None, FilterParameters(n_threads=1)])
def test_every_way_into_the_core_is_watched(parameters: FilterParameters | None) -> None:
    tensors = SAMPLES["index-type"]()
    with strict("apple", action="refuse"):
        assert BNNSGather(0, **tensors, filter_params=parameters) == -1
        assert BNNSGather(np.int64(0), **tensors, filter_params=parameters) == -1
        with pytest.raises(InvalidParameter, match="neither documents"):
            BNNS.gather(axis=0, **tensors, filter_parameters=parameters)
    assert BNNSGather(0, **tensors, filter_params=parameters) == 0


def test_contexts_nest_and_the_last_entered_counts() -> None:
    tensors = SAMPLES["index-type"]()
    outer = strict("apple", action="refuse")
    with outer:
        assert BNNSGather(0, **tensors) == -1
        with strict("apple", action="warn"):
            with pytest.warns(StrictWarning):
                assert BNNSGather(0, **tensors) == 0
            with outer:
                assert BNNSGather(0, **tensors) == -1
        assert BNNSGather(0, **tensors) == -1
    assert BNNSGather(0, **tensors) == 0


def test_left_by_an_exception() -> None:
    with pytest.raises(KeyError), strict("apple", action="refuse"):
        raise KeyError
    assert BNNSGather(0, **SAMPLES["index-type"]()) == 0


def test_holds_for_all_threads() -> None:
    statuses = []

    def gather() -> None:
        statuses.append(BNNSGather(0, **SAMPLES["index-type"]()))

    with strict("apple", action="refuse"):
        other = threading.Thread(target=gather)
        other.start()
        other.join()
    assert statuses == [-1]


def test_threads_may_leave_in_any_order() -> None:
    one, two = strict("apple"), strict("apple", action="refuse")
    one.__enter__()
    two.__enter__()
    one.__exit__(None, None, None)
    assert BNNSGather(0, **SAMPLES["index-type"]()) == -1
    two.__exit__(None, None, None)
    assert BNNSGather(0, **SAMPLES["index-type"]()) == 0


def test_arguments_that_are_none() -> None:
    with pytest.raises(ValueError, match="profile is 'x'; the only one is"):
        strict("x")
    with pytest.raises(ValueError, match='has to be "warn" or "refuse"'):
        strict("apple", action="raise")


PROGRAM = """
import numpy as np, warnings
from bnnspy import BNNSGather, NDArrayDescriptor, last_error
warnings.simplefilter("always")
arrays = np.arange(8, dtype=np.float32), np.array([1, 3]), np.zeros(2, np.float32)
print(int(BNNSGather(0, *map(NDArrayDescriptor.from_array, arrays))))
"""


@pytest.mark.parametrize(
    ("value", "status", "said"),
    [
        ("", "0", ""),
        ("apple", "0", "StrictWarning: BNNSGather: Apple neither documents nor"),
        ("apple:refuse", "-1", ""),
        ("windows", "", "BNNSPY_STRICT is 'windows': profile is 'windows'"),
        ("apple:stop", "", 'has to be "warn" or "refuse"'),
    ],
)
def test_environment(value: str, status: str, said: str) -> None:
    done = run([sys.executable, "-c", PROGRAM], environment={"BNNSPY_STRICT": value})
    assert done.stdout.strip() == status
    assert said in done.stderr
    assert (done.stderr == "") == (said == "")


@pytest.mark.compat("gather-layouts")
@pytest.mark.parametrize("layout", [t for t in DataLayout if not t.name.endswith(("32", "Sparse"))])
def test_gather_layouts(layout: DataLayout) -> None:
    """Along each axis of each layout that strides can say, indices from last to first."""
    library = Library("ours")
    size = [2, 3, 4, 2, 1, 2, 1, 2][: layout >> 16]
    made = list(every_axis("gather-layouts", layout, size))
    assert len(made) == len(size)
    for turned in made:
        outcome = library.perform(turned)
        assert outcome["status"] == 0
        described = turned["tensors"]["input"]
        assert described is not None
        values, moved = (
            NDArrayDescriptor(
                layout=layout,
                size=described["size"],
                data=bytearray.fromhex(text),
                data_type=DataType.Float32,
            ).array
            for text in (turned["buffers"]["input"], outcome["changed"]["output"])
        )
        np.testing.assert_array_equal(moved, np.flip(values, turned["numbers"]["axis"]))


def test_package_has_it() -> None:
    assert bnnspy.strict is strict
    assert issubclass(bnnspy.StrictWarning, UserWarning)
