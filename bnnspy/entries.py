"""The compatibility data: what Apple leaves open, and what this library does. A file a function.

An entry has an id, the function that it speaks of, a statement, its evidence (documented, measured
or our choice) and the source of that, the test that shows it, how a run on Apple's framework can
settle it, and the condition by which strict mode knows a call that relies on it ("" for none).
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

Entry = dict[str, str]

# What an entry can speak of besides a function, each with its heading in docs/compatibility.md.
SUBJECTS = {
    "all": "Every function: statuses and memory",
    "BNNSNDArrayDescriptor": "Descriptors: layouts, strides, making and reading them",
    "BNNS.Shape": "BNNS.Shape",
    "BNNS.Error": "BNNS.Error",
    "onnx": "ONNX operators",
}

# Entries of these hold for calls of every function.
GENERAL = frozenset({"all", "BNNSNDArrayDescriptor"})


@cache
def entries() -> dict[str, Entry]:
    """Every entry by its id, file by file in the order of their names."""
    found: dict[str, Entry] = {}
    folder = files("bnnspy").joinpath("compatibility")
    for path in sorted(folder.iterdir(), key=lambda path: path.name):
        for entry in json.loads(path.read_text(encoding="utf-8")):
            if entry["id"] in found:
                raise ValueError(f"{path.name}: {entry['id']} is an entry of another file too")
            found[entry["id"]] = entry
    return found
