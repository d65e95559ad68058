"""What explain() draws is what the memory holds: read back, and held against the oracle.

Three things that know nothing of the drawing are asked: the view that the C core works out
(`bnnspy_describe`), the oracle's own reading of the layouts, and a gather over memory in which each
element is its own place.
"""

from __future__ import annotations

import math
import re
from typing import Any, NamedTuple

import numpy as np
import oracle
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import sizes_of_rank, slot_order, specs

import bnnspy
from bnnspy import BNNSGather, DataLayout, DataType, NDArrayDescriptor, Shape
from bnnspy._bnns import ffi, lib

OFFSET = re.compile(r"^ *(\d+) \|(.*)$", re.MULTILINE)
TOKEN = re.compile(
    r"\[ *(?P<marked>[\d,]+) *\]|\((?P<unused>\d+) unused\)|\((?P<others>\d+) others\)"
    r"|(?P<cut>\.\.)|(?P<dot>\.)|(?P<dash>-)|(?P<plain>[\d,]+)"
)
AXIS = re.compile(
    r"^(\d) (\w+) +(\d+) = size\[(\d)\] +(\d+) = stride\[(\d)\](, by default)?(, backwards)?"
    r" +(\d+) elements?(?: in (\d+) pieces of (\d+)| side by side|(, scattered))?$",
    re.MULTILINE,
)

Place = tuple[int, ...]


class Drawing(NamedTuple):
    """A drawing read back: tuples by their place, places of dots, tuples in brackets."""

    places: dict[Place, int]
    unused: set[int]
    marked: set[Place]
    left_out: int


def read(text: str) -> Drawing:
    """What the lines of a drawing say."""
    drawing = Drawing({}, set(), set(), sum(map(int, re.findall(r"\| (\d+) more lines", text))))
    for begin, cells in OFFSET.findall(text):
        place: int | None = int(begin)
        for token in TOKEN.finditer(cells):
            if token["cut"]:
                place = None  # what follows is somewhere behind
            elif place is None:
                continue
            elif token["marked"] or token["plain"]:
                values = tuple(map(int, (token["marked"] or token["plain"]).split(",")))
                assert drawing.places.setdefault(values, place) == place
                if token["marked"]:
                    drawing.marked.add(values)
                place += 1
            else:
                count = int(token["unused"] or token["others"] or 1)
                if token["dot"] or token["unused"]:
                    drawing.unused.update(range(place, place + count))
                place += count
    return drawing


def described(made: NDArrayDescriptor) -> Any:
    """The C core's view of a descriptor."""
    view = ffi.new("bnnspy_view *")
    address = ffi.addressof(made._record[0][0], "descriptor")
    assert lib.bnnspy_describe(address, b"tensor", view) == 0
    return view


def check_table(text: str, made: NDArrayDescriptor, tensor: oracle.Tensor) -> None:
    """Axis numbers, slots and strides are those of the view, and of the oracle."""
    view, expected = described(made), oracle.view(tensor)
    axes = oracle.axes_of(tensor)
    rows = AXIS.findall(text)
    assert [int(row[0]) for row in rows] == list(range(view.rank))
    for k, row in enumerate(rows):
        size, size_slot, step, slot = int(row[2]), int(row[3]), int(row[4]), int(row[5])
        assert (size, size_slot, slot) == (view.size[k], view.size_slot[k], view.stride_slot[k])
        assert step == abs(view.stride[k])
        assert bool(row[7]) == (view.stride[k] < 0) == axes[k].reversed
        assert (size, size_slot, slot) == (expected.size[k], axes[k].size, axes[k].stride)
        assert step == abs(expected.stride[k])
        assert bool(row[6]) == ((*tensor.stride, *[0] * 8)[slot] == 0)
        assert int(row[8]) == math.prod(expected.size) // expected.size[k]


def check_memory(drawing: Drawing, tensor: oracle.Tensor) -> None:
    """Every element that is drawn stands where the oracle has it, and dots where none is."""
    places = oracle.places(oracle.view(tensor))
    for values, place in drawing.places.items():
        assert places[values] == place
    assert not drawing.unused & set(places.ravel().tolist())
    if not drawing.left_out:
        assert len(drawing.places) == places.size


