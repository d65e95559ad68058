"""from_array: a descriptor says an array element for element, or an error names the remedy."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray
from oracle import BY_CODE, LAYOUTS, STRIDED

from bnnspy import BNNS, BNNSGather, DataLayout, DataType, NDArrayDescriptor, Shape

Draw = Callable[..., Any]
Array = NDArray[Any]

from_array = NDArrayDescriptor.from_array

try:
    import ml_dtypes

    BFLOAT16 = [np.dtype(ml_dtypes.bfloat16)]
except ImportError:
    BFLOAT16 = []

SAID = [
    *(np.dtype(f"{kind}{size}") for kind in "iu" for size in (1, 2, 4, 8)),
    *map(np.dtype, (np.float16, np.float32, np.bool_, np.longlong, np.intc)),
    *BFLOAT16,
]
NOT_SAID = [
    np.dtype(name)
    for name in ("f8", "c8", "c16", "g", "O", "U2", "S3", "V4", "M8[s]", "m8[D]", "i4,f4")
]
SWAPPED = [dtype.newbyteorder() for dtype in SAID if dtype.itemsize > 1 and dtype.kind in "iuf"]

# Each message says what to do, or that nothing will do.
REMEDY = re.compile(
    r"numpy\.as(contiguous|fortran)array|reshape|layout=|\.astype\(|only numbers and booleans"
    r"|it has Float32|has [1-8]$|use strides that|whose memory no strides can describe"
)


@st.composite
def arrays(draw: Draw) -> Array:
    """Arrays that lie in memory in all ways that NumPy knows."""
    shape = draw(array_shapes(min_dims=0, max_dims=9, min_side=0, max_side=3))
    dtype = draw(st.sampled_from(SAID * 4 + SWAPPED + NOT_SAID))
    array: Array = np.zeros(shape, dtype)
    if dtype in SAID:
        array = np.arange(array.size, dtype=np.int16).astype(dtype).reshape(shape)
    if draw(st.booleans()) and dtype.kind != "O":
        fields = np.dtype(
            [("before", f"V{draw(st.integers(0, 9))}"), ("it", dtype), ("after", "V1")],
            align=draw(st.booleans()),
        )
        records = np.zeros(shape, fields)
        records["it"] = array
        array = records["it"]
    for way in draw(st.lists(st.sampled_from("TPFSNBOR"), max_size=3)):
        array = changed(draw, array, way)
    return array


def changed(draw: Draw, array: Array, way: str) -> Array:
    """The array seen another way."""
    axes = range(array.ndim)
    match way:
        case "T":
            return array.T
        case "P":
            return array.transpose(draw(st.permutations(axes)))
        case "F":
            return np.asfortranarray(array)
        case "S":
            steps = st.sampled_from([slice(None), slice(None, None, 2), slice(1, None)])
            return array[(..., *(draw(steps) for _ in axes))]
        case "N":
            turned = st.sampled_from([slice(None), slice(None, None, -1)])
            return array[(..., *(draw(turned) for _ in axes))]
        case "B":
            return np.broadcast_to(array, (draw(st.integers(0, 3)), *array.shape))
        case "O":  # a stride that is never taken can have any value
            odd = st.integers(-(2**40), 2**40)
            strides = [
                draw(odd) if n == 1 else stride
                for n, stride in zip(array.shape, array.strides, strict=True)
            ]
            return as_strided(array, strides=strides)
        case _:
            read_only = array.view()
            read_only.flags.writeable = False
            return read_only


def layouts_of(array: Array, layout: int | None) -> list[int]:
    """The layouts that are meant, the first one that fits before the others."""
    if layout is not None:
        return [layout]
    if not 1 <= array.ndim <= 8:
        return []
    if array.ndim == 1:
        return [DataLayout.Vector]
    return [DataLayout[f"Tensor{array.ndim}D{order}Major"] for order in ("First", "Last")]


def layout_of(array: Array, layout: int | None) -> int | None:
    """The layout whose strides are those of the array; None when there is none."""
    return next((one for one in layouts_of(array, layout) if fits(array, one)), None)


def can_be_said(array: Array, layout: int | None) -> bool:
    """Whether a layout's strides, in elements and in order, are those of the array."""
    return layout_of(array, layout) is not None


