"""Arguments of the overlay: descriptors as they are, arrays wrapped."""

from __future__ import annotations

from typing import Any, cast

from bnnspy.array_types import Tensor
from bnnspy.capi.arguments import made
from bnnspy.descriptor import NDArrayDescriptor
from bnnspy.record import Record
from bnnspy.values import index_values


def tensor(value: Tensor, name: str) -> Record:
    """The record of a descriptor, or of one that is made of value's memory."""
    if isinstance(value, NDArrayDescriptor):
        return cast("Record", made(value, name))
    try:
        return NDArrayDescriptor.from_array(value)._record
    except (TypeError, ValueError) as error:
        raise type(error)(f"{name}: {error}") from None


def index_tensor(value: Any, name: str) -> Record:
    """The same for an argument of indices, which may also be ints in lists."""
    if isinstance(value, (list, tuple)):
        value = index_values(value, name)
    return tensor(value, name)
