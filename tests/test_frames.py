"""Exceptions that are kept, by a future or a debugger, keep no memory of tensors."""

from __future__ import annotations

import gc
import sys
import traceback
import weakref
from collections.abc import Callable, Iterator
from multiprocessing.shared_memory import SharedMemory
from typing import Any

import numpy as np
import pytest

from bnnspy import BNNS, BNNSGather, DataLayout, DataType, NDArrayDescriptor
from bnnspy.frames import release, releasing, tracebacks


@pytest.fixture
def shared() -> Iterator[SharedMemory]:
    memory = SharedMemory(create=True, size=4096)
    yield memory
    memory.close()
    memory.unlink()


def vector(data: Any, n: int = 4) -> NDArrayDescriptor:
    return NDArrayDescriptor(data=data[: 4 * n], shape=n, scalar_type=np.float32)


def numbers(data: Any, n: int = 4) -> Any:
    return np.frombuffer(data, np.float32, n)


OUTPUT = NDArrayDescriptor.allocate(repeating=0.0, shape=2)
INDICES = NDArrayDescriptor.from_array(np.array([0, 1]))


def overlay(**changes: Any) -> None:
    given = {"input": OUTPUT, "indices": INDICES, "output": OUTPUT, "axis": 0}
    BNNS.gather(**{**given, **changes})


def with_descriptor(data: Any, work: Callable[[NDArrayDescriptor], Any]) -> None:
    with vector(data) as tensor:
        work(tensor)


# Each makes something of the memory, and fails; what the test function itself holds is gone then.
FAILURES: dict[str, Callable[[Any], Any]] = {
    # the faces
    "overlay: status": lambda m: with_descriptor(m, lambda d: overlay(input=d, axis=7)),
    "overlay: array": lambda m: overlay(input=numbers(m), axis=7),
    "overlay: array as output": lambda m: overlay(output=numbers(m), axis=7),
    "overlay: buffer": lambda m: overlay(input=memoryview(m).cast("f"), axis=7),
    "overlay: later argument": lambda m: overlay(input=numbers(m), output=5),
    "overlay: parameters": lambda m: overlay(input=numbers(m), filter_parameters=5),
    "overlay: backwards": lambda m: overlay(input=numbers(m)[::-1]),
    "overlay: float64": lambda m: overlay(input=np.frombuffer(m, np.float64)),
    "C face: axis": lambda m: with_descriptor(m, lambda d: BNNSGather("0", d, d, d)),  # type: ignore[arg-type]
    "C face: type": lambda m: with_descriptor(m, lambda d: BNNSGather(0, d, d, 5)),  # type: ignore[arg-type]
    "C face: parameters": lambda m: with_descriptor(m, lambda d: BNNSGather(0, d, d, d, 5)),  # type: ignore[arg-type]
    # descriptors
    "checked form": lambda m: vector(m[:8], 4),
    "checked form of an array": lambda m: NDArrayDescriptor(data=numbers(m), shape=9),
    "memberwise form": lambda m: NDArrayDescriptor(data=numbers(m), size=-1),
    "from_array": lambda m: NDArrayDescriptor.from_array(numbers(m)[::-1]),
    "from_array of a buffer": lambda m: NDArrayDescriptor.from_array(m[::-2]),
    "from_array as layout": lambda m: NDArrayDescriptor.from_array(
        numbers(m).reshape(2, 2), layout=DataLayout.ColumnMajorMatrix
    ),
    "from_address": lambda m: NDArrayDescriptor.from_address(
        4096, nbytes=4, shape=2, scalar_type=float, owner=numbers(m)
    ),
    "allocate": lambda m: NDArrayDescriptor.allocate(initializing_from=numbers(m), shape=3),
    "data =": lambda m: setattr(NDArrayDescriptor(shape=4, data_type=DataType.Int8), "data",
                                numbers(m)),
    "table_data =": lambda m: setattr(NDArrayDescriptor(), "table_data", numbers(m)[::-1]),
    "field =": lambda m: with_descriptor(m, lambda d: setattr(d, "size", "x")),
    "replace": lambda m: with_descriptor(m, lambda d: d.replace(size=-1)),
    "replace data": lambda m: OUTPUT.replace(data=numbers(m)[::-1]),
    "array": lambda m: with_descriptor(m, lambda d: d.replace(size=4096).array),
    "make_array": lambda m: with_descriptor(m, lambda d: d.make_array(5000)),
    "nbytes": lambda m: with_descriptor(m, lambda d: d.replace(layout=7).nbytes),
    "shape": lambda m: with_descriptor(m, lambda d: d.replace(layout=7).shape),
    "__array__": lambda m: with_descriptor(m, lambda d: d.__array__(np.int8, copy=False)),
    "__dlpack__": lambda m: with_descriptor(m, lambda d: d.replace(layout=7).__dlpack__()),
    "chained": lambda m: chained(m),
}  # fmt: skip


