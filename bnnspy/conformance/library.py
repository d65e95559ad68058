"""A library with the BNNS interface, and described calls made on it, in this very process.

Each buffer of a call ends where a page begins that may not be touched, so that one byte read or
written behind it ends the process; what lies before it is filled and looked at afterwards. Nothing
here protects the caller: worker.py is the process that may die of it.
"""

from __future__ import annotations

import ctypes
import mmap
import re
from pathlib import Path
from typing import Any

from cffi import FFI

from bnnspy import get_include
from bnnspy._bnns import ffi as our_ffi
from bnnspy._bnns import lib as our_lib
from bnnspy.conformance.calls import Call, Parameters, TensorFields
from bnnspy.operations import OPERATIONS, PARAMETERS, QUERIES, row
from bnnspy.shape import padded

OURS = "ours"  # the name of the core that this package was built with
ACCELERATE = "/System/Library/Frameworks/Accelerate.framework/Accelerate"
FUNCTIONS = tuple(one.function for one in (*OPERATIONS, *QUERIES))
HEADERS = ("bnns_constants.h", "bnns_structures.h", "bnns.h")

PAGE = mmap.PAGESIZE
CANARY = 0xA5
Outcome = dict[str, Any]


def declarations() -> str:
    """The public headers as cffi takes them: no comments, no preprocessor, enums spelled out."""
    folder = Path(get_include()) / "bnns"
    text = "\n".join((folder / name).read_text(encoding="utf-8") for name in HEADERS)
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    text = re.sub(r"^[ \t]*#(?:.*\\\n)*.*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"\bBNNS_EXTERN_C_(?:BEGIN|END)\b", "", text)
    return re.sub(r"BNNS_ENUM\((\w+)\)", r"typedef uint32_t \1; enum", text)


def protect(address: int, length: int) -> None:
    """Takes every right to that memory away."""
    system = ctypes.CDLL(None, use_errno=True)
    system.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    if system.mprotect(address, length, 0) != 0:
        raise OSError(ctypes.get_errno(), "mprotect")


class Region:
    """Whole pages between two that may not be touched."""

    def __init__(self, pages: int) -> None:
        self.pages = pages
        self.map = mmap.mmap(-1, (pages + 2) * PAGE)
        start = int(our_ffi.cast("uintptr_t", our_ffi.from_buffer(self.map)))
        self.end = start + (pages + 1) * PAGE
        protect(start, PAGE)
        protect(self.end, PAGE)
        self.body = memoryview(self.map)[PAGE : (pages + 1) * PAGE]
        self.canary = bytes([CANARY]) * (pages * PAGE)

    def fill(self, data: bytes) -> int:
        """Puts data at the end, and gives its address."""
        free = len(self.body) - len(data)
        self.body[:free] = self.canary[:free]
        self.body[free:] = data
        return self.end - len(data)

    def changes(self, data: bytes) -> tuple[bytes | None, bool]:
        """What stands where data stood (None for data), and whether the bytes before changed."""
        free = len(self.body) - len(data)
        now = bytes(self.body[free:])
        return (None if now == data else now), self.body[:free] != self.canary[:free]


class Library:
    """The functions of one library, found by its path, or our own core's public ones."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.ffi: Any = our_ffi
        self.lib: Any = our_lib
        if path != OURS:
            self.ffi = FFI()
            self.ffi.cdef(declarations())
            self.lib = self.ffi.dlopen(path)
        self.regions: list[Region] = []

    def missing(self) -> list[str]:
        """Functions that it does not have."""
        return [name for name in FUNCTIONS if not hasattr(self.lib, name)]

    def region(self, number: int, nbytes: int) -> Region:
        """The region of a call's n-th buffer; it is used again for the next call."""
        pages = max(1, -(-nbytes // PAGE))
        while len(self.regions) <= number:
            self.regions.append(Region(1))
        if self.regions[number].pages < pages:
            self.regions[number] = Region(pages)
        return self.regions[number]

    def descriptor(self, tensor: TensorFields | None, addresses: dict[str, int]) -> Any:
        """A BNNSNDArrayDescriptor, or NULL."""
        if tensor is None:
            return self.ffi.NULL

        def pointer(name: str | None, offset: int = 0) -> Any:
            address = 0 if name is None else addresses[name] + offset
            return self.ffi.cast("void *", address)

        made = self.ffi.new("BNNSNDArrayDescriptor *")
        made.layout, made.data_type = tensor["layout"], tensor["data_type"]
        made.size, made.stride = padded(tuple(tensor["size"])), padded(tuple(tensor["stride"]))
        made.data = pointer(tensor["buffer"], tensor.get("offset", 0))
        made.flags = tensor.get("flags", 0)
        made.table_data = pointer(tensor.get("table"))
        made.table_data_type = tensor.get("table_data_type", 0)
        made.data_scale = tensor.get("data_scale", 0.0)
        made.data_bias = tensor.get("data_bias", 0.0)
        return made

    def parameters(self, wanted: Parameters | None) -> tuple[Any, Allocator | None]:
        """A BNNSFilterParameters or NULL, and the allocator that it names."""
        if wanted is None:
            return self.ffi.NULL, None
        made = self.ffi.new("BNNSFilterParameters *")
        made.flags, made.n_threads = wanted.get("flags", 0), wanted.get("n_threads", 0)
        if not wanted.get("allocator"):
            return made, None
        allocator = Allocator(self.ffi)
        made.alloc_memory, made.free_memory = allocator.alloc, allocator.free
        return made, allocator

    def perform(self, call: Call) -> Outcome:
        """Makes the call: the status or value, and all memory that it changed."""
        if not hasattr(self.lib, call["function"]):
            return {"missing": call["function"]}
        buffers = {name: bytes.fromhex(text) for name, text in call["buffers"].items()}
        regions = {
            name: self.region(k, len(data)) for k, (name, data) in enumerate(buffers.items())
        }
        addresses = {name: regions[name].fill(data) for name, data in buffers.items()}
        descriptors = {
            role: self.descriptor(tensor, addresses) for role, tensor in call["tensors"].items()
        }
        before = {role: self.contents(made) for role, made in descriptors.items()}
        parameters, allocator = self.parameters(call["parameters"])
        values = {**descriptors, **call["numbers"], PARAMETERS.name: parameters}
        arguments = [values[argument.name] for argument in row(call["function"]).arguments]
        status = getattr(self.lib, call["function"])(*arguments)
        outcome: Outcome = {"status": int(status)}
        for name, region in regions.items():
            now, strayed = region.changes(buffers[name])
            if now is not None:
                outcome.setdefault("changed", {})[name] = now.hex()
            if strayed:
                outcome.setdefault("strayed", []).append(f"memory before {name}")
        for role, made in descriptors.items():
            if self.contents(made) != before[role]:
                outcome.setdefault("strayed", []).append(f"the descriptor of {role}")
        if allocator is not None:
            outcome["allocations"] = allocator.count
        return outcome

    def contents(self, descriptor: Any) -> bytes:
        """The bytes of a descriptor."""
        return b"" if descriptor == self.ffi.NULL else bytes(self.ffi.buffer(descriptor))


class Allocator:
    """Callbacks for BNNSFilterParameters that work, and count."""

    def __init__(self, ffi: Any) -> None:
        self.ffi = ffi
        self.count = 0
        self.kept: list[Any] = []
        self.alloc = ffi.callback("int(void **, size_t, size_t)", self.give, error=12)
        self.free = ffi.callback("void(void *)", lambda pointer: None)

    def give(self, place: Any, alignment: int, size: int) -> int:
        """As posix_memalign; the memory lives as long as the call."""
        self.count += 1
        memory = self.ffi.new("char[]", size + alignment)
        self.kept.append(memory)
        start = int(self.ffi.cast("uintptr_t", memory))
        place[0] = self.ffi.cast("void *", -(-start // alignment) * alignment)
        return 0
