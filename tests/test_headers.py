"""The public headers against Apple's interface: they compile alone, and their layout is Apple's.

What Apple's side is, stands in enums.json and structs.json of tests/data/ and in
bnnspy/functions.json, written from public sources, not from the headers. Nothing of the package is
imported here: the tests need a C compiler, a C++ compiler for the C++ ones, and use clang where it
is installed.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest
from running import run

HEADERS = ("bnns/bnns_constants.h", "bnns/bnns_structures.h", "bnns/bnns.h", "bnnspy.h")
WARNINGS = ("-Wall", "-Wextra", "-pedantic", "-Werror")
SOURCE_NAME = {"c99": "unit.c", "c11": "unit.c", "c++17": "unit.cpp"}

# (command, standard). cc and c++ are whatever the machine calls so; CC and CXX replace them.
DIALECTS = (
    ("cc", "c99"),
    ("cc", "c11"),
    ("c++", "c++17"),
    ("clang", "c99"),
    ("clang", "c11"),
    ("clang++", "c++17"),
)
DIALECT_IDS = [f"{command}-{standard}" for command, standard in DIALECTS]

# Macros of the headers that are no constants of Apple's enumerations. MAX_TENSOR_DIMENSION is a
# limit, the length of size[] and stride[], and has a test of its own; the others are notation.
LIMITS = {"BNNS_MAX_TENSOR_DIMENSION"}
NOTATION = {
    "BNNS_ENUM",
    "BNNS_ENUM_OPEN",
    "BNNS_EXTERN_C_BEGIN",
    "BNNS_EXTERN_C_END",
    "BNNS_VISIBILITY_PUSH",
    "BNNS_VISIBILITY_POP",
}


def repository() -> Path:
    """The root of the source tree: this file lies in its tests/."""
    return Path(__file__).resolve().parents[1]


def include_directory() -> Path:
    return repository() / "include"


def table(name: str) -> Any:
    """tests/data/<name>.json (functions.json is the package's own) without its note on sources."""
    folder = repository() / ("bnnspy" if name == "functions" else "tests/data")
    content = json.loads((folder / f"{name}.json").read_text("utf-8"))
    if isinstance(content, dict):
        del content["source"]
    return content


def compiler(command: str) -> list[str]:
    """The command as arguments, or a skip when this machine does not have it."""
    variable = {"cc": "CC", "c++": "CXX"}.get(command, "")
    words = shlex.split(os.environ.get(variable, "")) or [command]
    if shutil.which(words[0]) is None:
        pytest.skip(f"{words[0]} is not installed")
    return words


def compile_alone(
    header: str, command: str, standard: str, include: Path, directory: Path
) -> CompletedProcess[str]:
    """Checks a source of nothing but the header, twice because a guard may be wrong."""
    source = directory / SOURCE_NAME[standard]
    source.write_text(f"#include <{header}>\n#include <{header}>\n", "utf-8")
    flags = [f"-std={standard}", *WARNINGS, f"-I{include}", "-fsyntax-only"]
    return run([*compiler(command), *flags, str(source)])


def without_comments(text: str) -> str:
    return re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.DOTALL)


def declarations(header: str) -> str:
    """The header without comments and preprocessor lines, as the build hands it to cffi."""
    text = without_comments((include_directory() / header).read_text("utf-8"))
    return re.sub(r"^[ \t]*#.*$", "", text.replace("\\\n", " "), flags=re.MULTILINE)


# ---- they compile ----------------------------------------------------------------------------


@pytest.mark.parametrize(("command", "standard"), DIALECTS, ids=DIALECT_IDS)
@pytest.mark.parametrize("header", HEADERS)
def test_header_compiles_alone(header: str, command: str, standard: str, tmp_path: Path) -> None:
    result = compile_alone(header, command, standard, include_directory(), tmp_path)
    assert result.returncode == 0, result.stderr


def drop(pattern: str) -> Callable[[str], str]:
    return lambda text: re.sub(pattern, "", text, flags=re.MULTILINE)


def append(line: str) -> Callable[[str], str]:
    # In front of the #endif of the include guard, which ends every header.
    return lambda text: re.sub(r"#endif\s*\Z", f"{line}\n#endif\n", text)


def unguard(text: str) -> str:
    opened = re.sub(r"^#(ifndef|define) BNNS_STRUCTURES_H$", "", text, flags=re.MULTILINE)
    return re.sub(r"#endif\s*\Z", "", opened)


