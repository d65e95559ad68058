"""BNNSGather as in C: a status is returned, and never raised."""

from __future__ import annotations

from operator import index as as_index
from typing import Any

from bnnspy._bnns import lib
from bnnspy.capi.arguments import (
    as_size,
    descriptor_record,
    integer,
    parameters_record,
    reason,
)
from bnnspy.descriptor import NDArrayDescriptor
from bnnspy.errors import Status, failed
from bnnspy.filter_parameters import NULL_RECORD, FilterParameters
from bnnspy.frames import releasing

# Looked up once: an attribute of lib costs as much as a fifth of the call, and an argument a
# twentieth. Strict mode puts other functions here, and the overlay calls the first one too.
gather = lib.bnnspy_gather
gather_default = lib.bnnspy_gather_default
SUCCESS = Status.Success


def BNNSGather(
    axis: int,
    input: NDArrayDescriptor | None,
    indices: NDArrayDescriptor | None,
    output: NDArrayDescriptor | None,
    filter_params: FilterParameters | None = None,
) -> Status:
    """Copies the slices of input along axis that indices names into output.

    ``output[.., i, ..] = input[.., indices[i], ..]`` in the layout's tuple order, or, with indices
    of output's shape, the index at the output element's own place.

    Parameters
    ----------
    axis : int
        0 to rank - 1, counting the layout's value tuple: axis 0 of a RowMajorMatrix is its rows.
    input : NDArrayDescriptor or None
        Rank 1 to 8, any type. None is C's NULL, which gives -1; so for the others.
    indices : NDArrayDescriptor or None
        Int8 to Int64 or UInt8 to UInt64, from 0 to input's size along axis - 1; negative ones are
        out of range. Rank 1, or output's shape.
    output : NDArrayDescriptor or None
        Input's type, and its sizes away from axis. Its memory is filled; it may not share a byte
        with input or indices.
    filter_params : FilterParameters or None, optional
        Threads and allocator.

    Returns
    -------
    Status
        Success, InvalidParameter (-1), ShapeMismatch (-1003) or IndexOutOfRange (-1005). Unless
        it is Success, nothing was written; `last_error()` has the sentence, and the logger
        "bnnspy" gets it.

    Raises
    ------
    TypeError
        An argument is of the wrong Python type.
    """
    try:
        i, x, o = input._record, indices._record, output._record  # type: ignore[union-attr]
        if axis.__class__ is not int:
            axis = as_index(axis)  # cffi itself would cut a Decimal or a float32 to an integer
        if filter_params is None:
            outcome = gather_default(axis, i[0], x[0], o[0])
        else:
            f = filter_params._record
            outcome = gather(axis, i[0], x[0], o[0], f[0])
    except (AttributeError, OverflowError, TypeError):
        i = x = o = f = NULL_RECORD  # what is raised from here on keeps no memory
        axis, outcome = carefully(axis, input, indices, output, filter_params)
    if outcome == 0:
        return SUCCESS
    return failed(reason(outcome, axis=axis), "BNNSGather")


@releasing
def carefully(
    axis: Any,
    input: NDArrayDescriptor | None,
    indices: NDArrayDescriptor | None,
    output: NDArrayDescriptor | None,
    filter_params: FilterParameters | None,
) -> tuple[int, int]:
    """The call with None, with a wrong type, or with an axis that no size_t holds.

    Gives the axis as an integer, and the outcome.
    """
    number = integer(axis, "axis")
    i = descriptor_record(input, "input")
    x = descriptor_record(indices, "indices")
    o = descriptor_record(output, "output")
    f = parameters_record(filter_params, "filter_params")
    return number, gather(as_size(number), i[0], x[0], o[0], f[0])
