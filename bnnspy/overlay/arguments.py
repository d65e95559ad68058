"""Arguments of the overlay: descriptors as they are, arrays wrapped."""

from __future__ import annotations

from typing import Any

from bnnspy.descriptor import NDArrayDescriptor
from bnnspy.values import index_values


def tensor(value: Any, name: str) -> NDArrayDescriptor:
    """value itself when it is a descriptor, else a descriptor of its memory."""
    if isinstance(value, NDArrayDescriptor):
        return value
    try:
        return NDArrayDescriptor.from_array(value)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{name}: {error}") from None


def index_tensor(value: Any, name: str) -> NDArrayDescriptor:
    """The same for an argument of indices, which may also be ints in lists."""
    if isinstance(value, (list, tuple)):
        value = index_values(value, name)
    return tensor(value, name)