def taken(made: NDArrayDescriptor, axis: int, index: int) -> set[int]:
    """The places that a real gather takes with one index, from memory that holds its places."""
    view = described(made)
    memory = np.arange(view.extent, dtype=np.int32)
    source = made.replace(data=memory, data_type=DataType.Int32)
    sizes = [1 if k == axis else view.size[k] for k in range(view.rank)]
    found = NDArrayDescriptor.from_array(np.full(sizes, -1, np.int32))
    one = NDArrayDescriptor.from_array(np.array([index], np.int32))
    assert BNNSGather(axis, source, one, found, None) == 0
    return set(found.array.ravel().tolist())


def check_axis(made: NDArrayDescriptor, axis: int, tensor: oracle.Tensor) -> None:
    """What is in brackets is what a gather takes, and so are the words about it."""
    text = made.explain(axis)
    view = oracle.view(tensor)
    drawing = read(text)
    found = re.search(r"In brackets: index (\d+)\.$", text, re.MULTILINE)
    assert found is not None
    index = int(found[1])
    assert f"(axis {axis}" not in text
    assert f"along axis {axis} (" in text
    assert f"has indices 0..{view.size[axis] - 1};" in text
    expected = taken(made, axis, index)
    marked = {drawing.places[values] for values in drawing.marked}
    shown = {place for values, place in drawing.places.items() if values[axis] == index}
    assert marked == shown
    assert marked <= expected
    if not drawing.left_out:
        assert marked == expected
    row = AXIS.findall(text)[axis]
    axes = oracle.axes_of(tensor)
    order = sorted(range(len(axes)), key=lambda k: -axes[k].stride)  # slowest first
    turned = [k for k, one in enumerate(axes) if one.reversed]
    picked = np.take(oracle.places(view), [index], axis)
    one_slice = np.transpose(np.flip(picked, turned), order).ravel()  # as memory has it
    assert bool(row[11]) == (not (np.diff(one_slice) > 0).all())
    if not row[11]:
        check_pieces(row, one_slice.tolist())


def check_pieces(row: tuple[str, ...], places: list[int]) -> None:
    """Each piece is a stretch of memory, and the first one ends where it is said to."""
    run = int(row[10] or len(places))
    assert int(row[9] or 1) * run == len(places)
    pieces = np.array(places).reshape(-1, run)
    assert (np.diff(pieces, axis=1) == 1).all()
    assert len(pieces) == 1 or pieces[1, 0] > pieces[0, -1] + 1


def both(
    layout: int, size: tuple[int, ...], stride: tuple[int, ...] = ()
) -> tuple[NDArrayDescriptor, oracle.Tensor]:
    """A descriptor without memory, and the oracle's tensor of the same fields."""
    made = NDArrayDescriptor(
        layout=layout, size=size, stride=stride, data_type=DataType.Float32, data_scale=1.0
    )
    return made, oracle.Tensor(layout, size, stride, DataType.Float32, None)


@pytest.mark.parametrize("name", oracle.STRIDED)
def test_every_layout(name: str) -> None:
    """Different sizes, so that no two axes can be mistaken; with default strides and padded."""
    layout = oracle.LAYOUTS[name]
    sizes = [(5,), (2, 3), (2, 3, 4), (2, 3, 2, 1)][layout.rank - 1 : layout.rank]
    size = sizes[0] if sizes else (1, 2, 1, 1, 2, 1, 1, 3)[8 - layout.rank :]
    assert len(size) == layout.rank
    padded, room = [], 2
    for axis in sorted(layout.axes or (), key=lambda axis: axis.stride):
        padded.append(room)
        room = room * size[axis.size] + 1
    for stride in ((), tuple(padded)):
        made, tensor = both(layout.code, size, stride)
        text = made.explain()
        assert text.splitlines()[0] == repr(made).removeprefix("NDArrayDescriptor(")[:-1]
        check_table(text, made, tensor)
        check_memory(read(text), tensor)
        for axis in range(layout.rank):
            check_table(made.explain(axis), made, tensor)
            check_axis(made, axis, tensor)


