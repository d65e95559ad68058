"""What a run found: the verdict on each entry, tables for people, JSON for programs.

Tables and the progress bar are rich's where that is installed, and plain text where not.
"""

from __future__ import annotations

import platform
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from bnnspy.conformance import reproduce
from bnnspy.conformance.compare import FAULTS, MISSING, NOT_MADE, RECORD, Comparison
from bnnspy.entries import entries

AS_HERE, FLIP, KEEP, CONTRADICTS, OPEN = "as here", "flip", "keep", "contradicts", "not made"
RANDOM, RECORDED = "random", "recorded"


class Verdict(NamedTuple):
    """What the calls made for an entry say about it."""

    entry: str
    evidence: str
    calls: int
    differing: int
    verdict: str
    sentence: str


class Run(NamedTuple):
    """A run that is through."""

    library: str
    seed: int
    seconds: float
    comparisons: list[Comparison]

    def differing(self) -> list[Comparison]:
        """The calls that there is something to say about."""
        return [comparison for comparison in self.comparisons if comparison.findings]


# --- verdicts -------------------------------------------------------------------------------------


def verdicts(comparisons: Iterable[Comparison]) -> list[Verdict]:
    """One for each entry that calls were made for, in the order of the data."""
    by_entry: dict[str, list[Comparison]] = {}
    for comparison in comparisons:
        if comparison.call["decides"]:
            by_entry.setdefault(comparison.call["decides"], []).append(comparison)
    return [verdict(name, by_entry[name]) for name in entries() if name in by_entry]


def verdict(entry: str, comparisons: list[Comparison]) -> Verdict:
    """What to do with an entry.

    Another status, value or output is a behaviour that can be taken over. A crash, a hang and bytes
    written where none should be are never taken over, and so decide nothing.
    """
    evidence = entries()[entry]["evidence"]
    differing = [comparison for comparison in comparisons if comparison.findings]
    decided, sentence = AS_HERE, ""
    if differing:
        broken = [c for c in differing if c.kinds() & FAULTS]
        behaving = [c for c in differing if not c.kinds() & (FAULTS | {MISSING, NOT_MADE})]
        telling = behaving or broken
        if telling:
            decided = KEEP if not behaving else FLIP if evidence == "our choice" else CONTRADICTS
        else:
            telling, decided = differing, OPEN
        sentence = most_common(finding.sentence for c in telling for finding in c.findings)
    return Verdict(entry, evidence, len(comparisons), len(differing), decided, sentence)


def most_common(sentences: Iterable[str]) -> str:
    """The sentence that says most, and how many others there are."""
    counted = Counter(sentences).most_common()
    others = len(counted) - 1
    return counted[0][0] + (f" (and {others} more)" if others else "")


def untested() -> dict[str, str]:
    """Entries that no run can settle, and why."""
    return {
        name: entry["conformance"]
        for name, entry in entries().items()
        if entry["conformance"] != "generated"
    }


def groups(run: Run) -> Iterator[tuple[str, int, int]]:
    """(what, calls, calls that differ) of the calls that were not made for an entry."""
    named = [(RECORDED, "recorded results"), (RANDOM, "random calls")]
    for prefix, title in named:
        found = [c for c in run.comparisons if c.call["name"].startswith(f"{prefix}/")]
        if prefix == RANDOM:
            plain = [c for c in found if not c.call["entries"]]
            yield f"{title} that rely on no entry", *counts(plain)
            found = [c for c in found if c.call["entries"]]
            title += " that rely on entries"
        yield title, *counts(found)


def counts(comparisons: Sequence[Comparison]) -> tuple[int, int]:
    """How many, and how many with findings."""
    return len(comparisons), sum(bool(comparison.findings) for comparison in comparisons)


# --- for programs ---------------------------------------------------------------------------------


def as_json(run: Run) -> dict[str, Any]:
    """All of a run: each verdict, and each call that differs with both outcomes and programs."""
    return {
        "library": run.library,
        "machine": f"{platform.system()} {platform.release()} {platform.machine()}",
        "seed": run.seed,
        "calls": len(run.comparisons),
        "seconds": round(run.seconds, 3),
        "entries": {v.entry: v._asdict() for v in verdicts(run.comparisons)},
        "flip": [v.entry for v in verdicts(run.comparisons) if v.verdict == FLIP],
        "not settled by a run": untested(),
        "differences": [
            {
                "call": comparison.call,
                "ours": comparison.ours,
                "theirs": comparison.theirs,
                "findings": [finding._asdict() for finding in comparison.findings],
                "python": reproduce.python(comparison.call),
                "c": reproduce.c(comparison.call),
            }
            for comparison in run.differing()
        ],
    }


