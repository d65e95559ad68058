"""BNNS.scatter."""

from __future__ import annotations

from typing import SupportsIndex

from bnnspy.array_types import Ints, Tensor
from bnnspy.doors import swift_face
from bnnspy.filter_parameters import FilterParameters
from bnnspy.overlay.enums import ReductionFunction


@swift_face("BNNSScatter")
def scatter(
    *,
    input: Tensor,
    indices: Tensor | Ints,
    output: Tensor,
    axis: SupportsIndex,
    reduction_function: ReductionFunction | SupportsIndex | None = None,
    filter_parameters: FilterParameters | None = None,
) -> None:
    """Puts the slices of input along axis into output where indices say, or adds them there.

    Parameters
    ----------
    input, output : NDArrayDescriptor, array or buffer
        As for `BNNSScatter`; arrays are viewed as `NDArrayDescriptor.from_array` does, so that axis
        is NumPy's.
    indices : NDArrayDescriptor, array or buffer, or ints in lists
        As for `BNNSScatter`; lists become a tensor of Int32, or of Int64 where an int needs it.
    axis : int
        0 to rank - 1.
    reduction_function : BNNS.ReductionFunction or ReduceFunction, optional
        BNNS.ReductionFunction.sum adds. None overwrites, as the form of Swift's function that has
        no such argument.
    filter_parameters : FilterParameters, optional
        Threads.

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
