"""BNNS.transpose."""

from __future__ import annotations

from typing import SupportsIndex

from bnnspy.array_types import Tensor
from bnnspy.doors import swift_face
from bnnspy.filter_parameters import FilterParameters


@swift_face("BNNSTranspose")
def transpose(
    *,
    input: Tensor,
    output: Tensor,
    first_transpose_axis: SupportsIndex,
    second_transpose_axis: SupportsIndex,
    filter_parameters: FilterParameters | None = None,
) -> None:
    """Copies input into output with two axes exchanged.

    Parameters
    ----------
    input, output : NDArrayDescriptor, array or buffer
        As src and dest of `BNNSTranspose`; arrays are viewed as nDFirstMajor, so that axes are
        NumPy's.
    first_transpose_axis, second_transpose_axis : int
        0 to rank - 1.
    filter_parameters : FilterParameters, optional
        Threads.

    Raises
    ------
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
