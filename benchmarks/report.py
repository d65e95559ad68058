"""Writes the tables and charts of README.md and docs/performance.md from benchmarks/results/.

python benchmarks/report.py             writes them; charts need matplotlib
python benchmarks/report.py --tables    without the charts
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import Any

import chart
import results
from cases import CASES

ROOT = Path(__file__).resolve().parents[1]
ORDER = tuple(case.name for case in CASES)
PLACE = re.compile(
    r"(<!-- (gather \S+): written by benchmarks/report.py -->\n).*?(<!-- end of \2 -->)", re.DOTALL
)


def ratio(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def time_of(seconds: float) -> str:
    return f"{seconds * 1e6:.2f} us" if seconds < 1e-4 else f"{seconds * 1e3:.2f} ms"


def as_table(lines: list[list[str]]) -> str:
    """Markdown, the first column to the left."""
    widths = [max(len(line[k]) for line in lines) for k in range(len(lines[0]))]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    return "\n".join(
        "| "
        + " | ".join(
            cell.ljust(w) if k == 0 else cell.rjust(w)
            for k, (cell, w) in enumerate(zip(line, widths, strict=True))
        )
        + " |"
        for line in [lines[0], rule, *lines[1:]]
    )


def table(rows: list[results.Row]) -> str:
    """All that was measured."""
    head = ["case", "time", "x best checking peer", "x clip", "x bare loop", "x memcpy", "good"]
    threads = rows[0].alone is not None
    lines = [[*head, "x one thread"] if threads else head]
    for row in rows:
        line = [
            row.case,
            time_of(row.seconds),
            f"{row.checking:.2f} ({row.peer})",
            ratio(row.clip),
            ratio(row.bare),
            ratio(row.memcpy),
            "yes" if row.good else "no",
        ]
        lines.append([*line, ratio(row.alone)] if threads else line)
    return as_table(lines)


def heading(result: dict[str, Any]) -> str:
    """What the figures belong to."""
    about = result["machine"]
    versions = ", ".join(f"{name} {version}" for name, version in about["versions"].items())
    runs = max(len(found) for found in result["runs"].values())
    least = min(len(found) for found in result["runs"].values())
    worst = f"the worst of {runs} runs" if least == runs > 1 else f"{least} to {runs} runs"
    note = f" {about['note']}" if "note" in about else ""
    return (
        f"{about['cpu']}, last cache {about['last_cache']}, {about['kernels']} kernels, threads: "
        f"{about['threads']}; {worst if runs > 1 else 'one run'} of {about['rounds']} rounds; "
        f"{versions}.{note}"
    )


def section(name: str) -> str:
    """The part of a document that says the results of one file."""
    result = results.load(results.FOLDER / f"{name}.json")
    rows = results.rows(result, ORDER)
    ahead = sum(row.checking <= results.GOOD_CHECKING for row in rows)
    good = sum(row.good for row in rows)
    return (
        f"{heading(result)}\n\n{table(rows)}\n\n"
        f"Of {len(rows)} cases {ahead} are no slower than any peer that checks, and {good} besides "
        f"at most {results.GOOD_BARE} times the better bare loop (*good*).\n"
    )


def written(text: str) -> str:
    """A document with its tables as the results say."""
    return PLACE.sub(
        lambda found: found[1] + section(found[2].removeprefix("gather ")) + found[3], text
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", action="store_true", help="no charts")
    options = parser.parse_args()
    for name in ("README.md", "docs/performance.md"):
        path = ROOT / name
        path.write_text(written(path.read_text("utf-8")), "utf-8")
    for path in sorted(results.FOLDER.glob("*.json")):
        if not options.tables and not chart.draw(results.load(path), path.with_suffix(".png")):
            print("charts need matplotlib")
            break


if __name__ == "__main__":
    main()
