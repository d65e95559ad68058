"""The hints catch what is wrong, and nothing else, in a program outside of the repository.

`BNNS.gathr(..)`, `bnnspy.BNNSCopyy` and a list in place of a tensor once passed mypy's strict mode,
and an editable install was no package for it at all. test_package.py does the same with the wheel.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
import type_checkers


@pytest.mark.parametrize("checker", type_checkers.CHECKERS)
def test_wrong_lines_are_found_and_no_others(
    checker: str, repository: Path, tmp_path: Path
) -> None:
    program = tmp_path / "program.py"
    shutil.copyfile(repository / "tests" / "typing_check.py", program)
    type_checkers.check(checker, program, sys.executable)


def test_marks_are_read(tmp_path: Path) -> None:
    file = tmp_path / "file.py"
    file.write_text(
        "1\n2  # wrong: call-arg\n3  # wrong for mypy: misc\n# wrong: no mark\n", "utf-8"
    )
    assert type_checkers.marked(file) == ({(2, "call-arg"), (3, "misc")}, {(2, "")})
