"""BNNSScatter as in C: a status is returned, and never raised."""

from __future__ import annotations

from bnnspy.constants import ReduceFunction
from bnnspy.descriptor import NDArrayDescriptor
from bnnspy.doors import c_face, made_from_row
from bnnspy.errors import Status
from bnnspy.filter_parameters import FilterParameters


@c_face
def BNNSScatter(
    axis: int,
    op: ReduceFunction | int,
    input: NDArrayDescriptor | None,
    indices: NDArrayDescriptor | None,
    output: NDArrayDescriptor | None,
    filter_params: FilterParameters | None = None,
) -> Status:
    """Puts the slices of input along axis into output where indices say, or adds them there.

    ``output[.., indices[i], ..] = input[.., i, ..]`` in the layout's tuple order, or, with indices
    of input's shape, the index at the input element's own place. The other elements of output keep
    their values.

    Parameters
    ----------
    axis : int
        0 to rank - 1, counting the layout's value tuple: axis 0 of a RowMajorMatrix is its rows.
    op : ReduceFunction or int
        ReduceFunction.None_ overwrites: of what meets in one element the last stays.
        ReduceFunction.Sum adds, in the order of input. Others are -1.
    input : NDArrayDescriptor or None
        Rank 1 to 8. Any type; to be added, floats, integers and Boolean. None is C's NULL, which
        gives -1; so for the others.
    indices : NDArrayDescriptor or None
        Int8 to Int64 or UInt8 to UInt64, from 0 to output's size along axis - 1; negative ones are
        out of range. Rank 1 and as long as input along axis, or input's shape.
    output : NDArrayDescriptor or None
        Input's type, and its sizes away from axis. It may not share a byte with input or indices.
    filter_params : FilterParameters or None, optional
        Threads; the result is the same for any number.

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
