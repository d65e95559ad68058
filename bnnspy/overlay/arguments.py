"""Arguments of the overlay: descriptors as they are, arrays wrapped."""

from __future__ import annotations

from bnnspy.array_types import Tensor
from bnnspy.descriptor import NDArrayDescriptor


def tensor(value: Tensor, name: str) -> NDArrayDescriptor:
    """value itself when it is a descriptor, else a descriptor of its memory."""
    if isinstance(value, NDArrayDescriptor):
        return value
    try:
        return NDArrayDescriptor.from_array(value)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{name}: {error}") from None
