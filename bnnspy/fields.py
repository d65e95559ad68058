"""The ten fields of BNNSNDArrayDescriptor: read from a record, and changed by making another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar, cast

from bnnspy._bnns import ffi
from bnnspy.arrays import borrowed
from bnnspy.record import Record, bind, new_record
from bnnspy.shape import padded, slots, unsigned

UINT32 = 2**32 - 1

FIELDS = frozenset(
    {
        *("flags", "layout", "size", "stride", "data", "data_type"),
        *("table_data", "table_data_type", "data_scale", "data_bias"),
    }
)

T = TypeVar("T")  # what a field reads as
S = TypeVar("S", contravariant=True)  # what it can be set to


class Field(Generic[T, S]):
    """A field, read as `kind` where that has its value, and as the plain value where not."""

    def __init__(self, kind: Callable[[Any], T], doc: str) -> None:
        self.kind = kind
        self.__doc__ = doc

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, descriptor: Any, owner: type) -> T:
        if descriptor is None:
            return cast("T", self)
        record = descriptor._record[0]
        value = getattr(record[0].descriptor, self.name)
        try:
            return self.kind(value)
        except ValueError:
            return cast("T", value)

    def __set__(self, descriptor: Any, value: S) -> None:
        descriptor._set(**{self.name: value})


class Slots(Field[tuple[int, ...], int | Sequence[int]]):
    """A field of eight entries."""


def real(value: Any, name: str) -> float:
    """value as a float; a TypeError or ValueError names it otherwise."""
    try:
        if not isinstance(value, (str, bytes, bytearray)):
            return float(value)
    except OverflowError as error:
        raise ValueError(f"{name}: {error}") from None
    except TypeError:
        pass
    raise TypeError(f"{name} is {value!r}, and has to be a number")


def changed(record: Record, fields: dict[str, Any]) -> Record:
    """A record with some fields changed; TypeError or ValueError for what no field can hold."""
    model, hold, owner, table, data_type = record
    new, old = new_record([model[0]]), model[0]
    descriptor = new[0].descriptor
    pointer, nbytes, writable = descriptor.data, old.nbytes, old.writable
    if "data" in fields:
        data_type = fields.get("data_type", data_type)
        pointer, nbytes, writable, hold, owner = borrowed(fields["data"], data_type)
    if "table_data" in fields:
        given = fields["table_data"]
        table = None if given is None else borrowed(given, 0, "table_data")
        descriptor.table_data = ffi.NULL if table is None else table[0]
    for name, value in fields.items():
        if name in ("size", "stride"):
            setattr(descriptor, name, padded(slots(value, name)))
        elif name in ("data_scale", "data_bias"):
            setattr(descriptor, name, real(value, name))
        elif name not in ("data", "table_data"):
            setattr(descriptor, name, unsigned(value, name, UINT32))
    bind(new, new, pointer, nbytes, writable, 0)
    new[0].live = old.live or "data" in fields
    return (new, hold, owner, table, descriptor.data_type)
