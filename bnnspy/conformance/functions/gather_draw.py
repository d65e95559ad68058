"""Random calls of BNNSGather: layouts, strides, types, sizes, forms and faults."""

from __future__ import annotations

from math import prod
from typing import ClassVar

from bnnspy.conformance.functions.common import INDEX_TYPES
from bnnspy.conformance.functions.drawing import LAYOUTS, Draw, view
from bnnspy.constants import DataType


class GatherDraw(Draw):
    """A random gather."""

    function = "BNNSGather"
    faults: ClassVar = {
        "index_above": "gather-index-out-of-range",
        "index_negative": "gather-negative-indices",
        "no_such_axis": "gather-axis-out-of-range",
        "other_size": "gather-shape-mismatch",
        "other_type": "gather-value-types",
        "float_indices": "gather-index-types-refused",
        "falling_strides": "stride-order",
        "output_overlaps": "output-internal-overlap",
    }

    def lay_out(self) -> None:
        choose = self.random.choice
        kind = self.kind()
        sizes = self.sizes(kind)
        rank = len(sizes)
        axis = self.numbers["axis"] = choose(range(rank))
        along = choose([1, 2, 3, 7]) if sizes[axis] else 0
        outer = [along if k == axis else n for k, n in enumerate(sizes)]
        layout, other = self.layouts(rank)
        full = rank > 1 and choose([True, False])
        index_layout = layout if self.usual and full else choose(LAYOUTS[rank if full else 1])
        index_kind = DataType.Int32 if self.usual else choose(INDEX_TYPES)
        indices = self.tensor(index_layout, outer if full else [along], index_kind)
        self.bound = sizes[axis]
        count = prod(outer) if full else along
        picked = [self.random.randrange(max(self.bound, 1)) for _ in range(count)]
        # Sound, but for packed elements that may not be whole bytes: that is an entry of its own.
        self.tensors = {
            "input": self.values(layout, sizes, kind),
            "indices": indices._replace(data=picked),
            "output": self.tensor(other, outer, kind),
        }

    def put(self, value: int) -> bool:
        """Writes an index somewhere among the others."""
        picked = list(self.tensors["indices"].data or [])
        if picked:
            picked[self.random.randrange(len(picked))] = value
        self.change("indices", data=picked)
        return bool(picked)

    def index_above(self) -> bool:
        return self.put(self.bound + self.random.choice([0, 0, 1, 5]))

    def index_negative(self) -> bool:
        below = self.random.choice([1, 1, 2, max(self.bound, 1), self.bound + 1])
        signed = self.tensors["indices"].data_type & DataType.IntBit
        return bool(signed) and self.put(-below)

    def float_indices(self) -> bool:
        nbytes = 4 * (view(self.tensors["indices"]).extent + 1)
        kind = self.random.choice([DataType.Float32, DataType.Float16, DataType.Boolean])
        return self.change("indices", data_type=kind, data=bytes(nbytes))
