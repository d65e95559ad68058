"""The files that cffi_build.py writes are those that the headers give now."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from types import ModuleType

import pytest
from loading import module_of

import bnnspy
from bnnspy._bnns import lib

BUILD = Path(__file__).resolve().parents[1] / "cffi_build.py"


@pytest.fixture(scope="module")
def build() -> ModuleType:
    """cffi_build.py as a module; importing it builds nothing and writes nothing."""
    return module_of("cffi_build.py")


TARGETS = [
    "bnnspy/constants.py",
    "bnnspy/_bnns.pyi",
    "bnnspy/capi/faces.py",
    "bnnspy/overlay/faces.py",
]


@pytest.mark.parametrize("target", TARGETS)
def test_generated_files_are_up_to_date(build: ModuleType, target: str) -> None:
    """Run `python cffi_build.py` after a change of the headers or of the faces."""
    assert list(build.GENERATED) == TARGETS
    written = (BUILD.parent / target).read_text(encoding="utf-8")
    assert written == build.GENERATED[target]()


def test_the_stub_names_what_the_compiled_module_has() -> None:
    stub = (BUILD.parent / "bnnspy" / "_bnns.pyi").read_text(encoding="utf-8")
    functions = set(re.findall(r"^    def (\w+)\(", stub, re.MULTILINE))
    constants = set(re.findall(r"^    (\w+): int$", stub, re.MULTILINE))
    assert functions == {name for name in dir(lib) if callable(getattr(lib, name))}
    assert functions | constants == set(dir(lib))


def test_the_version_is_that_of_pyproject(build: ModuleType) -> None:
    assert bnnspy.__version__ == build.version()


def test_declarations_hold_no_preprocessor_and_no_comment(build: ModuleType) -> None:
    text = build.declarations()
    assert not re.search(r"#|/\*|//|BNNS_ENUM", text)
    assert "int BNNSGather(" in text


def test_each_member_has_a_docstring_of_its_own() -> None:
    """Editors show the text below a member; each once showed that of its class, about comments."""
    module = ast.parse((BUILD.parent / "bnnspy" / "constants.py").read_text(encoding="utf-8"))
    classes = [node for node in module.body if isinstance(node, ast.ClassDef)]
    assert {"DataLayout", "DataType", "ReduceFunction"} <= {node.name for node in classes}
    for node in classes:
        assert "comment" not in (ast.get_docstring(node) or "comment")
        members, texts = node.body[1::2], node.body[2::2]
        assert all(isinstance(member, ast.Assign) for member in members), node.name
        shown = [ast.literal_eval(text.value) for text in texts if isinstance(text, ast.Expr)]
        assert len(shown) == len(members) == len(getattr(bnnspy, node.name).__members__)
        assert all(re.fullmatch(r"\S.*\.\s*", text, re.DOTALL) for text in shown), node.name
        assert not [text for text in shown if re.search(r"\brun\b|\babove\b|^\d\d\.\d;", text)]
