"""Values for new memory: literals, arrays to be converted, and random numbers; lists of indices."""

from __future__ import annotations

import math
import os
import random
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bnnspy.arrays import element_type
from bnnspy.constants import DataType
from bnnspy.errors import IndexOutOfRange, Status
from bnnspy.memory import BFLOAT16, DATA_TYPES, as_array, numpy_type, unsupported
from bnnspy.remedies import type_expression, use

SOURCE = "initializing_from"


def initial_values(source: Any, chosen: DataType | None) -> tuple[DataType, NDArray[Any]]:
    """The values for new memory, one-dimensional, and their type."""
    array = typed_values(source)
    if array is None:
        values = literal_values(source)
        if chosen is None:
            chosen = LITERALS[values.dtype.kind]
        return chosen, fitted(values, chosen)
    if chosen is None:
        return DataType(element_type(array, 0, source, SOURCE)), array.ravel()
    data_type = chosen
    if array.dtype.kind not in "biuf" and array.dtype not in DATA_TYPES:
        raise TypeError(unsupported(array.dtype, source, SOURCE))
    return data_type, fitted(array.ravel(), data_type)


def typed_values(source: Any) -> NDArray[Any] | None:
    """The array that source is or can become; None for Python's own collections."""
    if isinstance(source, (list, tuple)):
        return None
    if isinstance(source, (int, float)):
        kind = type(source).__name__
        raise TypeError(f"{SOURCE} is a {kind}, and holds all values; repeating= takes one")
    if not isinstance(source, np.ndarray) and hasattr(source, "__array__"):
        return np.asarray(source)
    try:
        return as_array(source, SOURCE)
    except TypeError:
        if isinstance(source, np.ndarray) or not isinstance(source, Iterable):
            raise
        return None


# The types that literals have in Swift, by NumPy's kind; O are integers beyond 64 bits.
LITERALS = {
    "b": DataType.Boolean,
    "i": DataType.Int32,
    "O": DataType.Int32,
    "f": DataType.Float32,
}


def literal_values(source: Any) -> NDArray[Any]:
    """A Python collection of numbers as bool, int64 (or object, when larger) or float64."""
    values = list(source)
    refuse_masked(values)
    array = np.array(values) if values else np.empty(0, np.float64)
    # NumPy makes floats of integers that no one type holds.
    if values and array.ndim == 1 and array.dtype.kind in "ufO" and all_ints(values):
        return np.array(values, object)
    if array.ndim != 1 or array.dtype.kind not in "bif":
        raise TypeError(
            "initial values are numbers or booleans in one row, and these make an array of "
            f"{array.dtype} with {array.ndim} dimensions"
        )
    return array


def refuse_masked(values: Iterable[Any]) -> None:
    """A TypeError for a masked element, which NumPy makes a NaN of."""
    if any(isinstance(value, np.ma.MaskedArray) for value in values):
        raise TypeError("a value is masked; give it a number, and keep the mask apart")


def all_ints(values: list[Any]) -> bool:
    """Whether every value is an integer."""
    return all(isinstance(value, (int, np.integer)) for value in values)


def fitted(values: NDArray[Any], data_type: DataType) -> NDArray[Any]:
    """values as the type; an error for what is no value of it. Floats are rounded, not refused."""
    dtype = numpy_type(data_type)
    if values.dtype == dtype:
        return values
    if dtype.kind in "biu" and values.size:
        if values.dtype.kind == "f" or values.dtype == BFLOAT16:
            what = "booleans"
            if dtype.kind != "b":
                remedy = use(f"numpy.rint({{}}).astype({type_expression(dtype)})", None, "values")
                what = f"integers; round them first: {remedy}"
            raise TypeError(f"values are floats, and {data_type.name} holds {what}")
        low, high = (0, 1) if dtype.kind == "b" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
        least, most = int(values.min()), int(values.max())  # NumPy can't compare all with 2**64
        if least < low or most > high:
            worst = least if least < low else most
            raise ValueError(f"a value is {worst}, outside {low}..{high} of {data_type.name}")
    try:
        with np.errstate(over="raise"):
            return values.astype(dtype)
    except (FloatingPointError, OverflowError) as error:
        raise ValueError(f"a value does not fit {data_type.name}: {error}") from None


