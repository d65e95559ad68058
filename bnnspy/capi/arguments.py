"""Arguments of the C face that are not plainly right: told apart one by one, with a reason."""

from __future__ import annotations

from operator import index as as_index
from typing import Any

from bnnspy.descriptor import NDArrayDescriptor
from bnnspy.errors import reword
from bnnspy.filter_parameters import NULL_RECORD, FilterParameters
from bnnspy.shape import MAX_SIZE

# What stands for an integer that no size_t holds: larger than any axis, and printed as itself.
HUGE = MAX_SIZE // 2


def descriptor_record(value: NDArrayDescriptor | None, name: str) -> Any:
    """What a descriptor argument points to, to be held during the call; None is NULL."""
    if value is None:
        return NULL_RECORD
    if not isinstance(value, NDArrayDescriptor):
        raise TypeError(
            f"{name} is a {type(value).__name__}, and has to be an NDArrayDescriptor or None"
        )
    try:
        return value._record
    except AttributeError:
        raise TypeError(f"{name} is a descriptor that __init__ has not made") from None


def parameters_record(value: FilterParameters | None) -> Any:
    """What filter_params points to; None is NULL."""
    if value is None:
        return NULL_RECORD
    if isinstance(value, FilterParameters):
        return value._record
    raise TypeError(
        f"filter_params is a {type(value).__name__}, and has to be FilterParameters or None"
    )


def integer(value: Any, name: str) -> int:
    """An integer argument; a TypeError for what is none."""
    try:
        return int(as_index(value))
    except TypeError:
        raise TypeError(f"{name} is a {type(value).__name__}, and has to be an integer") from None


def as_size(number: int) -> int:
    """number as C's size_t sees it: small negative ones turn huge, as when Swift passes an Int."""
    return int(number % (MAX_SIZE + 1)) if -HUGE <= number <= MAX_SIZE else HUGE


def name_true_value(name: str, number: int) -> None:
    """After a failure: the sentence shows the caller's number, not what size_t made of it."""
    size = as_size(number)
    shown = size if size <= HUGE else size - MAX_SIZE - 1
    if shown != number:
        # Python refuses to write thousands of decimal digits; there is room for few of them anyway.
        true = str(number) if abs(number) < 10**99 else hex(number)
        reword(f"{name} is {shown}", f"{name} is {true}")
