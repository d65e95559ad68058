"""Random calls in the making: what those of all functions share."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from math import prod
from typing import ClassVar

from bnnspy.conformance.calls import FILL, Call, Parameters, T, make, numbered, relied_on
from bnnspy.conformance.functions.common import ELEMENT_TYPES, OPAQUE
from bnnspy.constants import DataLayout, DataType
from bnnspy.operations import READ, WRITTEN, row
from bnnspy.plain import View, view_of
from bnnspy.strict import SEEN_LAYOUTS

LAYOUTS = {
    rank: [layout for layout in DataLayout if layout >> 16 == rank and layout not in OPAQUE]
    for rank in range(1, 9)
}
RANKS = (1, 1, 2, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8)
WIDE = [kind for kind in ELEMENT_TYPES if kind & 0xFF >= 8]
MOST = 400  # elements of a tensor

DRAWS: dict[str, type[Draw]] = {}


class Draw:
    """A random call of a function, which depends on a seed and a number alone.

    A function's class says the function, how to lay a sound call out, and which faults there are,
    each with the entry that it is about. A fault is a method, true when it has found a place.
    """

    function: ClassVar[str]
    faults: ClassVar[Mapping[str, str]]

    def __init_subclass__(cls) -> None:
        DRAWS[cls.function] = cls

    def __init__(self, seed: int, number: int) -> None:
        self.name = f"random/{seed}-{number}"
        self.random = random.Random(f"{seed}-{number}")
        self.tensors: dict[str, T] = {}
        self.numbers: dict[str, int] = {}
        operation = row(self.function)
        self.read = [argument.name for argument in operation.tensors(READ)]
        self.written = [argument.name for argument in operation.tensors(WRITTEN)]
        self.axes = operation.named({"axis"})
        # Half of the calls rely on little that was not seen.
        self.usual = self.random.choice([True, False])

    def call(self) -> Call:
        """The call: a sound one, and in one of three cases a fault in it."""
        self.lay_out()
        fault = self.random.choice([None] * 2 * len(self.faults) + list(self.faults))
        if fault is not None and not getattr(self, fault)():
            fault = None  # this call has no place for it
        two: Parameters = {"flags": 0, "n_threads": 2}
        parameters = self.random.choice([None, None, two])
        note = f" {fault.replace('_', ' ')}" if fault else ""
        call = make(
            self.function, self.name + note, self.tensors, self.numbers, parameters=parameters
        )
        # What it relies on, by the rules of strict mode, and what its fault is about.
        faulty = [self.faults[fault]] if fault else []
        call["entries"] = sorted({*relied_on(call), *faulty})
        return call

    def lay_out(self) -> None:
        """Chooses tensors and numbers of a call without a fault."""
        raise NotImplementedError

    # --- choices ----------------------------------------------------------------------------------

    def kind(self) -> DataType:
        """A type of values."""
        choose = self.random.choice
        return DataType.Float32 if self.usual else choose(choose([WIDE, WIDE, WIDE, ELEMENT_TYPES]))

    def sizes(self, kind: DataType) -> list[int]:
        """Sizes of a tensor of some rank."""
        choose = self.random.choice
        packed = kind & 0xFF < 8
        some = [1, 2, 4, 8] if packed else [1, 1, 2, 2, 3, 3, 4, 5]
        sizes = [choose(some) for _ in range(choose(RANKS))]
        if not self.usual and not packed and choose(range(6)) == 0:
            sizes[choose(range(len(sizes)))] = 0
        while prod(max(n, 1) for n in sizes) > MOST:
            sizes[sizes.index(max(sizes))] //= 2
        return sizes

    def layouts(self, rank: int) -> tuple[DataLayout, DataLayout]:
        """A layout of a rank, and one for another tensor of the call."""
        choose = self.random.choice
        layout = choose([code for code in LAYOUTS[rank] if not self.usual or code in SEEN_LAYOUTS])
        return layout, layout if self.usual else choose(LAYOUTS[rank])

    def tensor(self, layout: DataLayout, sizes: Sequence[int], kind: DataType) -> T:
        """A tensor with these sizes in tuple order, and some strides."""
        unit = T(layout, [1] * len(sizes), kind)
        order = slot_order(unit)
        size = [0] * len(sizes)
        for axis, n in enumerate(sizes):
            size[order[0][axis]] = n
        tensor = T(layout, size, kind)
        how = self.random.choice(["default", "default", "written", "padded", "mixed"])
        if how == "default":
            return tensor
        step, stride = 1, [0] * len(sizes)
        grain = 8 if kind & 0xFF < 8 else 1
        for slot in range(len(sizes)):
            axis = order[1].index(slot)
            stride[slot] = step
            if how != "written" and (slot or grain == 1):
                stride[slot] += grain * self.random.randrange(3)
            step = stride[slot] * max(sizes[axis], 1)
        if how == "mixed":
            stride = [self.random.choice([0, s]) for s in stride]
        return tensor._replace(stride=stride)

    def values(self, layout: DataLayout, sizes: Sequence[int], kind: DataType) -> T:
        """The same with elements that can be told apart."""
        tensor = self.tensor(layout, sizes, kind)
        return numbered(tensor.layout, tensor.size, tensor.data_type, tensor.stride)

    def change(self, name: str, **fields: object) -> bool:
        """Puts other fields into a tensor."""
        self.tensors[name] = self.tensors[name]._replace(**fields)  # type: ignore[arg-type]
        return True

    # --- faults that any function can have --------------------------------------------------------

    def no_such_axis(self) -> bool:
        name = self.random.choice(self.axes)
        rank = len(self.tensors[self.read[0]].size)
        self.numbers[name] += self.random.choice([rank, 8, 100])
        return True

    def other_size(self) -> bool:
        output = self.written[0]
        size = list(self.tensors[output].size)
        size[self.random.randrange(len(size))] += 1
        return self.change(output, size=size)

    def other_type(self) -> bool:
        output = self.written[0]
        own = self.tensors[output].data_type
        kind = self.random.choice([t for t in ELEMENT_TYPES if t != own])
        return self.change(output, data_type=kind)

    def falling_strides(self) -> bool:
        source, output = self.read[0], self.written[0]
        size = [max(n, 2) for n in self.tensors[source].size]
        stride = list(range(len(size) + 1, 1, -1))
        self.change(source, size=size, stride=stride, data=bytes([1]) * 8192)
        self.change(output, size=size, stride=[], data=bytes([FILL]) * 8192)
        return len(size) > 1

    def output_overlaps(self) -> bool:
        output = self.written[0]
        size = self.tensors[output].size
        if sum(n > 1 for n in size) < 2:
            return False
        return self.change(output, stride=[1] * len(size), data=bytes([FILL]) * 8192)


def view(tensor: T) -> View:
    """The view of a tensor that has one."""
    found = view_of(tensor.plain())
    assert found is not None
    return found


def slot_order(tensor: T) -> tuple[list[int], list[int]]:
    """For each tuple axis the slot of size[], and of stride[]: found by trying."""
    rank = len(tensor.size)
    sizes, strides = [], []
    for slot in range(rank):
        size = [2 if k == slot else 1 for k in range(rank)]
        sizes.append(view(tensor._replace(size=size)).size.index(2))
        # A step of 2 to the power of the slot tells the strides apart.
    steps = [2**k for k in range(rank)]
    wide = view(tensor._replace(size=[2] * rank, stride=steps)).stride
    strides = [abs(step).bit_length() - 1 for step in wide]
    return [sizes.index(axis) for axis in range(rank)], strides
