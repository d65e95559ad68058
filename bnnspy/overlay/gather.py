"""BNNS.gather."""

from __future__ import annotations

from typing import Any

from bnnspy.capi import gather as capi
from bnnspy.capi.arguments import as_size, integer, parameters_record, reason
from bnnspy.errors import error_of
from bnnspy.filter_parameters import NULL_RECORD, FilterParameters
from bnnspy.frames import release
from bnnspy.overlay.arguments import tensor


def gather(
    *,
    input: Any,
    indices: Any,
    output: Any,
    axis: int,
    filter_parameters: FilterParameters | None = None,
) -> None:
    """Copies the slices of input along axis that indices names into output.

    Parameters
    ----------
    input, indices, output : NDArrayDescriptor, array or buffer
        As for `BNNSGather`; arrays are viewed as nDFirstMajor, so that axis is NumPy's.
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
    try:
        number = integer(axis, "axis")
        i = tensor(input, "input")
        x = tensor(indices, "indices")
        o = tensor(output, "output")
        f = parameters_record(filter_parameters, "filter_parameters")
        # By way of the C face's module, where strict mode can put another function.
        outcome = capi.gather(as_size(number), i[0], x[0], o[0], f[0])
        if outcome:
            raise error_of(reason(outcome, axis=number))
    except Exception as error:
        i = x = o = f = input = indices = output = NULL_RECORD
        release(error)
        raise
