"""The documents do what they say: their Python runs, their commands are the gate's.

The Python blocks of the documents run one after the other, those of a file in one namespace. Where
a text block follows, with no other block between, it is what the Python block prints.
"""

from __future__ import annotations

import contextlib
import io
import re
import shutil
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from running import good

ROOT = Path(__file__).resolve().parents[1]
PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")
DOCUMENTS = [*(ROOT / name for name in PAGES), *sorted((ROOT / "docs").glob("*.md"))]
README = (ROOT / "README.md").read_text(encoding="utf-8")
# What a document's Python imports beside the package and what it depends on.
NEEDS = {"onnx.md": "onnx"}
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^<!-- (\w+) command -->\n```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """A Python block, the line it begins at, and what it should print (None: anything)."""

    line: int
    code: str
    printed: str | None


def blocks_of(text: str) -> list[Block]:
    """The Python blocks of a document."""
    fences = list(FENCE.finditer(text))
    blocks = []
    for k, fence in enumerate(fences):
        if fence[1] != "python":
            continue
        line = text.count("\n", 0, fence.start(2)) + 1
        follows = fences[k + 1] if k + 1 < len(fences) else None
        printed = follows[2] if follows is not None and follows[1] == "text" else None
        blocks.append(Block(line, fence[2], printed))
    return blocks


def run(text: str, name: str) -> list[int]:
    """Runs a document's blocks; the lines of those whose output was compared."""
    namespace: dict[str, Any] = {"__name__": "__document__"}
    compared = []
    for line, code, printed in blocks_of(text):
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            # The empty lines make a traceback name the document's own line.
            exec(compile("\n" * (line - 1) + code, name, "exec"), namespace)
        if printed is not None:
            assert output.getvalue() == printed, f"{name}, block at line {line}"
            compared.append(line)
    return compared


def test_blocks_are_found_run_and_compared() -> None:
    document = "a\n```python\nx = 1\n```\n```python\nprint(x)\n```\nso:\n\n```text\n1\n```\n"
    assert blocks_of(document) == [Block(3, "x = 1\n", None), Block(6, "print(x)\n", "1\n")]
    assert run(document, "document") == [6]
    with pytest.raises(AssertionError, match="block at line 6"):
        run(document.replace("\n1\n", "\n2\n"), "document")


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_python_blocks(path: Path) -> None:
    if path.name in NEEDS:
        pytest.importorskip(NEEDS[path.name], reason=f"{path.name} shows an optional package")
    run(path.read_text(encoding="utf-8"), str(path))


def test_readme_shows_what_it_prints() -> None:
    """All python is run; each block but the port, which says it in a comment, shows its output."""
    blocks = blocks_of(README)
    assert len(blocks) > 2
    assert [block.printed is not None for block in blocks] == [False] + [True] * (len(blocks) - 1)
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(blocks[0].code, {})
    assert f"# {output.getvalue()}" in blocks[0].code


def test_readme_has_two_commands() -> None:
    """Each is one line that can be pasted into a fresh clone; there is no third shell block."""
    commands = dict(COMMAND.findall(README))
    assert list(commands) == ["main", "test"]
    assert len(re.findall(r"^```sh$", README, re.MULTILINE)) == 2
    for command in commands.values():
        assert command.count("\n") == 1
        assert command.startswith("python3 -m venv .venv && .venv/bin/pip install ")
    assert commands["main"].endswith(" && .venv/bin/python examples/gather.py\n")
    assert commands["test"].endswith(" && .venv/bin/python -m pytest\n")


@pytest.mark.skipif(shutil.which("bash") is None, reason="the gate is a bash script")
def test_gate_runs_the_commands_of_the_readme() -> None:
    script = ROOT / ".ci" / "run"
    assert good(["bash", script, "--commands"]) == "".join(dict(COMMAND.findall(README)).values())
    gate = script.read_text(encoding="utf-8")
    assert 'bash -c "$(readme main)"' in gate
    assert 'suite bash -c "$(readme test)"' in gate


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_files_that_documents_name_are_there(path: Path) -> None:
    text = FENCE.sub("", path.read_text(encoding="utf-8"))
    linked = set(re.findall(r"\]\(([^)#:]+)\)", text))
    named = set(re.findall(r"`((?:tests|examples|benchmarks|docs|include|bnnspy)/[\w./]+)`", text))
    missing = [name for name in linked if not (path.parent / name).exists()]
    missing += [name for name in named if not (ROOT / name).exists()]
    assert not missing


def test_each_promise_names_a_test() -> None:
    table = README.split("## What it promises")[1].split("\n## ")[0]
    rows = [line for line in table.splitlines() if line.startswith("| ")][1:]
    assert len(rows) == 5
    assert all(re.search(r"`tests/test_\w+\.py`", row) for row in rows)