# --- for people -----------------------------------------------------------------------------------


def lines(run: Run, show: int) -> Iterator[str]:
    """The report less its table: what differs, how to see it again, and what to do."""
    differing = run.differing()
    yield f"{len(run.comparisons)} calls in {run.seconds:.1f} s, {len(differing)} of them differ"
    for title, calls, differ in groups(run):
        yield f"  {title}: {calls}, {differ} differ"
    shown = one_of_each(differing)
    for comparison in shown[:show]:
        yield ""
        yield f"{comparison.call['name']}: {', '.join(sorted(comparison.kinds()))}"
        if comparison.call["entries"]:
            yield f"  about: {', '.join(comparison.call['entries'])}"
        for finding in comparison.findings:
            yield f"  {finding.sentence}"
        yield "  in Python, with this package:"
        yield indented(reproduce.python(comparison.call))
        yield "  in C, with any library:"
        yield indented(reproduce.c(comparison.call))
    if len(shown) > show:
        yield f"\n{len(shown) - show} more kinds of difference; --show {len(shown)} prints them"
    yield ""
    decided = verdicts(run.comparisons)
    flipped = [v for v in decided if v.verdict == FLIP]
    yield f"entries to flip: {len(flipped)}"
    yield from (f"  {v.entry}: {v.sentence}" for v in flipped)
    for kind, title in (
        (CONTRADICTS, "documented or measured otherwise, to be looked into"),
        (KEEP, "to be kept: the other library crashes, hangs or writes astray"),
        (OPEN, "not settled: the calls were not made"),
    ):
        found = [v for v in decided if v.verdict == kind]
        if found:
            yield f"{title}: {len(found)}"
            yield from (f"  {v.entry}: {v.sentence}" for v in found)
    yield f"not settled by any run: {len(untested())} (compatibility.md says why)"


def one_of_each(differing: Iterable[Comparison]) -> list[Comparison]:
    """The first call of each kind of difference: made for one entry before random ones."""
    found: dict[Any, Comparison] = {}
    for comparison in differing:
        key = (tuple(comparison.call["entries"]), tuple(sorted(comparison.kinds())))
        found.setdefault(key, comparison)
    return sorted(found.values(), key=lambda c: (RECORD not in c.kinds(), not c.call["decides"]))


def indented(program: str) -> str:
    """A program, four spaces in."""
    return "".join(f"    {line}\n" if line else "\n" for line in program.splitlines()).rstrip()


HEADINGS = ("entry", "evidence", "calls", "differ", "verdict")


def rows(run: Run) -> list[tuple[str, ...]]:
    """The table of verdicts."""
    return [
        (v.entry, v.evidence, str(v.calls), str(v.differing), v.verdict)
        for v in verdicts(run.comparisons)
    ]


def print_table(run: Run) -> None:
    """The verdicts as a table."""
    try:
        from rich.console import Console
        from rich.table import Table
    except ImportError:
        for line in plain_table([HEADINGS, *rows(run)]):
            print(line)
        return
    table = Table(*HEADINGS)
    for row in rows(run):
        styles = {AS_HERE: "green", FLIP: "yellow", CONTRADICTS: "red", KEEP: "cyan"}
        table.add_row(*row, style=styles.get(row[-1]))
    Console(soft_wrap=not sys.stdout.isatty()).print(table)


def plain_table(table: list[tuple[str, ...]]) -> Iterator[str]:
    """Columns, each as wide as its widest cell."""
    widths = [max(len(row[k]) for row in table) for k in range(len(table[0]))]
    for row in table:
        yield "  ".join(cell.ljust(n) for cell, n in zip(row, widths, strict=True)).rstrip()


def progress(items: Iterable[Comparison], total: int) -> Iterator[Comparison]:
    """The items, with a bar on standard error while they come."""
    try:
        from rich.console import Console
        from rich.progress import track
    except ImportError:
        yield from plain_progress(items, total)
        return
    console = Console(stderr=True)
    yield from track(items, "calls", total=total, console=console, disable=not console.is_terminal)


def plain_progress(items: Iterable[Comparison], total: int) -> Iterator[Comparison]:
    """A bar of signs, on a terminal only."""
    shown = -1
    for number, item in enumerate(items, 1):
        yield item
        tenths = 40 * number // total
        if sys.stderr.isatty() and tenths != shown:
            shown = tenths
            end = "\n" if number == total else ""
            bar = "#" * tenths + "." * (40 - tenths)
            print(f"\r[{bar}] {number}/{total}", end=end, file=sys.stderr, flush=True)
