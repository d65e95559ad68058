"""BNNS.gather."""

from __future__ import annotations

from typing import SupportsIndex

from bnnspy.array_types import Ints, Tensor
from bnnspy.doors import swift_face
from bnnspy.filter_parameters import FilterParameters


@swift_face("BNNSGather")
def gather(
    *,
    input: Tensor,
    indices: Tensor | Ints,
    output: Tensor,
    axis: SupportsIndex,
    filter_parameters: FilterParameters | None = None,
) -> None:
    """Copies the slices of input along axis that indices names into output.

    Parameters
    ----------
    input, output : NDArrayDescriptor, array or buffer
        As for `BNNSGather`; arrays are viewed as `NDArrayDescriptor.from_array` does, so that axis
        is NumPy's.
    indices : NDArrayDescriptor, array or buffer, or ints in lists
        As for `BNNSGather`; lists become a tensor of Int32, or of Int64 where an int needs it.
    axis : int
        0 to rank - 1.
    filter_parameters : FilterParameters, optional
        Threads and allocator.

    Raises
    ------
    IndexOutOfRange
        An index outside its axis; an IndexError too.
    ShapeMismatch
        Sizes or ranks that do not fit; a ValueError too.
    InvalidParameter
        Anything else that can't be; a ValueError too.
    ArrayDescriptorInvalidData
        A descriptor without memory; a ValueError too.
    TypeError
        An argument of the wrong Python type, or an array of a type that BNNS does not have.

    Notes
    -----
    When it raises, output is as it was.
    """