@given(data=st.data())
@settings(max_examples=150)
def test_any_strides(data: st.DataObject) -> None:
    """Padded, mixed and overlapping strides in layouts of all ranks."""
    rank = data.draw(st.integers(1, 8))
    sizes = data.draw(sizes_of_rank(rank, False).filter(all))
    spec = data.draw(specs(sizes, DataType.Float32, overlapping=data.draw(st.booleans())))
    assert spec.size == slot_order(spec.layout, sizes)
    made, tensor = both(spec.layout, spec.size, spec.stride)
    text = made.explain()
    check_table(text, made, tensor)
    check_memory(read(text), tensor)
    view = oracle.view(tensor)
    distinct = len(set(oracle.places(view).ravel().tolist())) == view.count
    assert ("share memory" in text) is not distinct
    assert f"\n{view.count} element" in text
    assert f"for {view.extent}, {4 * view.extent} bytes" in text
    unused = re.search(r"of which (\d+) are unused", text)
    assert int(unused[1] if unused else 0) == (view.extent - view.count if distinct else 0)
    check_axis(made, data.draw(st.integers(0, rank - 1)), tensor)


def test_the_place_of_an_element() -> None:
    """The formula by itself, evaluated: sizes, strides and tuple in, the element's place out."""
    for name in oracle.STRIDED:
        layout = oracle.LAYOUTS[name]
        size = tuple(range(2, 2 + layout.rank))
        made, tensor = both(layout.code, size)
        formula = re.search(r"^Element \((.*)\) is at (.*)\.$", made.explain(), re.MULTILINE)
        assert formula is not None
        names = formula[1].split(", ")
        axes, view = oracle.axes_of(tensor), oracle.view(tensor)
        strides = {axis.stride: abs(view.stride[k]) for k, axis in enumerate(axes)}
        places = oracle.places(view)
        values = tuple(n - 1 - k % 2 for k, n in enumerate(view.size))
        expression = formula[2].replace("in*", "in_*").replace("-in)", "-in_)")
        known = {n + "_" * (n == "in"): v for n, v in zip(names, values, strict=True)}
        assert eval(expression, {"size": size, "stride": strides, **known}) == places[values]


def test_brackets_are_read_and_compared() -> None:
    """The reader of the drawings does read: it notices each kind of damage."""
    made, tensor = both(DataLayout.RowMajorMatrix, (2, 3), (1, 4))
    text = made.explain(0)
    drawing = read(text)
    assert drawing.marked == {(1, 0), (1, 1)}
    assert drawing.unused == {2, 3, 6, 7}
    check_memory(drawing, tensor)
    for old, new in (("0,1", "1,1"), (" 4 |", " 5 |"), ("2,1", ".")):
        with pytest.raises((AssertionError, KeyError)):
            check_memory(read(text.replace(old, new)), tensor)
    with pytest.raises(AssertionError):
        check_table(text.replace("size[1]", "size[0]"), made, tensor)


# --- large, small and broken ones -----------------------------------------------------------------


def test_what_is_left_out() -> None:
    long = NDArrayDescriptor(shape=Shape.vector(1000, stride=9), data_type=DataType.Int8).explain()
    assert re.search(r"^ +0 \| +0 +\(8 unused\) +1 .* 7 +\(8 unused\) +\.\. +999$", long, re.M)
    tall = NDArrayDescriptor(shape=(100, 2, 2), data_type=DataType.Int8).explain(2)
    lines = OFFSET.findall(tall)
    assert len(lines) == 7
    assert "193 more lines" in tall
    assert lines[-1][0] == "398"
    huge = NDArrayDescriptor(shape=(2**20, 2**20), data_type=DataType.Int8)
    assert "1099511627776 elements" in huge.explain(1)


