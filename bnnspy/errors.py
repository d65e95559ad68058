"""Why a call failed: the status for the program, the sentence for the person.

The C core records the reason of each thread's last failure; this module reads it. The C face
returns a `Status` and logs the sentence; the overlay raises the exception that `error_for` makes.
"""

from __future__ import annotations

import logging
from enum import IntEnum
from typing import Any, ClassVar, cast

from bnnspy._bnns import ffi, lib

logger = logging.getLogger("bnnspy")
logger.addHandler(logging.NullHandler())


class Status(IntEnum):
    """What a BNNS function returns; a nonzero one means that nothing was written.

    Source: 0 is documented; -1 for arguments that don't fit, -1003 for GatherND and -1005 for
    Gather were measured by others on Apple's hardware.
    """

    Success = lib.bnnspy_status_success
    InvalidParameter = lib.bnnspy_status_invalid_parameter
    ShapeMismatch = lib.bnnspy_status_shape_mismatch
    IndexOutOfRange = lib.bnnspy_status_index_out_of_range


class Error(Exception):
    """What the overlay raises: `BNNS.Error` in Swift.

    Attributes
    ----------
    case : str
        The name of Swift's case.
    status : int
        The status that the C function returned.
    argument : str
        The argument at fault, `""` when no single one is.
    index : int or None
        The index that was out of range.
    position : tuple of int or None
        Where that index stands in the indices, in tuple order.
    valid : range or None
        The indices that would have been valid.
    """

    case: ClassVar[str] = "layerApplyFail"

    def __init__(
        self,
        sentence: str,
        *,
        status: int = Status.InvalidParameter,
        argument: str = "",
        index: int | None = None,
        position: tuple[int, ...] | None = None,
        valid: range | None = None,
    ) -> None:
        super().__init__(sentence)
        self.status = int(status)
        self.argument = argument
        self.index = index
        self.position = position
        self.valid = valid

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), self.args, self.__dict__)


class ArrayDescriptorInvalidData(Error, ValueError):
    """A descriptor without memory, or memory that can't hold what the descriptor says."""

    case = "arrayDescriptorInvalidData"


class LayerApplyFail(Error):
    """A call that failed; its kind is the subclass."""


class InvalidParameter(LayerApplyFail, ValueError):
    """Status -1: an argument that can't be used."""


class ShapeMismatch(LayerApplyFail, ValueError):
    """Status -1003: sizes or ranks that do not fit each other."""


class IndexOutOfRange(LayerApplyFail, IndexError):
    """Status -1005: an index outside the axis that it points into."""


CLASSES: dict[int, type[Error]] = {
    Status.InvalidParameter: InvalidParameter,
    Status.ShapeMismatch: ShapeMismatch,
    Status.IndexOutOfRange: IndexOutOfRange,
}


def text(chars: Any) -> str:
    """A C string as a str."""
    return cast(bytes, ffi.string(chars)).decode()


def last_error() -> str:
    """The sentence of this thread's last failing call; `""` if none has failed.

    Later successes leave it as it is.
    """
    return text(lib.bnnspy_last_error().sentence)


def error_for(status: int) -> Error:
    """The exception for a status that a call of this thread has just returned."""
    last = lib.bnnspy_last_error()
    kind = ArrayDescriptorInvalidData if last.missing else CLASSES.get(status, LayerApplyFail)
    index = position = valid = None
    if last.has_index:
        index = int(last.index) - (1 << 64 if last.index_negative else 0)
        position = tuple(last.position[k] for k in range(last.rank))
        valid = range(last.valid_from, last.valid_to)
    return kind(
        text(last.sentence),
        status=status,
        argument=text(last.argument),
        index=index,
        position=position,
        valid=valid,
    )


def reword(old: str, new: str) -> None:
    """Puts a value into the last sentence that the C core could only see cut to 64 bits."""
    error = ffi.new("bnnspy_error *", lib.bnnspy_last_error()[0])
    changed = text(error.sentence).replace(old, new)
    error.sentence = changed.encode()[: len(error.sentence) - 1]
    lib.bnnspy_set_last_error(error)


def failed(status: int, function: str) -> Status:
    """What the C face does about a failure: a line in the log, and the status."""
    logger.error("%s: %s", function, last_error())
    return Status(status)