def chained(data: Any) -> None:
    try:
        overlay(input=numbers(data), axis=7)
    except ValueError:
        overlay(input=numbers(data), axis=8)


@pytest.mark.parametrize("name", FAILURES)
def test_memory_could_not_be_closed_while_an_exception_was_kept(
    name: str, shared: SharedMemory
) -> None:
    with pytest.raises((TypeError, ValueError)) as caught:
        FAILURES[name](shared.buf)
    kept = caught.value
    assert kept.__traceback__ is not None
    # pytest's own frames, and those of this file, hold what this file made.
    for step in tracebacks(kept):
        if step.tb_frame.f_code.co_filename == __file__ and step.tb_frame is not sys._getframe():
            step.tb_frame.clear()
    shared.close()  # BufferError: cannot close exported pointers exist


def test_nothing_of_ours_is_held_by_the_frames() -> None:
    class Block(np.ndarray):
        """An array that can be seen to go."""

    block = np.zeros(8, np.float32).view(Block)
    alive = weakref.ref(block)
    with pytest.raises(IndexError) as caught:
        BNNS.gather(input=block, indices=np.array([9]), output=np.zeros(1, np.float32), axis=0)
    del block
    gc.collect()
    assert alive() is None
    assert caught.value.index == 9  # type: ignore[attr-defined]


def test_the_caller_s_own_frames_stay_as_they_are() -> None:
    class Axis:
        def __index__(self) -> int:
            local = "to be looked at in a debugger"
            raise LookupError(local)

    with pytest.raises(LookupError) as caught:
        overlay(axis=Axis())
    steps = list(tracebacks(caught.value))
    assert steps[-1].tb_frame.f_locals["local"] == "to be looked at in a debugger"
    shown = "".join(traceback.format_exception(caught.value))
    assert "overlay/gather.py" in shown  # the way that it went is still told


def test_causes_and_contexts_are_released_too() -> None:
    held = [np.zeros(3)]
    alive = weakref.ref(held[0])

    def inner() -> None:
        mine = held.pop()
        raise KeyError(mine.size)

    def middle() -> None:
        try:
            inner()
        except KeyError as error:
            raise LookupError from error

    # As if they were the package's.
    functions = [inner, middle]
    inner, middle = (type(f)(f.__code__, {**f.__globals__, "__name__": "bnnspy.x"}, None,
                             None, f.__closure__) for f in functions)  # fmt: skip
    with pytest.raises(LookupError) as caught:
        middle()
    gc.collect()
    assert alive() is not None
    release(caught.value)
    gc.collect()
    assert alive() is None
    error = caught.value
    error.__context__ = error  # a circle is no trap
    release(error)


def test_a_releasing_function_is_still_itself() -> None:
    def add(a: int, *, b: int = 2) -> int:
        """Adds."""
        return a + b

    wrapped = releasing(add)
    assert (wrapped(1), wrapped(1, b=5)) == (3, 6)
    assert (wrapped.__name__, wrapped.__doc__) == ("add", "Adds.")
    assert NDArrayDescriptor.allocate.__doc__ == NDArrayDescriptor.allocate.__func__.__doc__
    assert NDArrayDescriptor.array.__doc__.startswith("The elements in tuple order")
