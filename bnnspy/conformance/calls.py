"""Calls as plain data, which JSON can hold: what a worker performs, and what a report shows.

A call names its function, its tensors' fields and the bytes of its buffers. Several tensors can
point into one buffer. Bytes are written in hexadecimal, in the byte order of this machine.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any, NamedTuple, TypedDict

from bnnspy import constants
from bnnspy.constants import DataLayout, DataType
from bnnspy.operations import WRITTEN, row
from bnnspy.plain import Plain, View, view_of
from bnnspy.strict import reliances

HOLE = 0x5A  # what lies between the elements of a tensor
FILL = 0xEE  # what an output holds before the call


class TensorFields(TypedDict, total=False):
    """The fields of a descriptor. `buffer` names what data points into, None for NULL."""

    layout: int
    size: list[int]
    stride: list[int]
    data_type: int
    buffer: str | None
    offset: int
    flags: int
    table: str | None
    table_data_type: int
    data_scale: float
    data_bias: float


class Parameters(TypedDict, total=False):
    """BNNSFilterParameters. `allocator` hands in one that works and counts."""

    flags: int
    n_threads: int
    allocator: bool


class Call(TypedDict, total=False):
    """A call. Its tensors and numbers go by the names that the function's row gives them."""

    name: str
    function: str
    entries: list[str]  # of the compatibility data, that this call shows or relies on
    decides: str  # the one entry that it was made for, or ""
    numbers: dict[str, int]
    tensors: dict[str, TensorFields | None]
    parameters: Parameters | None
    buffers: dict[str, str]
    expected: dict[str, Any]  # what was recorded, if it was


class T(NamedTuple):
    """A tensor of a call that is being made.

    `data` are elements in tuple order, or raw bytes, or None for NULL; `base` is the buffer that it
    shares with another tensor, from the byte `offset` on.
    """

    layout: int
    size: Sequence[int]
    data_type: int
    data: Sequence[int] | bytes | None = b""
    stride: Sequence[int] = ()
    base: str = ""
    offset: int = 0
    more: dict[str, Any] = {}  # noqa: RUF012 - never changed

    def plain(self) -> Plain:
        """The fields that decide."""
        return Plain(self.layout, tuple(self.size), tuple(self.stride), self.data_type)

    def view(self) -> View | None:
        """Where its elements lie."""
        return view_of(self.plain())


FORMATS = {DataType.Float16: "e", DataType.Float32: "f"}
SIGNED = {8: "b", 16: "h", 32: "i", 64: "q"}


def element(data_type: int, value: int) -> bytes:
    """A number as an element of at least 8 bits: small ones are exact in every type."""
    bits = data_type & 0xFF
    if data_type in FORMATS:
        return struct.pack(f"={FORMATS[DataType(data_type)]}", value)
    if data_type == DataType.BFloat16:
        upper = struct.unpack("=I", struct.pack("=f", value))[0] >> 16
        return struct.pack("=H", upper)
    if data_type == DataType.Boolean:
        return bytes([value % 2])
    return struct.pack(f"={SIGNED[bits].upper()}", value % 2**bits)


def memory(tensor: T) -> bytes:
    """The bytes of a tensor: its elements, and holes between them."""
    if isinstance(tensor.data, bytes) and tensor.data:
        return tensor.data
    view = tensor.view()
    assert view is not None, "raw bytes have to be given where the fields say nothing"
    if not tensor.data:
        return bytes([FILL]) * view.nbytes
    width = view.bits // 8
    whole = bytearray([HOLE]) * view.nbytes
    for place, value in zip(view.places(), tensor.data, strict=True):
        whole[place * width : (place + 1) * width] = element(tensor.data_type, value)
    return bytes(whole)


def numbered(layout: int, size: Sequence[int], data_type: int, stride: Sequence[int] = ()) -> T:
    """An input whose elements can be told apart: 1, 2, 3, .. in tuple order, or mixed bits."""
    tensor = T(layout, size, data_type, b"", stride)
    view = tensor.view()
    assert view is not None
    if view.bits >= 8:
        return tensor._replace(data=[n % 125 + 1 for n in range(view.elements)])
    return tensor._replace(data=bytes((37 * n + 11) % 256 for n in range(view.nbytes)))


def fields(tensor: T, buffer: str | None) -> TensorFields:
    """A tensor of a call."""
    made: TensorFields = {
        "layout": int(tensor.layout),
        "size": [int(n) for n in tensor.size],
        "stride": [int(n) for n in tensor.stride],
        "data_type": int(tensor.data_type),
        "buffer": buffer,
        "offset": tensor.offset,
    }
    made.update(tensor.more)  # type: ignore[typeddict-item]
    return made


