"""Compatibility as data: the entries, the tests that carry their ids and the page agree.

The tests of single entries are in test_compatibility_gather.py, _memory.py and _descriptor.py.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from loading import module_of

ROOT = Path(__file__).resolve().parents[1]
ENTRIES = [
    entry
    for path in sorted((ROOT / "bnnspy" / "compatibility").glob("*.json"))
    for entry in json.loads(path.read_text(encoding="utf-8"))
]
IDS = [entry["id"] for entry in ENTRIES]
PAGE = ROOT / "docs" / "compatibility.md"
FIELDS = ["id", "function", "statement", "evidence", "source", "test", "conformance", "strict"]


def generator() -> ModuleType:
    """docs/generate.py, which is no package."""
    return module_of("docs/generate.py")


def tags_of(source: str) -> Iterator[tuple[str, str]]:
    """(function, id) for each `@pytest.mark.compat("id", ..)` above a test function."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.FunctionDef):
            continue
        for decorator in node.decorator_list:
            if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == (
                "pytest.mark.compat"
            ):
                assert node.name.startswith("test_"), f"{node.name} is no test"
                assert not decorator.keywords
                for argument in decorator.args:
                    yield node.name, ast.literal_eval(argument)


def tagged() -> dict[str, set[str]]:
    """The ids that tests carry, each with `tests/file.py::function` of those tests."""
    found: dict[str, set[str]] = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for function, name in tags_of(path.read_text(encoding="utf-8")):
            found.setdefault(name, set()).add(f"{path.relative_to(ROOT).as_posix()}::{function}")
    return found


def test_tags_are_read() -> None:
    source = (
        '@pytest.mark.compat("a-b", "c")\n@pytest.mark.parametrize("x", [1])\n'
        'def test_one(x): pass\n\n@other.compat("d")\ndef test_two(): pass\n'
    )
    assert list(tags_of(source)) == [("test_one", "a-b"), ("test_one", "c")]


def test_entries_are_complete() -> None:
    assert len(set(IDS)) == len(IDS)
    headings = generator().headings()
    for entry in ENTRIES:
        assert list(entry) == FIELDS
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", entry["id"]), entry["id"]
        assert entry["function"] in headings
        assert entry["evidence"] in ("documented", "measured", "our choice")
        assert entry["statement"].endswith("."), entry["id"]
        assert entry["source"], entry["id"]
        how = entry["conformance"]
        assert how == "generated" or re.fullmatch(r"[A-Z][^:]+: .+\.", how), entry["id"]
        assert not any("\n" in value for value in entry.values()), "a row of a table is one line"


def test_entries_tests_and_page_agree() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert sorted(re.findall(r"^\| `([a-z0-9-]+)` \|", page, re.MULTILINE)) == sorted(IDS)
    tests = tagged()
    assert sorted(tests) == sorted(IDS)
    for entry in ENTRIES:
        assert entry["test"] in tests[entry["id"]], entry["id"]


def test_page_is_fresh() -> None:
    assert PAGE.read_text(encoding="utf-8") == generator().compatibility_page(), (
        "run python docs/generate.py"
    )


def test_coverage_table_is_fresh() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert readme == generator().readme(), "run python docs/generate.py"


def test_coverage_table_names_every_function() -> None:
    """Against the list of the data itself, not the generator's own reading of it."""
    rows = json.loads((ROOT / "bnnspy" / "functions.json").read_text(encoding="utf-8"))
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    table = readme.split("<!-- coverage: written")[1].split("<!-- coverage: end")[0]
    named = re.findall(r"\b[A-Z]\w+", table)
    assert sorted(named) == sorted(row["name"].removeprefix("BNNS") for row in rows)


def test_the_first_screen_says_how_much_is_here() -> None:
    """A reader learned from the last table of the page that most is planned."""
    rows = json.loads((ROOT / "bnnspy" / "functions.json").read_text(encoding="utf-8"))
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    first = " ".join(readme.splitlines()[:25])
    said = re.search(r"(\d+) of the (\d+) functions of `bnns.h`\*\*, (.*?)\.", first)
    assert said is not None
    named = re.findall(r"`(\w+)`", said[3])
    table = readme.split("<!-- coverage: written")[1].split("<!-- coverage: end")[0]
    assert [int(said[1]), int(said[2])] == [len(named), len(rows)]
    assert sorted(named) == sorted(f"BNNS{name}" for name in re.findall(r"\*\*(\w+)\*\*", table))
