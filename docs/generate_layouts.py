"""Tables and drawings of docs/layouts.md, one for every layout. See docs/generate.py.

Slots and drawings are what `NDArrayDescriptor.explain` shows; what a layout is for is said here.
"""

from __future__ import annotations

import contextlib
import io
import textwrap
from typing import NamedTuple

from bnnspy import DataLayout, DataType, NDArrayDescriptor, Shape
from bnnspy.arrays import axes_of
from bnnspy.explain import names_of
from bnnspy.shape import CASES, layout_name


class Page(NamedTuple):
    """What the page says of a layout, and the sizes of its drawing."""

    size: tuple[int, ...]
    axis: int
    text: str


def general(rank: int, order: str) -> Page:
    """nDFirstMajor or nDLastMajor."""
    small = {
        1: (5,),
        2: (2, 3),
        3: (2, 2, 3),
        4: (2, 2, 2, 3),
        5: (2, 1, 2, 1, 3),
        6: (1, 2, 1, 2, 1, 3),
        7: (1, 1, 2, 1, 2, 1, 3),
        8: (1, 1, 1, 2, 1, 2, 1, 3),
    }[rank]
    if rank == 1:
        return Page(small, 0, "The same as Vector.")
    if order == "First":
        text = (
            "`size[]` slowest axis first, `stride[]` fastest first: what a C-contiguous array of "
            f"{rank} dimensions is."
        )
        return Page(small, 0, text)
    text = (
        "`size[]` and `stride[]` both fastest axis first: what a Fortran-contiguous array of "
        f"{rank} dimensions is."
    )
    return Page(small[::-1], rank - 1, text)


PAGES: dict[DataLayout, Page] = {
    DataLayout.Vector: Page((5,), 0, "One axis."),
    DataLayout.RowMajorMatrix: Page(
        (2, 3),
        0,
        "The one whose axes are not in the order of its sizes: `size[0]` are the columns, and axis "
        "0 are the rows. The memory is that of a C-contiguous matrix.",
    ),
    DataLayout.ColumnMajorMatrix: Page(
        (2, 3), 1, "Rows first in both; columns lie one after the other. The same as 2DLastMajor."
    ),
    DataLayout.ImageCHW: Page(
        (3, 2, 2), 2, "Named by memory from slow to fast: channels, rows, columns. Axis 0 is x."
    ),
    DataLayout.SNE: Page((3, 2, 2), 2, "Sequence, batch, embedding; the embedding is fastest."),
    DataLayout.NSE: Page((3, 2, 2), 1, "Batch, sequence, embedding; the embedding is fastest."),
    DataLayout.MHA_DHK: Page(
        (2, 2, 2),
        0,
        "Weights of multi-head attention. Apple's formula and sizes use letters that do not match; "
        "here axis k is `size[k]` and `stride[k]` (our choice).",
    ),
    DataLayout.ConvolutionWeightsOIHW: Page(
        (2, 2, 1, 2), 3, "The kernel's columns fastest, output channels slowest."
    ),
    DataLayout.ConvolutionWeightsOIHrWr: Page(
        (2, 2, 1, 2),
        3,
        "OIHW with the kernel turned by 180 degrees: kx and ky run against memory, so `data` "
        "points to the largest of each. The channels are as in the SDK's header; Apple's web page "
        "exchanges `stride[2]` and `stride[3]` (our choice: `oihrwr-tuple`).",
    ),
    DataLayout.ConvolutionWeightsIOHrWr: Page(
        (2, 2, 2, 1),
        3,
        "The kernel turned as in OIHrWr, and `size[2]` are the output channels, `size[3]` the "
        "input channels. The tuple stays (kx, ky, in, out), so axis 2 is `size[3]` (our choice).",
    ),
    DataLayout.ConvolutionWeightsOIHW_Pack32: Page(
        (3, 3, 2, 40),
        0,
        "Sizes as OIHW; output channels lie in blocks of 32, the last one filled up, so element "
        "(kx, ky, in, out) is at `out%32 + 32 * (kx + kw * (ky + kh * (in + cin * (out/32))))`. "
        "No strides can say that: calls that move elements answer -1, and only "
        "`BNNSDataLayoutGetRank` and `BNNSNDArrayGetDataSize` know the layout.",
    ),
    DataLayout.FullyConnectedSparse: Page(
        (4, 3),
        0,
        "Compressed weights in a form of Apple's own, which no strides can say: calls that move "
        "elements answer -1, and only `BNNSDataLayoutGetRank` knows the layout.",
    ),
    **{
        DataLayout[f"Tensor{rank}D{order}Major"]: general(rank, order)
        for rank in range(1, 9)
        for order in ("First", "Last")
    },
}
OPAQUE = (DataLayout.ConvolutionWeightsOIHW_Pack32, DataLayout.FullyConnectedSparse)


def layout_sections() -> str:
    """What stands in docs/layouts.md between its marks: a row and a section for each layout."""
    return overview() + "".join(section(layout) for layout in PAGES)


def slots(layout: DataLayout, which: str) -> list[str]:
    """The tuple's names by the slots of size[] or of stride[]."""
    pairs = zip(names_of(layout), axes_of(layout), strict=True)
    return [name for name, axis in sorted(pairs, key=lambda pair: getattr(pair[1], which))]


def overview() -> str:
    """One row a layout."""
    lines = [
        "| layout | value | tuple, axis 0 first | `size[]` | `stride[]` |",
        "|---|---|---|---|---|",
    ]
    for layout in PAGES:
        name = f"[{layout_name(layout)}](#{layout_name(layout).lower()})"
        if layout in OPAQUE:
            lines.append(f"| {name} | {layout:#x} | | no strides | |")
            continue
        columns = [names_of(layout), slots(layout, "size_slot"), slots(layout, "stride_slot")]
        cells = [", ".join(names) for names in columns]
        lines.append(f"| {name} | {layout:#x} | ({cells[0]}) | {cells[1]} | {cells[2]} |")
    return "\n".join(lines) + "\n"


def section(layout: DataLayout) -> str:
    """One layout: what it is for, its table, its drawing."""
    page = PAGES[layout]
    text = f"\n### {layout_name(layout)}\n\n{textwrap.fill(page.text, 100)}\n"
    if layout in OPAQUE:
        return text
    text += "\n| axis | tuple | size | stride |\n|---|---|---|---|\n"
    for k, (name, axis) in enumerate(zip(names_of(layout), axes_of(layout), strict=True)):
        way = ", backwards" * (axis.sign < 0)
        text += f"| {k} | {name} | `size[{axis.size_slot}]` | `stride[{axis.stride_slot}]`{way} |\n"
    made = f"shape = {constructor(layout, page.size)}\n"
    made += "tensor = NDArrayDescriptor(shape=shape, data_type=DataType.Float32)\n"
    return text + "\n" + example(f"{made}print(tensor.explain(axis={page.axis}))\n")


def constructor(layout: DataLayout, size: tuple[int, ...]) -> str:
    """The Python that makes the shape."""
    values = ", ".join(map(str, size))
    if case := CASES.get(layout):
        return f"Shape.{case}({values})"
    return f"Shape(({values}{',' * (len(size) == 1)}), DataLayout.{layout.name})"


def example(code: str) -> str:
    """A block of Python, and one with what it prints last: a drawing."""
    names = {
        "DataLayout": DataLayout,
        "DataType": DataType,
        "NDArrayDescriptor": NDArrayDescriptor,
        "Shape": Shape,
    }
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, names)
    return f"```python\n{code}```\n\n```text\n{printed.getvalue()}```\n"
