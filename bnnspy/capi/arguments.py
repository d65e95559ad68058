"""Arguments of the C face that are not plainly right: told apart one by one, with a reason."""

from __future__ import annotations

from collections.abc import Collection
from operator import index as as_index
from typing import Any

from bnnspy.descriptor import NDArrayDescriptor
from bnnspy.errors import make_last, record_of, reword
from bnnspy.filter_parameters import NULL_RECORD, FilterParameters
from bnnspy.shape import MAX_SIZE

# What stands for an integer that no size_t holds: larger than any axis, and printed as itself.
HUGE = MAX_SIZE // 2
# What stands for a constant that no enum of 32 bits has.
LAST_CODE = 2**32 - 1


def descriptor_record(value: NDArrayDescriptor | None, name: str) -> Any:
    """What a descriptor argument points to, to be held during the call; None is NULL."""
    if value is None:
        return NULL_RECORD
    if not isinstance(value, NDArrayDescriptor):
        raise TypeError(
            f"{name} is a {type(value).__name__}, and has to be an NDArrayDescriptor or None"
        )
    return made(value, name)


def parameters_record(value: FilterParameters | None, name: str) -> Any:
    """What an argument of filter parameters points to; None is NULL."""
    if value is None:
        return NULL_RECORD
    if not isinstance(value, FilterParameters):
        raise TypeError(
            f"{name} is a {type(value).__name__}, and has to be FilterParameters or None"
        )
    return made(value, name)


def made(value: Any, name: str) -> Any:
    """The record of an object of ours; a TypeError where `__init__` has not made it."""
    try:
        return value._record
    except AttributeError:
        kind = type(value).__name__
        raise TypeError(f"{name} is a {kind} that __init__ has not made") from None


def integer(value: Any, name: str) -> int:
    """An integer argument; a TypeError for what is none."""
    try:
        return int(as_index(value))
    except TypeError:
        raise TypeError(f"{name} is a {type(value).__name__}, and has to be an integer") from None


def as_size(number: int) -> int:
    """number as C's size_t sees it: small negative ones turn huge, as when Swift passes an Int."""
    return int(number % (MAX_SIZE + 1)) if -HUGE <= number <= MAX_SIZE else HUGE


def as_code(number: int) -> int:
    """number as a constant of an enum, which is 32 bits wide; the last one for what none can be."""
    return number if 0 <= number <= LAST_CODE else LAST_CODE


def reason(outcome: int, codes: Collection[str] = (), **numbers: int) -> Any:
    """The record of a failing call, its sentence showing the caller's numbers.

    The C core saw what size_t made of them, or, of `codes`, an enum. `last_error` speaks of this
    record then.
    """
    record = record_of(outcome)
    for name, number in numbers.items():
        size = as_code(number) if name in codes else as_size(number)
        shown = size if size <= HUGE else size - MAX_SIZE - 1
        if shown != number:
            # Python refuses to write thousands of decimal digits; there is room for few of them.
            true = str(number) if abs(number) < 10**99 else hex(number)
            reword(record, f"{name} is {shown}", f"{name} is {true}")
    make_last(record)
    return record
