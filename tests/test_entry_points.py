"""The Makefile: what CONTRIBUTING.md names is there, and each target calls what there is."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
NAMED = re.compile(r"`make ([a-z_]+)")
TARGETS = re.findall(r"^([a-z_]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")


def make(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["make", "--no-print-directory", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def test_contributing_names_every_target() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    assert set(NAMED.findall(text)) == set(TARGETS) - {"help"}


def test_documents_name_no_target_that_is_not_there() -> None:
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]
    named = {name for page in pages for name in NAMED.findall(page.read_text("utf-8"))}
    assert named <= set(TARGETS)


def test_make_alone_lists_the_targets() -> None:
    done = make()
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert [line.split()[0] for line in lines] == TARGETS
    assert all(len(line.split()) > 2 for line in lines)


@pytest.mark.parametrize("target", TARGETS)
def test_targets_call_what_is_there(target: str) -> None:
    done = make("--dry-run", target, "T=tests/test_shape.py")
    assert done.returncode == 0, done.stderr
    named = re.findall(
        r"(?<![\w/.])(?:\.ci/run|(?:\w+/)*\w+\.(?:py|c|h)|tests/prove)\b", done.stdout
    )
    generated = {"bnnspy/_bnns.c"}  # which clean removes
    assert [name for name in set(named) - generated if not (ROOT / name).is_file()] == []


def test_one_test_has_to_be_named() -> None:
    done = make("--dry-run", "one")
    assert done.returncode == 2
    assert "make one T=tests/test_shape.py" in done.stderr
