"""docs/layouts.md is what docs/generate.py writes, and its tables are the oracle's layouts."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import oracle
import pytest
from loading import module_of

from bnnspy import DataLayout

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "layouts.md").read_text(encoding="utf-8")


def generator() -> ModuleType:
    """docs/generate.py, which is no package."""
    return module_of("docs/generate.py")


def sections() -> dict[str, str]:
    """The text below each layout's heading."""
    parts = re.split(r"^### (\w+)$", PAGE, flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def test_the_page_is_up_to_date() -> None:
    assert generator().layouts() == PAGE, "run python docs/generate.py"


def test_every_layout_has_a_section_and_a_row() -> None:
    assert set(sections()) == set(oracle.LAYOUTS)
    rows = dict(re.findall(r"^\| \[(\w+)\]\(#\w+\) \| (0x\w+) \|", PAGE, re.MULTILINE))
    assert {name: int(value, 16) for name, value in rows.items()} == {
        name: layout.code for name, layout in oracle.LAYOUTS.items()
    }
    assert len(DataLayout) == len(rows)


@pytest.mark.parametrize("name", oracle.STRIDED)
def test_the_table_of_a_layout(name: str) -> None:
    """Slots by axis, and the same slots by name in the overview."""
    axes = oracle.LAYOUTS[name].axes
    assert axes is not None
    text = sections()[name]
    rows = re.findall(
        r"^\| (\d) \| (\w+) \| `size\[(\d)\]` \| `stride\[(\d)\]`(, backwards)? \|$",
        text,
        re.MULTILINE,
    )
    assert [(int(k), int(size), int(stride), bool(way)) for k, _, size, stride, way in rows] == [
        (k, axis.size, axis.stride, axis.reversed) for k, axis in enumerate(axes)
    ]
    names = [row[1] for row in rows]
    row = re.search(rf"^\| \[{name}\]\(\S+ \| \w+ \| \((.*)\) \| (.*) \| (.*) \|$", PAGE, re.M)
    assert row is not None
    assert row[1].split(", ") == names
    assert row[2].split(", ") == sorted(names, key=lambda n: axes[names.index(n)].size)
    assert row[3].split(", ") == sorted(names, key=lambda n: axes[names.index(n)].stride)
    assert text.count("```python\n") == 1
    assert f"\n{name} size=" in text


@pytest.mark.parametrize("name", sorted(set(oracle.LAYOUTS) - set(oracle.STRIDED)))
def test_layouts_without_strides_have_a_sentence(name: str) -> None:
    text = sections()[name]
    assert "no strides can say" in text.lower()
    assert "calls that move elements answer -1" in " ".join(text.split())
    assert "```" not in text


def test_the_words_that_mean_other_things() -> None:
    table = PAGE.split("## Words that mean other things in NumPy")[1].split("\n## ")[0]
    words = re.findall(r"^\| (\w+) \| ", table, re.MULTILINE)[1:]
    assert words == ["size", "stride", "shape", "data", "axis"]
