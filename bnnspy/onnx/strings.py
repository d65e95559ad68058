"""Elements that NumPy has to move, since they may hold references: objects, and its own strings.

The core looks at the indices first, as ever. Of data, only what is gathered is looked at.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Place = tuple[int, ...]


class Operator(NamedTuple):
    """An operator in NumPy's terms, for indices found valid and a result that has elements."""

    move: Callable[[NDArray[Any], NDArray[Any], int], NDArray[Any]]
    source: Callable[[Place, NDArray[Any], int], Place]  # of the element at a place of the result


def gather(data: NDArray[Any], indices: NDArray[Any], axis: int) -> NDArray[Any]:
    """ONNX's Gather."""
    # By subscripts, since numpy.take copies data whole where it is not packed.
    before: Any = (slice(None),) * axis
    rows = data[(*before, indices.reshape(-1))]
    shape = (*data.shape[:axis], *indices.shape, *data.shape[axis + 1 :])
    return np.ascontiguousarray(rows).reshape(shape)


def source_of_gather(place: Place, indices: NDArray[Any], axis: int) -> Place:
    """Where in data Gather finds the element at a place of its result."""
    after = axis + indices.ndim
    return (*place[:axis], indices[place[axis:after]], *place[after:])


def gather_elements(data: NDArray[Any], indices: NDArray[Any], axis: int) -> NDArray[Any]:
    """ONNX's GatherElements."""
    # Axes of one index are left out, for NumPy takes fewer arrays as subscripts than it has axes;
    # the others are cut to size, or NumPy would repeat the index for all of data.
    kept = [k for k, n in enumerate(indices.shape) if k == axis or n > 1]
    cuts = [slice(n) if n > 1 else 0 for n in indices.shape]
    cuts[axis] = slice(None)
    picked = np.take_along_axis(
        data[tuple(cuts)], indices.reshape([indices.shape[k] for k in kept]), kept.index(axis)
    )
    return np.ascontiguousarray(picked).reshape(indices.shape)


def source_of_gather_elements(place: Place, indices: NDArray[Any], axis: int) -> Place:
    """Where in data GatherElements finds the element at a place of its result."""
    return (*place[:axis], indices[place], *place[axis + 1 :])


GATHER = Operator(gather, source_of_gather)
GATHER_ELEMENTS = Operator(gather_elements, source_of_gather_elements)


def strings_only(dtype: np.dtype[Any]) -> bool:
    """Whether nothing but strings can be in an array of a type that holds references."""
    # A string that is missing from NumPy's own reads as na_object, where the type has one.
    return dtype.kind != "O" and isinstance(getattr(dtype, "na_object", ""), str)


def moved(operator: Operator, data: NDArray[Any], indices: NDArray[Any], axis: int) -> NDArray[Any]:
    """What is gathered; TypeError where that has more than strings, of which none is missing."""
    result = np.asarray(operator.move(data, indices, axis), data.dtype)
    if strings_only(data.dtype):
        return result
    values = result.reshape(-1).tolist()
    if all(issubclass(kind, str) for kind in set(map(type, values))):
        return result
    first = next(k for k, value in enumerate(values) if not isinstance(value, str))
    place = tuple(map(int, np.unravel_index(first, result.shape)))
    source = operator.source(place, indices, axis)
    where = ", ".join(str(k % n) for k, n in zip(source, data.shape, strict=True))
    what = "objects" if data.dtype.kind == "O" else data.dtype
    raise TypeError(
        f"data is an array of {what}, which have to be strings, and data[{where}] is a "
        f"{type(values[first]).__name__}"
    )