def fits(array: Array, chosen: int) -> bool:
    """Whether one layout's are."""
    if array.dtype not in SAID:
        return False
    axes = BY_CODE[chosen].axes
    if axes is None or len(axes) != array.ndim:
        return False
    if array.size == 0:
        return True
    least = array.itemsize
    for slot in range(array.ndim):
        (k,) = (k for k, axis in enumerate(axes) if axis.stride == slot)
        stride = -array.strides[k] if axes[k].reversed else array.strides[k]
        if array.shape[k] > 1:
            if stride < least or stride % array.itemsize:
                return False
            least = stride
    return True


def check_same(array: Array, made: NDArrayDescriptor) -> None:
    """Element for element at the same address."""
    seen = made.array
    assert seen.shape == array.shape
    assert seen.dtype == array.dtype
    assert seen.flags.writeable == array.flags.writeable
    assert made.data is array
    assert np.array_equal(seen, array)
    if array.size:
        assert seen.__array_interface__["data"][0] == array.__array_interface__["data"][0]
        for n, ours, numpys in zip(array.shape, seen.strides, array.strides, strict=True):
            assert n == 1 or ours == numpys
    assert made.nbytes == array.nbytes
    assert made.shape.size[made.ndim :] == (0,) * (8 - made.ndim)


@given(arrays(), st.data())
def test_an_array_is_said_exactly_or_refused_with_a_remedy(array: Array, data: Any) -> None:
    rank = st.sampled_from([x for x in DataLayout if x >> 16 == array.ndim] or [DataLayout.Vector])
    layout = data.draw(st.none() | rank | st.sampled_from(DataLayout))
    said = can_be_said(array, layout)
    event(f"said: {said}")
    if said:
        made = from_array(array, layout=layout)
        assert made.layout == layout_of(array, layout)
        check_same(array, made)
    else:
        with pytest.raises((TypeError, ValueError)) as caught:
            from_array(array, layout=layout)
        assert REMEDY.search(str(caught.value)), caught.value


@given(arrays(), st.data())
def test_what_was_said_is_gathered(array: Array, data: Any) -> None:
    """BNNSGather reads through the descriptor what numpy.take reads through the array."""
    assume(can_be_said(array, None))
    axes = [k for k in range(array.ndim) if array.shape[k] > 0]
    assume(axes)
    axis = data.draw(st.sampled_from(axes))
    picked = data.draw(st.lists(st.integers(0, array.shape[axis] - 1), max_size=4))
    indices = np.array(picked, np.int32)
    expected = np.take(array, indices, axis)
    out = np.zeros(expected.shape, array.dtype)
    assert BNNSGather(axis, *map(from_array, (array, indices, out)), None) == 0
    assert np.array_equal(out, expected)


@pytest.mark.parametrize("name", STRIDED)
def test_every_layout_takes_the_array_that_lies_its_way(name: str) -> None:
    """In tuple order: axis k of the array is axis k of every call."""
    code, rank, axes = LAYOUTS[name]
    assert axes is not None
    slots = [axis.stride for axis in axes]
    slowest_first = sorted(range(rank), key=lambda k: -slots[k])
    sizes = [k + 2 for k in range(rank)]
    memory = np.arange(np.prod(sizes), dtype=np.int32).reshape([sizes[k] for k in slowest_first])
    array = memory.transpose(np.argsort(slowest_first))
    turned = array[tuple(slice(None, None, -1 if axis.reversed else 1) for axis in axes)]
    made = from_array(turned, layout=code)
    check_same(turned, made)
    assert made.shape.size[:rank] == tuple(
        sizes[k] for k in sorted(range(rank), key=lambda k: axes[k].size)
    )
    assert made.data_size == memory.nbytes


def test_default_layouts() -> None:
    for ndim in range(1, 9):
        made = from_array(np.zeros((2,) * ndim, np.int8))
        names = ["Vector"] + [f"Tensor{n}DFirstMajor" for n in range(2, 9)]
        assert made.layout.name == names[ndim - 1]  # type: ignore[union-attr]


@pytest.mark.parametrize("rank", range(2, 9))
def test_fortran_order_was_refused(rank: int) -> None:
    """As pandas' to_numpy() gives it, with a hint at layout=, which BNNS.gather does not have."""
    sizes = tuple(range(2, rank + 2)) if rank < 6 else (2,) * rank
    array = np.asfortranarray(np.arange(np.prod(sizes), dtype=np.float32).reshape(sizes))
    made = from_array(array)
    assert made.layout is DataLayout[f"Tensor{rank}DLastMajor"]
    check_same(array, made)
    strided = np.asfortranarray(np.zeros((4, *sizes[1:]), np.float32))[::2]
    check_same(strided, from_array(strided))
    for axis in range(rank):
        for order in "CF":
            output = np.zeros(sizes, np.float32, order)  # type: ignore[call-overload]
            picked = np.arange(sizes[axis])[::-1].copy()
            BNNS.gather(input=array, indices=picked, output=output, axis=axis)
            assert np.array_equal(output, np.flip(array, axis))