def test_a_slice_that_is_not_drawn_gives_way_to_the_first() -> None:
    made = NDArrayDescriptor(shape=(3, 4, 4, 2), data_type=DataType.Int8)
    assert "In brackets: index 0." in made.explain(0)
    assert "In brackets: index 1." in made.explain(1)


def test_one_index_of_an_axis_of_one() -> None:
    text = NDArrayDescriptor(shape=(1, 2), data_type=DataType.Int8).explain(0)
    assert "indices 0..0;" in text
    assert "In brackets: index 0." in text


def test_an_empty_tensor() -> None:
    text = NDArrayDescriptor(shape=(3, 0), data_type=DataType.Int8).explain(0)
    assert "No elements" in text
    assert OFFSET.search(text) is None
    assert "nothing" in text


def test_packed_elements() -> None:
    text = NDArrayDescriptor(shape=(2, 3), data_type=DataType.UInt4).explain(0)
    assert "for 6, 3 bytes" in text
    assert "bytes a piece" not in text  # a row of 12 bits is none
    assert "(2 bytes a piece)" in NDArrayDescriptor(shape=(2, 4), data_type=0x40004).explain(0)


@pytest.mark.parametrize("layout", ["ConvolutionWeightsOIHW_Pack32", "FullyConnectedSparse"])
def test_layouts_without_strides(layout: str) -> None:
    code = oracle.LAYOUTS[layout].code
    text = NDArrayDescriptor(layout=code, size=(3, 3, 2, 40), data_type=DataType.Int8).explain(0)
    assert f"{layout}, whose memory no strides can describe" in text
    assert text.endswith("answer -1.")


def test_fields_that_no_call_can_use() -> None:
    assert "no BNNSDataLayout" in NDArrayDescriptor(layout=0x99).explain()
    falling = NDArrayDescriptor(layout=DataLayout.RowMajorMatrix, size=(3, 3), stride=(4, 1))
    assert "stride[1] is 1, less than 4, the stride before it" in falling.explain()
    unknown = NDArrayDescriptor(layout=DataLayout.Vector, size=3, data_type=0x77).explain(0)
    assert "0x77" in unknown
    assert "for 3, none unused" in unknown


def test_memory_too_short_is_said() -> None:
    made = NDArrayDescriptor(shape=3, data=np.zeros(3, np.float32))
    assert "too few" not in made.explain()
    made.size = 5
    assert "memory has 12 bytes, which are too few: calls answer -1" in made.explain()
    one = NDArrayDescriptor.from_array(np.zeros(1, np.uint8))
    out = NDArrayDescriptor.from_array(np.zeros(1, np.float32))
    assert BNNSGather(0, made, one, out, None) == -1
    made.deallocate()
    assert made.explain().startswith("Vector size=(5,) Float32, deallocated\n")


def test_axes_that_are_none() -> None:
    made = NDArrayDescriptor(shape=(2, 3), data_type=DataType.Int8)
    for axis in (-1, 2, 2**70):
        with pytest.raises(ValueError, match=rf"axis is {axis}, outside 0\.\.1 \(2DFirstMajor"):
            made.explain(axis)
    with pytest.raises(TypeError, match="has to be an integer"):
        made.explain("row")  # type: ignore[arg-type]
    assert made.explain(np.int8(1)) == made.explain(1)


def test_lines_that_interleave_have_no_dots() -> None:
    """A place between two elements of a line may be another line's: that is no unused one."""
    made, tensor = both(DataLayout.RowMajorMatrix, (3, 2), (2, 3))
    text = made.explain()
    assert "- for one unused or of another line" in text
    drawing = read(text)
    check_memory(drawing, tensor)
    assert drawing.unused == set()
    assert len(drawing.places) == 6
    assert "(8 others)" in made.replace(stride=(9, 10)).explain()


def test_nothing_is_changed() -> None:
    memory = np.arange(6, dtype=np.float32)
    made = NDArrayDescriptor(data=memory, shape=(2, 3))
    record = made._record
    made.explain(1)
    assert made._record is record
    assert memory.tolist() == list(range(6))
    assert bnnspy.BNNSNDArrayDescriptor.explain is NDArrayDescriptor.explain
