"""A text drawing of one descriptor: its axes, the slots that they use, how its elements lie.

`NDArrayDescriptor.explain`, `python -m bnnspy explain` and docs/layouts.md show it. Where things
are is the C core's answer (`bnnspy_describe`); here it is only drawn.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Sequence
from operator import index as as_index
from typing import Any, NamedTuple

from bnnspy._bnns import ffi
from bnnspy.constants import DataLayout, DataType
from bnnspy.errors import Error
from bnnspy.record import Record, bind, new_record, shown, view_of
from bnnspy.shape import layout_name

# The members of value tuples that Apple names; all others are i, j, k and so on.
KERNEL = ("kx", "ky", "in", "out")
NAMES: dict[int, tuple[str, ...]] = {
    DataLayout.RowMajorMatrix: ("row", "col"),
    DataLayout.ColumnMajorMatrix: ("row", "col"),
    DataLayout.ImageCHW: ("x", "y", "c"),
    DataLayout.SNE: ("e", "n", "s"),
    DataLayout.NSE: ("e", "s", "n"),
    DataLayout.ConvolutionWeightsOIHW: KERNEL,
    DataLayout.ConvolutionWeightsOIHrWr: KERNEL,
    DataLayout.ConvolutionWeightsIOHrWr: KERNEL,
}
OTHERS = "ijklmnop"

# What is drawn of a large tensor.
MOST_LINES, MOST_CELLS, MOST_DOTS = 8, 10, 4


class Axis(NamedTuple):
    """One axis of the value tuple, and where the descriptor keeps it."""

    name: str
    size: int
    step: int  # elements from one to the next, in the direction of memory
    backwards: bool
    size_slot: int
    stride_slot: int
    default: bool  # stride[] asks for the default there

    @property
    def term(self) -> str:
        """What the axis adds to an element's place."""
        name = f"(size[{self.size_slot}]-1-{self.name})" if self.backwards else self.name
        return f"{name}*stride[{self.stride_slot}]"

    def value(self, place: int) -> int:
        """The index of the element that is the place-th in memory."""
        return self.size - 1 - place if self.backwards else place


def names_of(layout: int) -> tuple[str, ...]:
    """What the members of a layout's value tuple are called."""
    return NAMES.get(layout, tuple(OTHERS[: layout >> 16]))


def axes_in(record: Record, view: Any) -> list[Axis]:
    """The axes in tuple order, as the C core sees them."""
    descriptor = record[0][0].descriptor
    return [
        Axis(
            name=name,
            size=view.size[k],
            step=abs(view.stride[k]),
            backwards=view.stride[k] < 0,
            size_slot=view.size_slot[k],
            stride_slot=view.stride_slot[k],
            default=descriptor.stride[view.stride_slot[k]] == 0,
        )
        for k, name in enumerate(names_of(descriptor.layout))
    ]


def explained(record: Record, axis: int | None = None) -> str:
    """The drawing; a ValueError for an axis that the layout does not have."""
    parts = [shown(record)]
    try:
        view = view_of(record)
    except Error as error:
        return f"{parts[0]}\n{error}.\nCalls that need its elements answer -1."
    axes = axes_in(record, view)
    number = None if axis is None else checked(axis, record[0][0].descriptor.layout)
    names = "(" + ", ".join(one.name for one in axes) + ")"
    place = " + ".join(one.term for one in sorted(axes, key=lambda one: one.stride_slot))
    parts.append(f"Element {names} is at {place}.\n")
    parts += table(axes)
    if view.count:
        lines, index = memory(axes, number)
        gaps = "a dot for one unused" if nested(axes) else "- for one unused or of another line"
        parts.append(f"\nMemory from data on, an element by its {names}, {gaps}:")
        parts += lines
        if number is not None:
            parts.append("\n" + gathered(axes, number, index, view.bits))
    parts.append("\n" + measures(record, view))
    return "\n".join(line.rstrip() for line in parts)


def checked(axis: Any, layout: int) -> int:
    """axis as an axis of the layout."""
    try:
        number = int(as_index(axis))
    except TypeError:
        raise TypeError(f"axis is {axis!r}, and has to be an integer") from None
    rank = layout >> 16
    if not 0 <= number < rank:
        name = layout_name(layout)
        raise ValueError(f"axis is {number}, outside 0..{rank - 1} ({name} has rank {rank})")
    return number


# --- the table ------------------------------------------------------------------------------------


def table(axes: list[Axis]) -> list[str]:
    """A line for each axis: its slots, and what an index along it takes."""
    rows = [("axis", "elements", "from one to the next", "one index takes")]
    for k, axis in enumerate(axes):
        step = f"{axis.step} = stride[{axis.stride_slot}]"
        step += ", by default" * axis.default + ", backwards" * axis.backwards
        size = f"{axis.size} = size[{axis.size_slot}]"
        rows.append((f"{k} {axis.name}", size, step, taken(axes, k)))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "   ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        for row in rows
    ]


def run_of(axes: list[Axis], axis: int) -> tuple[int, int]:
    """Elements that one index along axis takes, and how many of them lie side by side."""
    others = [one for k, one in enumerate(axes) if k != axis and one.size != 1]
    run = 1
    for one in sorted(others, key=lambda one: one.step):
        if one.step != run:
            break
        run *= one.size
    return math.prod(one.size for one in others), run


def taken(axes: list[Axis], axis: int) -> str:
    """What one index along axis takes, in words."""
    count, run = run_of(axes, axis)
    if count == 0 or axes[axis].size == 0:
        return "nothing"
    if not nested([one for k, one in enumerate(axes) if k != axis]):
        return f"{plural(count, 'element')}, scattered"
    pieces = count // run
    if pieces == 1:
        return plural(count, "element") + " side by side" * (count > 1)
    return f"{plural(count, 'element')} in {pieces} pieces of {run}"