def test_an_order_that_both_can_say_is_first_major() -> None:
    for array in (np.zeros((3, 1), np.int8), np.zeros((1, 3), np.int8), np.zeros((0, 2), np.int8)):
        assert from_array(np.asfortranarray(array)).layout is DataLayout.Tensor2DFirstMajor


def test_image_chw_says_to_pass_the_transpose() -> None:
    image = np.arange(24, dtype=np.float32).reshape(2, 3, 4)  # channel, row, column
    with pytest.raises(ValueError, match=r"pass a\.T of a C-contiguous \(C, H, W\) array"):
        from_array(image, layout=DataLayout.ImageCHW)
    made = from_array(image.T, layout=DataLayout.ImageCHW)
    assert made.shape == Shape.image_chw(4, 3, 2, stride=(1, 4, 12))
    check_same(made.data, made)


@pytest.mark.parametrize(
    ("array", "words"),
    [
        (np.zeros((2, 3), np.float32)[::-1], "axis 0 is running backwards.*ascontiguousarray"),
        (np.broadcast_to(np.float32(1), (3,)), "axis 0 is broadcast.*ascontiguousarray"),
        (np.zeros((2, 3, 4), np.float32).transpose(1, 0, 2), "another order.*ascontiguousarray"),
        (np.zeros(3, "f4,i2")["f0"], "stride 6 bytes, no multiple of its 4-byte elements"),
        (np.zeros((), np.float32), r"0 dimensions.*reshape\(1\)"),
        (np.zeros((1,) * 9, np.float32), "9 dimensions.*reshape to merge"),
    ],
)
def test_what_strides_cannot_say(array: Array, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        from_array(array)
    with pytest.raises(ValueError, match=f"^input: .*{words}"):
        BNNS.gather(input=array, indices=[], output=array, axis=0)


@pytest.mark.parametrize(
    ("dtype", "words"),
    [
        (np.float64, r"float64.*\.astype\(np\.float32\)"),
        (np.dtype(np.float32).newbyteorder(), r"\.astype\(array\.dtype\.newbyteorder\('='\)\)"),
        (object, "only numbers and booleans"),
        ("U1", "only numbers and booleans"),
        ("f4,i2", "only numbers and booleans"),
        (np.complex64, "it has Float32"),
        (np.longdouble, "it has Float32"),
        ("M8[s]", "only numbers and booleans"),
    ],
)
@pytest.mark.parametrize("step", [1, 2], ids=["contiguous", "strided"])
def test_types_that_bnns_lacks(dtype: Any, words: str, step: int) -> None:
    """Strided dates and strings were a ValueError about buffers, which named no type."""
    array = np.zeros(6, dtype)[::step]
    for layout in (None, DataLayout.Vector):
        with pytest.raises(TypeError, match=words):
            from_array(array, layout=layout)
    with pytest.raises(TypeError, match=words):
        NDArrayDescriptor(data=np.zeros(6, dtype), shape=6)


@pytest.mark.parametrize("step", [1, 2], ids=["contiguous", "strided"])
def test_variable_width_strings(step: int) -> None:
    dtypes: Any = np.dtypes
    if not hasattr(dtypes, "StringDType"):
        pytest.skip("this NumPy has no StringDType")
    with pytest.raises(TypeError, match="only numbers and booleans"):
        from_array(np.array(["a", "b"], dtypes.StringDType())[::step])


@pytest.mark.skipif(not BFLOAT16, reason="needs ml_dtypes")
@pytest.mark.parametrize("step", [1, 2], ids=["contiguous", "strided"])
def test_bfloat16(step: int) -> None:
    array = np.arange(6).astype(BFLOAT16[0]).reshape(2, 3)[:, ::step]
    made = from_array(array)
    assert made.data_type is DataType.BFloat16
    check_same(array, made)
    made.array[1, 0] = 8
    assert array[1, 0] == 8
    assert made.make_array().dtype == BFLOAT16[0]


def test_without_ml_dtypes_bfloat16_is_bytes() -> None:
    program = (
        "import sys\n"
        "sys.modules['ml_dtypes'] = None\n"  # an import of it fails now
        "import numpy as np\n"
        "from bnnspy import *\n"
        "bf16 = DataType.BFloat16\n"
        "made = NDArrayDescriptor(data=bytearray(b'aabbcc'), shape=3, scalar_type=bf16)\n"
        "out = made.replace(data=bytearray(6))\n"
        "picked = NDArrayDescriptor.from_array(np.array([2, 0, 1]))\n"
        "assert BNNSGather(0, made, picked, out) == 0\n"
        "assert out.data == b'ccaabb'\n"
        "def allocate(): NDArrayDescriptor.allocate(repeating=0, shape=1, scalar_type=bf16)\n"
        "for attempt in (lambda: made.array, made.make_array, allocate):\n"
        "    try: attempt()\n"
        "    except TypeError as error: print(error)\n"
        "del sys.modules['ml_dtypes']\n"
        "try: import ml_dtypes\n"
        "except ImportError: sys.exit()\n"
        "try: NDArrayDescriptor.from_array(np.zeros(2, ml_dtypes.bfloat16))\n"
        "except TypeError as error: print(error)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    lines = run.stdout.splitlines()
    assert lines[:3] == ["BFloat16 needs ml_dtypes: pip install 'bnnspy[bfloat16]'"] * 3
    assert all("install ml_dtypes before bnnspy is imported" in line for line in lines[3:])


@pytest.mark.parametrize("layout", [0x99, -1, DataLayout.ImageCHW, DataLayout.Vector])
def test_layouts_that_do_not_fit(layout: int) -> None:
    with pytest.raises(ValueError, match=r"not a valid DataLayout|has [13]"):
        from_array(np.zeros((2, 2), np.float32), layout=layout)


def test_strides_of_size_one_axes_are_canonical() -> None:
    odd = as_strided(np.arange(3, dtype=np.int32), (1, 3, 1), (4444, 4, -7))
    made = from_array(odd)
    assert made.stride[:3] == (1, 1, 3)
    check_same(odd, made)
    window = as_strided(np.arange(4, dtype=np.int32), (2, 3), (4, 4))
    check_same(window, from_array(window))


@pytest.mark.parametrize("shape", [(0,), (3, 0), (0, 3), (2, 0, 2), (0,) * 8])
def test_empty_arrays_keep_their_sizes(shape: tuple[int, ...]) -> None:
    array = np.zeros(shape, np.float32)
    for view in (array, array[..., ::-1], np.asfortranarray(array)):
        made = from_array(view)
        check_same(view, made)
        assert made.array.shape == shape
        assert 0 not in made.stride[: len(shape)] or len(shape) == 1


def test_an_empty_array_whose_other_sizes_overflow_made_a_descriptor_that_nothing_takes() -> None:
    with pytest.raises(ValueError, match="more elements than memory"):
        from_array(np.empty((2**60, 0), np.int8))


class Boaster(np.ndarray):
    """Says that it has more bytes, another shape, and that it can be written."""

    nbytes = 10**9  # type: ignore[assignment]
    shape = (10**6,)  # type: ignore[assignment]
    size = 10**6  # type: ignore[assignment]


def test_a_subclass_could_widen_its_own_bounds() -> None:
    """from_array believed the subclass's nbytes, and a grown size read beyond the memory."""
    array = np.arange(4, dtype=np.float32)
    boast = array.view(Boaster)
    for made in (from_array(boast), from_array(boast, layout=DataLayout.Vector)):
        assert repr(made).endswith("16 bytes, borrowed)")
        assert made.array.tolist() == [0, 1, 2, 3]
        assert type(made.array) is np.ndarray
        assert made.data is boast
        made.size = 1000
        with pytest.raises(ValueError, match="16 bytes, and the shape needs 4000"):
            _ = made.array


def test_subclasses_of_numpy() -> None:
    matrix = np.arange(4, dtype=np.float32).reshape(2, 2).view(np.matrix)
    assert from_array(matrix).array.tolist() == [[0, 1], [2, 3]]
    records = np.rec.array(np.zeros(3, "f4,f4"))
    assert from_array(records["f1"]).stride[0] == 2
    with pytest.raises(TypeError, match=r"masked array; use \.filled\(\)"):
        from_array(np.ma.array([1, 2], mask=[0, 1]))
    with pytest.raises(TypeError, match="masked array"):
        BNNS.gather(input=np.ma.array([1, 2]), indices=[0], output=[0], axis=0)