# --- random numbers -------------------------------------------------------------------------------

Values = NDArray[Any] | list[int]
Draw = Callable[[Any, int], Values]
NUMBERS = (int, float, np.integer, np.floating)

# Up to so many integers Python's own generator is quicker than the setting up of NumPy's.
FEW = 64


@cache
def generator() -> tuple[np.random.Generator, Callable[[int], int]]:
    """The process's own, for whoever gives no rng=: to make one costs as much as many small draws.

    NumPy's for arrays, and getrandbits for a few integers; threads can share both.
    """
    return np.random.default_rng(), random.Random().getrandbits


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=generator.cache_clear)  # no child repeats its parent's


def random_values(bounds: tuple[Any, Any], chosen: DataType | None) -> tuple[DataType, Draw]:
    """The type for random_in=, and a function that draws so many values from a generator."""
    try:
        low, high = bounds
    except (TypeError, ValueError):
        raise TypeError(f"random_in is {bounds!r}, and has to be (low, high)") from None
    if not isinstance(low, NUMBERS) or not isinstance(high, NUMBERS):
        raise TypeError(f"random_in is {bounds!r}, and has to be two numbers")
    return drawing(low, high, chosen)


@lru_cache(maxsize=256, typed=True)
def drawing(low: Any, high: Any, chosen: DataType | None) -> tuple[DataType, Draw]:
    """What random_values gives for bounds that are numbers: found once, for programs that loop."""
    integers = all_ints([low, high]) and not isinstance(low, (bool, np.bool_))
    if chosen is None:
        chosen = DataType.Int32 if integers else DataType.Float32
    dtype = numpy_type(chosen)
    if dtype.kind == "b":
        raise TypeError("random_in is for integers and floats")
    if not -math.inf < low <= high < math.inf:
        raise ValueError(f"random_in is ({low}, {high}), and has to be finite and in order")
    exact = integers or dtype.kind not in "iu"
    fitted(np.array([low, high], object if exact else None), chosen)
    if dtype.kind not in "iu":
        return chosen, lambda rng, n: (rng or generator()[0]).uniform(low, high, n).astype(dtype)
    first, span = int(low), int(high) - int(low) + 1

    def draw(rng: Any, n: int) -> Values:
        if rng is None and n <= FEW:
            return few_integers(first, span, n)
        return (rng or generator()[0]).integers(low, high, n, dtype, True)

    return chosen, draw


def few_integers(first: int, span: int, count: int) -> list[int]:
    """Integers, each of `span` ones from `first` on with the same probability."""
    bits, found = (span - 1).bit_length(), generator()[1]
    values: list[int] = []
    while len(values) < count:
        value = found(bits)
        if value < span:  # others are drawn again
            values.append(first + value)
    return values


# --- indices --------------------------------------------------------------------------------------


def index_values(values: list[Any] | tuple[Any, ...], name: str) -> NDArray[Any]:
    """Ints in lists as a tensor of Int32, as literals are; of Int64 where one is larger."""
    try:
        array = np.array(values, object)
    except ValueError:
        raise TypeError(f"{name} is a list of lists that differ in length") from None
    for position, index in np.ndenumerate(array):
        if isinstance(index, (bool, np.bool_)) or not isinstance(index, (int, np.integer)):
            kind = type(index).__name__
            raise TypeError(f"{name} has a {kind} at {position}, and has to hold integers")
        if not -(2**63) <= index < 2**63:
            where = ", ".join(map(str, position))
            raise IndexOutOfRange(
                f"{name}[{where}] is {index}, and no axis is that long",
                status=Status.IndexOutOfRange,
                argument=name,
                index=int(index),
                position=position,
            )
    wide = array.astype(np.int64)
    narrow = wide.astype(np.int32)
    return narrow if np.array_equal(wide, narrow) else wide
