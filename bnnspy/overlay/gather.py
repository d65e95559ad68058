"""BNNS.gather."""

from __future__ import annotations

from typing import Any

from bnnspy.capi import gather as capi
from bnnspy.capi.arguments import as_size, integer, name_true_value, parameters_record
from bnnspy.errors import error_for
from bnnspy.filter_parameters import FilterParameters
from bnnspy.overlay.arguments import index_tensor, tensor


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
    number = integer(axis, "axis")
    i = tensor(input, "input")._record
    x = index_tensor(indices, "indices")._record
    o = tensor(output, "output")._record
    f = parameters_record(filter_parameters)
    # By way of the C face's module, where strict mode can put another function.
    status = capi.gather(as_size(number), i[0], x[0], o[0], f[0])
    if status:
        name_true_value("axis", number)
        raise error_for(status)
