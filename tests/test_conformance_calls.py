"""The calls of a conformance run: what they cover, and the programs that make them again."""

from __future__ import annotations

import contextlib
import io
import json
from collections import Counter
from pathlib import Path

import mutants
import pytest
import running
from building import WARNINGS, Builder
from running import good

from bnnspy.conformance import reproduce
from bnnspy.conformance.calls import Call, recorded
from bnnspy.conformance.compare import compare, output_elements
from bnnspy.conformance.functions import DRAWS
from bnnspy.conformance.generate import all_calls, entry_calls, random_calls
from bnnspy.conformance.library import FUNCTIONS, Library
from bnnspy.constants import DataLayout
from bnnspy.entries import entries
from bnnspy.operations import OPERATIONS, row

ROOT = Path(__file__).resolve().parents[1]


def test_recorded_calls_are_the_documented_and_measured_ones() -> None:
    shipped = json.loads((ROOT / "bnnspy/conformance/recorded.json").read_text(encoding="utf-8"))
    known = json.loads((ROOT / "tests/data/apple.json").read_text(encoding="utf-8"))
    assert shipped["cases"] == [case for case in known["cases"] if case["call"] in FUNCTIONS]
    assert all(case["source"] for case in shipped["cases"])
    assert Counter(call["function"] for call in recorded()) == {
        "BNNSGather": 6,
        "BNNSScatter": 7,
        "BNNSTranspose": 2,
        "BNNSNDArrayGetDataSize": 6,
        "BNNSDataLayoutGetRank": 7,
    }


def test_every_entry_that_c_can_show_has_calls() -> None:
    made = {call["decides"] for call in entry_calls()}
    assert made == {name for name, e in entries().items() if e["conformance"] == "generated"}
    open_ = [name for name, entry in entries().items() if entry["evidence"] == "our choice"]
    assert len([name for name in open_ if name in made]) > 25


def test_calls_are_data_with_names_of_their_own() -> None:
    calls = all_calls(50, 3)
    assert json.loads(json.dumps(calls)) == calls
    names = [call["name"] for call in calls]
    assert len(set(names)) == len(names)
    for call in calls:
        assert set(call["entries"]) <= set(entries())


def test_a_seed_gives_the_same_calls() -> None:
    assert random_calls(20, 5) == random_calls(40, 5)[:20]
    assert random_calls(20, 5) != random_calls(20, 6)


@pytest.mark.parametrize("function", sorted(DRAWS))
def test_random_calls_cover_what_there_is(function: str) -> None:
    calls = [DRAWS[function](0, number).call() for number in range(1500)]
    library = Library("ours")
    operation = row(function)
    status = Counter(library.perform(call)["status"] for call in calls)
    codes = {0, -1, -1003} | ({-1005} if operation.named({"indices"}) else set())
    assert set(status) == codes
    assert min(status.values()) > 30
    assert status[0] > 600
    for argument in operation.tensors():
        tensors = [call["tensors"][argument.name] for call in calls]
        used = {tensor["layout"] for tensor in tensors if tensor is not None}
        assert len(used) > 20
        assert DataLayout.Tensor8DLastMajor in used
    source = operation.tensors({"input"})[0].name
    kinds = {t["data_type"] for call in calls if (t := call["tensors"][source]) is not None}
    assert len(kinds) > 20
    faults = Counter(call["name"].partition(" ")[2] for call in calls)
    assert {fault.replace("_", " ") for fault in DRAWS[function].faults} <= set(faults)
    assert sum(not call["entries"] for call in calls) > 300, "some rely on nothing that is open"


def test_every_operation_is_drawn() -> None:
    assert set(DRAWS) == {operation.function for operation in OPERATIONS}


def test_comparison_sees_every_byte() -> None:
    """One byte of an output, one between its elements, one of an input: each is a finding."""
    call = next(c for c in entry_calls() if c["decides"] == "holes-untouched")
    ours = Library("ours").perform(call)
    assert compare(call, ours, ours).findings == []
    elements = output_elements(call)["output"]
    whole = bytes.fromhex(ours["changed"]["output"])
    for at in range(len(whole)):
        changed = bytearray(whole)
        changed[at] ^= 1
        theirs = {**ours, "changed": {"output": changed.hex()}}
        kind = "output" if at in elements else "wrote elsewhere"
        assert compare(call, ours, theirs).kinds() == {kind}, at
    spoilt = bytearray.fromhex(call["buffers"]["input"])
    spoilt[3] ^= 1
    theirs = {**ours, "changed": {**ours["changed"], "input": spoilt.hex()}}
    assert compare(call, ours, theirs).kinds() == {"wrote elsewhere"}
    theirs = {**ours, "strayed": ["the descriptor of output"]}
    assert compare(call, ours, theirs).kinds() == {"wrote elsewhere"}


def test_comparison_counts_allocations() -> None:
    call = next(c for c in entry_calls() if c["decides"] == "no-allocation")
    ours = Library("ours").perform(call)
    assert ours["allocations"] == 0
    (finding,) = compare(call, ours, {**ours, "allocations": 2}).findings
    assert finding.sentence == "theirs allocates 2 times, ours 0"


def expected_print(call: Call) -> str:
    """What a program for the call has to print."""
    outcome = Library("ours").perform(call)
    printed = f"{outcome['status']}\n"
    for name in output_elements(call):
        printed += outcome.get("changed", {}).get(name, call["buffers"][name]) + "\n"
    return printed


def test_python_programs_make_the_same_calls() -> None:
    for call in all_calls(200, 2):
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            exec(compile(reproduce.python(call), call["name"], "exec"), {})
        assert output.getvalue() == expected_print(call), call["name"]


@pytest.mark.skipif(mutants.compiler() is None, reason="compiles programs with cc")
def test_c_programs_make_the_same_calls(tmp_path: Path, builder: Builder) -> None:
    """One for each shape that a program can have, linked with our own core."""
    library, command = builder.library(), running.program("cc")
    chosen = {}
    for call in all_calls(40, 4):
        kind = (call["function"], call["decides"].partition("-")[0], bool(call["parameters"]))
        chosen.setdefault(kind, call)
    for entry in ("null-descriptor", "ignored-fields", "overlap-refused", "size-overflow"):
        chosen.update({(entry, c["name"]): c for c in entry_calls() if c["decides"] == entry})
    picked = list(chosen.values())[::2] + [
        c for c in all_calls(0, 0) if c["decides"] == "no-allocation"
    ]
    for number, call in enumerate(picked):
        source, program = tmp_path / f"{number}.c", tmp_path / f"{number}"
        source.write_text(reproduce.c(call), encoding="utf-8")
        linked = [library, f"-Wl,-rpath,{library.parent}"]
        good([*command, *WARNINGS, f"-I{ROOT / 'include'}", source, *linked, "-o", program])
        assert good([program]) == expected_print(call), call["name"]