BREAKAGES: dict[str, tuple[str, Callable[[str], str]]] = {
    "include-missing": ("bnns/bnns_structures.h", drop(r"^#include <sys/types.h>.*$")),
    "own-include-missing": ("bnns/bnns.h", drop(r'^#include "bnns.*$')),
    "unknown-type": ("bnns/bnns_constants.h", append("extern BNNSNothing nothing;")),
    "warning-only": ("bnns/bnns_constants.h", append(";")),
    "guard-missing": ("bnns/bnns_structures.h", unguard),
    "not-c": ("bnnspy.h", append("int bnnspy_broken(int a = 1);")),
}


@pytest.mark.parametrize("breakage", BREAKAGES)
def test_the_compile_test_notices(breakage: str, tmp_path: Path) -> None:
    header, damage = BREAKAGES[breakage]
    copy = tmp_path / "include"
    shutil.copytree(include_directory(), copy)
    text = (copy / header).read_text("utf-8")
    damaged = damage(text)
    assert damaged != text
    (copy / header).write_text(damaged, "utf-8")
    assert compile_alone(header, "cc", "c99", copy, tmp_path).returncode != 0


# ---- what is in them -------------------------------------------------------------------------


def enums_of_the_header() -> dict[str, dict[str, int]]:
    """Enumeration -> constant -> value, read from the text; values must be plain literals."""
    text = declarations("bnns/bnns_constants.h")
    found: dict[str, dict[str, int]] = {}
    for name, body in re.findall(r"\bBNNS_ENUM\((\w+)\)\s*\{([^}]*)\}\s*;", text):
        assert name not in found, f"{name} is declared twice"
        found[name] = {}
        for item in filter(None, (part.strip() for part in body.split(","))):
            match = re.fullmatch(r"(\w+)\s*=\s*(0x[0-9A-Fa-f]+|[0-9]+)", item)
            assert match, f"{name}: {item!r} is no constant with a literal value"
            found[name][match[1]] = int(match[2], 0)
    rest = re.sub(r"\bBNNS_ENUM\(\w+\)\s*\{[^}]*\}\s*;", "", text)
    assert not rest.strip(), f"not read: {rest.strip()}"
    return found


def structs_of_the_header() -> dict[str, list[str]]:
    """Struct -> members in order, read from the text."""
    text = declarations("bnns/bnns_structures.h")
    found: dict[str, list[str]] = {}
    for tag, body, name in re.findall(r"typedef struct (\w+) \{([^}]*)\} (\w+);", text):
        assert tag == name
        members = filter(None, (part.strip() for part in body.split(";")))
        found[name] = [re.findall(r"\w+", re.sub(r"\[\w+\]$", "", each))[-1] for each in members]
    return found


def test_constants_are_those_of_the_data() -> None:
    assert enums_of_the_header() == table("enums")


def test_no_constant_has_two_homes() -> None:
    names = [name for constants in table("enums").values() for name in constants]
    assert len(names) == len(set(names))


def test_members_are_those_of_the_data() -> None:
    expected = {
        name: sorted(struct["fields"], key=struct["fields"].__getitem__)
        for name, struct in table("structs").items()
    }
    assert structs_of_the_header() == expected


