"""docs/onnx.md does what it says: its Python runs in order, and prints the text that follows."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("onnx", reason="onnx is not installed: pip install 'bnnspy[onnx]'")

DOCS = Path(__file__).resolve().parents[1] / "docs"
DOCUMENTS = [path for path in sorted(DOCS.glob("onnx*.md*")) if path.is_file()]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_blocks(path: Path) -> None:
    fences = FENCE.findall(path.read_text(encoding="utf-8"))
    namespace: dict[str, Any] = {"__name__": "__document__"}
    compared = 0
    for (language, code), after in zip(fences, [*fences[1:], ("", "")], strict=True):
        if language != "python":
            continue
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            exec(compile(code, str(path), "exec"), namespace)
        if after[0] == "text":
            assert output.getvalue() == after[1]
            compared += 1
    assert compared == sum(language == "text" for language, _ in fences) > 0
