"""BNNSGather as in C: a status is returned, and never raised."""

from __future__ import annotations

from bnnspy.descriptor import NDArrayDescriptor
from bnnspy.doors import c_face, made_from_row
from bnnspy.errors import Status
from bnnspy.filter_parameters import FilterParameters


@c_face
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
    return made_from_row()
