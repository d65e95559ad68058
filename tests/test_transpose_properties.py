"""BNNSTranspose against the oracle: layouts, strides, types, axes, faults, and threads.

Each call goes through three doors, and the whole arena that its tensors lie in is compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from any_call import AnyCall, check, lay_out
from cells import Spec, of_rank, slot_order, strides_of
from hypothesis import given
from hypothesis import strategies as st
from oracle import BITS, DATA_TYPES, LAYOUTS, STRIDED
from strategies import PACKED_TYPES, WIDE_TYPES, broken, sizes_of_rank, specs

import bnnspy

Draw = Callable[..., Any]
FUNCTION = "BNNSTranspose"


def exchanged(sizes: list[int], one: int, other: int) -> list[int]:
    """Sizes with two of them exchanged."""
    turned = list(sizes)
    turned[one], turned[other] = sizes[other], sizes[one]
    return turned


@st.composite
def transpositions(draw: Draw) -> AnyCall:
    """A call without a fault, but for packed elements that may not be whole bytes."""
    packed = draw(st.sampled_from([False, False, False, True]))
    data_type = draw(st.sampled_from(PACKED_TYPES if packed else WIDE_TYPES))
    rank = draw(st.integers(1, 8))
    sizes = draw(sizes_of_rank(rank, packed))
    axes = [draw(st.integers(0, rank - 1)) for _ in range(2)]
    tensors = {
        "dest": draw(specs(exchanged(sizes, *axes), data_type)),
        "src": draw(specs(sizes, data_type, overlapping=draw(st.integers(0, 5)) == 0)),
    }
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    return lay_out(FUNCTION, tensors, {"axis0": axes[0], "axis1": axes[1]}, rng)


@st.composite
def any_transpositions(draw: Draw) -> AnyCall:
    """A call with up to three things broken."""
    call = draw(transpositions())
    for name in draw(st.lists(st.sampled_from(["dest", "src", "axis1"]), min_size=1, max_size=3)):
        if name == "axis1":
            axis = draw(st.sampled_from([len(call.tensors["src"].size), 8, 2**63, 2**64 - 1]))
            call = replace(call, numbers={**call.numbers, name: axis})
            continue
        others = [spec for other, spec in call.tensors.items() if other != name]
        spec = draw(broken(call.tensors[name], others, call.arena.size))
        call = replace(call, tensors={**call.tensors, name: spec})
    return call


@given(transpositions())
def test_transpose_is_the_oracle(call: AnyCall) -> None:
    outcome = check(call)
    packed = BITS[call.tensors["src"].data_type] < 8
    assert outcome.status == 0 or (packed and outcome.reason == "whole bytes")


@given(any_transpositions())
def test_nonzero_status_wrote_nothing(call: AnyCall) -> None:
    """check() compares status and arena; here the faults are any, and several at once."""
    if check(call).status != 0:
        assert bnnspy.last_error()


@pytest.fixture(scope="module")
def sweep() -> Counter[str]:
    """How many types of each layout returned 0; every call is held against the oracle."""
    succeeded: Counter[str] = Counter()
    for number, name in enumerate(STRIDED):
        for data_type in DATA_TYPES:
            succeeded[name] += check(call_of(name, data_type, number)).status == 0
    return succeeded


def call_of(name: str, data_type: str, number: int) -> AnyCall:
    """A call from a layout to another of its rank, with gaps in half of the layouts."""
    layout, bits = LAYOUTS[name], BITS[DATA_TYPES[data_type]]
    rank = layout.rank
    sizes = [2 + (number + k) % 2 if rank < 6 else 2 for k in range(rank)]
    one, other = number % rank, (number // 2 + 1) % rank
    target = LAYOUTS[of_rank(rank, number)].code
    extra = [number % 2 * (k + 1) for k in range(rank)]
    if bits < 8:
        # Eights of elements stay side by side along the fastest axis; turned ones can't.
        assert layout.axes is not None
        straight = [k for k in range(rank) if not layout.axes[k].reversed]
        run = min(straight, key=lambda k: layout.axes[k].stride)  # type: ignore[index]
        sizes = [8 if k == run else 1 if layout.axes[k].reversed else 2 for k in range(rank)]
        one, other = ([k for k in straight if k != run] * 2 or [0, 0])[:2]
        slot = layout.axes[run].stride
        target, extra = layout.code, [8 * (k > slot) * (number % 2) for k in range(rank)]

    def spec(code: int, sizes: list[int]) -> Spec:
        size = slot_order(code, sizes)
        stride = strides_of(code, size, extra) if any(extra) else ()
        return Spec(code, size, DATA_TYPES[data_type], stride)

    tensors = {"dest": spec(target, exchanged(sizes, one, other)), "src": spec(layout.code, sizes)}
    numbers = {"axis0": one, "axis1": other}
    return lay_out(FUNCTION, tensors, numbers, np.random.default_rng(number))


def test_every_cell_succeeds(sweep: Counter[str]) -> None:
    """24 types in each of 26 layouts: packed ones too, where rows of whole bytes stay together."""
    print(f"{sum(sweep.values())} cells of layout and type returned 0")
    assert sweep == dict.fromkeys(STRIDED, len(DATA_TYPES))
    assert sum(sweep.values()) == 26 * 24


LARGE = {
    "square": ((700, 900), (0, 1)),
    "planes of pixels": ((3, 70000), (0, 1)),
    "pixels to planes": ((70000, 3), (0, 1)),
    "batches": ((6, 40, 5, 60), (1, 3)),
    "rows": ((40, 30, 500), (0, 1)),
    "one run": ((300, 1000), (1, 1)),
}


@pytest.mark.parametrize("dtype", ["uint8", "float16", "float32", "int64"])
@pytest.mark.parametrize("name", LARGE)
def test_threads_give_the_same_bits(name: str, dtype: str) -> None:
    """Each way to share the work, and each kernel, at sizes where the parts differ."""
    shape, axes = LARGE[name]
    values = np.random.default_rng(1).integers(0, 100, shape).astype(dtype)
    wanted = np.swapaxes(values, *axes)
    for n_threads in (1, 2, 3, 7):
        whole = np.full(wanted.size + 32, 101, dtype)
        out = whole[16:-16].reshape(wanted.shape)
        parameters = bnnspy.FilterParameters(n_threads=n_threads)
        tensors = [bnnspy.NDArrayDescriptor.from_array(array) for array in (out, values)]
        assert bnnspy.BNNSTranspose(*tensors, *axes, parameters) == 0
        np.testing.assert_array_equal(out, wanted)
        assert np.all(whole[:16] == 101)
        assert np.all(whole[-16:] == 101)
