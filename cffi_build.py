"""The compiled module `bnnspy._bnns`, and the Python files that the headers give.

The headers under include/ are the declarations that cffi reads: nothing is declared twice. Run as
a script, this file writes `bnnspy/_bnns.pyi` and `bnnspy/constants.py` from them; a test holds the
two against the headers.
"""

from __future__ import annotations

import ast
import keyword
import os
import re
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from cffi import FFI

ROOT = Path(__file__).resolve().parent
HEADERS = ["bnns/bnns_constants.h", "bnns/bnns_structures.h", "bnns/bnns.h", "bnnspy.h"]

ENUM = re.compile(r"BNNS_ENUM\((\w+)\)")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


def header_text() -> str:
    """All headers, one after the other."""
    return "\n".join((ROOT / "include" / name).read_text(encoding="utf-8") for name in HEADERS)


def declarations() -> str:
    """What cffi takes of the headers: no comments, no preprocessor lines, enums spelled out."""
    text = COMMENT.sub("", header_text())
    text = re.sub(r"^[ \t]*#(?:.*\\\n)*.*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"\bBNNS_EXTERN_C_(?:BEGIN|END)\b", "", text)
    text = ENUM.sub(r"typedef uint32_t \1; enum", text)
    return re.sub(r"\n\s*\n+", "\n", text).strip() + "\n"


def version() -> str:
    """The project's version, which stands in pyproject.toml alone."""
    found = re.search(r'^version = "([^"]+)"', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    assert found is not None, "pyproject.toml has no version"
    return found[1]


def relative(pattern: str) -> list[str]:
    """Files of the tree as setuptools wants them: relative, in a fixed order."""
    return sorted(str(path.relative_to(ROOT)) for path in ROOT.glob(pattern))


def compile_flags() -> tuple[list[str], list[str]]:
    """Flags of the C compiler and the linker; three environment variables add to them.

    BNNSPY_WERROR=1 makes warnings errors; BNNSPY_SANITIZE=address,undefined builds with sanitizers,
    BNNSPY_DEBUG=1 for a debugger.
    """
    flags = [
        "-std=c11",
        "-O3",
        "-fvisibility=hidden",
        "-Wall",
        "-Wextra",
        "-Werror=int-conversion",
        "-Werror=incompatible-pointer-types",
        "-Werror=implicit-function-declaration",
    ]
    link: list[str] = []
    if os.environ.get("BNNSPY_WERROR") == "1":
        # cffi's own generated code is not ours to keep free of these two.
        flags += ["-Werror", "-Wno-unused-parameter", "-Wno-sign-compare"]
    if os.environ.get("BNNSPY_DEBUG") == "1":
        flags += ["-g", "-O0"]
    if sanitizers := os.environ.get("BNNSPY_SANITIZE"):
        chosen = [f"-fsanitize={sanitizers}", "-fno-omit-frame-pointer"]
        flags += [*chosen, "-g", "-O1", "-fno-sanitize-recover=all"]
        link += chosen
    return flags, link


def make() -> FFI:
    """The builder that setup.py names."""
    builder = FFI()
    builder.cdef(declarations())
    flags, link = compile_flags()
    builder.set_source(
        "bnnspy._bnns",
        '#include "bnnspy.h"',
        sources=relative("src/**/*.c"),
        depends=relative("include/**/*.h") + relative("src/**/*.h"),
        include_dirs=["include", "src"],
        define_macros=[("BNNSPY_VERSION", f'"{version()}"')],
        extra_compile_args=flags,
        extra_link_args=link,
        libraries=["pthread"],
    )
    return builder


# --- Python from the headers ----------------------------------------------------------------------


class Enumeration(NamedTuple):
    """One BNNS_ENUM of the headers."""

    name: str
    comment: str
    constants: dict[str, int]
    remarks: dict[str, str]

    @property
    def python_name(self) -> str:
        return self.name.removeprefix("BNNS")

    @property
    def base(self) -> str:
        """The kind of enum: a set of bits where the constants are meant to be combined."""
        combined = self.name in ("BNNSFlags", "BNNSLayerFlags", "BNNSEmbeddingFlags")
        return "IntFlag" if combined else "IntEnum"

    def members(self) -> Iterator[tuple[str, str, int]]:
        """(Python name, C name, value) of each constant."""
        prefixes = [self.name, *(self.name.removesuffix(end) for end in ("s", "Function", "Mode"))]
        fitting = [p for p in prefixes if all(c.startswith(p) for c in self.constants)]
        prefix = max(fitting, key=len, default="BNNS")
        for constant, value in self.constants.items():
            short = constant.removeprefix(prefix)
            if short[0].isdigit():
                short = "Tensor" + short
            yield short + "_" * keyword.iskeyword(short), constant, value


def enumerations() -> list[Enumeration]:
    """Every BNNS_ENUM, with the comment above it."""
    text = header_text()
    found = []
    for match in re.finditer(r"^BNNS_ENUM\((\w+)\)\s*\{(.*?)\};", text, re.MULTILINE | re.DOTALL):
        above = text[: match.start()].rstrip()
        comment = above[above.rindex("/*") :] if above.endswith("*/") else ""
        body = COMMENT.sub("", match[2])
        constants = {n: int(v, 0) for n, v in re.findall(r"(\w+)\s*=\s*(\w+)", body)}
        found.append(Enumeration(match[1], clean(comment), constants, remarks_of(match[2])))
    return found


def remarks_of(body: str) -> dict[str, str]:
    """The remark on each constant of an enumeration: above it, or after it on its line."""
    above = re.findall(r"^[ \t]*/\*(.*?)\*/\s*(\w+)", body, re.MULTILINE | re.DOTALL)
    after = re.findall(r"(\w+)\s*=\s*\w+,[ \t]*/\*(.*?)\*/", body, re.DOTALL)
    return {constant: remark for remark, constant in above} | dict(after)


def clean(comment: str) -> str:
    """A C comment as the text of a docstring."""
    lines = [re.sub(r"^\s*(?:/\*|\*/|\*)?\s?", "", line) for line in comment.splitlines()]
    return "\n".join(line.removesuffix("*/").rstrip() for line in lines).strip()


def member(enum: Enumeration, short: str, constant: str, value: int) -> str:
    """A member of an enum's class, with the header's remark on the constant as its docstring."""
    line = f"    {short} = {value:#x}" if value >= 0x10000 else f"    {short} = {value}"
    found = re.fullmatch(r"(?:(\d+\.\d+); )?(.*?)\.?", " ".join(enum.remarks[constant].split()))
    assert found is not None
    since, text = found.groups()
    if re.match(r"[a-z]{2,}(?![\w*(])", text):  # a word, and no formula
        text = text[0].upper() + text[1:]
    return f"{line}\n{docstring(f'{text} (since {since}).' if since else f'{text}.')}"


def spelled_out(text: str) -> str:
    """What the header abbreviates, for those who see one docstring of it; sources stay there."""
    text = re.sub(r"\s*\(source: [\w,\s]+\)", "", text)
    text = re.sub(r"\(source: [\w,\s]+;\s+", "(", text)
    return re.sub(r"\brun(?=[:)])", "measured", re.sub(r"\bsince (?=\d)", "since macOS ", text))


def docstring(text: str) -> str:
    """text as a docstring, four spaces in."""
    parts = re.split(r"\n\s*\n", spelled_out(text))
    paragraphs = [" ".join(part.split()) for part in parts]
    wrapped = "\n\n".join(textwrap.fill(part, 92, break_on_hyphens=False) for part in paragraphs)
    if "\n" in wrapped:
        wrapped += "\n"
    return textwrap.indent(f'"""{wrapped}"""', "    ", lambda line: line.strip() != "")


def constants_module() -> str:
    """The text of bnnspy/constants.py."""
    parts = [
        '"""Apple\'s enumerations, and every constant under its C name.\n\n'
        "Written by cffi_build.py from include/bnns/bnns_constants.h; change that file.\n"
        '"""\n\n'
        "# ruff: noqa: E501, RUF022\n"
        "from enum import IntEnum, IntFlag\nfrom typing import Final\n"
    ]
    for enum in enumerations():
        members = [member(enum, *constant) for constant in enum.members()]
        parts.append(
            f"\n\nclass {enum.python_name}({enum.base}):\n"
            + docstring(enum.comment)
            + "\n\n"
            + "\n".join(members)
            + "\n"
        )
    parts.append("\n\nBNNS_MAX_TENSOR_DIMENSION: Final = 8\n")
    names = ["BNNS_MAX_TENSOR_DIMENSION", *(enum.python_name for enum in enumerations())]
    for enum in enumerations():
        for short, constant, _ in enum.members():
            parts.append(f"{constant}: Final = {enum.python_name}.{short}\n")
            names.append(constant)
    listed = "".join(f'    "{name}",\n' for name in names)
    parts.append(f"\n__all__ = [\n{listed}]\n")
    return "".join(parts)


PYTHON_TYPES = {"void": "None", "char *": "CData", "float": "float", "_Bool": "bool"}


def stub_module() -> str:
    """The text of bnnspy/_bnns.pyi: the functions and constants that cffi compiles."""
    builder = FFI()
    builder.cdef(declarations())
    library = [
        "class _Library:",
        '    """The C functions, which release the GIL, and the constants."""',
        "",
    ]
    parser: Any = builder._parser  # type: ignore[attr-defined]
    names = sorted(key.split(" ", 1)[1] for key in parser._declarations if key.startswith("func"))
    parsed = {key.split(" ", 1)[1]: value for key, value in parser._declarations.items()}
    for name in names:
        function = parsed[name][0]
        prototype = re.search(rf"\b{name}\s*\(([^)]*)\)", declarations())
        assert prototype is not None
        arguments = [
            re.findall(r"\w+", argument)[-1]
            for argument in prototype[1].split(",")
            if argument.strip() != "void"
        ]
        pairs = zip(arguments, function.args, strict=True)
        listed = [f"{argument}: {python_type(kind)}, /" for argument, kind in pairs]
        inner = ", ".join(["self", *(item.removesuffix(", /") for item in listed)])
        slash = ", /" if arguments else ""
        line = f"    def {name}({inner}{slash}) -> {python_type(function.result)}: ..."
        if len(line) > 100:
            line = (
                f"    def {name}(\n        self,\n"
                + "".join(f"        {item.removesuffix(', /')},\n" for item in listed)
                + f"        /,\n    ) -> {python_type(function.result)}: ..."
            )
        library.append(line)
    constants = sorted(parser._int_constants)
    library += [f"    {name}: int" for name in constants]
    return (
        "# Written by cffi_build.py from the headers under include/; change those.\n"
        "from typing import Any, TypeAlias\n\nCData: TypeAlias = Any\n\n"
        + "\n".join(library)
        + "\n\nffi: Any\nlib: _Library\n"
    )


def python_type(kind: object) -> str:
    """The Python type of a parsed C type."""
    name: str = kind.get_c_name()  # type: ignore[attr-defined]
    if "*" in name:
        return "CData"
    return PYTHON_TYPES.get(name, "int")


# --- faces, from the files that they are in -------------------------------------------------------


def faces(package: str) -> Iterator[tuple[str, str]]:
    """(module, function) of each function that is decorated as a face, or named as Apple's."""
    for path in sorted((ROOT / "bnnspy" / package).glob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef):
                decorators = [ast.unparse(decorator) for decorator in node.decorator_list]
                if node.name.startswith("BNNS") or any("_face" in one for one in decorators):
                    yield path.stem, node.name


def faces_module(package: str, doc: str) -> str:
    """The text of a module that has all faces of a package."""
    by_module: dict[str, list[str]] = {}
    for module, function in faces(package):
        by_module.setdefault(module, []).append(function)
    imports = []
    for module, functions in by_module.items():
        line = f"from bnnspy.{package}.{module} import {', '.join(sorted(functions))}"
        if len(line) > 100:
            inside = "".join(f"    {name},\n" for name in sorted(functions))
            line = f"from bnnspy.{package}.{module} import (\n{inside})"
        imports.append(line)
    names = sorted(name for functions in by_module.values() for name in functions)
    listed = "".join(f'    "{name}",\n' for name in names)
    return (
        f'"""{doc}\n\nWritten by cffi_build.py from the files beside this one.\n"""\n\n'
        + "\n".join(imports)
        + f"\n\n__all__ = [\n{listed}]\n"
    )


GENERATED: dict[str, Callable[[], str]] = {
    "bnnspy/constants.py": constants_module,
    "bnnspy/_bnns.pyi": stub_module,
    "bnnspy/capi/faces.py": lambda: faces_module("capi", "Every function of the C face."),
    "bnnspy/overlay/faces.py": lambda: faces_module("overlay", "Every function of the Swift face."),
}

if __name__ == "__main__":
    for target, text in GENERATED.items():
        (ROOT / target).write_text(text(), encoding="utf-8")
else:
    ffi = make()