def test_macros_are_known() -> None:
    found: set[str] = set()
    for header in HEADERS:
        text = without_comments((include_directory() / header).read_text("utf-8"))
        found |= set(re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", text, flags=re.MULTILINE))
    guards = {re.sub(r"\W", "_", Path(header).name).upper() for header in HEADERS}
    assert {name for name in found if name not in guards and name != "BNNS_BNNS_H"} <= (
        LIMITS | NOTATION
    )


def test_every_function_is_one_of_apple() -> None:
    prototypes = re.findall(r"\b(\w+)\s*\([^()]*\)\s*;", declarations("bnns/bnns.h"))
    assert prototypes
    assert set(prototypes) <= {function["name"] for function in table("functions")}


def test_function_table_is_well_formed() -> None:
    functions = table("functions")
    names = [function["name"] for function in functions]
    assert len(names) == len(set(names))
    for function in functions:
        assert set(function) == {"name", "introduced", "deprecated", "family"}
        assert re.fullmatch(r"BNNS[A-Z]\w+", function["name"])
        assert not function["name"].startswith("BNNSGraph")
        assert re.fullmatch(r"[a-z]+", function["family"])
        versions = [function[key] for key in ("introduced", "deprecated") if function[key]]
        numbers = [tuple(map(int, version.split("."))) for version in versions]
        assert numbers == sorted(set(numbers)), function["name"]


@pytest.mark.parametrize("header", HEADERS)
def test_no_condition_surrounds_a_declaration(header: str) -> None:
    """The headers are read without a preprocessor too: only the include guard may be open."""
    text = without_comments((include_directory() / header).read_text("utf-8")).replace("\\\n", " ")
    depth = 0
    for line in filter(None, map(str.strip, text.splitlines())):
        if re.match(r"#\s*if", line):
            depth += 1
        elif re.match(r"#\s*endif", line):
            depth -= 1
        elif not line.startswith("#"):
            assert depth == 1, line
    assert depth == 0


# ---- the layout ------------------------------------------------------------------------------


def expected_layout() -> dict[str, int]:
    """What the program of layout_program prints when the headers are right."""
    expected = {"BNNS_MAX_TENSOR_DIMENSION": 8}
    for name, constants in table("enums").items():
        expected |= {f"sizeof {name}": 4, f"alignof {name}": 4, f"unsigned {name}": 1}
        expected |= constants
    for name, struct in table("structs").items():
        expected[f"sizeof {name}"] = struct["size"]
        expected[f"alignof {name}"] = struct["align"]
        for field, offset in struct["fields"].items():
            expected[f"offsetof {name}.{field}"] = offset
    for name, field in (
        ("BNNSNDArrayDescriptor", "size"),
        ("BNNSNDArrayDescriptor", "stride"),
        ("BNNSTensor", "shape"),
        ("BNNSTensor", "stride"),
    ):
        expected[f"length {name}.{field}"] = 8
    return expected


def expression(key: str) -> str:
    """The C expression whose value belongs to a key of expected_layout."""
    kind, _, what = key.rpartition(" ")
    name, _, field = what.partition(".")
    return {
        "": what,
        "sizeof": f"sizeof({what})",
        "alignof": f"ALIGNOF({what})",
        "unsigned": f"(({what})-1) > 0",
        "offsetof": f"offsetof({name}, {field})",
        "length": f"sizeof((({name} *)0)->{field}) / sizeof((({name} *)0)->{field}[0])",
    }[kind]


def layout_program(keys: list[str]) -> str:
    prints = "\n".join(
        f'    printf("%s=%lld\\n", "{key}", (long long)({expression(key)}));' for key in keys
    )
    return f"""\
#include <stddef.h>
#include <stdio.h>
#include <bnns/bnns_constants.h>
#include <bnns/bnns_structures.h>
#ifdef __cplusplus
#define ALIGNOF(type) alignof(type)
#else
#define ALIGNOF(type) _Alignof(type)
#endif
int main(void) {{
    if (sizeof(void *) != 8)
        return 77;
{prints}
    return 0;
}}
"""


RUN_DIALECTS = [dialect for dialect in DIALECTS if dialect[1] != "c99"]  # C99 has no alignof


@pytest.mark.parametrize(
    ("command", "standard"), RUN_DIALECTS, ids=["-".join(dialect) for dialect in RUN_DIALECTS]
)
def test_layout_is_that_of_apple(command: str, standard: str, tmp_path: Path) -> None:
    expected = expected_layout()
    source = tmp_path / SOURCE_NAME[standard]
    program = tmp_path / "layout"
    source.write_text(layout_program(list(expected)), "utf-8")
    flags = [f"-std={standard}", f"-I{include_directory()}", "-o", str(program)]
    built = run([*compiler(command), str(source), *flags])
    assert built.returncode == 0, built.stderr
    ran = run([str(program)])
    if ran.returncode == 77:
        pytest.skip("the sizes and offsets are those of a 64-bit target")
    assert ran.returncode == 0, ran.stderr
    pairs = (line.rpartition("=") for line in ran.stdout.splitlines())
    assert {key: int(value) for key, _, value in pairs} == expected


# ---- the module ------------------------------------------------------------------------------


def test_module_names_every_header() -> None:
    text = (include_directory() / "module.modulemap").read_text("utf-8")
    named = re.findall(r'^\s*header "([^"]+)"', text, flags=re.MULTILINE)
    present = [path.relative_to(include_directory()) for path in include_directory().rglob("*.h")]
    assert sorted(named) == sorted(path.as_posix() for path in present) == sorted(HEADERS)


def test_module_imports(tmp_path: Path) -> None:
    """As Swift does it: through the module map, where each enumeration is a type of its own."""
    source = tmp_path / "unit.c"
    source.write_text(
        "#pragma clang module import bnnspy\n"
        "int rank(enum BNNSDataLayout layout);\n"
        "int rank(enum BNNSDataLayout layout) {\n"
        "    BNNSNDArrayDescriptor descriptor = {.layout = layout};\n"
        "    return (int)(descriptor.layout >> 16);\n"
        "}\n",
        "utf-8",
    )
    flags = ["-std=c11", "-fmodules", f"-fmodules-cache-path={tmp_path / 'cache'}", *WARNINGS]
    command = [*compiler("clang"), *flags, f"-I{include_directory()}", "-fsyntax-only"]
    result = run([*command, str(source)])
    assert result.returncode == 0, result.stderr
