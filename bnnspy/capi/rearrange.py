"""Functions that copy elements into another order, as in C: BNNSTranspose."""

from __future__ import annotations

from bnnspy.descriptor import NDArrayDescriptor
from bnnspy.doors import c_face, made_from_row
from bnnspy.errors import Status
from bnnspy.filter_parameters import FilterParameters


@c_face
def BNNSTranspose(
    dest: NDArrayDescriptor | None,
    src: NDArrayDescriptor | None,
    axis0: int,
    axis1: int,
    filter_params: FilterParameters | None = None,
) -> Status:
    """Copies src into dest with two axes exchanged.

    Parameters
    ----------
    dest : NDArrayDescriptor or None
        Src's type, and its sizes with those of the two axes exchanged. It may not share a byte with
        src. None is C's NULL, which gives -1; so for src.
    src : NDArrayDescriptor or None
        Rank 1 to 8, any type.
    axis0, axis1 : int
        0 to rank - 1, counting the layout's value tuple. Equal ones copy.
    filter_params : FilterParameters, optional
        Threads.

    Returns
    -------
    Status
        Success, InvalidParameter (-1) or ShapeMismatch (-1003). Unless it is Success, nothing was
        written; `last_error()` has the sentence, and the logger "bnnspy" gets it.

    Raises
    ------
    TypeError
        An argument is of the wrong Python type.
    """
    return made_from_row()