def make(
    function: str,
    name: str,
    tensors: Mapping[str, T | None],
    numbers: Mapping[str, int] | None = None,
    decides: str = "",
    parameters: Parameters | None = None,
    buffers: Mapping[str, bytes] | None = None,
) -> Call:
    """A call of a function, with a buffer for each tensor that does not share one.

    Parameters
    ----------
    function : str
        A function that has a row in the registry.
    name : str
        Of the call, "" for none of its own.
    tensors, numbers : mapping
        Values of the arguments by their names; a tensor of None is NULL.
    decides : str, optional
        The entry of the compatibility data that the call is made for.
    parameters : Parameters, optional
        None is NULL.
    buffers : mapping, optional
        Memory that tensors share.
    """
    held = {key: value.hex() for key, value in (buffers or {}).items()}
    described: dict[str, TensorFields | None] = {}
    for role, tensor in tensors.items():
        if tensor is None:
            described[role] = None
        elif tensor.data is None:
            described[role] = fields(tensor, None)
        else:
            described[role] = fields(tensor, tensor.base or role)
            if not tensor.base:
                held[role] = memory(tensor).hex()
    return {
        "name": name,
        "function": function,
        "entries": [decides] if decides else [],
        "decides": decides,
        "numbers": {key: int(value) for key, value in (numbers or {}).items()},
        "tensors": described,
        "parameters": parameters,
        "buffers": held,
    }


def plain_fields(tensor: TensorFields, address: int = 0) -> Plain:
    """The fields of a described tensor as the rules of strict mode take them."""
    return Plain(
        tensor["layout"],
        tuple(tensor["size"]),
        tuple(tensor["stride"]),
        tensor["data_type"],
        address,
        tensor.get("data_scale", 0.0),
        tensor.get("data_bias", 0.0),
    )


def relied_on(call: Call) -> list[str]:
    """The entries that a call relies on, by the rules of strict mode."""
    tensors = {name: plain_fields(t) for name, t in call["tensors"].items() if t is not None}
    return [reliance.entry for reliance in reliances(call["function"], tensors)]


# --- recorded calls -------------------------------------------------------------------------------


def layout_of(name: str) -> int:
    """A layout by Apple's name less the prefix."""
    return int(DataLayout[f"Tensor{name}" if name[0].isdigit() else name])


def recorded_tensor(described: dict[str, Any]) -> T:
    """A tensor of recorded.json."""
    size, kind = described["size"], DataType[described["data_type"]]
    # The values are a buffer's contents, in the order of memory and not of tuples.
    values = b"".join(element(kind, value) for value in described.get("values", ()))
    stride = described.get("stride", ())
    tensor = T(layout_of(described["layout"]), size, int(kind), values, stride)
    if "fill" in described:
        view = tensor.view()
        assert view is not None
        tensor = tensor._replace(data=[described["fill"]] * view.elements)
    return tensor


def recorded_numbers(function: str, given: dict[str, Any]) -> dict[str, int]:
    """The arguments of recorded.json that are no tensors; constants stand there by their names."""
    types = {argument.name: argument.type for argument in row(function).each()}
    return {
        name: constant_of(types[name], value) if isinstance(value, str) else value
        for name, value in given.items()
    }


def constant_of(enum: str, name: str) -> int:
    """A constant by Apple's name less the prefix."""
    if enum == "DataLayout":
        return layout_of(name)
    members: dict[str, int] = getattr(constants, enum).__members__
    return int(members[name if name in members else f"{name}_"])


def expected_of(case: dict[str, Any], tensors: Mapping[str, T]) -> dict[str, Any]:
    """What was recorded of a case: the status or number, and where it is known, the output."""
    found: dict[str, Any] = {"status": case["status"] if "status" in case else case["returns"]}
    if "expected" in case:
        (written,) = row(case["call"]).tensors(WRITTEN)
        output = tensors[written.name]
        found["output"] = b"".join(element(output.data_type, v) for v in case["expected"]).hex()
    return found


def recorded() -> list[Call]:
    """The calls whose results Apple documents, or others recorded on Apple's hardware.

    Their tensors go by C's names there, or by their roles.
    """
    text = files("bnnspy.conformance").joinpath("recorded.json").read_text(encoding="utf-8")
    calls = []
    for case in json.loads(text)["cases"]:
        names = {argument.role: argument.name for argument in row(case["call"]).tensors()}
        tensors = {names.get(k, k): recorded_tensor(t) for k, t in case["tensors"].items()}
        numbers = recorded_numbers(case["call"], case.get("args", {}))
        call = make(case["call"], f"recorded/{case['name']}", tensors, numbers)
        call["expected"] = expected_of(case, tensors)
        calls.append(call)
    return calls
