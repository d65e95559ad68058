"""Statuses and exceptions: the tree, what they carry, the sentence of each thread, the log."""

from __future__ import annotations

import copy
import logging
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import bnnspy
from bnnspy import (
    BNNS,
    ArrayDescriptorInvalidData,
    BNNSGather,
    Error,
    IndexOutOfRange,
    InvalidParameter,
    LayerApplyFail,
    NDArrayDescriptor,
    ShapeMismatch,
    Status,
    last_error,
)
from bnnspy.errors import error_for

from_array = NDArrayDescriptor.from_array

# (class, its builtin, Swift's case, the status that it stands for)
TREE: list[tuple[type[Error], type[Exception], str, int]] = [
    (ArrayDescriptorInvalidData, ValueError, "arrayDescriptorInvalidData", -1),
    (LayerApplyFail, Exception, "layerApplyFail", -1),
    (InvalidParameter, ValueError, "layerApplyFail", -1),
    (ShapeMismatch, ValueError, "layerApplyFail", -1003),
    (IndexOutOfRange, IndexError, "layerApplyFail", -1005),
]


def operands() -> dict[str, Any]:
    return {
        "input": np.arange(8, dtype=np.float32).reshape(4, 2),
        "indices": np.array([3, 1], np.int64),
        "output": np.zeros((2, 2), np.float32),
    }


# Calls that fail, by the exception of the overlay: what is changed, and what the exception says.
FAILURES: dict[str, tuple[type[Error], dict[str, Any], dict[str, Any]]] = {
    "deallocated": (
        ArrayDescriptorInvalidData,
        {"input": NDArrayDescriptor(shape=(4, 2), scalar_type=float)},
        {"argument": "input", "status": -1},
    ),
    "axis": (InvalidParameter, {"axis": 2}, {"argument": "axis", "status": -1}),
    "type": (
        InvalidParameter,
        {"output": np.zeros((2, 2), np.int32)},
        {"argument": "output", "status": -1},
    ),
    "shape": (
        ShapeMismatch,
        {"output": np.zeros((3, 2), np.float32)},
        {"argument": "output", "status": -1003},
    ),
    "index": (
        IndexOutOfRange,
        {"indices": np.array([[0, 1], [2, 9]])},
        {
            "argument": "indices",
            "status": -1005,
            "index": 9,
            "position": (1, 1),
            "valid": range(4),
        },
    ),
    "negative index": (
        IndexOutOfRange,
        {"indices": np.array([0, -(2**63)])},
        {"status": -1005, "index": -(2**63), "position": (1,), "valid": range(4)},
    ),
    "huge index": (
        IndexOutOfRange,
        {"indices": np.array([2**64 - 1, 0], np.uint64)},
        {"status": -1005, "index": 2**64 - 1, "position": (0,), "valid": range(4)},
    ),
}
ATTRIBUTES = ("status", "argument", "index", "position", "valid")


def failure_of(changes: dict[str, Any]) -> Error:
    with pytest.raises(Error) as caught:
        BNNS.gather(**({"axis": 0} | operands() | changes))
    return caught.value


# --- the tree -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "builtin", "case", "status"), TREE, ids=lambda x: str(x))
def test_the_tree(kind: type[Error], builtin: type[Exception], case: str, status: int) -> None:
    assert issubclass(kind, Error)
    assert issubclass(kind, builtin)
    assert issubclass(kind, LayerApplyFail) is (case == "layerApplyFail")
    assert kind.case == case
    assert kind("sentence", status=status).status == status
    assert getattr(bnnspy, kind.__name__) is kind


def test_swift_finds_the_error_under_bnns() -> None:
    assert BNNS.Error is Error
    assert Error.__mro__[1] is Exception
    assert not issubclass(IndexOutOfRange, ValueError)
    assert not issubclass(ShapeMismatch, IndexError)


def test_status_is_an_integer_enum() -> None:
    assert {s.name: s.value for s in Status} == {
        "Success": 0,
        "InvalidParameter": -1,
        "ShapeMismatch": -1003,
        "IndexOutOfRange": -1005,
    }
    assert isinstance(Status.Success, int)
    assert not Status.Success
    assert Status.ShapeMismatch == -1003


@pytest.mark.parametrize("name", FAILURES)
def test_an_exception_says_what_and_where(name: str) -> None:
    kind, changes, expected = FAILURES[name]
    error = failure_of(changes)
    assert type(error) is kind
    nothing = {"index": None, "position": None, "valid": None}
    for attribute, value in (nothing | expected).items():
        assert getattr(error, attribute) == value
    assert type(error.status) is int
    assert str(error) == last_error() == error.args[0]
    assert expected.get("argument", "indices") in str(error)


@pytest.mark.parametrize("name", FAILURES)
@pytest.mark.parametrize(
    "copied", [lambda e: pickle.loads(pickle.dumps(e)), copy.copy, copy.deepcopy]
)
def test_exceptions_survive_pickling_and_copying(
    name: str, copied: Callable[[Error], Error]
) -> None:
    error = failure_of(FAILURES[name][1])
    other = copied(error)
    assert type(other) is type(error)
    assert str(other) == str(error)
    for attribute in ATTRIBUTES:
        assert getattr(other, attribute) == getattr(error, attribute)


