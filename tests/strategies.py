"""Hypothesis strategies: gather calls that are right, and the same with something broken."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import prod
from typing import Any

import numpy as np
from cells import (
    Call,
    Spec,
    by_stride,
    lay_out,
    slot_order,
    strides_of,
    with_indices,
    write_integers,
)
from hypothesis import strategies as st
from oracle import BITS, BY_CODE, DATA_TYPES, INDEX_DTYPES, INDEX_TYPES, LAYOUTS, STRIDED, view

Draw = Callable[..., Any]

MOST = 300  # elements of a tensor; enough for every loop to turn

WIDE_TYPES = [code for code, bits in BITS.items() if bits >= 8]
PACKED_TYPES = [code for code, bits in BITS.items() if bits < 8]
INDEX_CODES = [DATA_TYPES[name] for name in INDEX_TYPES]


def layouts(rank: int) -> st.SearchStrategy[int]:
    """The layouts of a rank that strides can say."""
    return st.sampled_from([LAYOUTS[name].code for name in STRIDED if LAYOUTS[name].rank == rank])


@st.composite
def sizes_of_rank(draw: Draw, rank: int, packed: bool) -> list[int]:
    """Sizes in tuple order, seldom 0."""
    some = st.sampled_from([1, 2, 4, 8] if packed else [1, 1, 2, 2, 3, 3, 4, 5, 0])
    sizes: list[int] = draw(st.lists(some, min_size=rank, max_size=rank))
    while prod(max(n, 1) for n in sizes) > MOST:
        sizes[sizes.index(max(sizes))] //= 2
    return sizes


@st.composite
def strides(draw: Draw, layout: int, size: Sequence[int], packed: bool) -> tuple[int, ...]:
    """Default, packed and written out, padded, or explicit in some slots only."""
    rank = len(size)
    kind = draw(st.sampled_from(["default", "explicit", "padded", "mixed"]))
    if kind == "default":
        return ()
    step = 8 if packed else 1
    more = [0] * rank
    if kind != "explicit":
        more = [step * n for n in draw(st.lists(st.integers(0, 3), min_size=rank, max_size=rank))]
        more[0] = 0 if packed and draw(st.booleans()) else more[0]
    full = strides_of(layout, size, more)
    if kind == "mixed":
        # A default stands on the stride before it, which is never more than the full one.
        kept = draw(st.lists(st.booleans(), min_size=rank, max_size=rank))
        full = tuple(s if keep else 0 for s, keep in zip(full, kept, strict=True))
    if kind == "padded" and draw(st.booleans()):
        # Where there is no next element, the stride is never taken, whatever it is.
        untaken = [size[axis.size] <= 1 for axis in by_stride(layout)]
        odd = draw(st.lists(st.integers(1, 99), min_size=rank, max_size=rank))
        full = tuple(o if free else s for o, free, s in zip(odd, untaken, full, strict=True))
    return full


@st.composite
def windows(draw: Draw, size: Sequence[int]) -> tuple[int, ...]:
    """Strides of an input whose elements overlap: rising, and small."""
    steps = draw(st.lists(st.integers(1, 4), min_size=len(size), max_size=len(size)))
    return tuple(sorted(steps))


@st.composite
def specs(draw: Draw, sizes: Sequence[int], data_type: int, overlapping: bool = False) -> Spec:
    """A tensor of these sizes (tuple order) in some layout, with some strides."""
    layout = draw(layouts(len(sizes)))
    size = slot_order(layout, sizes)
    if overlapping:
        return Spec(layout, size, data_type, draw(windows(size)))
    return Spec(layout, size, data_type, draw(strides(layout, size, BITS[data_type] < 8)))


@st.composite
def gathers(draw: Draw) -> Call:
    """A call without a fault, but for packed elements that may not be whole bytes."""
    packed = draw(st.sampled_from([False, False, False, True]))
    data_type = draw(st.sampled_from(PACKED_TYPES if packed else WIDE_TYPES))
    rank = draw(st.integers(1, 8))
    sizes = draw(sizes_of_rank(rank, packed))
    axis = draw(st.integers(0, rank - 1))
    along = draw(st.sampled_from([0, 1, 2, 3, 7] if sizes[axis] else [0]))
    out_sizes = [along if k == axis else n for k, n in enumerate(sizes)]
    vector = draw(st.booleans())
    seed = draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    made = [
        draw(specs(sizes, data_type, overlapping=draw(st.integers(0, 5)) == 0)),
        draw(specs([along] if vector else out_sizes, draw(st.sampled_from(INDEX_CODES)))),
        draw(specs(out_sizes, data_type)),
    ]
    return with_indices(lay_out(axis, made, rng), rng)


@st.composite
def bad_gathers(draw: Draw) -> Call:
    """A call that is right but for one or more indices."""
    call = draw(gathers().filter(has_indices))
    return spoil_indices(draw, call)


def has_indices(call: Call) -> bool:
    """Whether there is an index to spoil."""
    return view(call.indices.tensor(call.arena)).count > 0


def spoil_indices(draw: Draw, call: Call) -> Call:
    """Writes indices that are out of range over some of them."""
    index = call.indices
    dtype = INDEX_DTYPES[index.data_type]
    bound = view(call.input.tensor(call.arena)).size[call.axis]
    info = np.iinfo(dtype)
    tempting = [bound, bound + 1, -1, -bound, info.min, info.max, 2**32, 2**32 + 1, 2**63, 255]
    wrong = [v for v in tempting if info.min <= v <= info.max and not 0 <= v < bound]
    if not wrong:
        return call
    arena = call.arena.copy()
    values = np.zeros(prod(n for n in view(index.tensor(arena)).size), dtype)
    some = st.integers(0, values.size - 1)
    for place in draw(st.lists(some, min_size=1, max_size=3)):
        values[place] = draw(st.sampled_from(wrong))
    write_integers(arena, index, values)
    return replace(call, arena=arena)


# --- broken calls ---------------------------------------------------------------------------------

HUGE = [2**31, 2**33, 2**62, 2**63 - 1, 2**63, 2**64 - 1]
ODD_LAYOUTS = [0, 1, 0x10001, 0x21001, 0x38002, 0x40010, 0x98000, 0x98001, 2**32 - 1]
ODD_TYPES = [0, 8, 0x10000, 0x10040, 0x20000, 0x20080, 0x40005, 0x80000, 0x100000, 2**32 - 1]


@st.composite
def broken(draw: Draw, spec: Spec, others: Sequence[Spec], arena_size: int) -> Spec:
    """A tensor with one thing changed, often for the worse."""
    kind = draw(
        st.sampled_from(
            [
                *("layout", "type", "size", "stride", "null", "read-only", "dead"),
                *("short", "moved", "moved", "other layout"),
            ]
        )
    )
    rank = len(spec.size)
    if kind == "layout":
        codes = [*ODD_LAYOUTS, *(layout.code for layout in LAYOUTS.values())]
        return replace(spec, layout=draw(st.sampled_from(codes)))
    if kind == "other layout":
        return replace(spec, layout=draw(layouts(rank)))
    if kind == "type":
        return replace(spec, data_type=draw(st.sampled_from([*ODD_TYPES, *DATA_TYPES.values()])))
    if kind in ("size", "stride"):
        values = list(spec.size) if kind == "size" else [*spec.stride, *[0] * rank][:rank]
        some = st.one_of(st.integers(0, 6), st.sampled_from(HUGE))
        values[draw(st.integers(0, rank - 1))] = draw(some)
        return replace(spec, **{kind: tuple(values)})
    if kind == "short":
        return replace(spec, nbytes=draw(st.integers(0, spec.nbytes)))
    if kind == "moved":  # onto another tensor, or beside it
        target = draw(st.sampled_from(others))
        start = target.start + draw(st.integers(-8, 8)) * draw(st.sampled_from([1, 4]))
        start = min(max(start, 0), arena_size - spec.nbytes)
        return replace(spec, start=start)
    return replace(
        spec,
        null=spec.null or kind == "null",
        writable=spec.writable and kind != "read-only",
        live=spec.live and kind != "dead",
    )


@st.composite
def any_gathers(draw: Draw) -> Call:
    """A call with up to three things broken."""
    call = draw(gathers())
    if draw(st.integers(0, 3)) == 0 and has_indices(call):
        call = spoil_indices(draw, call)
    names = ("input", "indices", "output")
    for name in draw(st.lists(st.sampled_from([*names, "axis"]), min_size=1, max_size=3)):
        if name == "axis":
            rank = BY_CODE[call.input.layout].rank if call.input.layout in BY_CODE else 1
            call = replace(call, axis=draw(st.sampled_from([rank, rank - 1, 8, 2**63, 2**64 - 1])))
            continue
        others = [getattr(call, other) for other in names if other != name]
        spec = draw(broken(getattr(call, name), others, call.arena.size))
        call = replace(call, **{name: spec})
    return call
