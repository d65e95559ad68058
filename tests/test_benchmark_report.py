"""The documents' tables are made of the results that are shipped, and of all runs the worst."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
MACHINE = {"cpu": "A (R) Processor", "kernels": "avx2", "threads": 1}


@pytest.mark.parametrize("name", ["README.md", "docs/performance.md"])
def test_tables_are_those_of_the_results(name: str) -> None:
    import report

    text = (ROOT / name).read_text("utf-8")
    assert report.PLACE.search(text) is not None
    assert report.written(text) == text, "run python benchmarks/report.py"


def test_a_row_is_the_worst_of_its_runs() -> None:
    import results

    fast = {"bnnspy": 1.0, "np.take": 2.0, "np.take clip": 0.8, "bare loop": 1.0, "memcpy": 0.5}
    slow = {"bnnspy": 3.0, "np.take": 2.5, "np.take clip": 4.0, "bare loop": 2.0, "memcpy": 1.0}
    slow["bare loop, fetching"] = 1.5
    row = results.row("one", [fast, slow, fast])
    assert (row.seconds, row.checking, row.peer) == (1.0, 1.2, "np.take")
    assert (row.clip, row.bare, row.memcpy, row.alone) == (1.25, 2.0, 3.0, None)
    assert not row.good
    assert not results.row("bare", [fast | {"bare loop": 0.9}]).good
    assert results.row("good", [fast]).good


def test_the_last_runs_of_a_case_are_kept(tmp_path: Path) -> None:
    import results

    for number in range(5):
        path = results.add(tmp_path, MACHINE, {"one": {"bnnspy": float(number)}}, 3)
    results.add(tmp_path, MACHINE, {"two": {"bnnspy": 1 / 3}}, 3)
    assert path.name == "a-processor-avx2-1.json"
    kept = json.loads(path.read_text("utf-8"))["runs"]
    assert [run["bnnspy"] for run in kept["one"]] == [2, 3, 4]
    assert kept["two"] == [{"bnnspy": 0.3333}]


def test_an_output_lies_where_its_case_says() -> None:
    from cases import CASES

    placed = [case for case in CASES if case.behind is not None]
    assert placed
    for case in placed:
        table, _, output = case.make()
        assert (output.ctypes.data - table.ctypes.data) % 4096 == case.behind
