"""Writes what the documents take from data and from code.

    python docs/generate.py

docs/compatibility.md comes from bnnspy/compatibility/, the README's coverage table and its
sentence on how much is here from bnnspy/functions.json, the drawings of docs/layouts.md from
generate_layouts.py beside this file. Tests hold the documents against them.
"""

from __future__ import annotations

import sys
import textwrap
from collections import Counter
from pathlib import Path

from bnnspy.entries import SUBJECTS, entries
from bnnspy.operations import OPERATIONS, QUERIES, functions

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
LAYOUTS = ROOT / "docs" / "layouts.md"
COMPATIBILITY = ROOT / "docs" / "compatibility.md"

EVIDENCE = ("documented", "measured", "our choice")

TABLE = """\
| name | behaviour | evidence | settled by | source, or why |
|---|---|---|---|---|
"""

INTRODUCTION = """\
# Compatibility

<!-- Written by docs/generate.py from bnnspy/compatibility/; change that. -->

What Apple's documentation leaves open has to be decided by somebody. Each row is one behaviour of
this library, and says on what it stands:

- **documented**: Apple's documentation or the SDK's header says so. Documented results win over
  measurements that contradict them.
- **measured**: Apple's framework was seen to do so, by the project named.
- **our choice**: neither; the last column says what is known.

A return of success with missing or corrupt output, a crash or a hang is never reproduced, whoever
measured it. Each row has a test that is marked with its name: `pytest -m compat` runs them all, and
`bnnspy/compatibility/` has the same rows, with their tests, as data.

The fourth column says how a row can be settled: **a run** on a Mac shows it
([conformance.md](conformance.md)), or why none can. Where a call can rely on a row that is our
choice, strict mode says so, and the column names the condition.

"""


def headings() -> dict[str, str]:
    """What entries speak of, each with its heading: functions by the registry, then the rest."""
    named = {operation.function: operation.function for operation in (*OPERATIONS, *QUERIES)}
    return named | SUBJECTS


def compatibility_page() -> str:
    """The text of docs/compatibility.md."""
    counts = Counter(entry["evidence"] for entry in entries().values())
    parts = [
        INTRODUCTION,
        "Together: " + ", ".join(f"{counts[evidence]} {evidence}" for evidence in EVIDENCE) + ".\n",
    ]
    for subject, heading in headings().items():
        rows = [
            "| `{id}` | {statement} | {evidence} | {settled} | {source} |\n".format(
                **escaped(entry), settled=settled(entry)
            )
            for entry in entries().values()
            if entry["function"] == subject
        ]
        parts += [f"\n## {heading}\n\n{TABLE}", *rows] if rows else []
    return "".join(parts)


def settled(entry: dict[str, str]) -> str:
    """How a run on a Mac can settle an entry, and what strict mode calls it."""
    how = "a run" if entry["conformance"] == "generated" else entry["conformance"]
    return f"{how}; strict: {entry['strict']}" if entry["strict"] else how


def escaped(entry: dict[str, str]) -> dict[str, str]:
    """An entry whose texts can stand in a cell of a table."""
    return {key: value.replace("|", "\\|").replace("*", "\\*") for key, value in entry.items()}


def coverage_table() -> str:
    """All functions of bnns.h by family, without their prefix."""
    families: dict[str, tuple[list[str], list[str]]] = {}
    for function in functions():
        here, planned = families.setdefault(function.family, ([], []))
        (here if function.here else planned).append(function.name.removeprefix("BNNS"))
    lines = ["| family | here | planned |", "|---|---|---|"]
    for family, (here, planned) in families.items():
        marked = ", ".join(f"**{name}**" for name in here)
        lines.append(f"| {family} | {marked} | {', '.join(planned)} |")
    return "\n".join(lines) + "\n"


def how_much() -> str:
    """The sentence of the README's first screen: which functions are here, of how many."""
    every = functions()
    here = [f"`{function.name}`" for function in every if function.here]
    sentence = (
        f"**Here so far: {len(here)} of the {len(every)} functions of `bnns.h`**, "
        f"{', '.join(here[:-1])} and {here[-1]}. The others are planned: calling one raises a "
        "sentence that says so. [Coverage](#coverage) lists them all."
    )
    return textwrap.fill(sentence, 100, break_long_words=False, break_on_hyphens=False) + "\n"


def filled(text: str, name: str, content: str) -> str:
    """The text of a document with content between its marks of that name."""
    begin, end = f"<!-- {name}: written by docs/generate.py -->", f"<!-- {name}: end -->"
    before, rest = text.split(begin)
    return f"{before}{begin}\n{content}{end}{rest.split(end)[1]}"


def readme() -> str:
    """README.md with how much is here, as the data have it."""
    text = filled(README.read_text(encoding="utf-8"), "here", how_much())
    return filled(text, "coverage", coverage_table())


def layouts() -> str:
    """docs/layouts.md with the drawings as the code makes them."""
    path = str(LAYOUTS.parent)
    if path not in sys.path:
        sys.path.insert(0, path)
    from generate_layouts import layout_sections

    return filled(LAYOUTS.read_text(encoding="utf-8"), "layouts", layout_sections())


if __name__ == "__main__":
    COMPATIBILITY.write_text(compatibility_page(), encoding="utf-8")
    README.write_text(readme(), encoding="utf-8")
    LAYOUTS.write_text(layouts(), encoding="utf-8")
