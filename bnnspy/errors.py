"""Why a call failed: the status for the program, the sentence for the person.

The C core records the reason of each thread's last failure; this module reads it. The C face
returns a `Status` and logs the sentence; the overlay raises the exception that `error_for` makes.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from enum import IntEnum
from typing import Any, ClassVar, cast

from bnnspy._bnns import ffi, lib

logger = logging.getLogger("bnnspy")
logger.addHandler(logging.NullHandler())

RECORD = ffi.typeof("bnnspy_error *")


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

    # Swift's cases, so that `except BNNS.Error.layerApplyFail:` is the class of that case.
    layerApplyFail: ClassVar[type[LayerApplyFail]]
    unableToCreateLayer: ClassVar[type[UnableToCreateLayer]]
    arrayDescriptorInvalidData: ClassVar[type[ArrayDescriptorInvalidData]]
    optimizerStepFail: ClassVar[type[OptimizerStepFail]]

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


class UnableToCreateLayer(Error):
    """A layer that could not be made; for layers, which are planned."""

    case = "unableToCreateLayer"


class OptimizerStepFail(Error):
    """A step of an optimizer that failed; for optimizers, which are planned."""

    case = "optimizerStepFail"


for _case in (LayerApplyFail, UnableToCreateLayer, ArrayDescriptorInvalidData, OptimizerStepFail):
    setattr(Error, _case.case, _case)

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


def record_of(outcome: int) -> Any:
    """A copy of the very record that a failing call made, which its outcome names.

    Between a call and here anything may have failed on this thread: a callback of the garbage
    collector, a finalizer, a signal handler.
    """
    record = ffi.new(RECORD)
    lib.bnnspy_error_of(outcome, record)
    return record


def error_for(outcome: int, kind: type[Error] | None = None) -> Error:
    """The exception for a failing call; of the class that its record asks for, or of kind."""
    return error_of(record_of(outcome), kind)


def error_of(record: Any, kind: type[Error] | None = None) -> Error:
    """The exception that says what a record says."""
    if kind is None:
        by_status = CLASSES.get(record.status, LayerApplyFail)
        kind = ArrayDescriptorInvalidData if record.missing else by_status
    index = position = valid = None
    if record.has_index:
        index = int(record.index) - (1 << 64 if record.index_negative else 0)
        position = tuple(record.position[k] for k in range(record.rank))
        valid = range(record.valid_from, record.valid_to)
    return kind(
        text(record.sentence),
        status=record.status,
        argument=text(record.argument),
        index=index,
        position=position,
        valid=valid,
    )


def reword(record: Any, old: str, new: str) -> None:
    """Puts a value into a record's sentence that the C core could only see cut to 64 bits."""
    changed = text(record.sentence).replace(old, new)
    record.sentence = changed.encode()[: len(record.sentence) - 1]


def refusal(status: Status, sentence: str) -> int:
    """The outcome of a call that was not made, recorded as the C core would."""
    record = ffi.new(RECORD)
    record.status = status
    encoded, most = sentence.encode(), len(record.sentence) - 1
    record.sentence = encoded if len(encoded) <= most else encoded[: most - 2] + b".."
    return make_last(record)


def make_last(record: Any) -> int:
    """Makes a record what `last_error` speaks of."""
    return lib.bnnspy_set_last_error(record)


def failed(record: Any, function: str) -> Status:
    """What the C face does about a failure: a line in the log, and the status.

    Whatever the log's handlers do, the status is returned, and `last_error` speaks of this call.
    """
    try:
        log("%s: %s", function, text(record.sentence))
    finally:
        make_last(record)
    return Status(record.status)


def log(message: str, *values: str) -> None:
    """A line at ERROR. What a handler or filter raises goes where logging reports such things."""
    try:
        logger.error(message, *values)
    except Exception:
        # It writes to stderr, if logging.raiseExceptions says so, and stderr may be closed. The
        # program's own factory of records may be what has raised.
        line = logging.LogRecord(logger.name, logging.ERROR, __file__, 0, message, values, None)
        with suppress(Exception):
            logging.Handler().handleError(line)
