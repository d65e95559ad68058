"""Random calls of BNNSGather: layouts, strides, types, sizes, forms and faults."""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import prod

from bnnspy.conformance.calls import FILL, Call, Parameters, T, numbered, relied_on
from bnnspy.conformance.functions.common import ELEMENT_TYPES, INDEX_TYPES, OPAQUE, draws
from bnnspy.conformance.functions.gather import gather
from bnnspy.constants import DataLayout, DataType
from bnnspy.plain import View, view_of
from bnnspy.strict import SEEN_LAYOUTS

LAYOUTS = {
    rank: [layout for layout in DataLayout if layout >> 16 == rank and layout not in OPAQUE]
    for rank in range(1, 9)
}
RANKS = (1, 1, 2, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8)
WIDE = [kind for kind in ELEMENT_TYPES if kind & 0xFF >= 8]
MOST = 400  # elements of a tensor


@draws("BNNSGather")
def draw(seed: int, number: int) -> Call:
    """A random gather, which depends on the seed and its number alone."""
    return Draw(seed, number).call()


class Draw:
    """A random call in the making."""

    def __init__(self, seed: int, number: int) -> None:
        self.name = f"random/{seed}-{number}"
        self.random = random.Random(f"{seed}-{number}")

    def call(self) -> Call:
        """The call: a sound one, and in one of three cases a fault in it."""
        self.lay_out()
        fault = self.random.choice([None] * 2 * len(FAULTS) + list(FAULTS))
        if fault is not None and not getattr(self, fault)():
            fault = None  # this call has no place for it
        two: Parameters = {"flags": 0, "n_threads": 2}
        parameters = self.random.choice([None, None, two])
        note = f" {fault.replace('_', ' ')}" if fault else ""
        tensors = [self.input, self.indices, self.output]
        call = gather(self.name + note, self.axis, tensors, parameters=parameters)
        # What it relies on, by the rules of strict mode, and what its fault is about.
        faulty = [FAULTS[fault]] if fault else []
        call["entries"] = sorted({*relied_on(call), *faulty})
        return call

    # --- a sound call -----------------------------------------------------------------------------

    def lay_out(self) -> None:
        """Chooses the tensors, by their sizes in tuple order."""
        choose = self.random.choice
        rank = choose(RANKS)
        usual = choose([True, False])  # half of the calls rely on little that was not seen
        kind = DataType.Float32 if usual else choose(choose([WIDE, WIDE, WIDE, ELEMENT_TYPES]))
        packed = kind & 0xFF < 8
        sizes = [choose([1, 2, 4, 8] if packed else [1, 1, 2, 2, 3, 3, 4, 5]) for _ in range(rank)]
        if not usual and not packed and choose(range(6)) == 0:
            sizes[choose(range(rank))] = 0
        while prod(max(n, 1) for n in sizes) > MOST:
            sizes[sizes.index(max(sizes))] //= 2
        self.axis = choose(range(rank))
        along = choose([1, 2, 3, 7]) if sizes[self.axis] else 0
        outer = [along if k == self.axis else n for k, n in enumerate(sizes)]
        layout = choose([code for code in LAYOUTS[rank] if not usual or code in SEEN_LAYOUTS])
        other = layout if usual else choose(LAYOUTS[rank])
        self.input = self.tensor(layout, sizes, kind)
        self.output = self.tensor(other, outer, kind)
        full = rank > 1 and choose([True, False])
        index_rank = rank if full else 1
        index_layout = layout if usual and full else choose(LAYOUTS[index_rank])
        index_kind = DataType.Int32 if usual else choose(INDEX_TYPES)
        indices = self.tensor(index_layout, outer if full else [along], index_kind)
        count = prod(outer) if full else along
        self.bound = sizes[self.axis]
        picked = [self.random.randrange(max(self.bound, 1)) for _ in range(count)]
        self.indices = indices._replace(data=picked)
        # Sound, but for packed elements that may not be whole bytes: that is an entry of its own.
        self.input = numbered(*self.input[:3], self.input.stride)

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

    # --- faults -----------------------------------------------------------------------------------
    # Each is true when it has found a place in the call.

    def put(self, value: int) -> bool:
        """Writes an index somewhere among the others."""
        picked = list(self.indices.data or [])
        if picked:
            picked[self.random.randrange(len(picked))] = value
        self.indices = self.indices._replace(data=picked)
        return bool(picked)

    def index_above(self) -> bool:
        return self.put(self.bound + self.random.choice([0, 0, 1, 5]))

    def index_negative(self) -> bool:
        below = self.random.choice([1, 1, 2, max(self.bound, 1), self.bound + 1])
        return bool(self.indices.data_type & DataType.IntBit) and self.put(-below)

    def no_such_axis(self) -> bool:
        self.axis += self.random.choice([len(self.input.size), 8, 100])
        return True

    def other_size(self) -> bool:
        size = list(self.output.size)
        size[self.random.randrange(len(size))] += 1
        self.output = self.output._replace(size=size)
        return True

    def other_type(self) -> bool:
        kind = self.random.choice([t for t in ELEMENT_TYPES if t != self.output.data_type])
        self.output = self.output._replace(data_type=kind)
        return True

    def float_indices(self) -> bool:
        nbytes = 4 * (view(self.indices).extent + 1)
        kind = self.random.choice([DataType.Float32, DataType.Float16, DataType.Boolean])
        self.indices = self.indices._replace(data_type=kind, data=bytes(nbytes))
        return True

    def falling_strides(self) -> bool:
        size = [max(n, 2) for n in self.input.size]
        stride = list(range(len(size) + 1, 1, -1))
        self.input = self.input._replace(size=size, stride=stride, data=bytes([1]) * 8192)
        self.output = self.output._replace(size=size, stride=[], data=bytes([FILL]) * 8192)
        return len(size) > 1

    def output_overlaps(self) -> bool:
        if sum(n > 1 for n in self.output.size) < 2:
            return False
        data = bytes([FILL]) * 8192
        self.output = self.output._replace(stride=[1] * len(self.output.size), data=data)
        return True


FAULTS = {
    "index_above": "gather-index-out-of-range",
    "index_negative": "gather-negative-indices",
    "no_such_axis": "gather-axis-out-of-range",
    "other_size": "gather-shape-mismatch",
    "other_type": "gather-value-types",
    "float_indices": "gather-index-types-refused",
    "falling_strides": "stride-order",
    "output_overlaps": "output-internal-overlap",
}


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