@pytest.mark.parametrize("kind", [Error, *(row[0] for row in TREE)])
def test_exceptions_of_every_kind_pickle(kind: type[Error]) -> None:
    error = kind("why", status=-7, argument="x", index=3, position=(1, 2), valid=range(2))
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        other = pickle.loads(pickle.dumps(error, protocol))
        assert type(other) is kind
        assert (str(other), other.status, other.argument) == ("why", -7, "x")
        assert (other.index, other.position, other.valid) == (3, (1, 2), range(2))


def test_an_unknown_status_has_the_plain_class() -> None:
    failure_of({"axis": 9})
    error = error_for(-77)
    assert type(error) is LayerApplyFail
    assert error.status == -77


def test_a_failure_does_not_inherit_the_index_of_the_one_before() -> None:
    failure_of(FAILURES["index"][1])
    error = failure_of({"axis": 9})
    assert (error.index, error.position, error.valid) == (None, None, None)
    failure_of(FAILURES["deallocated"][1])
    assert type(failure_of({"axis": 9})) is InvalidParameter


# --- the sentence ---------------------------------------------------------------------------------


def in_a_thread(work: Callable[[], Any]) -> Any:
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result()


def test_a_fresh_thread_has_no_error() -> None:
    failure_of({"axis": 9})
    assert in_a_thread(last_error) == ""
    assert last_error().startswith("axis is 9")


def test_successes_keep_the_sentence() -> None:
    failure_of({"axis": 7})
    sentence = last_error()
    BNNS.gather(axis=0, **operands())
    made = {name: from_array(a) for name, a in operands().items()}
    assert BNNSGather(0, **made) == 0
    assert made["input"].array.size == 8
    repr(made["input"])
    made["input"].deallocate()
    assert last_error() == sentence


def test_each_thread_has_its_own_sentence() -> None:
    everybody = threading.Barrier(8)

    def work(axis: int) -> list[str]:
        made = {name: from_array(a) for name, a in operands().items()}
        everybody.wait()
        sentences = []
        for _ in range(200):
            BNNSGather(axis, **made)
            sentences.append(last_error())
        return sentences

    with ThreadPoolExecutor(8) as pool:
        for axis, sentences in zip(range(2, 10), pool.map(work, range(2, 10)), strict=True):
            assert set(sentences) == {f"axis is {axis}, outside 0..1 (input has rank 2)"}


@pytest.mark.parametrize(
    "axis",
    [2, -1, -2, -9, -16, 2**31, 2**62, 2**63 - 1, -(2**63) + 1, -(2**63), -(2**63) - 1, -(2**80)],
)
def test_the_sentence_shows_the_axis_that_was_given(axis: int) -> None:
    assert BNNSGather(axis, **{n: from_array(a) for n, a in operands().items()}) == -1
    assert last_error() == f"axis is {axis}, outside 0..1 (input has rank 2)"
    assert str(failure_of({"axis": axis})) == last_error()


@pytest.mark.parametrize("axis", [2**63, 2**63 + 5, 2**64 - 2, 2**64 - 1, 2**64, 2**70])
def test_a_huge_axis_was_shown_as_a_negative_one(axis: int) -> None:
    assert BNNSGather(axis, **{n: from_array(a) for n, a in operands().items()}) == -1
    assert last_error() == f"axis is {axis}, outside 0..1 (input has rank 2)"
    assert str(failure_of({"axis": axis})) == last_error()


def test_only_the_axis_is_reworded() -> None:
    made = {n: from_array(a) for n, a in operands().items()}
    assert BNNSGather(2**70, made["input"], None, made["output"]) == -1
    assert last_error() == "indices is NULL"


def test_an_axis_of_thousands_of_digits_raised_in_the_c_face() -> None:
    """Python refuses to write such a number in decimal digits."""
    made = {n: from_array(a) for n, a in operands().items()}
    for axis, start in ((2**20_000, "axis is 0x1000"), (-(2**20_000), "axis is -0x1000")):
        assert BNNSGather(axis, **made) == -1
        assert last_error().startswith(start)
        assert len(last_error()) < 512
        assert str(failure_of({"axis": axis})) == last_error()


# --- the log --------------------------------------------------------------------------------------


def test_the_c_face_logs_at_error(caplog: pytest.LogCaptureFixture) -> None:
    made = {name: from_array(a) for name, a in operands().items()}
    assert BNNSGather(0, **made) == 0
    assert not caplog.records
    assert BNNSGather(5, **made) == -1
    (record,) = caplog.records
    assert (record.name, record.levelno) == ("bnnspy", logging.ERROR)
    assert record.getMessage() == f"BNNSGather: {last_error()}"


def test_the_overlay_only_raises(caplog: pytest.LogCaptureFixture) -> None:
    for _, changes, _ in FAILURES.values():
        failure_of(changes)
    made = NDArrayDescriptor.allocate(repeating=1, shape=1)
    made.size = 2
    with pytest.raises(ValueError, match="needs 8"):
        _ = made.array
    assert not caplog.records


def test_nothing_is_printed_unless_logging_is_set_up() -> None:
    program = (
        "import logging, bnnspy\n"
        "handlers = logging.getLogger('bnnspy').handlers\n"
        "assert [type(h) for h in handlers] == [logging.NullHandler], handlers\n"
        "assert bnnspy.last_error() == ''\n"
        "assert bnnspy.BNNSGather(0, None, None, None) == -1\n"
        "logging.basicConfig(format='%(levelname)s %(name)s %(message)s')\n"
        "assert bnnspy.BNNSGather(0, None, None, None) == -1\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stdout) == (0, "")
    assert run.stderr == "ERROR bnnspy BNNSGather: input is NULL\n"