def plural(count: int, noun: str) -> str:
    """3 elements, 1 element."""
    return f"{count} {noun}{'s' * (count != 1)}"


# --- the memory -----------------------------------------------------------------------------------


def memory(axes: list[Axis], axis: int | None) -> tuple[list[str], int]:
    """The lines of the drawing, and the index along axis whose elements are in brackets."""
    for index in (1, 0):
        if axis is None or index < axes[axis].size:
            lines = drawn(axes, axis, index)
            if axis is None or index == 0 or any("[" in line for line in lines):
                return lines, index
    return drawn(axes, axis, 0), 0


def drawn(axes: list[Axis], axis: int | None, index: int) -> list[str]:
    """Lines of memory: along the fastest axis of more than one element, padding behind it."""
    moving = sorted((one for one in axes if one.size > 1), key=lambda one: one.stride_slot)
    fastest, slower = (moving[0], moving[1:]) if moving else (axes[0], [])
    length = (fastest.size - 1) * fastest.step + 1
    total = math.prod(one.size for one in slower)
    width = len(",".join(str(one.size - 1) for one in axes))
    clear = nested(axes)

    def cell(place: int, others: dict[int, int]) -> str:
        """An element, in brackets when a gather with that index takes it."""
        values = [
            fastest.value(place) if one is fastest else others.get(k, 0)
            for k, one in enumerate(axes)
        ]
        text = ",".join(map(str, values)).center(width)
        return f"[{text}]" if axis is not None and values[axis] == index else f" {text} "

    def line(number: int) -> str:
        """The number-th line, with what is unused until the next one."""
        begin, others = start(axes, slower, number)
        cells: list[str] = []
        for place in shortened(fastest.size, MOST_CELLS):
            cells += [" .. "] if place is None else [cell(place, others)]
            if place is not None and place + 1 < fastest.size:
                cells += gap(fastest.step - 1, width, clear)
        if number + 1 < total:
            room = start(axes, slower, number + 1)[0] - begin - length
            cells += gap(room, width, clear)
        return f"{begin:{offset_width}} |{''.join(cells)}"

    offset_width = max(4, len(str(start(axes, slower, total - 1)[0])))
    return [
        f"{'..':>{offset_width}} | {total - MOST_LINES + 1} more lines"
        if number is None
        else line(number)
        for number in shortened(total, MOST_LINES)
    ]


def start(axes: list[Axis], slower: Sequence[Axis], number: int) -> tuple[int, dict[int, int]]:
    """Where the number-th line begins, and its indices by the axes' numbers."""
    begin, values = 0, {}
    for one in slower:
        number, place = divmod(number, one.size)
        begin += place * one.step
        values[axes.index(one)] = one.value(place)
    return begin, values


def shortened(count: int, most: int) -> Iterator[int | None]:
    """0 to count - 1; of more than `most`, the first, a None for those left out, and the last."""
    if count <= most:
        yield from range(count)
        return
    yield from range(most - 2)
    yield None
    yield count - 1


def nested(axes: list[Axis]) -> bool:
    """Whether each line ends before the next begins, so that what is between them is unused."""
    length = 1
    for one in sorted((one for one in axes if one.size > 1), key=lambda one: one.stride_slot):
        if one.step < length:
            return False
        length += (one.size - 1) * one.step
    return True


def gap(count: int, width: int, clear: bool) -> list[str]:
    """What is between two elements of a line, or two lines: marks, or how many there are."""
    if count > MOST_DOTS:
        return [f" ({count} {'unused' if clear else 'others'}) "]
    return [f" {('.' if clear else '-').center(width)} "] * max(count, 0)


# --- in words -------------------------------------------------------------------------------------


def gathered(axes: list[Axis], axis: int, index: int, bits: int) -> str:
    """What a gather along axis takes."""
    name = axes[axis].name
    place = ", ".join("index" if k == axis else "*" for k in range(len(axes)))
    run = run_of(axes, axis)[1] * bits
    what = taken(axes, axis)
    if run % 8 == 0 and not what.endswith("scattered"):
        what += f" ({run // 8} bytes a piece)"
    last = axes[axis].size - 1
    return (
        f"A gather along axis {axis} ({name}) has indices 0..{last}; each takes ({place}):\n"
        f"{what}. In brackets: index {index}."
    )


def measures(record: Record, view: Any) -> str:
    """How much memory the elements and what lies between them need."""
    if view.count == 0:
        return "No elements: a call moves nothing, and its data may be NULL."
    needed = (view.extent * view.bits + 7) // 8
    text: str = plural(view.count, "element")
    text += f"; from data to the end of the last one there is room\nfor {view.extent}"
    text += f", {needed} bytes" * (view.bits > 0)
    if not distinct(record, view):
        text += ": some share memory, which is fine for an input, and refused as output."
    elif view.extent > view.count:
        text += f", of which {view.extent - view.count} are unused."
    else:
        text += ", none unused."
    text += f"\nThe next tensor of a batch begins {view.batch_stride} elements from data."
    bounded = record[0][0]
    if bounded.live and bounded.descriptor.data != ffi.NULL and bounded.nbytes < needed:
        text += f"\nIts memory has {bounded.nbytes} bytes, which are too few: calls answer -1."
    return text


def distinct(record: Record, view: Any) -> bool:
    """Whether no two elements share memory, as the C core finds with memory enough."""
    probe = new_record()
    probe[0].descriptor = record[0][0].descriptor
    if view.bits == 0:
        probe[0].descriptor.data_type = DataType.UInt8
    bind(probe, probe, ffi.NULL, sys.maxsize, 1, 0)
    return bool(probe[0].distinct)
